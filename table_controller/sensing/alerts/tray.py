"""The tray in a hand: what leaves it without anything of its worth coming in, and chips of the pot that go into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from betline.units import NS_PER_MS
from table_controller.sensing.alerts.evidence import alert, still
from table_controller.sensing.alerts.silent import BY_CHANCE, silent
from table_controller.sensing.belief import Standing, ZoneBelief
from table_controller.sensing.observations import Alert
from table_controller.sensing.quality import rounds_at
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import ELSEWHERE, Float, in_doubt
from table_controller.sensing.whose import COMING_HITS

CHANGE_NS = 2_000 * NS_PER_MS
"""Change is made within this time: chips out of the tray first, then those that they are changed for into it."""
WHOLE_NS = 200 * NS_PER_MS
"""The last whole round may have begun so much earlier: looks have followed it."""
DIRECT_NS = 3_500 * NS_PER_MS
"""A dealer's hand brings chips from the pot to the tray, and a full tray's reader hears them, in this time. What takes
longer may have been in the winner's stack: it was won, and is changed for other chips."""
COMING_ROUNDS = 3
"""Chips that come together have all been heard after so many rounds, or a round and so many looks less one: one is
missed in each of them by 1e-4."""
BY_CHANCE_IN_CHANGE = 1e-3
"""While chips come into the tray, for some three rounds of each change: one false finding in 25 hours of 25 changes."""


class Gap(NamedTuple):
    """What the tray lacks now, and since when."""

    short: int
    out: Mapping[str, int]
    came: Mapping[str, int]
    left_ns: int
    """When the last of what left was last heard."""


def alerts(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The alerts about the tray, until the hand is over."""
    belief, before = sensing.zones.get("tray"), sensing.travels.tray
    if belief is None or before is None or not belief.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return
    if sensing.hand.phase not in ("betting", "round-over", "showdown", "hand-over") or belief.unknown:
        return
    gap = _too_little(sensing, belief, before)
    late = gap is not None and _is_late(sensing, belief, gap)
    wrong = _short(sensing, gap) if gap is not None and late else _too_much(sensing, belief, before, now_ns)
    if wrong is not None:
        yield wrong
    elif _moved_lately(sensing, now_ns) or in_doubt(belief):
        yield from still(sensing, "tray-short", "uneven-change", "pot-to-tray")
    if gap is not None and not late and not _is_owed(sensing):
        yield _open(sensing, gap)


def _is_late(sensing: SensingState, belief: ZoneBelief, gap: Gap) -> bool:
    """Whether what is out would have been changed by now.

    A round, or a look, begins when the one before is over. Change that lies there by then is heard by one of those that
    begin later, unless chance has all of them miss it. Where a reader does not look, the last whole round and one after
    it must have missed it: in which round before that the chips left is not known better than to a round.
    """
    late_ns = gap.left_ns + _patience_ns(sensing)
    since = belief.begun_since(late_ns)
    return since >= rounds_at(belief.quality.missed_share, BY_CHANCE_IN_CHANGE) or (
        since > 0 and belief.earlier_ns >= late_ns - WHOLE_NS
    )


def _too_little(sensing: SensingState, belief: ZoneBelief, before: Float) -> Gap | None:
    """More went out than came in and was bought. Chips in doubt count as lying there."""
    coming = _coming(belief)
    if coming is None:
        return None
    came = _came(belief, before) | {uid: value for uid, value in coming.items() if uid not in before.chips}
    missing = silent(belief, BY_CHANCE_IN_CHANGE if coming or _came_lately(sensing, belief, came) else BY_CHANCE)
    out = {
        uid: value
        for uid, value in before.chips.items()
        if uid not in coming and (uid not in belief.present or uid in missing)
    }
    short = sum(out.values()) - sum(came.values()) - max(_bought(sensing, before), 0)
    if short <= 0:
        return None
    given_again = {
        uid for uid, stay in sensing.travels.last.items() if stay.from_zone == "tray" and uid not in belief.present
    }  # what came for the first of them in this hand may leave for other change
    left_ns = max(
        sensing.travels.left_ns((out.keys() | given_again) - missing.keys()),
        *(belief.tracks[uid].heard_ns for uid in missing),
        -1,
    )
    return Gap(short, out, came, left_ns)


def _coming(belief: ZoneBelief) -> dict[str, int] | None:
    """What is coming to the tray; None while more of it may be still to come."""
    coming = {uid: track for uid, track in belief.tracks.items() if track.standing is Standing.CANDIDATE}
    if any(belief.round_no - track.since_round + 1 < COMING_ROUNDS for track in coming.values()):
        return None
    return {uid: track.value or 0 for uid, track in coming.items()}


def _came_lately(sensing: SensingState, belief: ZoneBelief, came: Iterable[str]) -> bool:
    """Whether some of these chips are believed to lie in the tray only since one of its last two rounds."""
    last = sensing.travels.last
    return any(uid in last and last[uid].at_ns >= belief.earlier_ns for uid in came)


def _too_much(sensing: SensingState, belief: ZoneBelief, before: Float, now_ns: int) -> Alert | None:
    """More came in than went out, was cashed in and is the house's share."""
    of_pot = _coming_from_pot(sensing, belief, before)
    out = {uid: value for uid, value in before.chips.items() if uid not in belief.present and uid not in of_pot}
    came = _came(belief, before) | {uid: value for uid, value in of_pot.items() if uid not in before.chips}
    over = sum(came.values()) - sum(out.values()) - sensing.hand.taken - max(-_bought(sensing, before), 0)
    if over <= 0:
        return None
    of_pot |= _moved_from_pot(sensing, "tray")
    if _nothing_is_changed(sensing, out) and sum(of_pot.values()) >= over and _came_directly(sensing, belief, of_pot):
        return _over(sensing, over, out, came, of_pot)
    if not (out or of_pot) or _moved_lately(sensing, now_ns) or in_doubt(belief):
        return None
    return _over(sensing, over, out, came, of_pot)


def _nothing_is_changed(sensing: SensingState, out: Iterable[str]) -> bool:
    """Whether the pot goes to one seat as it lies: then no chips of it need be changed."""
    hand, travels = sensing.hand, sensing.travels
    return hand.phase == "hand-over" and len(hand.won) == 1 and travels.left_ns(out) < travels.over_ns


def _came_directly(sensing: SensingState, belief: ZoneBelief, chips: Iterable[str]) -> bool:
    """Whether the tray's reader heard these chips so soon after they left that nobody had them meanwhile."""
    last = sensing.travels.last
    tracks = [belief.tracks[uid] for uid in chips if uid in belief.tracks]
    return all(track.uid in last and track.since_ns - last[track.uid].left_ns <= DIRECT_NS for track in tracks)


def _came(belief: ZoneBelief, before: Float) -> dict[str, int]:
    return {uid: value or 0 for uid, value in belief.present.items() if uid not in before.chips}


def _coming_from_pot(sensing: SensingState, belief: ZoneBelief, before: Float) -> dict[str, int]:
    """Chips that have left the pot and that the tray's reader has heard twice.

    Those that were given out of the tray in this hand may have been heard there before that: since they left the pot
    they must have been heard, and again in a round that began later.
    """
    left, last = _moved_from_pot(sensing, ELSEWHERE), sensing.travels.last
    return {
        uid: left[uid]
        for uid, track in belief.tracks.items()
        if uid in left
        and (uid not in before.chips or last[uid].left_ns <= track.since_ns <= track.after_ns)
        and track.standing is Standing.CANDIDATE
        and track.hits >= COMING_HITS
    }


def _moved_from_pot(sensing: SensingState, zone: str) -> dict[str, int]:
    """The chips of the pot that lie in this zone now, with bets that were gathered and taken before the pot was read.

    A bet of which something is due back may be changed in the tray.
    """
    travels = sensing.travels
    moved = travels.moved("pot", zone)
    if sensing.hand.back or travels.change or travels.closed_ns < 0:
        return moved
    for seat in sensing.setup.seats:
        gathered = travels.moved(zone_of(seat), zone, travels.closed_ns)
        moved |= {uid: value for uid, value in gathered.items() if uid in travels.bets}
    return moved


def _bought(sensing: SensingState, before: Float) -> int:
    """What players have bought since the tray was as it was before; below 0 what they have cashed in."""
    return sensing.hand.in_play - before.in_play + sensing.hand.taken


def _moved_lately(sensing: SensingState, now_ns: int) -> bool:
    return now_ns - sensing.travels.newest_ns("tray") < _patience_ns(sensing)


def _patience_ns(sensing: SensingState) -> int:
    """Longer while the dealer owes change, and between hands, when chips that were bought are keyed a little later."""
    return CHANGE_NS * (2 if _is_owed(sensing) else 1)


def _is_owed(sensing: SensingState) -> bool:
    """Whether the dealer has a reason to take chips out of the tray that the books know, or may know a little later."""
    return sensing.hand.phase == "hand-over" or any(book.change_due for book in sensing.hand.seats)


def _open(sensing: SensingState, gap: Gap) -> Alert:
    """Nobody did wrong yet: what the chips are changed for may be on its way."""
    sentence = f"Tray: put in {gap.short} for what was taken out, or put it back."
    return alert(sensing, "tray-open", None, sentence, gap.short, {**gap.out}, "tray")


def _short(sensing: SensingState, gap: Gap) -> Alert:
    short, out, came, _ = gap
    if came:
        sentence = (
            f"Tray: find {short} or call the floor: {sum(out.values())} was taken out in this hand, "
            f"{sum(came.values())} was put in for it."
        )
        return alert(sensing, "uneven-change", None, sentence, short, {**out, **came}, "tray")
    sentence = f"Tray: find {short} or call the floor: it was taken out in this hand and nobody bought it."
    return alert(sensing, "tray-short", None, sentence, short, {**out}, "tray")


def _over(sensing: SensingState, over: int, out: dict[str, int], came: dict[str, int], of_pot: dict[str, int]) -> Alert:
    if of_pot:
        taken = f"; the house takes {sensing.hand.taken}" if sensing.hand.taken else ""
        sentence = f"Tray: put {over} back into the pot: {sum(of_pot.values())} of the pot lies in the tray{taken}."
        return alert(sensing, "pot-to-tray", None, sentence, over, {**of_pot}, "tray")
    sentence = (
        f"Tray: give {over} back or call the floor: {sum(came.values())} was put in in this hand, "
        f"{sum(out.values())} was given for it."
    )
    return alert(sensing, "uneven-change", None, sentence, over, {**out, **came}, "tray")
