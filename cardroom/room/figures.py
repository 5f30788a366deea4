"""Hands an hour and rake an hour of a table, from samples of its state. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardroom.room import events as e
from cardroom.room.events import Happened

HOUR_MS = 3_600_000
LEAST_MS = 60_000
"""Samples nearer together than this say nothing of an hour."""
_KEPT = 500


@dataclass(frozen=True, slots=True)
class Sample:
    """What a table's state said at a time."""

    at_ms: int
    journal: str
    hand_no: int
    rake: int


@dataclass(frozen=True, slots=True)
class Rate:
    """What a table deals and takes in an hour, measured over so long."""

    hands: float
    rake: float
    over_ms: int


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of each table, the oldest first."""

    by_table: Mapping[str, tuple[Sample, ...]] = field(default_factory=dict)

    def after(self, one: Happened) -> Samples:
        """The samples with one more."""
        if not isinstance(one.event, e.Sampled):
            return self
        event = one.event
        kept = self.by_table.get(event.table, ())[-_KEPT:]
        sample = Sample(one.at_ms, event.journal, event.hand_no, event.rake)
        return Samples({**self.by_table, event.table: (*kept, sample)})

    def rate(self, table: str, over_ms: int = HOUR_MS) -> Rate | None:
        """The rate of about the last hour; None where two samples of one journal a minute apart are not there."""
        found = self.by_table.get(table, ())
        if not found:
            return None
        last = found[-1]
        fitting = [one for one in found if one.journal == last.journal and one.at_ms >= last.at_ms - over_ms]
        first = fitting[0]
        passed = last.at_ms - first.at_ms
        if passed < LEAST_MS:
            return None
        scale = HOUR_MS / passed
        return Rate((last.hand_no - first.hand_no) * scale, (last.rake - first.rake) * scale, passed)
