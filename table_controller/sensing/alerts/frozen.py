"""Readers that repeat an old inventory: their chips lie elsewhere, and yet they hear every one of them in every round.

A chip that is moved can be heard by its old reader to the end of the round that was under way, no longer. The new
reader's rounds hold the same chips, so three of them take longer than that one and `LATELY_NS`, even where the old
reader is of a family half as fast; short ones do so with `SINCE_NS`. So an old reader that answered with these chips
later than `LATELY_NS` before the new one's fourth round repeats them.

Copies of chips would look the same, so all that the zone holds must lie elsewhere, and at least `CHIPS` of them. Two
seats beside each other whose antennas hear the same chips are `readers-overlap`.
"""

from __future__ import annotations

from collections.abc import Iterator

from betline.units import NS_PER_MS
from table_controller.sensing.alerts.evidence import alert, counted
from table_controller.sensing.belief import ALIVE_MISSES, ZoneBelief
from table_controller.sensing.observations import Alert
from table_controller.sensing.setup import HOUSE_ZONES, seat_of
from table_controller.sensing.state import SensingState

LATELY_NS = 100 * NS_PER_MS
SINCE_NS = 300 * NS_PER_MS
ROUNDS = 4
READS = 10
"""So many rounds the other zone must have had the chips, and of few chips so many rounds times chips: what it
overhears, it hears in few of them (of two chips at 15 % in three of four rounds each: once in 7,000 times)."""
CHIPS = 2
OFTEN = 0.75
"""Share of its rounds in which a zone hears the chips that lie there."""


def readers(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The alerts about readers that repeat an old inventory."""
    stale_ms = sensing.setup.thresholds.stale_ms
    fresh = [zone for zone in sensing.zones.values() if zone.tracks and zone.fresh(now_ns, stale_ms)]
    for old in fresh:
        if len(old.present) < CHIPS or not _never_misses(old):
            continue
        for new in fresh:
            house = old.zone in HOUSE_ZONES or new.zone in HOUSE_ZONES
            if new is not old and house and _lies_there(old, new):
                yield _frozen(sensing, old, new)
                break


def _never_misses(zone: ZoneBelief) -> bool:
    return all(zone.tracks[uid].hits == zone.tracks[uid].rounds for uid in zone.present)


def _lies_there(old: ZoneBelief, new: ZoneBelief) -> bool:
    """Whether another zone has heard all chips of a zone for so long that this one cannot hear them any more.

    It began to hear them after this one did: else they came from there, and a slow reader has not missed them yet.
    """
    if old.at_ns < new.at_ns - LATELY_NS:
        return False
    rounds = max(ROUNDS, READS / len(old.present))
    tracks = {uid: new.tracks.get(uid) for uid in old.present}
    return all(
        track is not None
        and track.since_ns >= old.tracks[uid].since_ns
        and track.rounds >= rounds
        and track.hits >= OFTEN * track.rounds
        and track.missed <= ALIVE_MISSES
        and new.at_ns - track.since_ns >= SINCE_NS
        for uid, track in tracks.items()
    )


def _frozen(sensing: SensingState, old: ZoneBelief, new: ZoneBelief) -> Alert:
    seat, other = seat_of(old.zone) or None, seat_of(new.zone)
    who = f"Seat {seat}" if seat else f"The {old.zone}"
    to_do = f"key the acts of seat {seat}" if seat else f"count the {old.zone} by hand"
    where = f"in front of seat {other}" if other else f"in the {new.zone}"
    sentence = (
        f"{who}: restart its reader, and {to_do} until then: "
        f"it repeats {counted(len(old.present))} that lie {where} now."
    )
    return alert(sensing, "reader-frozen", seat, sentence, old.value, old.present, old.zone)
