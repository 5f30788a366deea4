"""Where button and blinds are in a hand, and how seats follow each other around the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from table_controller.betting import BettingOptions, Post
from table_controller.betting.forced import clockwise
from table_controller.betting.structure import ThreeBlindFirst

SEATS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """Where button and blinds are in a hand, and what is posted for it."""

    button: int
    small_blind: int | None
    """The seat that posts the small blind; None where nobody does, or several do."""
    big_blind: int | None
    posts: tuple[Post, ...] = ()
    trail: tuple[int, ...] = ()
    """The places from the button to the big blind, vacated seats included; heads-up the button is there twice."""
    blinds: int = 0
    """How many blinds the trail is made for."""
    owed: Mapping[int, int] = field(default_factory=dict)
    """Seat: how many smaller blinds it pays in the hands that follow, because it has paid a larger one."""
    seats: frozenset[int] = frozenset()
    """The seats dealt in."""
    frozen_from: Positions | None = None
    """The button stands still since this hand, the last one with blinds (R-302)."""

    @property
    def is_heads_up(self) -> bool:
        """Whether the trail is that of two players, who have the button and the small blind in one place (R-004)."""
        return len(self.trail) > 2 and self.trail[0] == self.trail[1] and self.blinds > 1


def first_on_button(blinds: int, options: BettingOptions) -> bool:
    """Whether the first of three blinds is on the button (R-181)."""
    return blinds == 3 and options.three_blind_first is ThreeBlindFirst.ON_BUTTON


def trail_length(blinds: int, options: BettingOptions) -> int:
    """How many places there are from the button to the big blind, both included."""
    return blinds + (not first_on_button(blinds, options))


def after(seat: int, seats: Sequence[int]) -> int:
    """The first of some seats clockwise from a seat."""
    return clockwise(seats, seat)[0]


def next_big_blind(last: Positions, seats: Sequence[int]) -> int:
    """Who is due the big blind after a hand: not who has bought the button with one, though the turn comes (R-189)."""
    big = after(last.trail[-1], seats)
    return after(big, seats) if big == last.big_blind else big


def before(seat: int, seats: Sequence[int]) -> int:
    """The last of some seats before a seat, clockwise."""
    order = clockwise(seats, seat)
    return order[-2] if order[-1] == seat and len(order) > 1 else order[-1]


def between(low: int, high: int, seats: Sequence[int]) -> tuple[int, ...]:
    """The seats after `low` up to and with `high`, clockwise."""
    order = clockwise(seats, low)
    return order[: order.index(high) + 1]


def steps(low: int, high: int) -> int:
    """How many places it is clockwise from one seat number to another; from a seat to itself none."""
    return (high - low) % SEATS


def is_past(low: int, seat: int, high: int) -> bool:
    """Whether a seat lies between two others, clockwise, and is neither of them."""
    return 0 < steps(low, seat) < steps(low, high)
