"""Antes and dead blinds among the chips before a seat: those that come late, and those that are gathered late.

The books take what must be posted for paid when the cards are out, and dead money lies before nobody: it goes into the
pot. So a chip of just that value may be an ante that was late, or an act. The pot's reader tells: what it hears less
than the books say has not come yet. Where it cannot tell, and nobody was seen to pay, the dealer is asked. On a later
street bets of the one before may still be on their way to the pot, so what it lacks says nothing there.

Dead money that was put out in time lies before the seat until the dealer takes it. A seat that bets meanwhile has not
taken it back: its bet is what came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from betline.units import NS_PER_MS
from table_controller.sensing import acts
from table_controller.sensing.account import Account
from table_controller.sensing.amounts import exactly
from table_controller.sensing.origins import SetAside
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState

Paid = Literal["yes", "no", "unknown"]
POT_NS = 3_000 * NS_PER_MS
"""Chips that the dealer carries to the pot, and its reader, have so much time to say that they lie there."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The chips are dead money, and those of them that are ``live`` a post of that amount that was owed."""

    dead: int
    live: frozenset[str] = frozenset()
    amount: int = 0


def carried(old: Account, new: Account) -> Account:
    """The account of a new street with the dead money that its seat owes and was seen to put in."""
    return replace(new, dead=old.dead, taken=old.taken + old.dead_here)


def gathered(sensing: SensingState, account: Account, now_ns: int) -> Account | None:
    """The account without dead money that the dealer has taken, the same one where none has gone; None: too early.

    Where chips came meanwhile, its seat may have changed them for it. The pot's reader tells, or who has none sees that
    other chips were gathered too; else the dealer keys the act.
    """
    least = min(account.dead_here, account.gone_value)
    dead = _making(account.gone, least) if least > 0 else None
    if dead is None:
        return account
    without = account.dead_gathered(dead)
    if not account.new:
        return without
    pot = sensing.zones.get("pot")
    if pot is None or not pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        if acts.was_gathered(account, sensing.accounts.values(), None, sensing.witness.swept_ns):
            return without
    elif dead <= pot.present.keys():
        return without
    return None if now_ns - account.gone_ns < POT_NS else without.in_doubt(without.new, "dead-amount")


def late(sensing: SensingState, account: Account, now_ns: int) -> SetAside | Beside | acts.Wait | None:
    """What the chips that came before a seat are, if they are just the dead money that it may still owe.

    With a live post that is awaited they may be both. Where the pot lacks the dead money and more than that comes, an
    act may have come with it: how much of it, the dealer says. None: they are something else.
    """
    dead, awaited = account.dead - account.taken - account.dead_here, account.awaited
    if account.gone or account.unknown or account.new_value == awaited or account.new.keys() & sensing.origins.bets:
        return None
    if dead <= 0:
        return SetAside("dead-money") if _may_be_unpaid(sensing, account, now_ns) else None
    if account.new_value < dead:
        return None
    paid = _paid(sensing, account, dead, now_ns)
    if not sensing.hand.book(account.seat).dead:
        return _on_a_later_street(sensing, account, dead, paid, now_ns)
    if account.new_value not in (dead, dead + awaited):
        if awaited:
            return _part_with_a_post(sensing, account, dead, now_ns)
        mixed = paid == "no" and _making(account.new, dead) is not None
        return SetAside("dead-amount") if mixed else None
    if paid == "yes":
        return None
    if account.new_value == dead:
        return Beside(dead) if paid == "no" else SetAside("dead-money")
    live = _making(account.new, awaited)
    return None if live is None else Beside(dead, live, awaited)


def _may_be_unpaid(sensing: SensingState, account: Account, now_ns: int) -> bool:
    """Whether dead money that was seen before a seat may not be its own: the pot lacks as much as comes now.

    Another seat's chip may have been overheard. Where the chip was followed to the pot, only what would not even call
    is doubted.
    """
    if not 0 < account.dead == account.taken == account.new_value or not sensing.hand.book(account.seat).dead:
        return False
    followed = sum(sensing.travels.moved(zone_of(account.seat), "pot").values()) >= account.dead
    if followed and account.new_value >= sensing.hand.call(account.seat):
        return False
    here = sum(sensing.belief(account.seat).present.get(uid) or 0 for uid in account.base)
    return _paid(sensing, account, account.dead + here, now_ns) == "no"


def _part_with_a_post(sensing: SensingState, account: Account, dead: int, now_ns: int) -> Beside | None:
    """A live post with a part of the dead money, where the rest was paid and nobody saw it: the pot lacks that part."""
    part, live = account.new_value - account.awaited, _making(account.new, account.awaited)
    if live is None or not 0 < part < dead or _paid(sensing, account, part, now_ns) != "no":
        return None
    return Beside(part, live, account.awaited)


def _on_a_later_street(
    sensing: SensingState, account: Account, dead: int, paid: Paid, now_ns: int
) -> SetAside | Beside | acts.Wait | None:
    if account.new_value != dead or paid == "yes":
        return None
    if not sensing.hand.book(account.seat).live:
        return Beside(dead)
    return acts.WAIT if now_ns - account.moved_ns < POT_NS else SetAside("dead-money")


def _making(chips: Mapping[str, int | None], amount: int) -> frozenset[str] | None:
    """Some of the chips that make the amount."""
    values = exactly([value or 0 for value in chips.values()], amount)
    if values is None:
        return None
    left, found = list(values), set()
    for uid, value in chips.items():
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
    short -= sum(other.dead_here for other in others)
    aside = sum(sensing.belief(other.seat).present.get(uid) or 0 for other in others for uid in other.base)
    return "yes" if short <= 0 else "no" if short - aside >= dead else "unknown"
