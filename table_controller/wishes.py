"""What the controller asks of the bridge: zones to be read often, asked for again as long as they are wanted.

Wishes are short and never taken back, so they do not end a longer one of somebody else's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from betline.messages.devices import ZoneWanted
from betline.units import NS_PER_MS

WISH: Final = ZoneWanted(for_ms=1_000)
AGAIN_NS: Final = 500 * NS_PER_MS
"""A wish is renewed when so much of its time is over."""


@dataclass(slots=True)
class Wishes:
    """The wishes that run."""

    _said_ns: dict[str, int] = field(default_factory=dict)

    def due(self, zones: Collection[str], now_ns: int) -> tuple[str, ...]:
        """Of the zones that are wanted now those that the bridge must be asked for; it counts as done."""
        self._said_ns = {zone: said for zone, said in self._said_ns.items() if 0 <= now_ns - said < AGAIN_NS}
        due = tuple(sorted(zone for zone in zones if zone not in self._said_ns))
        self._said_ns |= dict.fromkeys(due, now_ns)
        return due
