"""What a controller counts and times of its own work, as its health message has it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from betline.bus import Bus
from betline.units import NS_PER_MS
from table_controller.notices import counter_name

TIMINGS: Final = 2000
"""The percentiles are over so many of the last inputs and writes."""
CLOCKS_TOLD: Final = 32
"""Senders whose clock offset stands in the health message: those that were heard last."""
_BUS_COUNTERS: Final = ("published", "received", "malformed", "foreign", "duplicates", "connects")


@dataclass(slots=True)
class Figures:
    """Counts since the controller's boot, and times of its last inputs and writes."""

    inputs: int = 0
    commands: int = 0
    again: int = 0
    """Commands that their sender sent again, answered as before."""
    faults: int = 0
    """Inputs that were dropped for a fault of the program."""
    journal_failures: int = 0
    denied: int = 0
    """Commands beyond the rights of who asked."""
    handle_ms: deque[float] = field(default_factory=lambda: deque(maxlen=TIMINGS))
    journal_ms: deque[float] = field(default_factory=lambda: deque(maxlen=TIMINGS))

    def counters(self, bus: Bus, dropped: Mapping[str, int], now_ns: int) -> dict[str, float]:
        """All of it by name, with what the bus has counted and what was ``dropped``, by reason."""
        counted = bus.counters
        counters = {f"bus_{name}": float(getattr(counted, name)) for name in _BUS_COUNTERS}
        counters |= {f"bus_{name}": float(count) for name, count in counted.problems.items()}
        for name in ("inputs", "commands", "faults", "journal_failures", "denied"):
            counters[name] = float(getattr(self, name))
        counters["commands_again"] = float(self.again)
        counters |= {f"dropped_{reason.replace('-', '_')}": float(n) for reason, n in dropped.items()}
        counters |= {f"dropped_by_{counter_name(who)}": float(n) for who, n in counted.dropped_by.copy().items()}
        counters |= _clocks(bus, now_ns)
        return counters | _percentiles("handle_ms", self.handle_ms) | _percentiles("journal_ms", self.journal_ms)


def _clocks(bus: Bus, now_ns: int) -> dict[str, float]:
    """By sender how far our monotonic clock is ahead of its, and by how much that may be too much."""
    counters = {}
    for sender, offset in list(bus.offsets.items())[-CLOCKS_TOLD:]:
        name = sender.replace("-", "_")
        counters[f"clock_offset_ms_{name}"] = round(offset.at(now_ns) / NS_PER_MS, 3)
        counters[f"clock_uncertainty_ms_{name}"] = round(offset.uncertainty_ns(now_ns) / NS_PER_MS, 3)
    return counters


def _percentiles(name: str, values: deque[float]) -> dict[str, float]:
    if not values:
        return {}
    ordered = sorted(values)
    return {
        f"{name}_p50": ordered[len(ordered) // 2],
        f"{name}_p99": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
    }
