"""An evening of hands in which players come, go, lose all and return: only who sits where, and who posts what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from betline.settings import HouseRules, load_house_rules
from table_controller.betting import BettingOptions, Limit, PostKind, Structure
from table_controller.positions import (
    Arrival,
    Player,
    Positions,
    dealt_in,
    dealt_in_again,
    first_positions,
    left_out,
    seat_players,
)

OPTIONS = BettingOptions()
STACK = 1000


@dataclass(frozen=True)
class Event:
    """What one seat does between two hands, where it can."""

    kind: str
    seat: int
    post: bool = True
    buys: bool = False


@dataclass(frozen=True)
class Dealt:
    """One hand: the positions, and the players as they were before it."""

    placed: Positions
    before: dict[int, Player]

    def paid(self, amount: int) -> list[int]:
        """The seats that posted a live blind of this amount."""
        return [post.seat for post in self.placed.posts if post.kind is PostKind.BLIND and post.amount == amount]


EVENTS = st.builds(
    Event, st.sampled_from(["sits", "leaves", "busts", "rebuys", "away", "back"]), st.integers(1, 10), st.booleans(),
    st.booleans(),
)  # fmt: skip
EVENINGS = st.tuples(
    st.sets(st.integers(1, 10), min_size=2), st.lists(st.lists(EVENTS, max_size=4), min_size=1, max_size=25)
)  # fmt: skip


def game(*blinds: int) -> Structure:
    return Structure(limit=Limit.NO_LIMIT, blinds=blinds, min_bet=max(blinds))


def house(rule: str, **options: object) -> HouseRules:
    return load_house_rules("cash", {"button_rule": rule, **options})


def hands(rules: HouseRules, structure: Structure, seats: set[int], nights: Sequence[list[Event]]) -> Iterator[Dealt]:
    """The hands that are dealt; where fewer than two players could play none is."""
    players = {seat: Player(STACK) for seat in sorted(seats)}
    last: Positions | None = None
    for events in nights:
        for event in events:
            _happens(players, event, last)
        if len(dealt_in(players, rules)) < 2:
            continue
        if last is None:
            could = dealt_in(players, rules)
            placed = first_positions(structure, OPTIONS, could, could[0])
        else:
            placed = seat_players(rules, structure, OPTIONS, last, players)
        before = dict(players)
        for seat, player in before.items():
            if seat in placed.seats:
                players[seat] = dealt_in_again(player, seat, rules, placed, structure)
            else:
                players[seat] = left_out(player, seat, last, placed, structure)
        last = placed
        yield Dealt(placed, before)


def _happens(players: dict[int, Player], event: Event, last: Positions | None) -> None:
    player = players.get(event.seat)
    if event.kind == "sits" and player is None:
        replaces = last is not None and event.seat in last.seats
        players[event.seat] = Player(STACK, arrival=Arrival(event.post, event.buys, replaces))
    elif player is None:
        return
    elif event.kind == "leaves":
        del players[event.seat]
    elif event.kind == "busts":
        players[event.seat] = replace(player, stack=0)
    elif event.kind == "rebuys" and not player.stack:
        players[event.seat] = replace(player, stack=STACK)
    elif event.kind == "away":
        players[event.seat] = replace(player, away=True)
    elif event.kind == "back" and player.away:
        players[event.seat] = replace(player, away=False, returns=Arrival(event.post, event.buys))
