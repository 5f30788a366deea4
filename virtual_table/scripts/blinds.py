"""Where button and blinds are at the virtual table: the players' own account, of which the controller is no part.

The big blind goes to the next player and nobody pays it twice in a row, the small blind comes to the place where the
big one was, the button to the place where the small one was. The dead button is just that (R-188); the moving and the
simplified one come to the same as long as nobody leaves one of these two places (R-186, R-187), and at the virtual
table nobody does where the house has such a button.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

SEATS = 10


@dataclass(frozen=True, slots=True)
class Places:
    """Button and blinds of a hand; the first two may be before a seat that nobody is dealt in at."""

    button: int
    small: int
    big: int
    seats: frozenset[int]
    """The seats dealt in."""

    @property
    def small_blind(self) -> int | None:
        """Who posts the small blind; None where its place is empty."""
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
    """The seats in order from the one after ``start``, which comes last where it is among them."""
    return tuple(sorted(seats, key=lambda seat: (seat - start - 1) % SEATS))


def is_between(low: int, seat: int, high: int) -> bool:
    """Whether a seat lies between two places, clockwise, and is neither."""
    return 0 < (seat - low) % SEATS < (high - low) % SEATS


def first_places(seats: Collection[int], button: int) -> Places:
    """The places of an evening's first hand."""
    order = clockwise(seats, button)
    if len(order) == 2:
        return Places(button, button, order[0], frozenset(seats))
    return Places(button, order[0], order[1], frozenset(seats))


def next_places(last: Places, seats: Collection[int]) -> Places:
    """The places of the hand after ``last`` for those who could be dealt in."""
    big = clockwise(seats, last.big)[0]
    if len(seats) == 2:
        other = next(seat for seat in seats if seat != big)
        return Places(other, other, big, frozenset(seats))
    return Places(last.small, last.big, big, frozenset(seats))
