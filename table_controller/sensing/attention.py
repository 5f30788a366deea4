"""Which zones are worth reading as often as can be: those where something may have changed just now.

A zone that nobody plays in is read every quarter of a second, or every half, and a chip has gone after six rounds in
which it was not heard. In a zone that is asked for those six rounds take as long as the reader needs for them.
"""

from __future__ import annotations

from table_controller.sensing.presence import Standing, ZoneBelief
from table_controller.sensing.setup import HOUSE_ZONES, stack_zone_of
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
    if sensing.hand.phase == "hand-over":
        zones |= {stack_zone_of(seat) for seat in sensing.hand.won} & sensing.zones.keys()
    return frozenset(zones)


def _misses_one(belief: ZoneBelief) -> bool:
    return any(track.missed and track.standing is Standing.PRESENT for track in belief.tracks.values())
