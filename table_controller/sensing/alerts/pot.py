"""The pot against the bets that go into it: what never arrives, what is added, and what came past every zone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from betline.units import NS_PER_MS
from table_controller.sensing import audit
from table_controller.sensing.alerts.evidence import alert, still
from table_controller.sensing.belief import Standing, ZoneBelief
from table_controller.sensing.observations import Alert
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import ELSEWHERE

ARRIVES_NS = 700 * NS_PER_MS
"""Chips of one bet arrive in the pot together; one that is not heard so long after the others is not there."""
ADDED_NS = 300 * NS_PER_MS
"""The zones that lose the chips may learn of it so much later than the pot that gets them."""
CHANGE_NS = 2_000 * NS_PER_MS
"""Chips of the tray that change chips of the pot may lie there beside them so long."""
ON_ITS_WAY_NS = 5_000 * NS_PER_MS
"""A chip that the tray's reader last heard longer ago was somewhere else before it came into the pot."""
TAKEN_NS = 1_400 * NS_PER_MS
"""A dealer who straightens the pot has chips of it off the felt for less than this time."""
SWEPT_NS = 1_300 * NS_PER_MS
"""A bet that is gathered, with the other hand too, arrives in the pot within this time after it left its zone; the
pot's next whole round hears it there."""
_PLAYED = ("betting", "round-over", "showdown")


def alerts(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The alerts about the pot while a hand is played."""
    belief = sensing.zones.get("pot")
    if belief is None or not belief.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return
    phase = sensing.hand.phase
    if phase == "betting" and sensing.origins.thrown:
        yield from _past_every_zone(sensing, belief)
    if phase in _PLAYED:
        wrong = _over(sensing, belief, now_ns) or _never_arrived(sensing, now_ns) or _short(sensing, now_ns)
        if wrong is not None:
            yield wrong
        elif not audit.is_quiet(sensing, "pot", now_ns):
            yield from still(sensing, "pot-short", "pot-over")


def _past_every_zone(sensing: SensingState, pot: ZoneBelief) -> Iterator[Alert]:
    """Chips that came into the pot and lay in front of no seat: a wager that nobody reported (R-068)."""
    for seat in sorted(set(sensing.origins.thrown.values())):
        thrown = sensing.origins.thrown
        chips = {uid: pot.present[uid] for uid, last in thrown.items() if last == seat and uid in pot.present}
        value = sum(value or 0 for value in chips.values())
        if value:
            sentence = f"Seat {seat}: key what it did: {value} that it had came into the pot past every zone."
            yield alert(sensing, "chips-in-pot", seat, sentence, value, chips, "pot")


def _over(sensing: SensingState, pot: ZoneBelief, now_ns: int) -> Alert | None:
    """More lies in the pot and in front of the seats than was bet. Chips on their way can only make it less."""
    if pot.unknown or sensing.origins.thrown or any(one.awaited for one in sensing.accounts.values()):
        return None
    hand, travels = sensing.hand, sensing.travels
    most = hand.pot + sum(hand.back.values()) + sum(book.change_due for book in hand.seats)
    lie = {
        seat: sum(value for uid, value in account.counted.items() if uid not in account.gone)
        for seat, account in sensing.accounts.items()
    }
    most -= sum(min(value, hand.book(seat).bet) for seat, value in lie.items())
    over = pot.value - most
    if over <= 0:
        return None
    since_ns, quiet_ns = max(sensing.turn.betting_ns, 0), now_ns - travels.newest_ns("pot")
    of_tray = travels.moved("tray", "pot", since_ns)
    change = {uid: value for uid, value in of_tray.items() if travels.last[uid].on_its_way_ns < ON_ITS_WAY_NS}
    added = travels.moved(ELSEWHERE, "pot", since_ns) | {uid: of_tray[uid] for uid in of_tray.keys() - change.keys()}
    if sum(added.values()) < over:
        added |= change
        quiet_ns -= CHANGE_NS
    if sum(added.values()) < over or quiet_ns < (ADDED_NS if any(lie.values()) else 0):
        return None
    sentence = f"Pot: take {over} out or call the floor: {pot.value} lies there, {most} was bet."
    return alert(sensing, "pot-over", None, sentence, over, added, "pot")


def _never_arrived(sensing: SensingState, now_ns: int) -> Alert | None:
    """Part of a seat's bet lies in the pot since the round was over, the rest lies nowhere.

    A bet may have been changed just before: then chips of the tray lie in the pot for it, by way of the seat or not.
    What lay before the seat in the place of chips that went into the tray is the bet, and may be lost like it.
    """
    travels, hand = sensing.travels, sensing.hand
    if travels.closed_ns < 0:
        return None
    coming = {uid for uid, one in sensing.zones["pot"].tracks.items() if one.standing is Standing.CANDIDATE}
    if coming - travels.bets:
        return None
    missing: dict[str, int] = {}
    seats: list[int] = []
    short = 0
    for seat in sensing.setup.seats:
        zone = zone_of(seat)
        left = {
            uid: value
            for uid, value in travels.moved(zone, ELSEWHERE, travels.closed_ns).items()
            if not _heard_anywhere(sensing, uid)
        }
        arrived = travels.moved(zone, "pot", travels.closed_ns)
        due = travels.change.get(seat, 0)
        in_tray = _changed_in_tray(sensing, zone, due, left | arrived)
        lost = left if in_tray else {uid: value for uid, value in left.items() if uid in travels.bets}
        of_bet = sum(value for uid, value in lost.items() if uid in travels.bets)
        changed = sum(value for uid, value in arrived.items() if uid not in travels.bets)
        less = of_bet - changed - hand.back.get(seat, 0) - due + in_tray
        newest_ns = _came_ns(sensing, arrived)
        if not lost or less <= 0:
            continue
        if not arrived:
            came_ns = _came_ns(sensing, travels.bets)
            swept = sensing.zones["pot"].earlier_ns - travels.left_ns(lost) >= SWEPT_NS
            late = swept and came_ns >= travels.closed_ns and now_ns - came_ns >= ARRIVES_NS
        else:
            late = now_ns - newest_ns >= ARRIVES_NS
        if late:
            short += less
            seats.append(seat)
            missing |= lost
    short -= sum(travels.moved("tray", "pot", travels.closed_ns).values())
    if short <= 0:
        return None
    where = " and ".join(f"seat {seat}" for seat in seats)
    sentence = f"Pot: find {short} of the bet of {where} or call the floor: it was gathered and is not in the pot."
    return alert(sensing, "pot-short", None, sentence, short, missing, zone_of(seats[0]))


def _changed_in_tray(sensing: SensingState, zone: str, due: int, left: Mapping[str, int]) -> int:
    """What went into the tray from a seat's bet, as far as chips lay there for it or it was due back to the seat.

    That much of the change has been made, so what is short now is no change. ``left`` are the chips that have left the
    seat since the round was over and lie in the pot or nowhere.
    """
    travels = sensing.travels
    for_it = sum(value for uid, value in left.items() if uid not in travels.bets)
    went = sum(value for uid, value in travels.moved(zone, "tray").items() if uid in travels.bets)
    return min(went, due + for_it) if for_it else 0


def _came_ns(sensing: SensingState, uids: Iterable[str]) -> int:
    """When the last of these chips was first heard in the pot; -1 where none is heard there."""
    tracks = sensing.zones["pot"].tracks
    heard = (tracks[uid] for uid in uids if uid in tracks)
    return max((track.since_ns for track in heard if track.standing is not Standing.STRAY), default=-1)


def _taken(sensing: SensingState, now_ns: int) -> Alert | None:
    """Chips have left the pot while people bet, and nobody is owed change."""
    travels, hand = sensing.travels, sensing.hand
    if hand.phase != "betting":
        return None
    lost = {uid: value for uid, value in travels.moved("pot", ELSEWHERE).items() if not _heard_anywhere(sensing, uid)}
    if not lost or now_ns - travels.left_ns(lost) < TAKEN_NS:
        return None
    if any(book.change_due for book in hand.seats) or any(one.gone for one in sensing.accounts.values()):
        return None
    given = travels.moved("tray", "pot")
    short = sum(lost.values()) - sum(given.values())
    if short <= 0:
        return None
    sentence = f"Pot: put {short} back or call the floor: it lay in the pot and has left it."
    return alert(sensing, "pot-short", None, sentence, short, lost, "pot")


def _heard_anywhere(sensing: SensingState, uid: str) -> bool:
    """Whether some zone hears the chip, sure or not: then it is not gone."""
    return any(
        uid in zone.tracks and zone.tracks[uid].standing is not Standing.STRAY for zone in sensing.zones.values()
    )


def _short(sensing: SensingState, now_ns: int) -> Alert | None:
    """Less lies in the pot than the books say: chips have left it, or nothing moves any more."""
    taken = _taken(sensing, now_ns)
    if taken is not None:
        return taken
    drift = audit.pot(sensing, now_ns)
    if drift is None or not drift.short:
        return None
    lost = sensing.travels.moved("pot", ELSEWHERE)
    sentence = f"Pot: find {drift.short} or call the floor: {drift.read} lies there, {drift.least} was bet."
    return alert(sensing, "pot-short", None, sentence, drift.short, lost, "pot")
