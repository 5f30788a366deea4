"""Who has put in what, who can win which part, and who gets it.

Contributions are what each player has in the pot over the whole hand, by position (clockwise from the left of the
button); `live` says who has not folded. Dead money belongs to the main pot and is no part of any contribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import add
from typing import NamedTuple

from table_controller.betting.acts import Illegal


@dataclass(frozen=True, slots=True)
class Pot:
    """An amount and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A pot awarded in equal parts (high and low, or boards in order), each split by its winners (R-264, R-303).

    A part that is divided itself, the high and the low of one board, is `Parts` too.
    """

    parts: tuple[tuple[int, ...] | Parts, ...]
    apart: bool = False
    """Each part is split by itself, also where the same hands win all of them: the runs of a board (R-268)."""


class PayoutKind(StrEnum):
    """Why chips went to a seat."""

    UNCALLED = "uncalled"
    """Nobody matched it: no pot was won, nothing is raked of it (R-261)."""
    POT = "pot"
    """Won: by award, because all others folded, or because no one else could win that pot (R-262)."""


@dataclass(frozen=True, slots=True)
class Payout:
    """Chips that left the middle for a seat; `pot` is the number of the pot, 0 the main pot, None for no pot."""

    seat: int
    amount: int
    kind: PayoutKind
    pot: int | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What leaves the middle because only one player can still win it, and the contributions without it."""

    contributions: tuple[int, ...]
    taker: int
    amount: int
    kind: PayoutKind


class Level(NamedTuple):
    """One pot: its amount, the positions that can win it, and the part of each contribution that lies in it."""

    amount: int
    positions: tuple[int, ...]
    below: int
    top: int


@dataclass(frozen=True, slots=True)
class Pull:
    """Chips of one seat's bet that go into a pot (0 the main pot), or back to the seat: None (R-305)."""

    seat: int
    amount: int
    pot: int | None


def settle(contributions: tuple[int, ...], live: int, aggressor: int) -> Settlement | None:
    """Take out the uncalled part, then a side pot that one player alone can win (R-261, R-262).

    `live` is the set of live positions as bits. None where everything is contested. The uncalled part of the last bet
    or raise goes back even where its hand was killed (R-266); a folded blind is forfeit.
    """
    first = max(contributions)
    leader = contributions.index(first)
    second = max(contributions[:leader] + contributions[leader + 1 :])
    if second < first and (live >> leader & 1 or leader == aggressor):
        return Settlement(_cut(contributions, second), leader, first - second, PayoutKind.UNCALLED)
    standing = sorted([(amount, p) for p, amount in enumerate(contributions) if live >> p & 1])
    if len(standing) < 2:
        return None
    (second, _), (first, taker) = standing[-2:]
    if second == first:
        return None
    cut = _cut(contributions, second)
    return Settlement(cut, taker, sum(contributions) - sum(cut), PayoutKind.POT)


def _cut(contributions: tuple[int, ...], most: int) -> tuple[int, ...]:
    return tuple([min(amount, most) for amount in contributions])


def levels(contributions: Sequence[int], live: int, dead: int, able: int = 0) -> Iterator[Level]:
    """The pots, main pot first (R-260).

    Each level is what an all-in player of that size can win; equal levels are one pot; what folded players have put in
    stays in the levels that it reached, and goes to the last pot above them. While betting goes on `able` are those who
    have chips to bet: they may still match every bet, so they can win all of it and cap no pot.
    """
    players = [p for p in range(len(contributions)) if live >> p & 1]
    most = max([contributions[p] for p in players])
    reached = {p: most if able >> p & 1 else contributions[p] for p in players}
    tiers = sorted(set(reached.values()))
    tops = [*tiers[:-1], max(contributions)]
    below = 0
    for tier, top in zip(tiers, tops, strict=True):
        amount = dead + sum(min(c, top) - min(c, below) for c in contributions)
        if amount:
            yield Level(amount, tuple([p for p in players if reached[p] >= tier]), below, top)
        below, dead = tier, 0


def pull_plan(
    seats: Sequence[int], paid: Sequence[int], wagers: Sequence[int], live: int, dead: int, aggressor: int
) -> tuple[Pull, ...]:
    """How the dealer takes in the bets of a round: clockwise from the left of the button, every chip of them (R-305).

    `wagers` are the bets as they lie, `paid` the contributions of the rounds before, all by position.
    """
    contributions = tuple(map(add, paid, wagers))
    settlement = settle(contributions, live, aggressor)
    if settlement is not None and settlement.kind is PayoutKind.UNCALLED:
        contributions = settlement.contributions
    pots = tuple(levels(contributions, live, dead))
    plan: list[Pull] = []
    for position, seat in enumerate(seats):
        left = wagers[position]
        for number, pot in enumerate(pots):
            part = min(contributions[position], pot.top) - max(paid[position], pot.below)
            if part > 0:
                plan.append(Pull(seat, part, number))
                left -= part
        if left:
            plan.append(Pull(seat, left, None))
    return tuple(plan)


def shares(amount: int, winners: Sequence[int], unit: int) -> list[tuple[int, int]]:
    """Split into multiples of the unit; odd units go one each to the winners in the order given (R-264)."""
    each = amount // (len(winners) * unit) * unit
    odd = amount - each * len(winners)
    result = []
    for winner in winners:
        extra = min(unit, odd)
        odd -= extra
        result.append((winner, each + extra))
    return result


def shares_first(amount: int, winners: Sequence[int], unit: int) -> list[tuple[int, int]]:
    """Split into multiples of the unit; the first winner takes whatever is odd (R-264, `high-card-suit`)."""
    each = amount // (len(winners) * unit) * unit
    first, *others = winners
    return [(first, amount - each * len(others)), *[(winner, each) for winner in others]]


def award(
    number: int,
    pot: Pot,
    winners: Sequence[int] | Parts,
    *,
    order: Sequence[int],
    unit: int,
    odd_to_first_name: bool,
) -> list[Payout]:
    """Pay a pot to its winners; `order` is the order in which seats take odd units.

    Raises Illegal (`not-open`) where the winners named cannot be those of this pot.
    """
    shared = winners if isinstance(winners, Parts) else tuple(winners)
    groups = list(_groups(shared))
    called = number + 1
    if not groups or not all(groups):
        raise Illegal("not-open", f"Name a winner of pot {called}.")
    for group in groups:
        if strangers := [seat for seat in group if seat not in pot.seats]:
            raise Illegal("not-open", f"Name another winner: seat {strangers[0]} cannot win pot {called}.")
        if len(set(group)) != len(group):
            raise Illegal("not-open", f"Name each winner once: a seat stands twice for pot {called}.")
    places = None if odd_to_first_name else order
    amounts: dict[int, int] = {}
    for seat, share in _split(pot.amount, shared, places, unit):
        amounts[seat] = amounts.get(seat, 0) + share
    return [Payout(seat, amount, PayoutKind.POT, number) for seat, amount in amounts.items() if amount]


def _split(
    amount: int, winners: tuple[int, ...] | Parts, order: Sequence[int] | None, unit: int
) -> Iterator[tuple[int, int]]:
    """What each winner takes; `order` is that of the seats for odd units, None leaves all of them to the first name.

    Hands that win every part alike share the whole as evenly as possible, one odd unit a seat (TDA 20-D).
    """
    if not isinstance(winners, Parts):
        seats = winners if order is None else sorted(winners, key=order.index)
        yield from (shares_first if order is None else shares)(amount, seats, unit)
        return
    groups = list(_groups(winners))
    if not winners.apart and len({frozenset(group) for group in groups}) == 1:
        yield from shares(amount, groups[0] if order is None else sorted(groups[0], key=order.index), unit)
        return
    for (_, part), shared in zip(shares(amount, range(len(winners.parts)), unit), winners.parts, strict=True):
        yield from _split(part, shared, order, unit)


def _groups(winners: tuple[int, ...] | Parts) -> Iterator[tuple[int, ...]]:
    """The seats that split each undivided part."""
    if not isinstance(winners, Parts):
        yield winners
        return
    for part in winners.parts:
        yield from _groups(part) if isinstance(part, Parts) else (part,)
