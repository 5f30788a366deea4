"""Open stakes: chips bought and borrowed in the middle of a hand (R-283)."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import Act, Illegal
from table_controller.rulings.state import AGGRESSIVE, State


def borrowed(state: State, seat: int, amount: int) -> State:
    """Chips came to a seat against a marker."""
    return replace(state, borrowed={**state.borrowed, seat: state.borrowed.get(seat, 0) + amount})


def acted(state: State, act: Act) -> State:
    """What an act means for who borrowed: to borrow for a raise rules out going all-in later in the hand.

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
        return replace(state, borrowed_to_raise=state.borrowed_to_raise | {act.seat})
    return state
