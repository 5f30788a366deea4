"""What each act put into the middle, and what came back: the arithmetic under every format that tells amounts.

All that was put in, with what lay there from the hand before, is what went back, what was won, what the house took and
what waits for the next hand. Where it is not, a ruling has moved chips that no act tells, such as an undercall that a
floor's fold forfeits: such a hand is not `whole`, and no format of another program has a word for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from table_controller.accounts.histories.known import antes_of
from table_controller.accounts.histories.told import Acted, Dealt, Told
from table_controller.betting import ActionKind, PayoutKind, PostKind
from table_controller.betting.structure import SmallBlind


@dataclass(frozen=True, slots=True)
class Forced:
    """A forced bet as it was paid: less than its amount where the stack was shorter."""

    seat: int
    kind: str
    """`ante`, or the kind of the post: `blind`, `straddle`, `sleeper`, `live`, `dead`."""
    amount: int
    full: int
    dead: bool


@dataclass(frozen=True, slots=True)
class Bet:
    """An act with its chips."""

    act: Acted
    adds: int
    """What it put in."""
    level: int
    """The bet to match before it."""
    all_in: bool


@dataclass(frozen=True, slots=True)
class Amounts:
    """The money of a hand."""

    forced: tuple[Forced, ...]
    bets: Mapping[int, Bet]
    """By the place of the act among the hand's events."""
    put_in: Mapping[int, int]
    """By seat, all of it."""
    returned: Mapping[int, int]
    """What nobody matched, and blinds that were chopped, by seat."""
    won: Mapping[int, int]
    taken: int
    carried_in: int
    """What lay in the middle from the hand before (R-307)."""
    carried_out: int
    otherwise: Mapping[int, int]
    """What else a seat has paid (above 0) or got (below) in the hand: a time charge, a tip, chips that were bought."""

    @property
    def pot(self) -> int:
        """What the seats put in and did not get back unmatched."""
        return sum(self.put_in.values()) - sum(self.returned.values())

    @property
    def whole(self) -> bool:
        """Whether the acts tell all chips that were won, taken and carried over."""
        return self.pot + self.carried_in == sum(self.won.values()) + self.taken + self.carried_out


def amounts_of(told: Told) -> Amounts:
    """The money of a hand that is over."""
    hand = told.hand
    forced = tuple(_forced(told))
    put_in = Counter(dict.fromkeys(hand.seats, 0))
    bets: Counter[int] = Counter()
    for one in forced:
        put_in[one.seat] += one.amount
        bets[one.seat] += 0 if one.dead else one.amount
    acts: dict[int, Bet] = {}
    for place, event in enumerate(told.events):
        if isinstance(event, Dealt):
            bets.clear()
        elif isinstance(event, Acted):
            level = max(bets.values(), default=0)
            adds = 0 if event.kind is ActionKind.FOLD else max(0, event.to - bets[event.seat])
            put_in[event.seat] += adds
            bets[event.seat] += adds
            left = hand.starting_stacks[event.seat] - put_in[event.seat]
            acts[place] = Bet(event, adds, level, all_in=adds > 0 and left <= 0)
    returned: Counter[int] = Counter()
    for payout in hand.payouts:
        if payout.kind is PayoutKind.UNCALLED:
            returned[payout.seat] += payout.amount
    if told.chopped:
        returned.update({seat: hand.bet(seat) for seat in sorted(hand.in_hand)})
    won = told.won
    otherwise = {
        seat: hand.starting_stacks[seat] - put_in[seat] + returned[seat] + won.get(seat, 0) - told.finishing(seat)
        for seat in hand.seats
    }
    taken = sum(taking.amount for taking in told.end.takings)
    moved = {seat: amount for seat, amount in otherwise.items() if amount}
    return Amounts(forced, acts, dict(put_in), dict(returned), won, taken, told.start.carried, hand.carried, moved)


def _forced(told: Told) -> Iterator[Forced]:
    """The forced bets in the order in which they are told: antes, then the posts of each seat."""
    hand, start = told.hand, told.start.hand
    assert start is not None
    dead_small = told.start.options.small_blind is SmallBlind.DEAD
    big = max((post.amount for post in told.posts if post.kind is PostKind.BLIND), default=0)
    each = len(antes_of(told)) > 1 or told.start.bomb_pot is not None
    live_left, left = dict(start.bets), dict(hand.starting_stacks)
    counted = dict(start.contributions)

    def pays(seat: int, kind: str, full: int, *, dead: bool) -> Iterator[Forced]:
        amount = min(full, left[seat]) if dead else min(full, live_left[seat])
        left[seat] -= amount
        if not dead:
            live_left[seat] -= amount
        if amount:
            yield Forced(seat, kind, amount, full, dead)

    for seat, ante in antes_of(told).items():
        own = counted[seat] - start.bets[seat] if each else ante
        yield from pays(seat, "ante", min(ante, own), dead=True)
    for post in told.posts:
        dead = post.kind in (PostKind.DEAD, PostKind.ANTE) or (
            dead_small and post.kind is PostKind.BLIND and post.amount < big
        )
        yield from pays(post.seat, str(post.kind), post.amount, dead=dead)
