"""Who leaves the table and who changes seats, at once or when the hand is over."""

from __future__ import annotations

from dataclasses import replace

from table_controller.positions import Move, moved_player
from table_controller.rulings.values.state import Departure, SeatChange, State


def departed(state: State, seat: int) -> State:
    """The player has left with the stack; what the same one took away earlier counts no more (R-282)."""
    player = state.players[seat]
    departure = Departure(seat, player.stack, state.minutes, player.person)
    earlier = [left for left in state.left if not is_same(left, departure)]
    players = {other: one for other, one in state.players.items() if other != seat}
    return state._replace(players=players, left=(*earlier, departure))


def is_same(one: Departure, other: Departure) -> bool:
    """Whether the same player left, as far as anybody knows."""
    return one.person == other.person and (one.person != "" or one.seat == other.seat)


def moved(state: State, seat: int, move: Move) -> State:
    """The player sits in the other seat; stack, debts, penalties, a kill, legs and the rock come with it (R-192)."""
    others = {other: one for other, one in state.players.items() if other != seat}
    last = state.placed or state.last
    player = moved_player(state.players[seat], seat, move, state.house, state.structure, last, others)
    kills = state.kills
    return state._replace(
        players=dict(sorted({**others, move.to: player}.items())),
        kills=replace(
            kills,
            seat=move.to if kills.seat == seat else kills.seat,
            legs={move.to if one == seat else one: legs for one, legs in kills.legs.items()},
        ),
        rock=move.to if state.rock == seat else state.rock,
        seat_changes=(*state.seat_changes, SeatChange(seat, move.to)),
    )


def with_goings(state: State) -> State:
    """The table after a hand: who was to leave has left, then who was to change seats has moved."""
    for seat in [seat for seat, player in state.players.items() if player.leaving]:
        state = departed(state, seat)
    for seat, player in list(state.players.items()):
        if player.moving is not None:
            state = moved(state, seat, player.moving)
    return state
