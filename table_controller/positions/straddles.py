"""Voluntary blind raises before the first act: live straddles, Mississippi straddles, sleepers (R-195 to R-201).

A straddle buys the last act of the first round, a sleeper only raises what the others must call (R-195 to R-199). Both
are posts of the hand: what changes who acts first, and the least raise, is the betting engine's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

from betline.settings import HouseRules
from table_controller.betting import Illegal, Post, PostKind, Structure
from table_controller.betting.forced import clockwise
from table_controller.positions.places import Positions, is_past


class StraddleKind(StrEnum):
    """What a voluntary blind raise buys."""

    LIVE = "live"
    MISSISSIPPI = "mississippi"
    SLEEPER = "sleeper"


def under_the_gun(placed: Positions) -> int | None:
    """The seat left of the big blind; None without one."""
    return None if placed.big_blind is None else clockwise(tuple(placed.seats), placed.big_blind)[0]


def straddles(placed: Positions) -> tuple[Post, ...]:
    """The straddles of a hand, lowest first."""
    return tuple([post for post in placed.posts if post.kind is PostKind.STRADDLE])


def without_straddles(placed: Positions) -> Positions:
    """The positions with the forced bets only: a hand that is dealt again may be straddled anew."""
    voluntary = (PostKind.STRADDLE, PostKind.SLEEPER)
    return replace(placed, posts=tuple([post for post in placed.posts if post.kind not in voluntary]))


def forced_straddle(placed: Positions, structure: Structure, seat: int) -> Positions:
    """A seat straddles for twice the big blind because it must, whatever straddles the house takes (R-200, R-201)."""
    return replace(placed, posts=(*placed.posts, Post(seat, 2 * structure.big_blind, PostKind.STRADDLE)))


def is_rock_due(house: HouseRules, placed: Positions, holder: int) -> bool:
    """Whether the holder of the rock is under the gun and must straddle (R-200)."""
    return house.rock and under_the_gun(placed) == holder and _may_straddle_heads_up(house, placed)


def mandatory_straddler(house: HouseRules, placed: Positions) -> int | None:
    """The seat that must straddle: under the gun, or the button where the house straddles there only (R-201).

    None where no straddle is mandatory, and heads-up, where nobody is under the gun.
    """
    if not house.mandatory_straddle or house.form == "tournament" or placed.big_blind is None or len(placed.seats) < 3:
        return None
    if house.straddle_positions == "button":
        return placed.button if placed.button in placed.seats else None
    return under_the_gun(placed)


def missed_straddle(house: HouseRules, last: Positions | None, placed: Positions, seat: int) -> bool:
    """Whether the mandatory straddle of this hand went past a seat that is not dealt in (R-201)."""
    straddler = mandatory_straddler(house, placed)
    if straddler is None or placed.big_blind is None:
        return False
    if house.straddle_positions == "button":
        return last is not None and is_past(last.button, seat, straddler)
    return is_past(placed.big_blind, seat, straddler)


def straddled(
    house: HouseRules, structure: Structure, placed: Positions, stacks: Mapping[int, int], post: Post,
    kind: StraddleKind,
) -> Positions:  # fmt: skip
    """The positions with one more straddle, `post.amount` being the seat's total; `stacks` are those before all posts.

    Where the house takes it, a seat straddles all-in for less: the others match a full straddle, or what it is.

    Raises Illegal: `not-open` where the house takes none from that seat, `below-minimum` and `above-maximum` for its
    size.
    """
    seat = post.seat
    _check_dealt_in(house, placed, seat)
    everything = stacks[seat] - (structure.ante if structure.ante_by == "each" else 0)
    if post.amount > stacks[seat]:
        raise Illegal("above-maximum", f"Seat {seat} has {stacks[seat]} and cannot straddle for {post.amount}.")
    placed, least = _beside(house, structure, placed, seat, kind)
    if _level(placed) < post.amount == everything < least and house.short_straddle != "refused":
        post = replace(post, amount=least) if house.short_straddle == "full" else post
    elif post.amount < least:
        what = f"A sleeper raises: to {least} at least" if kind is StraddleKind.SLEEPER else f"This straddle is {least}"
        raise Illegal("below-minimum", f"{what}, not {post.amount}.")
    if kind is StraddleKind.SLEEPER:
        return replace(placed, posts=(*placed.posts, Post(seat, post.amount, PostKind.SLEEPER)))
    if house.straddle_size == "exact" and post.amount > least:
        raise Illegal("above-maximum", f"This straddle is {least}, not {post.amount}.")
    last = kind is StraddleKind.MISSISSIPPI and house.mississippi_order == "left-of-big-blind"
    earlier = tuple([
        replace(other, acts_last=False, keeps_first_act=other.acts_last or other.keeps_first_act)
        for other in placed.posts
    ]) if last else placed.posts  # fmt: skip
    straddle = Post(seat, post.amount, PostKind.STRADDLE, acts_last=last)
    return replace(placed, posts=(*earlier, straddle))


def least_straddle(
    house: HouseRules, structure: Structure, placed: Positions, seat: int, kind: StraddleKind
) -> int:  # fmt: skip
    """The least total that a seat may straddle or sleep for; raises Illegal (`not-open`) where it may not."""
    return _beside(house, structure, placed, seat, kind)[1]


def _beside(
    house: HouseRules, structure: Structure, placed: Positions, seat: int, kind: StraddleKind
) -> tuple[Positions, int]:  # fmt: skip
    """The positions that the straddle comes to, without those it puts aside, and its least total."""
    _check_dealt_in(house, placed, seat)
    if not _may_straddle_heads_up(house, placed):
        raise Illegal("not-open", "Deal without it: two players do not straddle here (R-195).")
    if kind is StraddleKind.SLEEPER:
        _check_sleeper(house, placed, seat)
        return placed, _level(placed) + _increment(house, structure, placed)
    below = straddles(placed)
    if below and kind is StraddleKind.MISSISSIPPI and _displaces(structure, placed, below, seat):
        placed, below = without_straddles(placed), ()
    if below:
        _check_restraddle(house, placed, below, seat, kind)
        least = 2 * below[-1].amount
        if house.restraddle_size == "min-raise":
            least = below[-1].amount + _increment(house, structure, placed)
    else:
        _check_position(house, structure, placed, seat, kind)
        least = 2 * structure.big_blind
    return placed, max(least, _level(placed) + 1)


def _may_straddle_heads_up(house: HouseRules, placed: Positions) -> bool:
    return house.heads_up_straddle or len(placed.seats) > 2


def _check_dealt_in(house: HouseRules, placed: Positions, seat: int) -> None:
    if house.form == "tournament":
        raise Illegal("not-open", "Give it back: there are no straddles in a tournament (R-294).")
    if seat not in placed.seats:
        raise Illegal("not-open", f"Seat {seat} is not in the hand.")


def _check_sleeper(house: HouseRules, placed: Positions, seat: int) -> None:
    """A sleeper is a blind raise from anywhere but under the gun, without option (R-199)."""
    if not house.sleepers:
        raise Illegal("not-open", "Give it back: this house takes no sleepers (R-199).")
    if seat == under_the_gun(placed):
        raise Illegal("not-open", f"Seat {seat} is under the gun: its blind raise is a straddle (R-199).")


def _check_position(
    house: HouseRules, structure: Structure, placed: Positions, seat: int, kind: StraddleKind
) -> None:  # fmt: skip
    """Who may straddle: R-195 and R-198, as the house says."""
    if house.straddle_positions == "none":
        raise Illegal("not-open", "Give it back: this house takes no straddles (R-195).")
    gun = under_the_gun(placed)
    if gun is None:
        raise Illegal("not-open", "Give it back: there is no big blind to straddle.")
    if kind is StraddleKind.LIVE and seat != gun:
        raise Illegal("not-open", f"A live straddle is posted by seat {gun}, under the gun (R-195).")
    if seat == placed.button and seat != gun and not structure.limit.is_big_bet:
        raise Illegal("not-open", "Give it back: there is no straddle on the button in a limit game (R-195).")
    order = clockwise(tuple(placed.seats), placed.button)
    on_button = frozenset({placed.button})
    open_to = {
        "utg": frozenset({gun}),
        "button": on_button,
        "utg-or-button": frozenset({gun, placed.button}),
        "button-or-cutoff": frozenset(order[-2:]) if placed.button in placed.seats else frozenset(order[-1:]),
        "any": placed.seats,
    }[house.straddle_positions]
    if seat not in open_to:
        names = ", ".join(map(str, sorted(open_to)))
        raise Illegal("not-open", f"This house takes straddles from seat {names} in this hand (R-195).")


def _check_restraddle(
    house: HouseRules, placed: Positions, below: tuple[Post, ...], seat: int, kind: StraddleKind
) -> None:
    """Who may straddle a straddle: the seat beside it, as often as the house says (R-197, R-198)."""
    if len(below) > house.restraddles:
        raise Illegal("not-open", f"This house takes {house.restraddles} re-straddles in a hand (R-197).")
    if kind is StraddleKind.LIVE and below[0].seat != under_the_gun(placed):
        raise Illegal("not-open", "Over a Mississippi straddle a re-straddle is one too (R-198).")
    around = clockwise(tuple(placed.seats), below[-1].seat)
    to_the_right = kind is StraddleKind.MISSISSIPPI and house.mississippi_restraddle == "right"
    beside = around[-2] if to_the_right else around[0]
    if seat != beside:
        raise Illegal("not-open", f"Seat {beside} may straddle the straddle of seat {below[-1].seat} (R-197).")


def _displaces(structure: Structure, placed: Positions, below: tuple[Post, ...], seat: int) -> bool:
    """A straddle on the button puts one under the gun aside, with what is above it (R-195)."""
    gun = under_the_gun(placed)
    return (
        seat == placed.button != gun and below[0].seat == gun and structure.limit.is_big_bet
        and all(straddle.seat != seat for straddle in below)
    )  # fmt: skip


def _level(placed: Positions) -> int:
    """The bet to match so far."""
    return max([post.amount for post in placed.posts if post.kind not in (PostKind.DEAD, PostKind.ANTE)], default=0)


def _increment(house: HouseRules, structure: Structure, placed: Positions) -> int:
    """What the least raise over the posts so far adds (R-196): what the last blind raise added, or all of it."""
    raised = [structure.big_blind, *[
        post.amount for post in placed.posts if post.kind in (PostKind.STRADDLE, PostKind.SLEEPER)
    ]]  # fmt: skip
    if len(raised) < 2:
        return structure.bet_ranges[0][0]
    if house.straddle_min_raise == "double":
        return raised[-1]
    return max(after - before for before, after in pairwise(raised))
