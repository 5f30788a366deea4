"""What lies in a zone now, asked over the bus: for `betline bridge zone`, and for whoever cannot wait for its turn."""

from __future__ import annotations

import queue
import time
from typing import Final

from betline.bus import Bus, Received
from betline.messages.devices import ZoneChips, ZoneWanted
from betline.topics import ZONE_CHIPS, ZONE_WANTED, topic
from betline.units import NS_PER_S

ROUNDS: Final = 5
"""So many rounds are waited for, second looks apart: a chip that one of them missed is heard in the others."""
MAX_S: Final = 15.0
"""A full tray is read in two seconds, and there may be eight zones in turn."""


class ReadZoneError(Exception):
    """The zone was not read; the text says what to do."""


def read_zone(bus: Bus, zone: str, rounds: int = ROUNDS, longest_s: float = MAX_S) -> ZoneChips:
    """The zone's snapshot after so many new rounds, for which it is read often. Raises ReadZoneError."""
    seen: queue.Queue[Received] = queue.Queue()

    def heard(received: Received) -> None:
        if not received.retained:
            seen.put(received)

    began_ns = time.monotonic_ns()
    bus.subscribe(ZONE_CHIPS, heard)
    bus.publish(topic(ZONE_WANTED, zone), ZoneWanted(for_ms=int(longest_s * 1000)))
    fresh: dict[int, ZoneChips] = {}
    try:
        while len(fresh) < rounds:
            left_s = longest_s - (time.monotonic_ns() - began_ns) / NS_PER_S
            received = seen.get(timeout=max(0.0, left_s))
            one = received.body
            if not isinstance(one, ZoneChips) or one.zone != zone or any(chip.quiet for chip in one.chips):
                continue
            if received.local_ns(one.last_byte_ns) > began_ns:
                fresh[one.round_no] = one
    except queue.Empty:
        raise ReadZoneError(
            f"the zone {zone} was not read in {longest_s:.0f} s: does the bridge run, and has the zone a reader?"
        ) from None
    finally:
        bus.publish(topic(ZONE_WANTED, zone), ZoneWanted(for_ms=0))
    return fresh[max(fresh)]
