"""What the controller asks of the bridge: zones to be read often, asked for again as long as they are wanted.

Wishes are short and never taken back, so they do not end a longer one of somebody else's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from betline.messages.devices import ZoneWanted
from betline.units import NS_PER_MS


@dataclass(slots=True)
class Wishes:
    """The wishes that run."""

    _again_ns: dict[str, int] = field(default_factory=dict)
    """When half of the time of each is over."""

    def due(self, zones: Mapping[str, int], now_ns: int) -> tuple[tuple[str, ZoneWanted], ...]:
        """Of the zones that are wanted now, each for so many ms, what the bridge must be asked; it counts as done."""
        self._again_ns = {zone: again for zone, again in self._again_ns.items() if now_ns < again}
        due = tuple(sorted((zone, for_ms) for zone, for_ms in zones.items() if zone not in self._again_ns))
        self._again_ns |= {zone: now_ns + for_ms * NS_PER_MS // 2 for zone, for_ms in due}
        return tuple((zone, ZoneWanted(for_ms=for_ms)) for zone, for_ms in due)
