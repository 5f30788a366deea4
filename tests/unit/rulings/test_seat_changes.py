"""Players who change seats, come, go and are away, at random: chips stay, hands begin, and nobody waits for ever."""

import random

import pytest

from betline.steps import Act, ChangeSeat, Leave, NextHand, Return, SitDown, SitOut, Step, parse_setup
from table_controller.rulings.table import Table
from table_controller.rulings.values.state import State

HANDS = 30
LONGEST_WAIT = 12
"""Hands: a whole round of ten seats, and what a player who has moved away from the big blind waits besides."""


def table(dice: random.Random) -> Table:
    house = {
        "profile": dice.choice(["cash", "home", "tda"]), "button_rule": dice.choice(["dead", "moving", "simplified"]),
        "missed_blinds": dice.choice(["big-live-small-dead", "one-per-hand", "single-big", "none"]),
        "new_player": dice.choice(["post", "wait", "free"]), "buy_in": "none",
        "replacement": dice.choice(["pay-in-stead", "sit-out", "live-big-blind"]),
    }  # fmt: skip
    seats = dict.fromkeys(dice.sample(range(1, 11), dice.randint(4, 8)), 500)
    game = {"limit": "no-limit", "blinds": [5, 10]}
    return Table.begin(parse_setup({"game": game, "house": house, "seats": seats, "button": min(seats)}))


def wish(state: State, dice: random.Random) -> Step:
    """What somebody asks for."""
    seat, to = dice.choice(list(state.players)), dice.randint(1, 10)
    kinds: list[Step] = [
        ChangeSeat(seat=seat, to=to, post=dice.random() < 0.5), ChangeSeat(seat=seat, to=to, post=dice.random() < 0.5),
        SitOut(seat=seat), Return(seat=seat, post=dice.random() < 0.7), SitDown(seat=to, stack=500),
    ]  # fmt: skip
    return dice.choice([*kinds, Leave(seat=seat, after_hand=True)] if len(state.players) > 4 else kinds)


def folded_out(now: Table) -> Table:
    while (seat := now.state.next_seat) is not None:
        now = now.apply(Act(seat=seat, action="fold")).table
    return now


@pytest.mark.parametrize("seed", range(6))
def test_whoever_changes_seats_is_dealt_in_within_a_round(seed: int) -> None:
    dice = random.Random(seed)
    now, waited = table(dice), dict[int, int]()
    for _ in range(HANDS):
        for _ in range(dice.randint(0, 3)):
            before = len(now.state.seat_changes)
            now = now.apply(wish(now.state, dice)).table
            for change in now.state.seat_changes[before:]:
                waited[change.to] = 0
        now = folded_out(now)
        stay = [seat for seat, player in now.state.players.items() if not player.leaving]
        brought = sum(now.state.stacks[seat] for seat in stay)
        outcome = now.apply(NextHand())
        if outcome.error is not None:
            assert "needs two players" in outcome.error.sentence
            continue
        now = outcome.table
        hand = now.state.hand
        assert hand is not None
        assert sum(now.state.stacks.values()) + hand.pot == brought
        for seat, player in now.state.players.items():
            out = player.stack and not player.away and seat not in hand.seats
            waited[seat] = waited.get(seat, 0) + 1 if out else 0
        assert max(waited.values()) <= LONGEST_WAIT
