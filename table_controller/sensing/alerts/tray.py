"""The tray in a hand: what leaves it without anything of its worth coming in, and chips of the pot that go into it."""

from __future__ import annotations

from collections.abc import Iterator

from betline.units import NS_PER_MS
from table_controller.sensing.alerts.evidence import alert, still
from table_controller.sensing.observations import Alert
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import in_doubt

CHANGE_NS = 2_000 * NS_PER_MS
"""Change is made within this time: chips out of the tray first, then those that they are changed for into it."""


def alerts(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The alerts about the tray, until the hand is over."""
    belief, before = sensing.zones.get("tray"), sensing.travels.tray
    if belief is None or before is None or not belief.fresh(now_ns, sensing.setup.thresholds.stale_ms):
        return
    if sensing.hand.phase not in ("betting", "round-over", "showdown", "hand-over") or belief.unknown:
        return
    if now_ns - sensing.travels.newest_ns("tray") < _patience_ns(sensing) or in_doubt(belief):
        yield from still(sensing, "tray-short", "uneven-change", "pot-to-tray")
        return
    out = {uid: value for uid, value in before.chips.items() if uid not in belief.present}
    came = {uid: value or 0 for uid, value in belief.present.items() if uid not in before.chips}
    bought = sensing.hand.in_play - before.in_play + sensing.hand.taken
    short = sum(out.values()) - sum(came.values()) - max(bought, 0)
    over = sum(came.values()) - sum(out.values()) - sensing.hand.taken - max(-bought, 0)
    if short > 0:
        yield _short(sensing, short, out, came)
    elif over > 0 and (out or sensing.travels.moved("pot", "tray")):
        yield _over(sensing, over, out, came)


def _patience_ns(sensing: SensingState) -> int:
    """Longer while the dealer owes change."""
    owed = sensing.hand.phase != "hand-over" and any(book.change_due for book in sensing.hand.seats)
    return CHANGE_NS * (2 if owed else 1)


def _short(sensing: SensingState, short: int, out: dict[str, int], came: dict[str, int]) -> Alert:
    if came:
        sentence = (
            f"Tray: find {short} or call the floor: {sum(out.values())} was taken out in this hand, "
            f"{sum(came.values())} was put in for it."
        )
        return alert(sensing, "uneven-change", None, sentence, short, {**out, **came}, "tray")
    sentence = f"Tray: find {short} or call the floor: it was taken out in this hand and nobody bought it."
    return alert(sensing, "tray-short", None, sentence, short, {**out}, "tray")


def _over(sensing: SensingState, over: int, out: dict[str, int], came: dict[str, int]) -> Alert:
    of_pot = {uid: value for uid, value in sensing.travels.moved("pot", "tray").items() if uid in came}
    if of_pot:
        taken = f"; the house takes {sensing.hand.taken}" if sensing.hand.taken else ""
        sentence = f"Tray: put {over} back into the pot: {sum(of_pot.values())} of the pot lies in the tray{taken}."
        return alert(sensing, "pot-to-tray", None, sentence, over, {**of_pot}, "tray")
    sentence = (
        f"Tray: give {over} back or call the floor: {sum(came.values())} was put in in this hand, "
        f"{sum(out.values())} was given for it."
    )
    return alert(sensing, "uneven-change", None, sentence, over, {**out, **came}, "tray")
