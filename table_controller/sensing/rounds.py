"""What a change of the table's books does to the accounts: base lines, posts that are awaited, keyed bets.

What lies in a zone when a hand or a street begins is no part of any act (R-044). One thing differs: dealers key
a street, and the check before it, after they have dealt it, so a fast player's bet may lie there already. Chips that
no account knows, that are not the house's and no change, and that the seat's own hand brought, are an act of the new
street. Where no hand was seen to bring them they are asked about: a camera misses a hand now and then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.amounts import exactly
from table_controller.sensing.belief import Standing, ZoneBelief
from table_controller.sensing.view import HandView, SeatBook
from table_controller.sensing.witness import Witness

HAND_BEFORE_NS = 1_500 * NS_PER_MS
"""Chips are believed at most this long after the hand that brought them was in the zone."""


def begins_street(old: HandView, new: HandView) -> bool:
    """Whether the accounts begin anew: another hand, or another street of it."""
    return (old.hand_no, old.street) != (new.hand_no, new.street)


def base_line(
    seats: Iterable[int],
    beliefs: Mapping[int, ZoneBelief],
    early: Mapping[int, frozenset[str]],
    doubtful: Mapping[int, frozenset[str]],
    now_ns: int,
) -> dict[int, Account]:
    """New accounts: all that lies there now, or may, but for early bets. A zone without a belief has none yet."""
    accounts = {}
    for seat in seats:
        belief = beliefs.get(seat)
        if belief is None:
            accounts[seat] = Account(seat)
            continue
        there = {uid for uid, track in belief.tracks.items() if track.standing is not Standing.STRAY}
        base = frozenset(there - early.get(seat, frozenset()))
        accounts[seat] = Account(seat, True, base=base, based_ns=now_ns, doubt=doubtful.get(seat, frozenset()))
    return accounts


class Early(NamedTuple):
    """Chips that lie there when a street begins."""

    chips: frozenset[str]
    mixed: bool
    """Whether some of them may pay what was keyed before the street, be change that is still due, or be the old bet,
    which its player took up and put back."""
    unsure: bool
    """Whether nobody can say how much of what lies there is a bet: it is not asked about by an amount."""


def early_chips(
    old: HandView,
    new: HandView,
    beliefs: Mapping[int, ZoneBelief],
    accounts: Mapping[int, Account],
    witness: Witness | None,
    handed: frozenset[str],
    in_pot: frozenset[str],
    closed_ns: int,
) -> dict[int, Early]:
    """By seat the chips that lie there when a street begins, and that may be a player's bet of it.

    Chips of another seat's bet alone were swept over the zone. Those ``handed`` straight from the tray or the pot are
    the dealer's where the camera (``witness``; None: there is none) saw no hand of the seat; without a camera they may
    be either's. Beside others both may be part of the bet. Chips that make up what was keyed for the seat, or the
    change that is due to it, are no part of it. Chips of the ruled bet that have left the zone since the betting was
    over, at `closed_ns`, and lie there again are a new bet. `in_pot` lie in the pot: a bet that is there whole was
    gathered, and no change is made of it.
    """
    if old.hand_no != new.hand_no or old.phase != "round-over" or new.phase != "betting":
        return {}
    found = {}
    for seat in new.order:
        belief, account = beliefs.get(seat), accounts.get(seat)
        if belief is None or account is None or not account.based:
            continue
        was = old.book(seat)
        unread = belief.again_ns > closed_ns
        ruled = _ruled_on(account, belief, was.bet - was.owes + account.dead_here, unread)
        chips = frozenset(
            uid
            for uid, track in belief.tracks.items()
            if track.standing is not Standing.STRAY and not (uid in account.base or uid in ruled)
        )
        paying = _paying(chips, belief, account.awaited)
        chips -= paying
        value, due = _worth(chips, belief), was.change_due
        lies = max(0, _worth(ruled, belief) - account.dead_here)
        gathered = account.counted.keys() <= in_pot
        if due and _is_change(value, due, was.bet - was.owes, lies, chips <= handed and not gathered):
            continue
        own = bool(chips) and (witness is None or brought_by_hand(seat, chips, belief, witness))
        if chips - (frozenset() if own else handed) - bet_of_others(account, accounts.values()):
            keyed = account.awaited > 0 and not paying
            changing = was.change_due > 0
            unsure = (
                keyed
                or (changing and value != due and bool(chips & handed))
                or (unread and bool(account.base & belief.tracks.keys()))
            )
            found[seat] = Early(chips, changing or keyed or unsure or bool(chips & account.counted.keys()), unsure)
    return found


def _is_change(value: int, due: int, bet: int, lies: int, handed: bool) -> bool:
    """Whether chips of that value are the change that is due, beside `lies` of the bet, or what change has made of it.

    Where nothing of the bet lies there any more, the change has been given as a rule, and may be bet.
    """
    return (lies > 0 and value == due) or (handed and value == bet - lies)


def _ruled_on(account: Account, belief: ZoneBelief, bet: int, unread: bool) -> frozenset[str]:
    """The chips of the seat's ruled bet that still lie there.

    In a zone that was `unread` for a while chips may have gone as change and been bet again meanwhile. The dealer
    gathers a bet whole: where some of it has gone, what lies there is the bet or none of it.
    """
    lying = {
        uid for uid in account.counted if uid in belief.tracks and belief.tracks[uid].standing is not Standing.STRAY
    }
    still = frozenset(lying - account.left)
    partly = len(still) < len(account.counted)
    return frozenset() if unread and partly and _worth(still, belief) != bet else still


def _paying(chips: frozenset[str], belief: ZoneBelief, awaited: int) -> frozenset[str]:
    """Those of the chips that make up what was keyed before: all of them up to it, none where none make it exactly."""
    if _worth(chips, belief) <= awaited:
        return chips
    worth = {uid: belief.tracks[uid].value or 0 for uid in chips}
    left, paying = list(exactly(worth.values(), awaited) or ()), set()
    for uid in sorted(worth, key=lambda uid: belief.tracks[uid].since_ns):
        if worth[uid] in left:
            left.remove(worth[uid])
            paying.add(uid)
    return frozenset(paying)


def _worth(chips: frozenset[str], belief: ZoneBelief) -> int:
    return sum(belief.tracks[uid].value or 0 for uid in chips)


def bet_of_others(account: Account, accounts: Iterable[Account]) -> frozenset[str]:
    """The chips that were ruled on in front of other seats."""
    return frozenset(uid for other in accounts if other is not account for uid in other.counted)


def brought_by_hand(seat: int, chips: frozenset[str], belief: ZoneBelief, witness: Witness) -> bool:
    """Whether the camera saw the seat's own hand in its zone when the first of these chips came."""
    first_ns = min(belief.tracks[uid].since_ns for uid in chips)
    visit = witness.seat(seat).brought(first_ns)
    return visit is not None and first_ns - visit[1] <= HAND_BEFORE_NS


def posted(account: Account, belief: ZoneBelief | None, bet: int, awaits: bool) -> Account:
    """When betting begins: the posts of the books are found on the felt, also where they lay there before the hand.

    `awaits`: the table saw posting, so what is not there yet is still to come; else it is not missed. What lies in a
    zone without a belief cannot be said yet: it is `found` when its reader has been heard.
    """
    if not bet:
        return account
    if belief is None or not account.based:
        return replace(account, unposted=bet) if awaits and account.total < bet else account
    lying = {uid: belief.present.get(uid) or 0 for uid in account.base}
    lies = sum(lying.values())
    if account.total + lies == bet:
        return replace(account, counted={**account.counted, **lying}, base=frozenset(), awaited=0)
    return replace(account, awaited=max(0, bet - account.total - lies)) if awaits else account


def dead_gathered(account: Account, book: SeatBook) -> Account:
    """When betting begins: chips that have gone since are dead money in the pot, as far as the seat owed some.

    While a camera sees a hand over the zone, be it one that has long left, nothing was accounted there.
    """
    dead = book.put_in - book.bet - account.taken
    if not account.gone or account.new or account.gone_value > dead:
        return account
    return replace(account.accounted(), taken=account.taken + account.gone_value)


def found(account: Account, belief: ZoneBelief, hand: HandView, new_base: bool) -> Account:
    """The account when its zone has been heard for the first time since the street began, or since betting did.

    Posts that could not be looked for are looked for now. Chips beyond what the books know, in a zone whose base line
    is only taken now, may be a bet: it is asked.
    """
    book = hand.book(account.seat)
    posts, account = account.unposted, replace(account, unposted=0)
    if posts:
        account = posted(account, belief, posts, awaits=True)
    elif new_base and book.bet and book.keyed is None:
        account = posted(account, belief, book.bet, awaits=False)
    if not new_base or hand.phase != "betting" or account.seat not in hand.order:
        return account
    lies = sum(belief.present.get(uid) or 0 for uid in account.base)
    unknown = any(belief.present.get(uid) is None for uid in account.base & belief.present.keys())
    if not unknown and account.total + lies <= book.bet:
        return account
    return account.in_doubt(account.base, "unseen-chips")


def dead_beside(account: Account, book: SeatBook) -> Account:
    """When betting begins: what lies before a seat beyond its live posts is dead money, as far as it owes some."""
    return replace(account, dead_here=max(0, min(book.dead - account.taken, account.total - book.bet)))


def before_cards(account: Account, book: SeatBook) -> Account:
    """When betting begins: chips beyond what the seat had to put in may be an act of it, so that is asked (R-043).

    Where no chips make up what it had to put in, change is due for one of them.
    """
    put_in = max(book.put_in, book.bet)
    if account.total <= put_in or not book.live or book.asked:
        return account
    due = exactly(account.counted.values(), put_in)
    if due is None:
        return account
    left, kept = list(due), {}
    for uid, value in account.counted.items():
        if value in left:
            left.remove(value)
            kept[uid] = value
    early = account.counted.keys() - kept.keys()
    return replace(account, counted=kept, lay=account.lay | early, awaited=0).in_doubt(early, "before-cards")


def awaiting(account: Account, book: SeatBook) -> Account:
    """The account with what was keyed for its seat and has not been ruled on yet; as it is where nothing was keyed."""
    return account if book.keyed is None else replace(account, awaited=max(0, book.keyed - account.total))


def booked(account: Account, old: HandView, new: HandView, now_ns: int) -> Account:
    """The account after the books of its seat changed: a newly keyed bet awaits its chips (R-042)."""
    was, book = old.book(account.seat), new.book(account.seat)
    if book.dead not in (0, account.dead):
        account = replace(account, dead=book.dead)
    if new.phase == "posting" and account.dead_here:
        account = replace(account, dead_here=0)
    if book.bet != was.bet:
        account = replace(account, bet_told_ns=now_ns)
    if book.keyed is not None and book.keyed != was.keyed:
        after_a_restart = account.seat not in old.by_seat  # what it awaits then is remembered
        account = account if after_a_restart else awaiting(account, book)
        account = replace(account, keyed_ns=now_ns, unposted=0)
        if account.held:
            account = replace(account, base=account.base - account.doubt, doubt=frozenset())
    elif (
        account.doubt
        and account.aside in ("early-chips", "early-amount", "dead-money")
        and book.acted
        and not was.acted
    ):
        account = replace(account, doubt=frozenset())
    elif book.keyed is None and was.keyed is not None:
        account = replace(account, awaited=0)
    return account
