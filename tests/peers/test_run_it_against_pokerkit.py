"""All-in before the flop, run once, twice or three times: PokerKit deals and pays, the engine is told who won.

Every stack must come out the same. Odd chips are compared where the two agree on them (`tests.peers.differences`): in
one pot, where no board is split by more than two, and where one unit at most is odd between the boards.
"""

from __future__ import annotations

import random

import pokerkit
import pytest

from betline.settings import GameSettings, load_house_rules
from betline.steps import Act, Award, Deal, RunIt, TableSetup
from table_controller.rulings.table import Table

SEEDS = 60
AUTOMATIC = tuple(
    one for one in pokerkit.Automation if one is not pokerkit.Automation.RUNOUT_COUNT_SELECTION
)  # fmt: skip


def stacks_of(rng: random.Random) -> list[int]:
    """One pot with odd chips, or several that can be parted without any."""
    players = rng.randint(3, 6)
    return [rng.randint(3, 60)] * players if rng.random() < 0.5 else [60 * rng.randint(1, 9) for _ in range(players)]


def played(rng: random.Random, runs: int) -> tuple[pokerkit.State, list[int]]:
    """A hand in which everybody goes all-in, all its boards dealt and all its pots paid; the stacks before it."""
    stacks = stacks_of(rng)
    peer = pokerkit.NoLimitTexasHoldem.create_state(
        AUTOMATIC, True, 0, (1, 2), 2, tuple(stacks), len(stacks), mode=pokerkit.Mode.CASH_GAME
    )  # fmt: skip
    while peer.actor_index is not None:
        if peer.can_complete_bet_or_raise_to():
            peer.complete_bet_or_raise_to(peer.max_completion_betting_or_raising_to_amount)
        else:
            peer.check_or_call()
    while peer.can_select_runout_count():
        peer.select_runout_count(runout_count=runs)
    return peer, stacks


def best(peer: pokerkit.State, holes: dict[int, list[pokerkit.Card]], board: int, seats: tuple[int, ...]) -> list[int]:
    """The seats of a pot with the best hand on a board."""
    cards = tuple(peer.get_board_cards(board))
    ranks = {seat: pokerkit.StandardHighHand.from_game(tuple(holes[seat]), cards) for seat in seats}
    most = max(ranks.values())
    return [seat for seat in seats if ranks[seat] == most]


@pytest.mark.parametrize(
    "runs", [pytest.param(1, marks=pytest.mark.nightly), 2, pytest.param(3, marks=pytest.mark.nightly)]
)
def test_r_268_the_pots_of_every_board_go_where_pokerkit_pushes_them(runs: int) -> None:
    compared = 0
    for seed in range(SEEDS):
        random.seed(seed)  # PokerKit shuffles with the global one
        peer, stacks = played(random.Random(seed), runs)
        holes: dict[int, list[pokerkit.Card]] = {}
        for operation in peer.operations:
            if isinstance(operation, pokerkit.HoleDealing):
                holes.setdefault(operation.player_index + 1, []).extend(operation.cards)
        table = Table.begin(
            TableSetup(
                game=GameSettings(limit="no-limit", blinds=(1, 2)), house=load_house_rules("cash", {"run_it": 3}),
                seats=dict(enumerate(stacks, 1)), button=len(stacks),
            )
        )  # fmt: skip
        while (seat := table.state.next_seat) is not None:
            raises = table.state.raise_range is not None
            table = done(table, Act(seat=seat, action="all-in" if raises else "call"))
        if runs > 1:
            table = done(table, RunIt(times=runs))
        for street in ("flop", "turn", "river") * runs:
            table = done(table, Deal(street=street))
        hand = table.state.hand
        assert hand is not None
        pots = [
            tuple(tuple(best(peer, holes, board, pot.seats)) for board in range(runs)) for pot in hand.pots
        ]  # fmt: skip
        table = done(table, Award(pots=tuple(pots)))
        odd = hand.pot % runs > 1 or any(len(board) > 2 for pot in pots for board in pot)
        if len(set(stacks)) == 1 and odd:
            continue
        compared += 1

        assert list(table.state.stacks.values()) == peer.stacks, seed
    assert compared > SEEDS * 0.7


def done(table: Table, step: object) -> Table:
    """The table after a step that must be accepted."""
    outcome = table.apply(step)  # type: ignore[arg-type]
    assert outcome.error is None, (step, outcome.error)
    return outcome.table
