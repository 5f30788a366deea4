"""What the dealer should know now, as a function of what is believed: no alert is remembered, none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.observations import AlertCode
from table_controller.sensing.presence import ZoneBelief
from table_controller.sensing.setup import seat_of, zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import SeatBook

Key = tuple[AlertCode, int | None]
NAMED = 4
"""How many chips a sentence names before it only counts."""
_OF_NOTES: Mapping[AlertCode, str] = {
    "retired-chip": "retired and worth nothing: change it.",
    "hot-chip": "on the hot list: tell the floor, the hand goes on.",
    "cloned-chip": "also lying elsewhere at this moment: one of the two is a copy, call the floor.",
    "foreign-chip": "of a type that the chip set in force does not have: change it.",
}


def standing(sensing: SensingState, now_ns: int) -> dict[Key, str]:
    """All alerts that hold now, with their sentences."""
    found: dict[Key, str] = {}
    thresholds = sensing.setup.thresholds
    heard_long_enough = now_ns - sensing.began_ns > thresholds.stale_ms * NS_PER_MS
    if sensing.setup.camera and heard_long_enough and not sensing.witness.live(now_ns, thresholds.stale_ms):
        found["camera-stale", None] = "The camera is silent; acts are told from the chips alone."
    for zone in sensing.zones.values():
        if (zone.unknown or zone.noted) and zone.fresh(now_ns, thresholds.stale_ms):
            for key, sentence in _of_chips(zone):
                found[key] = f"{found[key]} {sentence}" if key in found else sentence
    betting = sensing.hand.phase == "betting"
    if betting and sensing.origins.thrown:
        found.update(_of_pot(sensing))
    for seat in sensing.setup.seats:
        belief = sensing.zones.get(zone_of(seat))
        if belief is None:
            continue
        if not belief.fresh(now_ns, thresholds.stale_ms):
            if heard_long_enough:
                found["reader-stale", seat] = f"The reader of seat {seat} is silent; key what seat {seat} does."
            continue
        account = sensing.accounts[seat]
        if not belief.settled and not sensing.witness.seat(seat).hand:
            found.update(_of_reading(seat, belief, now_ns, thresholds.unsure_ms * NS_PER_MS))
        if betting and (account.new or account.gone or account.base or account.keyed_ns >= 0):
            found.update(_of_account(sensing, account, belief, now_ns))
    return found


def _of_pot(sensing: SensingState) -> Iterator[tuple[Key, str]]:
    pot = sensing.zones["pot"].present
    for seat in sorted(set(sensing.origins.thrown.values())):
        value = sum(pot.get(uid) or 0 for uid, last in sensing.origins.thrown.items() if last == seat)
        if value:
            yield (
                ("chips-in-pot", seat),
                f"{value} came into the pot past every zone, and seat {seat} had it last: key what it did.",
            )


def _of_reading(seat: int, belief: ZoneBelief, now_ns: int, unsure_ns: int) -> Iterator[tuple[Key, str]]:
    if now_ns - belief.unsettled_ns > unsure_ns:
        yield (
            ("unsure-chip", seat),
            f"The chips at seat {seat} read badly or lie between two zones: spread them, or key the act.",
        )


def _of_chips(belief: ZoneBelief) -> Iterator[tuple[Key, str]]:
    """What is odd about single chips of a zone, whoever's it is."""
    seat = seat_of(belief.zone) or None
    where = f"Seat {seat}" if seat else f"The {belief.zone}"
    unknown = sorted(uid for uid, value in belief.present.items() if value is None and uid not in belief.noted)
    if unknown:
        yield (
            ("unknown-chip", seat),
            f"{where} has {_chips(len(unknown))} that the register does not know ({_listed(unknown)}).",
        )
    for code, what_to_do in _OF_NOTES.items():
        noted = sorted(note.what for note in belief.noted.values() if note.code == code)
        if noted:
            yield (code, seat), f"{where} has {_listed(noted)}, {what_to_do}"


def _of_account(sensing: SensingState, account: Account, belief: ZoneBelief, now_ns: int) -> Iterator[tuple[Key, str]]:
    thresholds = sensing.setup.thresholds
    seat = account.seat
    book = sensing.hand.book(seat)
    if account.gone and not account.new and now_ns - account.gone_ns > thresholds.taken_back_ms * NS_PER_MS:
        yield (
            ("chips-taken-back", seat),
            f"Seat {seat} has taken back {account.gone_value} of its bet of {book.bet}; the bet stands.",
        )
    if account.ready_ns >= 0 and seat not in sensing.hand.order:
        yield ("not-in-hand", seat), f"Seat {seat} put out {account.new_value} and has no action: give it back."
    off = _ledger_off(account, book, belief, now_ns, thresholds.implied_wait_ms * NS_PER_MS)
    if off:
        yield ("ledger-off", seat), off
    if account.base and not book.bet and now_ns - sensing.turn.street_ns > thresholds.implied_wait_ms * NS_PER_MS:
        lies = sum(value or 0 for uid, value in belief.present.items() if uid in account.base - account.doubt)
        if lies:
            yield (
                ("clear-zone", seat),
                f"{lies} at seat {seat} has lain there since before this street and is no bet: clear it.",
            )


def _ledger_off(account: Account, book: SeatBook, belief: ZoneBelief, now_ns: int, patience_ns: int) -> str | None:
    if book.keyed is None or not belief.settled or account.new or account.gone or account.total == book.keyed:
        return None
    over = account.total > book.keyed
    if over and book.change_due:
        return None
    if account.moved_ns <= account.keyed_ns and now_ns - account.keyed_ns < patience_ns:
        return None
    return f"Seat {account.seat}: {book.keyed} was keyed, {account.total} lies on the felt; the keyed bet stands."


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _chips(count: int) -> str:
    return "1 chip" if count == 1 else f"{count} chips"


def changed(old: Mapping[Key, str], new: Mapping[Key, str]) -> Iterator[tuple[Key, str | None]]:
    """What is told when the alerts change: new and reworded ones, and with None those that have passed."""
    for key, sentence in new.items():
        if old.get(key) != sentence:
            yield key, sentence
    for key in old:
        if key not in new:
            yield key, None
