"""The dead button: the big blind always moves to the next player, and the rest follows it (R-188)."""

from __future__ import annotations

from collections.abc import Sequence

from table_controller.betting import BettingOptions, Post
from table_controller.positions.places import SEATS, Positions, before, next_big_blind, steps, trail_length


def dead(blinds: Sequence[int], options: BettingOptions, last: Positions, seats: Sequence[int]) -> Positions:
    """The hand after `last`: one big blind, all else where the next larger was, player or not."""
    big = next_big_blind(last, seats)
    trail = _trail(last.trail, big, seats, trail_length(len(blinds), options))
    places = trail[len(trail) - len(blinds) :]
    small = places[-2] if len(places) > 1 and places[-2] in seats else None
    return Positions(
        button=trail[0], small_blind=small, big_blind=big,
        posts=tuple(
            [Post(seat, amount) for seat, amount in zip(places, blinds, strict=True) if seat in seats and amount]
        ),
        trail=trail, blinds=len(blinds),
        owed={seat: number for number, seat in enumerate(places) if number and seat in seats},
        seats=frozenset(seats),
    )  # fmt: skip


def _trail(old: tuple[int, ...], big: int, seats: Sequence[int], length: int) -> tuple[int, ...]:
    """The old places without those that have been passed, and the new big blind.

    Where a place would lie beyond the big blind (two players become three, a seat is filled again) it is that of the
    player before. Three players with three blinds left of the button have it before the big blind.
    """
    places, around = [big], 0
    for earlier in reversed(old):
        if len(places) == length:
            break
        distance = steps(earlier, places[0])
        may_meet = len(seats) < length == len(places) + 1
        fits = distance and around + distance < SEATS + may_meet
        places.insert(0, earlier if fits else before(places[0], seats))
        around += steps(places[0], places[1])
    while len(places) < length:
        places.insert(0, before(places[0], seats))
    return tuple(places)
