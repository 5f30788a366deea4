"""From what the bus carries to the spans of one act. Pure: messages in, spans out.

An act on chips is followed from the last byte of the round that first heard its chips as they lie, over the wait until
they were settled and the hand gone, to its ruling, its journal entry and its announcement. Each time is a stamp that a
program has put into a message, read on this program's clock; nothing is added to any program for it but three stamps
in an event. No tag and no name is in a span.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from betline.bus import Received
from betline.messages.devices import ZoneChips
from betline.messages.table import Announcement, Event
from betline.units import NS_PER_S

STEP: Final = "step"
"""The kind of entry that an act is."""
REMEMBERED: Final = 256
"""Snapshots of a zone: some ten seconds of the acting seat's."""
LONGEST_NS: Final = 30 * NS_PER_S
"""Chips that lie there longer were an act before."""
CLOCKS_NS: Final = 20_000_000
"""How far apart two programs' times may be read (docs/processes.md, Clocks)."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of an act: who worked on it, from when to when, on this program's monotonic clock."""

    name: str
    part: str
    begin_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class ActSpans:
    """One act: the whole first, then its parts in order."""

    trace_id: int
    """Made of the controller's life and the number of the entry: the same act has the same id always."""
    whole: Span
    parts: tuple[Span, ...]
    attributes: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class _Heard:
    """A snapshot of a zone: what lay there by a fingerprint, the last byte of its round, and when it was sent."""

    chips: int
    last_byte_ns: int
    sent_ns: int


@dataclass(slots=True)
class Acts:
    """What was heard of late, and the acts that came of it."""

    site: str
    table: str
    _zones: dict[str, deque[_Heard]] = field(default_factory=dict)
    _announced_ns: deque[int] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def heard(self, received: Received) -> ActSpans | None:
        """The act that a message completes, if it completes one."""
        body = received.body
        match body:
            case ZoneChips():
                chips = hash(frozenset(chip.uid for chip in body.chips if chip.missed == 0))
                heard = _Heard(chips, received.local_ns(body.last_byte_ns), received.sent_ns)
                self._zones.setdefault(body.zone, deque(maxlen=REMEMBERED)).append(heard)
            case Announcement():
                self._announced_ns.append(received.sent_ns)
            case Event() if body.type == STEP and not received.retained:
                return self._act(received, body)
        return None

    def _act(self, received: Received, event: Event) -> ActSpans | None:
        rulings: list[dict[str, Any]] = event.data.get("rulings", [])
        stamps = (event.taken_ns, event.ruled_ns, event.written_ns)
        if not rulings or not event.data.get("ruled") or None in stamps:
            return None
        taken_ns, ruled_ns, written_ns = (received.local_ns(stamp) for stamp in stamps if stamp is not None)
        ruling = rulings[0]
        seat, source = ruling.get("seat"), str(event.data.get("source", ""))
        parts = [Span("rule", "controller", taken_ns, ruled_ns), Span("journal", "controller", ruled_ns, written_ns)]
        announced = [at_ns for at_ns in self._announced_ns if written_ns <= at_ns <= received.sent_ns]
        if announced:
            parts.append(Span("announce", "controller", written_ns, announced[0]))
        if source == "chips" and isinstance(seat, int):
            parts = [*self._before(f"seat-{seat}", taken_ns), *parts]
        attributes: dict[str, str | int] = {
            "betline.site": self.site,
            "betline.table": self.table,
            "betline.hand": event.hand_no,
            "betline.act": int(ruling.get("act_no", 0)),
            "betline.ruling": str(ruling.get("ruling", "")),
            "betline.source": source,
            "betline.journal_seq": event.journal_seq,
        }
        if isinstance(seat, int):
            attributes["betline.seat"] = seat
        whole = Span("act", "controller", parts[0].begin_ns, parts[-1].end_ns)
        life = f"{self.site}/{self.table}/{received.envelope.boot_id}/{event.journal_seq}"
        trace_id = int.from_bytes(hashlib.sha256(life.encode()).digest()[:16])
        return ActSpans(trace_id, whole, tuple(parts), attributes)

    def _before(self, zone: str, taken_ns: int) -> list[Span]:
        """How the chips came to be ruled on: the round that heard them first as they lie, and the wait after it."""
        known = [one for one in self._zones.get(zone, ()) if one.last_byte_ns <= taken_ns + CLOCKS_NS]
        if not known or taken_ns - known[-1].last_byte_ns > LONGEST_NS:
            return []
        rest = known[-1]
        for one in reversed(known):
            if one.chips != rest.chips or taken_ns - one.last_byte_ns > LONGEST_NS:
                break
            rest = one
        sent_ns = min(max(rest.sent_ns, rest.last_byte_ns), taken_ns)
        begin_ns = min(rest.last_byte_ns, sent_ns)
        return [Span("last byte", "bridge", begin_ns, sent_ns), Span("settle", "controller", sent_ns, taken_ns)]
