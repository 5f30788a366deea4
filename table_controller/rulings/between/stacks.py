"""Who sits where, and a stack that is another one from now on, in the hand or beside it."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import Illegal
from table_controller.positions import Player
from table_controller.rulings.values.state import State


def seated(state: State, seat: int) -> Player:
    """The player in a seat; raises Illegal (`not-open`) where nobody sits."""
    if seat not in state.players:
        raise Illegal("not-open", f"Name a taken seat: nobody sits in seat {seat}.")
    return state.players[seat]


def is_playing(state: State, seat: int) -> bool:
    """Whether the seat was dealt in to the hand in progress."""
    return state.hand is not None and not state.between_hands and seat in state.hand.seats


def with_player(state: State, seat: int, player: Player) -> State:
    """A seat is another's, or its player has changed."""
    return state._replace(players=dict(sorted({**state.players, seat: player}.items())))


def with_stack(state: State, seat: int, stack: int) -> State:
    """A seat has another stack now; one that the dealer or the player has brought in is no loss or win of the hand."""
    if state.hand is not None and is_playing(state, seat):
        return state._replace(hand=state.hand.recounted(seat, stack))
    return with_player(state, seat, replace(state.players[seat], stack=stack))
