"""Chips that move outside betting: tips, fills, change, the kitty (R-298)."""

from __future__ import annotations

from betline.steps import MoveChips
from table_controller.betting import Illegal
from table_controller.rulings.acts import acts
from table_controller.rulings.acts.dealer import gathered
from table_controller.rulings.between.stacks import seated, with_stack
from table_controller.rulings.values import house_money
from table_controller.rulings.values.state import Effect, State

TIPS = frozenset({"tip", "tips", "toke", "tokes"})
SMALL_EXPENSES = TIPS | {"drinks", "food", "refreshments", "cards", "change", "time", "rent", "drop"}
"""What chips may leave a stack for although no player takes chips off the table (R-280)."""


def moves(state: State, step: MoveChips) -> Effect:
    """Chips go from a seat or a place of the house to another; in the middle of a hand only a tip does."""
    state = gathered(state) if state.between_hands else state
    source, to = step.source, step.to
    if source == to:
        raise Illegal("not-open", "Name two different places that the chips move between.")
    if isinstance(source, int):
        seated(state, source)
        has = state.stacks[source]
        if step.amount > has:
            raise Illegal("above-maximum", f"Seat {source} has {has}, not {step.amount}.")
    if isinstance(to, int):
        seated(state, to)
    _refuse(state, step)
    if isinstance(source, int):
        state = with_stack(state, source, state.stacks[source] - step.amount)
    else:
        state = house_money.booked(state, source, -step.amount)
    if isinstance(to, int):
        state = with_stack(state, to, state.stacks[to] + step.amount)
    else:
        state = house_money.booked(state, to, step.amount)
    return acts.settle(Effect(state=state))


def _refuse(state: State, step: MoveChips) -> None:
    """Nobody takes chips off the table, and none come to a stack or leave it in the middle of a hand (R-280)."""
    seats = [place for place in (step.source, step.to) if isinstance(place, int)]
    if not seats:
        return
    if not state.between_hands and (isinstance(step.to, int) or step.why.lower() not in TIPS):
        raise Illegal(
            "table-stakes",
            "Wait for the end of the hand: only a tip leaves a stack during it, and nothing comes to one.",
        )
    takes_off = isinstance(step.source, int) and step.to == "tray"
    if takes_off and state.house.form == "cash" and step.why.lower() not in SMALL_EXPENSES:
        raise Illegal("table-stakes", "Chips stay on the table until their player leaves: say `why`, such as tip.")
