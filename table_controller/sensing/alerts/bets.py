"""A seat's bet against what was ruled: chips that were added, taken back or exchanged, and bets that came too late.

A bet that lies there moves only when its seat is to act, when the dealer makes change, or when bets are gathered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from betline.units import NS_PER_MS
from table_controller.sensing import acts, order, progress
from table_controller.sensing.account import Account
from table_controller.sensing.alerts.evidence import alert, seats_named
from table_controller.sensing.belief import ALIVE_MISSES, Standing, ZoneBelief
from table_controller.sensing.cues import no_action
from table_controller.sensing.observations import Alert
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import ELSEWHERE
from table_controller.sensing.view import SeatBook

MOVED_NS = 300 * NS_PER_MS
"""Chips of a bet may be away so long once they are believed to have gone: what replaces them may come late."""
CHANGE_NS = 6_000 * NS_PER_MS
"""A dealer gives change within this time."""
UNDER_HAND_NS = 1_500 * NS_PER_MS
"""A hand over the zone excuses chips that came or went for so long."""
COMING_HITS = 5
"""A chip that answered so often in the last rounds is no stray."""
LAST_BET_NS = 1_500 * NS_PER_MS
"""The last bet on the felt may be on its way to the pot for so long after it was last heard."""
CARRIED_NS = 1_300 * NS_PER_MS
"""It lies in the pot by then; the pot's next whole round hears it there."""


def of_seat(sensing: SensingState, account: Account, belief: ZoneBelief, now_ns: int) -> Iterator[Alert]:
    """The alerts about the bet in front of a seat, from the cards on until the hand is over."""
    phase = sensing.hand.phase
    if phase not in ("betting", "round-over", "showdown"):
        return
    book = sensing.hand.book(account.seat)
    wrong = _taken(sensing, account, book, now_ns) or _added(sensing, account, belief, book, now_ns)
    if wrong is not None:
        yield wrong
    elif phase == "betting" and account.ready_ns >= 0 and account.seat in sensing.hand.order:
        yield from _out_of_turn(sensing, account, now_ns)
    wait_ns = sensing.setup.thresholds.implied_wait_ms * NS_PER_MS
    if _differs_from_the_key(account, book, belief, now_ns, wait_ns) and (
        phase == "betting" or _closed_by_a_key(sensing, account)
    ):
        keyed, lies = book.keyed or 0, account.total
        to_do = f"put {keyed - lies} more in" if lies < keyed else f"give {lies - keyed} back"
        sentence = f"Seat {account.seat}: {to_do}, or undo the key: {keyed} was keyed and stands, {lies} lies there."
        yield alert(sensing, "ledger-off", account.seat, sentence, abs(keyed - lies))
    if phase == "betting":
        yield from _before_this_street(sensing, account, belief, book, now_ns - wait_ns)
    yield from _change_kept(sensing, account, book, now_ns)


def _taken(sensing: SensingState, account: Account, book: SeatBook, now_ns: int) -> Alert | None:
    """Less lies there than before, and nobody has gathered it."""
    short = _less(account, book) - sensing.hand.back.get(account.seat, 0) - _coming(sensing.belief(account.seat))
    if not account.gone or short <= 0 or account.unknown:
        return None
    if _may_be_replaced(sensing, account, book, now_ns):
        return None
    went = _with_what_stood_there(sensing, account)
    if _being_gathered(sensing, went) or _may_be_gathered(sensing, went, now_ns):
        return None
    if progress.mucked_to(sensing) == account.seat and short <= progress.uncalled(sensing.hand):
        return None
    seat, gone = account.seat, account.gone_value
    chips: dict[str, int | None] = {**account.gone}
    if account.new:
        sentence = (
            f"Seat {seat}: put {short} back or call the floor: {gone} became {account.new_value}, "
            f"its bet of {book.bet} stands."
        )
        return alert(sensing, "bet-swapped", seat, sentence, short, {**chips, **account.new}, zone_of(seat))
    sentence = (
        f"Seat {seat}: put {short} back or call the floor: it was taken from its bet of {book.bet}, which stands."
    )
    return alert(sensing, "chips-taken-back", seat, sentence, short, chips, zone_of(seat))


def _coming(belief: ZoneBelief) -> int:
    """Value of the chips that are heard there and of which a slower antenna has yet to say that they have left it."""
    return sum(
        track.value or 0
        for track in belief.tracks.values()
        if track.standing is not Standing.PRESENT and track.missed <= ALIVE_MISSES and track.hits >= COMING_HITS
    )


def _less(account: Account, book: SeatBook) -> int:
    """How much less lies there than was ruled; below 0 more. Change that is due lies there until it is made."""
    if account.gone and book.change_due:
        return book.bet - (account.total - account.gone_value + account.new_value)
    return account.gone_value - account.new_value


def _may_be_replaced(sensing: SensingState, account: Account, book: SeatBook, now_ns: int) -> bool:
    """Whether what is missing may come yet: a player in turn or the dealer may be about to put other chips there."""
    hand = sensing.hand
    waits_ns = now_ns - max(account.gone_ns, account.moved_ns)
    changes = book.change_due > 0 and not _was_changed(sensing, account, book)
    if hand.phase != "betting" and not changes:
        if any(one is not account and one.counted for one in sensing.accounts.values()):
            return waits_ns < MOVED_NS
        left_ns = sensing.travels.left_ns(account.gone)
        return waits_ns < LAST_BET_NS if left_ns < 0 else _may_come_to_the_pot(sensing, left_ns, now_ns)
    seen = sensing.seen(account.seat, now_ns)
    if seen is not None and seen.hand and hand.to_act == account.seat:
        return waits_ns < UNDER_HAND_NS
    if hand.to_act == account.seat or changes or not book.live:
        return waits_ns < sensing.setup.thresholds.taken_back_ms * NS_PER_MS
    return waits_ns < MOVED_NS


def _may_come_to_the_pot(sensing: SensingState, left_ns: int, now_ns: int) -> bool:
    """Whether the last bet may be on its way, or lie in a pot whose reader has not been all through a round since."""
    pot = sensing.zones.get("pot")
    if now_ns - left_ns < LAST_BET_NS:
        return True
    if pot is None or not pot.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return False
    return pot.earlier_ns - left_ns < CARRIED_NS


def _was_changed(sensing: SensingState, account: Account, book: SeatBook) -> bool:
    """Whether the change that is due had been made, and just the ruled bet lay there, before more chips left."""
    tracks, travels = sensing.belief(account.seat).tracks, sensing.travels
    came_ns = max((tracks[uid].since_ns for uid in account.new if uid in tracks), default=-1)
    if came_ns < 0:
        return False
    lay = account.total + account.new_value
    for uid, later in pairwise(sorted(account.gone, key=lambda uid: travels.left_ns((uid,)))):
        lay -= account.gone[uid]
        if lay == book.bet and travels.left_ns((later,)) > max(came_ns, travels.left_ns((uid,))):
            return True
    return False


def _with_what_stood_there(sensing: SensingState, account: Account) -> Account:
    """The account, where its bet was changed once the round was over, as if what lay there for it had been bet.

    Of chips that are changed for others nothing says later that these were gathered.
    """
    travels = sensing.travels
    if sensing.hand.phase == "betting" or travels.closed_ns < 0 or account.new:
        return account
    stood = {
        uid: value
        for to_zone in ("pot", ELSEWHERE)
        for uid, value in travels.moved(zone_of(account.seat), to_zone, travels.closed_ns).items()
        if uid not in travels.bets
    }
    if not stood:
        return account
    return replace(account, gone=stood, gone_ns=max(travels.last[uid].at_ns for uid in stood))


def _being_gathered(sensing: SensingState, account: Account) -> bool:
    """Whether the dealer takes the bets in: these lie in the pot, or are heard there by now, or others' bets go too."""
    accounts = [one for one in sensing.accounts.values() if not _only_change_left(one, sensing.hand.book(one.seat))]
    pot = sensing.zones.get("pot")
    if pot is not None and any(
        uid in pot.tracks and pot.tracks[uid].heard_ns > account.gone_ns for uid in account.gone
    ):
        return True
    if acts.was_gathered(account, accounts, pot, sensing.witness.swept_ns):
        return True
    if sensing.hand.phase == "betting":
        return False
    return any(_going(sensing, other) for other in accounts if other is not account)


def _only_change_left(account: Account, book: SeatBook) -> bool:
    """Whether what has gone from a bet is the change that was due to it: that says nothing of other bets."""
    return 0 < account.gone_value - account.new_value <= book.change_due


def _may_be_gathered(sensing: SensingState, account: Account, now_ns: int) -> bool:
    """Whether, once the betting is over, the pot and the bets that lie there have yet to be read after these left."""
    if sensing.hand.phase == "betting":
        return False
    stale_ms = sensing.setup.thresholds.stale_ms
    others = [other for other in sensing.accounts.values() if other is not account and other.counted]
    zones = {zone_of(other.seat): other.counted for other in others} | {"pot": {}}
    for zone, counted in zones.items():
        belief = sensing.zones.get(zone)
        if belief is None or not belief.fresh(now_ns, stale_ms):
            continue
        if belief.earlier_ns < account.gone_ns:
            return True
        tracks = [belief.tracks[uid] for uid in counted if uid in belief.tracks]
        if tracks and all(track.missed for track in tracks):
            return True
    return False


def _going(sensing: SensingState, account: Account) -> bool:
    """Whether chips of the bet have been silent for longer than by chance."""
    tracks = sensing.belief(account.seat).tracks
    return any(uid in tracks and tracks[uid].missed > ALIVE_MISSES for uid in account.counted)


def _added(sensing: SensingState, account: Account, belief: ZoneBelief, book: SeatBook, now_ns: int) -> Alert | None:
    """More lies there than was bet, and the seat has no act to make."""
    thresholds = sensing.setup.thresholds
    hand, seat = sensing.hand, account.seat
    over = -_less(account, book) - max(book.owes, account.awaited)
    if not account.new or over <= 0 or account.unknown:
        return None
    rests = belief.settled and now_ns - belief.settled_ns >= UNDER_HAND_NS
    if not acts.ended(belief, sensing.seen(seat, now_ns), rests, thresholds):
        return None
    breaks = acts.breaks_a_chip(account) or book.change_due
    if breaks and now_ns - account.moved_ns < thresholds.change_gap_ms * NS_PER_MS:
        return None
    if hand.phase == "betting":
        if seat not in hand.order:
            sentence = no_action(seat, account.new_value, book)
            return alert(sensing, "not-in-hand", seat, sentence, account.new_value, account.new, zone_of(seat))
        if not hand.done(seat) or order.moved_again(account, sensing.turn, thresholds):
            return None
    elif not any(one.counted.keys() - one.gone.keys() for one in sensing.accounts.values()):
        return None  # the bets are in: what comes now belongs to the next street
    if book.bet:
        lies = book.bet + over
        sentence = f"Seat {seat}: give {over} back or call the floor: {lies} lies there, {book.bet} was bet."
        return alert(sensing, "bet-capped", seat, sentence, over, account.new, zone_of(seat))
    if hand.phase == "betting":
        sentence = f"Seat {seat}: give {over} back: it has acted, and nobody has raised."
        return alert(sensing, "chips-out-of-turn", seat, sentence, over, account.new, zone_of(seat))
    sentence = f"Seat {seat}: give {over} back: it came after the betting was over, and the seat had bet nothing."
    return alert(sensing, "late-bet", seat, sentence, over, account.new, zone_of(seat))


def _out_of_turn(sensing: SensingState, account: Account, now_ns: int) -> Iterator[Alert]:
    hand, seat = sensing.hand, account.seat
    before = hand.before(seat)
    if seat == hand.to_act or hand.done(seat) or not before:
        return
    if now_ns - account.ready_ns < sensing.setup.thresholds.out_of_turn_ms * NS_PER_MS:
        return
    if any(sensing.moves(one, now_ns) for one in before):
        return
    sentence = f"Seat {seat}: hold its {account.new_value}: {seats_named(before)} {_have(before)} not acted."
    yield alert(sensing, "chips-out-of-turn", seat, sentence, account.new_value, account.new, zone_of(seat))


def _have(seats: tuple[int, ...]) -> str:
    return "has" if len(seats) == 1 else "have"


def _closed_by_a_key(sensing: SensingState, account: Account) -> bool:
    """Whether chips have come for a bet that was keyed, are not all of it, and all bets still lie there.

    A key may end the betting before its chips come. Of bets that are being gathered less lies there anyway.
    """
    if not account.awaited or account.paid_ns < account.keyed_ns:
        return False
    return not any(other.gone or other.swept_ns >= 0 or _going(sensing, other) for other in sensing.accounts.values())


def _before_this_street(
    sensing: SensingState, account: Account, belief: ZoneBelief, book: SeatBook, since_ns: int
) -> Iterator[Alert]:
    """Chips that lay there before, where the street began before that time and nothing was bet in it."""
    if not account.base or book.bet or sensing.turn.street_ns >= since_ns:
        return
    seat = account.seat
    old = {uid: value for uid, value in belief.present.items() if uid in account.base - account.doubt}
    lies = sum(value or 0 for value in old.values())
    if lies:
        sentence = f"Seat {seat}: clear {lies} away: it has lain there since before this street and is no bet."
        yield alert(sensing, "clear-zone", seat, sentence, lies, old, zone_of(seat))


def _change_kept(sensing: SensingState, account: Account, book: SeatBook, now_ns: int) -> Iterator[Alert]:
    """More lies there than was bet, and nobody gives the change: of the last caller too, when the betting is over."""
    seat, lies = account.seat, account.total - account.gone_value + account.new_value - book.bet
    if 0 < lies <= book.change_due and now_ns - max(account.moved_ns, account.bet_told_ns) >= CHANGE_NS:
        sentence = f"Seat {seat}: give {lies} change: {book.bet + lies} lies there, {book.bet} was bet."
        yield alert(sensing, "change-not-given", seat, sentence, lies, account.counted, zone_of(seat))


def _differs_from_the_key(account: Account, book: SeatBook, belief: ZoneBelief, now_ns: int, patience_ns: int) -> bool:
    if book.keyed is None or not belief.settled or account.new or account.gone or account.total == book.keyed:
        return False
    if account.total > book.keyed and book.change_due:
        return False
    return account.moved_ns > account.keyed_ns or now_ns - account.keyed_ns >= patience_ns
