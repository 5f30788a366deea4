"""One table as it stands between two hands: who is due the big blind, and how bad each open seat is.

The next hand is that of a dead button (TDA 32), as `table_controller.positions` has it: the big blind always moves to
the next player, small blind and button follow it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cardroom.room.errors import RoomError
from table_controller.betting import BettingOptions, Limit, Structure
from table_controller.positions.button import first_positions, known_positions
from table_controller.positions.dead import dead
from table_controller.positions.places import Positions, next_big_blind, steps

_GAME: Final = Structure(limit=Limit.NO_LIMIT, blinds=(1, 2))
"""Any game with two blinds: where they are does not depend on how large they are."""
_OPTIONS: Final = BettingOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """Who has chips, and where button and blinds were in the last hand, or are in the present one."""

    seats: frozenset[int]
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    """None in stud, where the button stands still (TDA 11-B), and before the first hand."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """What an open seat would be in the next hand for whoever is moved there."""

    seat: int
    hands_to_big_blind: int
    """0: the big blind of the next hand."""
    is_small_blind: bool
    waits: bool
    """It lies between the button and the small blind: no hand before the button has passed (TDA 10)."""
    single_big_blind: bool = False
    """Nobody would post a small blind in that hand."""


def next_hand(felt: Felt, seats: Iterable[int]) -> Positions | None:
    """Button and blinds of the next hand if it is dealt to these seats; None where no hand was dealt here yet."""
    order = sorted(seats)
    if felt.button is None or len(order) < 2:
        return None
    if felt.big_blind is None:  # the hand would be stud: the button stands where it would be if this were hold'em
        near = felt.button if felt.button in order else _before(felt.button, order)
        return first_positions(_GAME, _OPTIONS, order, near)
    last = known_positions(_GAME, _OPTIONS, sorted(felt.seats), felt.button, felt.small_blind, felt.big_blind)
    if len(order) == 2:
        big = next_big_blind(last, order)
        return first_positions(_GAME, _OPTIONS, order, next(seat for seat in order if seat != big))
    return dead(_GAME.blinds, _OPTIONS, last, order)


def due_big_blind(felt: Felt) -> int | None:
    """Who is the big blind of the next hand; None where nobody can be."""
    placed = next_hand(felt, felt.seats)
    return None if placed is None else placed.big_blind


def open_seats(felt: Felt, seats: Iterable[int]) -> tuple[OpenSeat, ...]:
    """What each of these open seats would be in the next hand, the worst first, the small blind last (TDA 11-A).

    Worst is who pays the big blind soonest. Before the first hand at a table no seat is worse than another.
    """
    found = [_open_seat(felt, seat) for seat in sorted(seats)]
    return tuple(sorted(found, key=lambda one: one.hands_to_big_blind))


def worst_seat(felt: Felt, seats: Iterable[int]) -> OpenSeat:
    """The seat for a player who is moved to balance tables (TDA 11-A).

    Raises RoomError (`only-small-blind`) where the only open seat would be the small blind: the worst position is never
    that, so the move waits for one hand; `no-seat` where none is open.
    """
    ranked = open_seats(felt, seats)
    if not ranked:
        raise RoomError("no-seat", "No seat is open at that table; choose another one.")
    if ranked[0].is_small_blind:
        raise RoomError(
            "only-small-blind",
            f"Seat {ranked[0].seat}, the only open one, would be the small blind; move the player after one more hand.",
        )
    return ranked[0]


def _open_seat(felt: Felt, seat: int) -> OpenSeat:
    placed = next_hand(felt, felt.seats | {seat})
    if placed is None or placed.big_blind is None:
        return OpenSeat(seat, 0, False, False)
    if placed.big_blind == seat:
        return OpenSeat(seat, 0, False, False, placed.small_blind is None)
    ahead = [one for one in sorted(felt.seats) if 0 < steps(placed.big_blind, one) < steps(placed.big_blind, seat)]
    is_small = placed.small_blind == seat
    waits = not is_small and 0 < steps(placed.button, seat) < steps(placed.button, placed.big_blind)
    return OpenSeat(seat, len(ahead) + 1, is_small, waits)


def _before(seat: int, order: list[int]) -> int:
    return max(order, key=lambda one: (one < seat, one))
