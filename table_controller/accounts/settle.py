"""Settling up: who pays whom so that everybody has what the ledger says, with a bank or between the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from table_controller.accounts.ledger import Ledger

BANK = "bank"
EXACT = 14
"""Among so many parties the fewest payments are found; among more a pair that cancels out is paid first."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One party pays another; parties are keys of accounts, places of the house, or `BANK`."""

    payer: str
    payee: str
    amount: int


def between_players(ledger: Ledger) -> tuple[Payment, ...]:
    """Everybody played on credit: the fewest payments that settle all results and the house's part.

    At most one payment fewer than there are parties; the same ledger always gives the same ones.
    """
    results = {key: account.result for key, account in ledger.accounts.items()}
    return settled({**results, **ledger.house})


def with_bank(ledger: Ledger) -> tuple[Payment, ...]:
    """Every chip was sold for cash: the bank pays for those that are left, and markers are settled through it."""
    claims = {key: account.claim for key, account in ledger.accounts.items()}
    return tuple(
        Payment(BANK, key, claim) if claim > 0 else Payment(key, BANK, -claim) for key, claim in claims.items() if claim
    )


def kept_by_bank(ledger: Ledger) -> int:
    """What of the cash the bank keeps once it has paid: the house's part."""
    return sum(ledger.house.values())


def settled(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """The fewest payments after which every balance is 0; who has less than 0 pays.

    Raises ValueError where the balances do not make 0.
    """
    open_ones = {party: amount for party, amount in balances.items() if amount}
    if sum(open_ones.values()):
        raise ValueError(f"balances that make {sum(open_ones.values())} and not 0 cannot be settled")
    groups = [{party: group[party] for party in open_ones if party in group} for group in _groups(open_ones)]
    order = list(open_ones)
    groups.sort(key=lambda group: order.index(next(iter(group))))
    return tuple([payment for group in groups for payment in _paid_within(group)])


def _groups(balances: Mapping[str, int]) -> list[dict[str, int]]:
    """The parties in as many groups as can settle each among themselves: every such group saves a payment."""
    groups: list[dict[str, int]] = []
    left = dict(balances)
    for party, amount in balances.items():
        other = next((name for name, value in left.items() if value == -amount), None) if party in left else None
        if other is not None:
            groups.append({party: left.pop(party), other: left.pop(other)})
    return groups + (_fewest(left) if len(left) <= EXACT else [left])


def _fewest(balances: Mapping[str, int]) -> list[dict[str, int]]:
    """The most groups that each make 0, over all sets of parties, each set by the bits of a number."""
    parties = list(balances)
    sums, most, last = [0], [0], [0]
    for chosen in range(1, 1 << len(parties)):
        lowest = chosen & -chosen
        sums.append(sums[chosen ^ lowest] + balances[parties[lowest.bit_length() - 1]])
        found, without = max((most[chosen ^ bit], bit) for bit in _bits(chosen))
        most.append(found + (sums[chosen] == 0))
        last.append(without)
    groups: list[dict[str, int]] = []
    left = len(most) - 1
    group: dict[str, int] = {}
    while left:
        if not sums[left] and group:
            groups.append(group)
            group = {}
        party = parties[last[left].bit_length() - 1]
        group[party] = balances[party]
        left ^= last[left]
    return [*groups, group] if group else groups


def _bits(number: int) -> list[int]:
    return [1 << place for place in range(number.bit_length()) if number >> place & 1]


def _paid_within(group: Mapping[str, int]) -> list[Payment]:
    """Who owes most pays whom most is owed to, until nobody owes: each payment settles one of the two at least."""
    left, found = dict(group), []
    while any(left.values()):
        payer, payee = min(left, key=lambda one: left[one]), max(left, key=lambda one: left[one])
        amount = min(-left[payer], left[payee])
        found.append(Payment(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
    return found
