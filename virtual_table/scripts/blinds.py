"""Where button and blinds are at the virtual table: the players' own account, independent of the controller.

The big blind moves to the next player, so that nobody pays it twice in a row; the small blind moves to where the big
one was, and the button to where the small one was. That is the dead button (R-188). The moving and the simplified
button (R-186, R-187) come to the same as long as nobody leaves one of these two places, and at the virtual table nobody
does if the house uses one of them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

SEATS = 10


@dataclass(frozen=True, slots=True)
class Places:
    """Button and blinds of a hand; button and small blind may be at a seat that is not dealt in."""

    button: int
    small: int
    big: int
    seats: frozenset[int]
    """The seats dealt in."""

    @property
    def small_blind(self) -> int | None:
        """Who posts the small blind; None if its place is empty."""
        return self.small if self.small in self.seats else None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats dealt in, left of the button first."""
        return clockwise(self.seats, self.button)

    @property
    def under_the_gun(self) -> int:
        """The seat left of the big blind."""
        return clockwise(self.seats, self.big)[0]


def clockwise(seats: Collection[int], start: int) -> tuple[int, ...]:
    """The seats in order from the one after ``start``; ``start`` itself, if among them, comes last."""
    return tuple(sorted(seats, key=lambda seat: (seat - start - 1) % SEATS))


def is_between(low: int, seat: int, high: int) -> bool:
    """Whether a seat lies strictly between two places, clockwise."""
    return 0 < (seat - low) % SEATS < (high - low) % SEATS


def first_places(seats: Collection[int], button: int) -> Places:
    """The places of an evening's first hand."""
    order = clockwise(seats, button)
    if len(order) == 2:
        return Places(button, button, order[0], frozenset(seats))
    return Places(button, order[0], order[1], frozenset(seats))


def next_places(last: Places, seats: Collection[int]) -> Places:
    """The places of the hand after ``last``, with ``seats`` those who could be dealt in."""
    big = clockwise(seats, last.big)[0]
    if len(seats) == 2:
        other = next(seat for seat in seats if seat != big)
        return Places(other, other, big, frozenset(seats))
    return Places(last.small, last.big, big, frozenset(seats))
