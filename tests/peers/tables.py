"""Random tables: who sits with how much, what is posted, and the house options, for the engine and for PokerKit."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pokerkit
from pokerkit import Automation, Mode
from pokerkit.games import Poker

from table_controller.betting import BettingOptions, Hand, Limit, Post, PostKind, Structure
from table_controller.betting.structure import (
    AnteBy,
    BigBlindAnteOrder,
    HeadsUpCap,
    OddChip,
    PotBelowMinimum,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortAllIn,
    ShortBlindPot,
    ShortOpenAllIn,
    StraddleMinRaise,
    ThreeBlindFirst,
)
from tests.peers.variants import Forced, Variant, remembering

LIVE_POSTS = frozenset({PostKind.BLIND, PostKind.STRADDLE, PostKind.LIVE})
AUTOMATIONS = (
    Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING, Automation.CARD_BURNING,
    Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.RUNOUT_COUNT_SELECTION,
)  # fmt: skip

POKERKIT_OPTIONS = BettingOptions(
    max_raises=3,
    heads_up_cap=HeadsUpCap.ALWAYS,
    short_all_in=ShortAllIn.HALF,
    pot_limit_preflop=PotLimitPreflop.TRUE_POT,
    short_blind_pot=ShortBlindPot.ACTUAL,
    big_blind_ante_order=BigBlindAnteOrder.ANTE_FIRST,
    odd_chip=OddChip.HIGH_CARD_SUIT,
)
"""The house options that are nearest to what PokerKit does."""


@dataclass(frozen=True)
class Table:
    """One hand before it begins. Seats are numbered from the left of the button, the last seat has the button."""

    variant: Variant
    stacks: tuple[int, ...]
    structure: Structure
    options: BettingOptions
    posts: tuple[Post, ...]
    standard: bool
    """The posts are those that the engine finds out by itself."""
    sizes: tuple[int, int]
    """Small and big bet; in big-bet games the minimum bet twice."""
    mode: Mode
    seats: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seats", tuple(range(1, len(self.stacks) + 1)))

    def ours(self) -> Hand:
        stacks = dict(zip(self.seats, self.stacks, strict=True))
        return Hand.start(self.structure, self.options, stacks, len(stacks), None if self.standard else self.posts)

    def theirs(self) -> pokerkit.State:
        """The same table for PokerKit, which is told what it has no notion of: how much of an ante a blind leaves."""
        game: Callable[..., Poker] = self.variant.game  # its parameters differ from game to game
        forced: tuple[object, ...] = ()
        if self.variant.forced is Forced.BLINDS:
            live = {post.seat for post in self.posts if post.kind is PostKind.LIVE}
            signed = [
                -amount if seat in live else amount for seat, amount in zip(self.seats, self.blinds(), strict=True)
            ]
            forced = (_for_pokerkit(signed),)
        elif self.variant.forced is Forced.BRING_IN:
            forced = (self.structure.bring_in,)
        made = game(
            AUTOMATIONS, self._trims_antes, _for_pokerkit(self.antes()), *forced,
            *self.sizes[: self.variant.sizes], mode=self.mode,
        )  # fmt: skip
        made.hand_types = tuple(map(remembering, self.variant.game.hand_types))  # type: ignore[misc]
        return made(self.stacks, len(self.stacks))

    @property
    def _trims_antes(self) -> bool:
        """Dead money belongs to the main pot whoever paid it; individual antes do not."""
        return self.structure.ante_by is AnteBy.EACH and all(post.kind is not PostKind.DEAD for post in self.posts)

    @property
    def ante_payer(self) -> int | None:
        """The seat that pays one ante for all."""
        if not self.structure.ante or self.structure.ante_by is AnteBy.EACH:
            return None
        return self.seats[-1] if self.structure.ante_by is AnteBy.BUTTON else self.big_blind

    @property
    def big_blind(self) -> int | None:
        """The seat of the big blind."""
        blinds = [post for post in self.posts if post.kind is PostKind.BLIND]
        return max(reversed(blinds), key=lambda post: post.amount).seat if blinds else None

    @property
    def small_blinds(self) -> tuple[int, ...]:
        """The seats of smaller blinds."""
        blinds = [post for post in self.posts if post.kind is PostKind.BLIND]
        return tuple(post.seat for post in blinds if post.amount < max(other.amount for other in blinds))

    @property
    def shortened_ante(self) -> int | None:
        """What a blind that comes first leaves of the table's ante (R-180); None where it leaves all."""
        payer = self.ante_payer
        if payer is None or self.options.big_blind_ante_order is BigBlindAnteOrder.ANTE_FIRST:
            return None
        left = max(self.stacks[payer - 1] - self.blinds()[payer - 1], 0)
        return left if left < min(self.structure.ante, self.stacks[payer - 1]) else None

    def antes(self) -> list[int]:
        """What each seat owes before the blinds, dead posts among it."""
        payer, ante = self.ante_payer, self.structure.ante
        shortened = self.shortened_ante
        owed = [ante if payer in (None, seat) else 0 for seat in self.seats]
        if payer is not None and shortened is not None:
            owed[payer - 1] = shortened
        for post in self.posts:
            if post.kind is PostKind.DEAD:
                owed[post.seat - 1] += post.amount
        return owed

    def blinds(self) -> list[int]:
        """What each seat owes live."""
        owed = [0] * len(self.stacks)
        for post in self.posts:
            if post.kind in LIVE_POSTS:
                owed[post.seat - 1] = post.amount
        return owed


def _for_pokerkit(owed: Sequence[int]) -> tuple[int, ...]:
    """PokerKit names the small blind first even heads-up, where the big blind sits first; a live post is negative."""
    return tuple(reversed(owed)) if len(owed) == 2 else tuple(owed)


def random_table(variant: Variant, rng: random.Random) -> Table:
    players = min(rng.choices((2, 3, 4, 5, 6, 7, 8, 9), (6, 6, 5, 3, 3, 1, 1, 2))[0], variant.most_players)
    fixed = variant.limit is Limit.FIXED_LIMIT
    big = rng.choice((2, 3, 5, 10, 20, 100))
    small = rng.choice((big // 2, big // 2, big // 2, 1, big - 1, rng.randint(1, big), big))
    least = big if rng.random() < 0.75 else rng.choice((1, max(big // 2, 1), big + 1, 2 * big, 5 * big))
    sizes = (least, rng.choice((2 * least, 2 * least, least + 1))) if fixed else (least, least)
    ante = rng.choice((0, 0, 0, 1, max(big // 4, 1), big, 2 * big))
    ante_by, standard, bring_in = AnteBy.EACH, False, 0
    blinds: tuple[int, ...] = ()
    posts: tuple[Post, ...] = ()
    options = _options(variant, rng)
    if variant.forced is Forced.NONE:
        ante = ante or 1
    elif variant.forced is Forced.BRING_IN:
        sizes = (max(sizes[0], 2), max(sizes))
        bring_in = rng.randint(1, sizes[0] - 1)
    else:
        blinds, posts, standard, options = _posts(players, small, big, fixed, options, rng)
        dead = any(post.kind is PostKind.DEAD for post in posts)
        if ante and rng.random() < 0.4 and not dead:
            ante_by = rng.choice((AnteBy.BIG_BLIND, AnteBy.BUTTON)) if blinds else AnteBy.BUTTON
        if dead:
            ante = 0
        if not posts:  # antes only
            ante = ante or 1
    structure = Structure(
        limit=variant.limit,
        blinds=blinds,
        ante=ante,
        ante_by=ante_by,
        bring_in=bring_in,
        min_bet=None if fixed or (blinds and sizes[0] == max(blinds)) else sizes[0],
        bets=tuple(sizes[tier] for tier in variant.tiers) if fixed else (),
        streets=variant.streets,
    )
    mode = rng.choice((Mode.TOURNAMENT, Mode.CASH_GAME))
    stacks = _stacks(variant, players, max(big, *sizes), ante, rng)
    return Table(variant, stacks, structure, options, posts, standard, sizes, mode)


def _stacks(variant: Variant, players: int, big: int, ante: int, rng: random.Random) -> tuple[int, ...]:
    if variant.deepest == 1:
        return tuple(rng.randint(1, ante + big) for _ in range(players))
    most = ante + big * rng.choice((1, 3, 8, 30, variant.deepest))
    short = rng.choice((0.0, 0.0, 0.0, 0.15, 0.4, 0.7))
    if rng.random() < 0.1:
        return (most,) * players
    return tuple(
        rng.choice((1, rng.randint(1, ante + 1), rng.randint(1, ante + big)))
        if rng.random() < short
        else rng.randint(1, most)
        if rng.random() < 0.5
        else rng.randint(min(ante + big, most), most)
        for _ in range(players)
    )


def _posts(
    players: int, small: int, big: int, fixed: bool, options: BettingOptions, rng: random.Random
) -> tuple[tuple[int, ...], tuple[Post, ...], bool, BettingOptions]:
    """The blinds of the structure, what is posted, whether the engine finds that out itself, and the options."""
    scheme = rng.choice(
        ("plain", "plain", "plain", "no small", "one", "button", "three", "straddle", "straddle", "posts", "antes")
    )
    if scheme == "antes":
        return (), (), True, options
    if scheme == "one":
        return (big,), (Post(1, big),), True, options
    if scheme == "button":  # short deck: antes, and a blind on the button
        return (big,), (Post(players, big),), False, options
    if scheme == "no small":
        return (small, big), (Post(1 if players == 2 else 2, big),), False, options
    if players == 2:
        return (small, big), (Post(2, small), Post(1, big)), True, options
    plain = (Post(1, small), Post(2, big))
    if scheme == "three":
        first = rng.randint(1, small)
        button = rng.random() < 0.5
        house = replace(
            options, three_blind_first=ThreeBlindFirst.ON_BUTTON if button else ThreeBlindFirst.LEFT_OF_BUTTON
        )
        seats = (players, 1, 2) if button else (1, 2, 3)
        amounts = (first, small, big)
        return amounts, tuple(Post(s, a) for s, a in zip(seats, amounts, strict=True)), True, house
    if scheme == "straddle":
        amount = 2 * big if rng.random() < 0.6 else rng.randint(big + 1, 4 * big)
        straddlers = rng.choice([[3], [players], [3, 4]])[: max(players - 2, 1)]
        straddles = [Post(seat, amount * (1 + n), PostKind.STRADDLE) for n, seat in enumerate(straddlers)]
        return (small, big), (*plain, *straddles), False, options
    if scheme == "posts" and players > 3:
        seat = rng.randint(3, players)
        returning = [Post(seat, big, PostKind.LIVE)]
        if rng.random() < 0.4:
            returning.insert(0, Post(seat, small, PostKind.DEAD))
        return (small, big), (*plain, *returning), False, options
    return (small, big), plain, True, options


def _options(variant: Variant, rng: random.Random) -> BettingOptions:
    """Half the tables play as near to PokerKit as the house can, the others by any house's rules."""
    near = POKERKIT_OPTIONS
    if variant.most_wagers is not None:
        near = replace(near, max_raises=max(variant.most_wagers - 1, 1))
    if rng.random() < 0.5:
        return near
    return replace(
        near,
        short_all_in=rng.choice(tuple(ShortAllIn)),
        short_open_all_in=rng.choice(tuple(ShortOpenAllIn)),
        max_raises=rng.choice((near.max_raises, near.max_raises, 3, 4, 6, None)),
        heads_up_cap=rng.choice(tuple(HeadsUpCap)),
        straddle_counts_as_raise=rng.random() < 0.5,
        straddle_min_raise=rng.choice(tuple(StraddleMinRaise)),
        pot_limit_preflop=rng.choice(tuple(PotLimitPreflop)),
        pot_limit_small_blind=rng.choice(tuple(PotLimitSmallBlind)),
        short_blind_pot=rng.choice(tuple(ShortBlindPot)),
        pot_below_minimum=rng.choice(tuple(PotBelowMinimum)),
        big_blind_ante_order=rng.choice(tuple(BigBlindAnteOrder)),
        odd_chip=rng.choice(tuple(OddChip)),
    )
