"""The moving button: it always stands before a player, and whom a blind skips pays it all the same (R-187)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from betline.settings import HouseRules
from table_controller.betting import Post, PostKind
from table_controller.betting.forced import clockwise
from table_controller.positions.places import SEATS, Positions, after, between, steps


def moving(
    house: HouseRules, blinds: Sequence[int], last: Positions, usual: Positions, seats: Sequence[int]
) -> Positions:  # fmt: skip
    """The hand after `last`; `usual` is the hand as the new button alone would have it.

    A player pays one blind in a hand, the largest first, and the smaller ones in the hands that follow. Who is due the
    big blind again before that pays it now and the small one next; where the house says `post-both`, both at once, the
    smaller dead. When two players have become three the blinds begin anew, and so they do when their number has
    changed.
    """
    if last.is_heads_up or last.blinds != len(blinds):
        return usual
    smaller = len(blinds) - 1
    bigs = _bigs(last, usual, seats)
    order = clockwise(seats, usual.button)
    posts: list[tuple[int, int, Post]] = []
    owed: dict[int, int] = {}
    for late, seat in enumerate(reversed(bigs)):
        owed[seat] = smaller
        posts.append((smaller, -late, Post(seat, blinds[-1])))
        for place in range(last.owed.get(seat, 0) if house.moving_both_due == "post-both" else 0):
            posts.append((place, order.index(seat), Post(seat, blinds[place], PostKind.DEAD)))
    smalls = []
    for seat in order:
        if seat in bigs or not (due := last.owed.get(seat, 0)):
            continue
        owed[seat] = due - 1
        posts.append((due - 1, order.index(seat), Post(seat, blinds[due - 1])))
        if due == smaller:
            smalls.append(seat)
    posts.sort(key=lambda entry: entry[:2])
    return replace(
        usual, small_blind=smalls[0] if len(smalls) == 1 else None, big_blind=bigs[-1],
        posts=tuple([post for _, _, post in posts if post.amount]), trail=(*usual.trail[:-1], bigs[-1]),
        owed={seat: count for seat, count in owed.items() if count},
    )  # fmt: skip


def _bigs(last: Positions, usual: Positions, seats: Sequence[int]) -> tuple[int, ...]:
    """Who pays a big blind: all from the last one to the new one, which moves on even where somebody came between."""
    old, new = last.trail[-1], usual.trail[-1]
    if new != old and (steps(last.button, new) or SEATS) > steps(last.button, old):
        return between(old, new, seats)
    return (after(old, seats),)
