"""Antes and dead blinds that come only after the cards were keyed out.

The books take what must be posted for paid when the cards are out, and dead money lies before nobody: it goes into the
pot. So a chip of just that value may be an ante that was late, or an act. The pot's reader tells: what it hears less
than the books say has not come yet. Where it cannot tell, and nobody was seen to pay, the dealer is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table_controller.sensing.account import Account
from table_controller.sensing.amounts import exactly
from table_controller.sensing.origins import SetAside
from table_controller.sensing.state import SensingState

Paid = Literal["yes", "no", "unknown"]


@dataclass(frozen=True, slots=True)
class Beside:
    """The chips are dead money, and those of them that are ``live`` a post of that amount that was owed."""

    dead: int
    live: frozenset[str] = frozenset()
    amount: int = 0


def late(sensing: SensingState, account: Account, now_ns: int) -> SetAside | Beside | None:
    """What the chips that came before a seat are, if they are just the dead money that it may still owe.

    With a live post that is awaited they may be both. Where the pot lacks the dead money and more than that comes, an
    act may have come with it: how much of it, the dealer says. None: they are something else.
    """
    seen = account.taken + _beyond(sensing, account)
    dead, awaited = sensing.hand.book(account.seat).dead - seen, account.awaited
    if dead <= 0 or account.gone or account.unknown or account.new_value < dead:
        return None
    if account.new_value == awaited or account.new.keys() & sensing.origins.bets:
        return None
    paid = _paid(sensing, account, dead, now_ns)
    if account.new_value not in (dead, dead + awaited):
        mixed = paid == "no" and not awaited and _making(account, dead) is not None
        return SetAside("dead-amount") if mixed else None
    if paid == "yes":
        return None
    if account.new_value == dead:
        return Beside(dead) if paid == "no" else SetAside("dead-money")
    live = _making(account, awaited)
    return None if live is None else Beside(dead, live, awaited)


def _making(account: Account, amount: int) -> frozenset[str] | None:
    """New chips that make the amount."""
    values = exactly([value or 0 for value in account.new.values()], amount)
    if values is None:
        return None
    left, found = list(values), set()
    for uid, value in account.new.items():
        if value in left:
            left.remove(value)
            found.add(uid)
    return frozenset(found)


def _paid(sensing: SensingState, account: Account, dead: int, now_ns: int) -> Paid:
    """Whether a seat has put in this dead money, which it was not seen to: the pot has all of it, or lacks as much."""
    pot, hand = sensing.zones.get("pot"), sensing.hand
    if pot is None or not pot.settled or not pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return "unknown"
    others = [other for other in sensing.accounts.values() if other is not account]
    short = hand.pot - sum(book.bet for book in hand.seats) - (pot.value or 0)
    short -= sum(_beyond(sensing, other) for other in others)
    aside = sum(sensing.belief(other.seat).present.get(uid) or 0 for other in others for uid in other.base)
    return "yes" if short <= 0 else "no" if short - aside >= dead else "unknown"


def _beyond(sensing: SensingState, account: Account) -> int:
    """Value of the chips before a seat that were counted and are more than its bet: dead money beside it."""
    return max(0, account.total - sensing.hand.book(account.seat).bet)
