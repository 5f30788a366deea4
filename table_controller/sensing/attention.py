"""Which zones are worth reading as often as can be: those where something may have changed just now.

A zone that nobody plays in is read every quarter of a second, or every half, and a chip has gone after six rounds in
which it was not heard. In a zone that is asked for those six rounds take as long as the reader needs for them.

The seat to act is read often without being asked for. Where it is asked for too, since its hand or its chips come, a
reader that serves other seats as well leaves these out for the moment. The zones beside it, which must be read once
before its new chips are known to be no overheard ones, are asked for as soon as chips come, and only for a round.
"""

from __future__ import annotations

from collections.abc import Mapping

from betline.units import NS_PER_MS
from table_controller.sensing.belief import Standing, Track, ZoneBelief
from table_controller.sensing.setup import HOUSE_ZONES, stack_zone_of, zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import in_doubt
from table_controller.sensing.whose import COMING_HITS

WHILE_MS = 1_000
"""How long a zone is read often, where it is not asked for again."""
A_ROUND_MS = 100
"""The same where one round is enough."""
BESIDE_HITS = 3
"""Chips of the zone beside are overheard: at 1 % in so many of eight rounds once in 17,000 times."""
OFTEN = 0.75
"""Share of its rounds in which a zone hears the chips that lie there."""
HAND_COMES_NS = 2_000 * NS_PER_MS
"""A hand that brings chips has put them down by then."""


def wanted(sensing: SensingState, now_ns: int) -> Mapping[str, int]:
    """The zones that the bridge should read often now, and for how many ms.

    Two missed reads in a row make a seat worth it: one would slow the seat to act wherever its reader serves others
    too. Pot and tray have readers of their own, so for them one missed read is enough.
    """
    if sensing.hand.phase == "idle":
        return {}
    stale_ms = sensing.setup.thresholds.stale_ms
    zones = {
        name
        for name, belief in sensing.zones.items()
        if belief.heard(now_ns, stale_ms) and (in_doubt(belief) or (name in HOUSE_ZONES and _misses_one(belief)))
    }
    zones |= _with_a_copy(sensing, now_ns)
    seat = sensing.hand.to_act
    if seat is not None and _hand_comes(sensing, seat, now_ns):
        zones |= {zone_of(seat)} & sensing.zones.keys()
    if sensing.hand.phase == "hand-over":
        zones |= {stack_zone_of(seat) for seat in sensing.hand.won} & sensing.zones.keys()
    compared = set() if seat is None else _to_be_compared(sensing, zone_of(seat), now_ns)
    return dict.fromkeys(compared, A_ROUND_MS) | dict.fromkeys(zones, WHILE_MS)


def _with_a_copy(sensing: SensingState, now_ns: int) -> set[str]:
    """The zones that hear a chip as often as another one does: it may be a copy, unless one of them begins to miss it.

    Zones side by side overhear each other's chips now and then, so there it takes more of them.
    """
    heard = [one for one in sensing.zones.values() if one.heard(now_ns, sensing.setup.thresholds.stale_ms)]
    zones: set[str] = set()
    for place, one in enumerate(heard):
        for other in heard[place + 1 :]:
            hits = BESIDE_HITS if other.zone in sensing.setup.beside(one.zone) else COMING_HITS
            both = one.tracks.keys() & other.tracks.keys()
            if any(_answers(one.tracks[uid], hits) and _answers(other.tracks[uid], hits) for uid in both):
                zones |= {one.zone, other.zone}
    return zones


def _answers(track: Track, hits: int) -> bool:
    return not track.missed and track.hits >= hits and track.hits >= OFTEN * track.rounds


def _hand_comes(sensing: SensingState, seat: int, now_ns: int) -> bool:
    seen = sensing.seen(seat, now_ns)
    return seen is not None and seen.hand and now_ns - seen.entered_ns < HAND_COMES_NS


def _to_be_compared(sensing: SensingState, zone: str, now_ns: int) -> set[str]:
    """The zones beside that of the seat to act which must be read before new chips there are known to be no overheard
    ones, should one of them miss a round (`presence`).
    """
    belief, stale_ms = sensing.zones.get(zone), sensing.setup.thresholds.stale_ms
    if belief is None or belief.settled:
        return set()
    came = [track.since_ns for track in belief.tracks.values() if track.standing is not Standing.STRAY]
    newest_ns = max(came, default=-1)
    beside = [sensing.zones[name] for name in sensing.setup.beside(zone) if name in sensing.zones]
    return {one.zone for one in beside if one.at_ns < newest_ns and one.heard(now_ns, stale_ms)}


def _misses_one(belief: ZoneBelief) -> bool:
    return any(track.missed and track.standing is Standing.PRESENT for track in belief.tracks.values())
