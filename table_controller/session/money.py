"""Where the chips of a table are: what the journal keeps beside each step that moved some, for the ledger."""

from __future__ import annotations

from table_controller.journal.entries import Money
from table_controller.rulings.table import Table
from table_controller.rulings.values.state import State

POT = "pot"
"""Where chips are that nobody has won: carried to the next hand (R-307)."""


def money_of(table: Table | None) -> Money:
    """What each seat has and what the house has; a hand in progress counts as if its chips still lay in front."""
    if table is None:
        return Money()
    state = table.state
    return Money(
        seats=_holdings(state),
        places=_places(state),
        charges=dict(state.time_charges),
        in_hand=state.hand is not None and not state.hand.hand_over,
        leaving=tuple(sorted(seat for seat, one in state.players.items() if one.leaving)),
        moving={seat: one.moving.to for seat, one in sorted(state.players.items()) if one.moving is not None},
    )


def _holdings(state: State) -> dict[int, int]:
    found = {seat: stack for seat, stack in state.stacks.items() if seat in state.players}
    if state.hand is not None and not state.between_hands:
        found.update(state.hand.starting_stacks)
    return found


def _places(state: State) -> dict[str, int]:
    hand = state.hand
    pot = state.carried if hand is None else hand.carried
    if hand is not None and not hand.hand_over:
        pot = hand.pot - sum(stack - hand.stack(seat) for seat, stack in hand.starting_stacks.items())
    return {**state.house_money, POT: pot}
