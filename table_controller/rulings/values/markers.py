"""What a marker means for the acts of who borrowed (R-283)."""

from __future__ import annotations

from table_controller.betting import Act, Illegal
from table_controller.rulings.values.state import AGGRESSIVE, State


def acted(state: State, act: Act) -> State:
    """To borrow for a raise rules out going all-in later in the hand.

    Raises Illegal (`not-open`) for an all-in of who borrowed to raise: borrow to call, or fold.
    """
    hand = state.hand
    if hand is None or act.seat not in state.borrowed:
        return state
    if act.all_in and act.seat in state.borrowed_to_raise:
        raise Illegal(
            "not-open", f"Seat {act.seat} borrowed to raise and may not go all-in: borrow to call, or fold (R-283)."
        )
    own = hand.starting_stacks[act.seat] - state.borrowed[act.seat]
    if act.kind in AGGRESSIVE and hand.contributions[act.seat] > own:
        return state._replace(borrowed_to_raise=state.borrowed_to_raise | {act.seat})
    return state
