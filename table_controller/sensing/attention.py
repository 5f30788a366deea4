"""Which zones are worth reading as often as can be: those where something may have changed just now.

A zone that nobody plays in is read every quarter of a second, or every half, and a chip has gone after six rounds in
which it was not heard. In a zone that is asked for those six rounds take as long as the reader needs for them.
"""

from __future__ import annotations

from table_controller.sensing.presence import Standing, ZoneBelief
from table_controller.sensing.setup import HOUSE_ZONES, stack_zone_of, zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import in_doubt


def wanted(sensing: SensingState, now_ns: int) -> frozenset[str]:
    """The zones that the bridge should read often now; those where an act is awaited it reads often by itself.

    Two missed reads in a row make a seat worth it: one would slow the seat to act wherever its reader serves others
    too. Pot and tray have readers of their own, so for them one missed read is enough.
    """
    if sensing.hand.phase == "idle":
        return frozenset()
    stale_ms = sensing.setup.thresholds.stale_ms
    zones = {
        name
        for name, belief in sensing.zones.items()
        if belief.heard(now_ns, stale_ms) and (in_doubt(belief) or (name in HOUSE_ZONES and _misses_one(belief)))
    }
    if sensing.hand.to_act is not None:
        zones |= _to_be_compared(sensing, zone_of(sensing.hand.to_act), now_ns)
    if sensing.hand.phase == "hand-over":
        zones |= {stack_zone_of(seat) for seat in sensing.hand.won} & sensing.zones.keys()
    return frozenset(zones)


def _to_be_compared(sensing: SensingState, zone: str, now_ns: int) -> set[str]:
    """The zones beside that of the seat to act which must be read before new chips there are known to be no overheard
    ones (`presence`).
    """
    belief, stale_ms = sensing.zones.get(zone), sensing.setup.thresholds.stale_ms
    if belief is None or belief.settled:
        return set()
    came = [track.since_ns for track in belief.tracks.values() if track.hits < track.rounds]
    newest_ns = max(came, default=-1)
    beside = [sensing.zones[name] for name in sensing.setup.beside(zone) if name in sensing.zones]
    return {one.zone for one in beside if one.at_ns < newest_ns and one.heard(now_ns, stale_ms)}


def _misses_one(belief: ZoneBelief) -> bool:
    return any(track.missed and track.standing is Standing.PRESENT for track in belief.tracks.values())
