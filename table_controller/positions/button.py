"""Button and blinds from one hand to the next (RULES.md section 8).

Three button rules, and what each does with the blinds of players who have gone: the dead button leaves no blind out
and may stand before an empty seat (R-188), the moving button always stands before a player and lets those whom it
skipped make up their blinds (R-187), the simplified one forgets (R-186). While nobody comes or goes they agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from betline.settings import HouseRules
from table_controller.betting import BettingOptions, Illegal, Post, Structure, standard_posts
from table_controller.betting.forced import clockwise
from table_controller.positions.terms import Unsupported


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """Where button and blinds are in a hand, and what is posted for it."""

    button: int
    small_blind: int | None
    """The seat that posts the small blind; None where nobody does."""
    big_blind: int | None
    posts: tuple[Post, ...] = ()
    small_blind_spot: int | None = None
    """Where the small blind is due, a vacated seat included: the dead button stands there next."""
    paid_big: tuple[int, ...] = ()
    """Seats that put in a big blind: each owes a small blind next under the moving button."""
    seats: frozenset[int] = frozenset()
    """The seats dealt in."""


def first_positions(structure: Structure, options: BettingOptions, seats: Sequence[int], button: int) -> Positions:
    """The positions of a hand whose button is known; raises Illegal (`setup`) where the blinds do not fit."""
    posts = standard_posts(structure, options, seats, button)
    blinds = [post.seat for post in posts]
    small = blinds[-2] if len(blinds) > 1 else None
    return Positions(
        button=button, small_blind=small, big_blind=blinds[-1] if blinds else None, posts=posts,
        small_blind_spot=small, paid_big=tuple(blinds[-1:]), seats=frozenset(seats),
    )  # fmt: skip


def next_positions(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, seats: Sequence[int]
) -> Positions:  # fmt: skip
    """The positions of the hand after `last`, dealt to `seats`.

    Raises Illegal (`setup`) for fewer than two seats, Unsupported where the button rule meets more or fewer than two
    blinds while players come and go.
    """
    if len(seats) < 2:
        raise Illegal("not-open", f"A hand needs two players who can be dealt in, not {len(seats)}.")
    unchanged = not last.seats or last.seats == frozenset(seats)
    if house.button_rule == "simplified" or len(structure.blinds) < 2:
        return first_positions(structure, options, seats, _after(last.button, seats))
    if len(seats) == 2:
        return _heads_up(house, structure, options, last, seats)
    if len(structure.blinds) > 2:
        if unchanged:
            return first_positions(structure, options, seats, _after(last.button, seats))
        raise Unsupported(f"button_rule {house.button_rule}", "three blinds while players come and go.")
    return _dead(structure, last, seats) if house.button_rule == "dead" else _moving(house, structure, last, seats)


def _heads_up(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, seats: Sequence[int]
) -> Positions:  # fmt: skip
    """Two players: the button posts the small blind; nobody posts the big blind twice in a row (R-004, R-189)."""
    if house.three_to_two == "simplified" or last.big_blind is None:
        return first_positions(structure, options, seats, _after(last.button, seats))
    big = _after(last.big_blind, seats)
    return first_positions(structure, options, seats, next(seat for seat in seats if seat != big))


def _dead(structure: Structure, last: Positions, seats: Sequence[int]) -> Positions:
    """The dead button: the big blind always moves to the next player, and the rest follows it (R-188)."""
    if last.big_blind is None:
        raise Unsupported("button_rule dead", "the last hand had no big blind to move on from.")
    small_amount, big_amount = structure.blinds
    big = _after(last.big_blind, seats)
    small = last.big_blind if last.big_blind in seats else None
    posts = [Post(big, big_amount)] if big_amount else []
    if small is not None and small_amount:
        posts.insert(0, Post(small, small_amount))
    return Positions(
        button=_seat_before(last.big_blind) if last.small_blind_spot is None else last.small_blind_spot,
        small_blind=small, big_blind=big, posts=tuple(posts), small_blind_spot=last.big_blind, paid_big=(big,),
        seats=frozenset(seats),
    )  # fmt: skip


def _moving(house: HouseRules, structure: Structure, last: Positions, seats: Sequence[int]) -> Positions:
    """The moving button: who is skipped by a blind pays it all the same, several of a kind in one hand (R-187)."""
    if last.big_blind is None:
        raise Unsupported("button_rule moving", "the last hand had no big blind to move on from.")
    button = _after(last.button, seats)
    big = clockwise(seats, button)[1]
    bigs = _between(last.big_blind, big, seats)
    smalls = tuple([seat for seat in clockwise(seats, button) if seat in last.paid_big and seat not in bigs])
    if len(bigs) > 1 and house.moving_both_due == "post-both":
        raise Unsupported("moving_both_due post-both", f"seats {', '.join(map(str, bigs[:-1]))} owe both blinds.")
    small_amount, big_amount = structure.blinds
    due = [(seat, small_amount) for seat in smalls] + [(seat, big_amount) for seat in bigs]
    return Positions(
        button=button, small_blind=smalls[0] if len(smalls) == 1 else None, big_blind=big,
        posts=tuple([Post(seat, amount) for seat, amount in due if amount]),
        small_blind_spot=smalls[0] if len(smalls) == 1 else None, paid_big=bigs, seats=frozenset(seats),
    )  # fmt: skip


def _after(seat: int, seats: Sequence[int]) -> int:
    """The first of some seats clockwise from a seat."""
    return clockwise(seats, seat)[0]


def _between(low: int, high: int, seats: Sequence[int]) -> tuple[int, ...]:
    """The seats after `low` up to and with `high`, clockwise."""
    order = clockwise(seats, low)
    return order[: order.index(high) + 1]


def _seat_before(seat: int) -> int:
    return 10 if seat == 1 else seat - 1
