"""Bets that must be made before anybody acts: antes, blinds, straddles, posts (R-180 to R-204).

Who owes what is settled elsewhere (the button, missed blinds, who straddles); here forced bets are data, put in by
stacks that may be too short for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from table_controller.betting.acts import Illegal
from table_controller.betting.state import ACTS_LAST, NOT_ACTED, SLEEPS
from table_controller.betting.structure import (
    AnteBy,
    BettingOptions,
    BigBlindAnteOrder,
    SmallBlind,
    StraddleMinRaise,
    Structure,
    ThreeBlindFirst,
)


class PostKind(StrEnum):
    """What a forced bet does to the first round."""

    BLIND = "blind"
    """Live, with the option; the first round begins left of the last blind or straddle (R-002, R-182, R-184)."""
    STRADDLE = "straddle"
    """A blind raise with the option: moves the first act and the least raise (R-195, R-196)."""
    SLEEPER = "sleeper"
    """A blind raise without option; its seat is passed over unless raised (R-199)."""
    LIVE = "live"
    """A live post of a new or returning player, or a kill: with the option, the first act stays (R-192, R-127)."""
    DEAD = "dead"
    """Dead money for the main pot: a missed small blind (R-193)."""
    ANTE = "ante"
    """An individual ante: dead, yet a short stack wins no more of it than it paid (R-180, R-203)."""


@dataclass(frozen=True, slots=True)
class Post:
    """A forced bet that a seat owes; what its stack cannot cover is all-in for less (R-183).

    `acts_last`: the seat keeps its option until everybody else has acted, wherever it sits (a kill that acts last,
    R-128, or a Mississippi straddle with the order left of the big blind, R-198). `keeps_first_act`: a straddle that
    does not move the first act although it acts in turn: one of that order that was straddled itself.
    """

    seat: int
    amount: int
    kind: PostKind = PostKind.BLIND
    acts_last: bool = False
    keeps_first_act: bool = False


@dataclass(slots=True)
class Opening:
    """The state of a hand's first round once the forced bets are in, by position."""

    behind: list[int]
    wagers: list[int]
    paid: list[int]
    acted: list[int]
    dead: int = 0
    level: int = 0
    last_raise: int = 0
    opening_bet: int = 0
    """The largest blind, a kill among them: in spread limit the first raise must equal it (R-125)."""
    straddles: int = 0
    first_after: int = -1
    """Position of the last blind or straddle; the first act is left of it. -1: left of the button."""
    big_blind: int = -1
    small_blinds: tuple[tuple[int, int], ...] = ()
    blinds_in: int = 0
    table_ante: int = 0
    """The one ante of the table, as far as its payer's stack reached."""

    def _pay(self, position: int, amount: int) -> int:
        paid = min(amount, self.behind[position])
        self.behind[position] -= paid
        return paid

    def ante(self, position: int, amount: int) -> None:
        """An individual ante (R-203)."""
        self.paid[position] += self._pay(position, amount)

    def dead_money(self, position: int, amount: int) -> int:
        """Chips that belong to the main pot whoever put them in."""
        paid = self._pay(position, amount)
        self.dead += paid
        return paid

    def live(self, position: int, post: Post, options: BettingOptions) -> None:
        """A live forced bet: the others owe it in full even where the stack was short of it (R-183)."""
        self.wagers[position] += self._pay(position, max(post.amount - self.wagers[position], 0))
        if post.acts_last:
            self.acted[position] = ACTS_LAST
        elif post.kind is PostKind.SLEEPER:
            self.acted[position] = SLEEPS
        if post.kind in (PostKind.STRADDLE, PostKind.SLEEPER):
            self.straddles += 1
            doubled = options.straddle_min_raise is StraddleMinRaise.DOUBLE
            self.last_raise = max(self.last_raise, post.amount if doubled else post.amount - self.level)
        if post.kind in (PostKind.BLIND, PostKind.STRADDLE) and not (post.acts_last or post.keeps_first_act):
            self.first_after = position
        self.level = max(self.level, post.amount)


def standard_posts(
    structure: Structure, options: BettingOptions, seats: Sequence[int], button: int
) -> tuple[Post, ...]:
    """The blinds of a hand in which nobody left, came or straddled: clockwise from the left of the button.

    `seats` are the seats dealt in. Heads-up the button posts the small blind (R-004). The first of three blinds is on
    the button or left of it, as the house says (R-181).

    Raises Illegal (`setup`) where there are more blinds than seats.
    """
    order = clockwise(seats, button)
    blinds = structure.blinds
    if len(order) == 2 and len(blinds) > 1:
        order, blinds = order[::-1], blinds[-2:]
    elif len(blinds) == 3 and options.three_blind_first is ThreeBlindFirst.ON_BUTTON:
        order = order[-1:] + order[:-1]
    if len(blinds) > len(order):
        raise Illegal("setup", f"{len(blinds)} blinds need as many players, not {len(order)}.")
    return tuple([Post(seat, amount) for seat, amount in zip(order, blinds, strict=False) if amount])


def clockwise(seats: Sequence[int], button: int) -> tuple[int, ...]:
    """The seats clockwise from the left of the button; the button itself, where somebody sits there, is last."""
    ordered = sorted(seats)
    return tuple([s for s in ordered if s > button] + [s for s in ordered if s <= button])


def post_all(
    structure: Structure, options: BettingOptions, behind: Sequence[int], position_of: Mapping[int, int],
    button: int, posts: Sequence[Post],
) -> Opening:  # fmt: skip
    """Put in antes and forced bets, in the order in which a short stack pays them (R-180, R-203).

    Raises Illegal (`setup`) for a post of a seat that is not in the hand, or an ante that no blind can owe.
    """
    for post in posts:
        if post.seat not in position_of:
            raise Illegal("setup", f"Seat {post.seat} owes a {post.kind} but is not in the hand.")
        if post.amount < 1:
            raise Illegal("setup", f"The {post.kind} of seat {post.seat} must be at least 1, not {post.amount}.")
    players = len(behind)
    opening = Opening(list(behind), [0] * players, [0] * players, [NOT_ACTED] * players)
    opening.last_raise = structure.bet_ranges[0][0]
    blinds = [post for post in posts if post.kind is PostKind.BLIND]
    big_blind = max((post.amount for post in blinds), default=0)
    opening.opening_bet = max(
        [post.amount for post in posts if post.kind in (PostKind.BLIND, PostKind.LIVE)], default=0
    )
    single_payer = structure.ante and structure.ante_by is not AnteBy.EACH
    ante_first = options.big_blind_ante_order is BigBlindAnteOrder.ANTE_FIRST
    for position in range(players if structure.ante and structure.ante_by is AnteBy.EACH else 0):
        opening.ante(position, structure.ante)
    for post in posts:
        if post.kind is PostKind.ANTE:
            opening.ante(position_of[post.seat], post.amount)
    payer = position_of.get(ante_payer(structure, posts, button)) if single_payer else None
    if payer is not None and ante_first:
        opening.table_ante = opening.dead_money(payer, structure.ante)
    for post in posts:
        position = position_of[post.seat]
        smaller = post.kind is PostKind.BLIND and post.amount < big_blind
        if post.kind is PostKind.DEAD:
            opening.dead_money(position, post.amount)
        elif smaller and options.small_blind is SmallBlind.DEAD:
            opening.blinds_in += opening.dead_money(position, post.amount)
        elif post.kind is not PostKind.ANTE:
            opening.live(position, post, options)
            if post.kind is PostKind.BLIND:
                opening.blinds_in += opening.wagers[position]
                if smaller:
                    opening.small_blinds += ((position, post.amount),)
                else:
                    opening.big_blind = position
    if payer is not None and not ante_first:
        opening.table_ante = opening.dead_money(payer, structure.ante)
    return opening


def ante_payer(structure: Structure, posts: Sequence[Post], button: int) -> int:
    """The seat that pays the one ante of the table: the big blind, or the button (R-180).

    A button before an empty seat pays none, as an empty small blind does (R-188). Raises Illegal (`setup`) where the
    big blind owes the ante and nobody posts one.
    """
    if structure.ante_by is AnteBy.BUTTON:
        return button
    blinds = [post for post in posts if post.kind is PostKind.BLIND]
    if not blinds:
        raise Illegal("setup", "The big blind pays the ante, and nobody posts a big blind.")
    # of equal blinds the last one posted is the big one
    return max(reversed(blinds), key=lambda post: post.amount).seat
