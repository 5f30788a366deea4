"""What a controller counts and times of its own work, as its health message has it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from betline.bus import Bus
from betline.messages.table import Ruling
from betline.metrics.family import Timing
from betline.tally import RULING_S, Tally
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.service.notices import counter_name
from table_controller.session import Handled

TIMINGS: Final = 2000
"""The percentiles are over so many of the last inputs and writes."""
CLOCKS_TOLD: Final = 32
"""Senders whose clock offset stands in the health message: those that were heard last."""
MS_PER_S: Final = 1000
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

    refused: dict[str, int] = field(default_factory=dict)
    """Commands that were answered with a refusal, by its code."""
    rulings: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(get_args(Ruling.model_fields["source"].annotation), 0)
    )
    """Rulings, by what they followed from."""
    input_s: Tally = field(default_factory=Tally)
    journal_s: Tally = field(default_factory=Tally)
    rest_s: Tally = field(default_factory=lambda: Tally(RULING_S))
    ready_s: Tally = field(default_factory=lambda: Tally(RULING_S))

    def handled(self, took_ms: float) -> None:
        """An input was worked out, in that time."""
        self.handle_ms.append(took_ms)
        self.input_s.note(took_ms / MS_PER_S)

    def journalled(self, took_ms: float) -> None:
        """Entries were written, in that time."""
        self.journal_ms.append(took_ms)
        self.journal_s.note(took_ms / MS_PER_S)

    def answered(self, code: str) -> None:
        """A command was refused."""
        self.refused[code] = self.refused.get(code, 0) + 1

    def ruled(self, handled: Handled, turn_ns: int, now_ns: int) -> None:
        """What was handled is journalled; `turn_ns` is when the turn had come to whose act it may be.

        Chips are ruled on once they lie there, their player's turn has come and, where a camera looks, the hand left.
        """
        sensing = handled.session.sensing
        for ruling in handled.messages:
            if not isinstance(ruling, Ruling):
                continue
            self.rulings[ruling.source] = self.rulings.get(ruling.source, 0) + 1
            if ruling.source == "chips" and ruling.seat is not None:
                rest_ns = max(sensing.belief(ruling.seat).changed_ns, turn_ns)
                ready_ns = max(rest_ns, sensing.witness.seat(ruling.seat).left_ns)
                if rest_ns >= 0:
                    self.rest_s.note((now_ns - rest_ns) / NS_PER_S)
                    self.ready_s.note((now_ns - ready_ns) / NS_PER_S)

    @property
    def timings(self) -> tuple[Timing, ...]:
        """How long things took since the boot."""
        named = {
            "rest_to_ruling": self.rest_s,
            "ready_to_ruling": self.ready_s,
            "input": self.input_s,
            "journal": self.journal_s,
        }
        return tuple(Timing(name, "", tally) for name, tally in named.items())

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
        counters |= {f"refused_{counter_name(code)}": float(n) for code, n in self.refused.items()}
        counters |= {f"rulings_{source}": float(n) for source, n in self.rulings.items()}
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
