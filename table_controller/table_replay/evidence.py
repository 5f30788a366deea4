"""What a recording says that the controller ruled, told and journalled, ready to be held against a replay."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from betline.messages.common import Envelope
from betline.table_recording.reading import Recording
from betline.table_recording.writing import BUS, JOURNAL
from table_controller.journal.entries import (
    Alerted,
    DeviceStarted,
    Opened,
    Pruned,
    ReaderKnown,
    Recorded,
    Sealed,
    Started,
)
from table_controller.recorder.journal_tail import of_line
from table_controller.service.taken import PROGRAM
from table_controller.service.writing import FAILED_CODE

TOLD: Final = ("ruling", "announcement")
"""What the session alone publishes, in the order in which it does."""
_REPLY: Final = "reply/"
_OF_THE_SERVICE: Final = frozenset(
    one.kind for one in (Started, DeviceStarted, ReaderKnown, Opened, Sealed, Pruned)
)  # fmt: skip
"""Entries that no input of the session leads to."""
_ENVELOPE: Final = frozenset(Envelope.model_fields)
_NOT_OF_THE_SESSION: Final = frozenset({"alerts", "journal", "journal_head", "journal_seal"})
"""Parts of the state that the service adds: its own alerts, and which entry of which journal was the newest."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message as it was heard on the bus, with when its sender sent it by its monotonic clock."""

    mono_ns: int
    body: Mapping[str, Any]


class _Heard(NamedTuple):
    """A message of the controller: when it was sent, in which of its lives, and its number there."""

    mono_ns: int
    life: str
    seq: int


@dataclass(slots=True)
class Evidence:
    """All of it; what was compared is taken out."""

    entries: dict[int, deque[Recorded]] = field(default_factory=lambda: defaultdict(deque))
    """Entries of the session by the monotonic time at which they were written."""
    starts: dict[str, deque[Recorded]] = field(default_factory=dict)
    """What each life of the controller journalled at its start, after the entry `started`."""
    history: list[Recorded] = field(default_factory=list)
    said: dict[str, deque[Said]] = field(default_factory=lambda: {kind: deque() for kind in TOLD})
    replies: dict[str, list[Mapping[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    states: dict[tuple[str, int], bytes] = field(default_factory=dict)
    """The digest of each state, by the controller's life and the state's version."""
    gaps: list[tuple[int, int]] = field(default_factory=list)
    """Between which two messages of the controller, by its monotonic clock, others are missing: they were not heard."""

    def is_gap_between(self, early_ns: int, late_ns: int) -> bool:
        """Whether something that was sent between two times may not have been heard."""
        at = bisect_left(self.gaps, early_ns, key=lambda gap: gap[1])
        return at < len(self.gaps) and self.gaps[at][0] <= late_ns


class Pages:
    """Entries as a start of the controller reads them, up to one; `table_controller.session.fold.History`."""

    def __init__(self, entries: list[Recorded], head: int) -> None:
        self._entries = [one for one in entries if one.seq <= head]

    @property
    def reaches(self) -> int:
        """The last entry that is there."""
        return self._entries[-1].seq if self._entries else 0

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""
        return (one for one in self._entries if one.seq > after)

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those between two numbers where they are given."""
        return (
            one
            for one in reversed(self._entries)
            if one.kind == kind and one.seq > after and (before is None or one.seq < before)
        )


def gathered(recording: Recording) -> Evidence:
    """What a recording holds beside the inputs."""
    found = Evidence()
    starting: tuple[int, str] | None = None
    heard: list[_Heard] = []
    for message in recording.messages(JOURNAL, BUS):
        line = message.line
        if message.channel == JOURNAL:
            starting = _take_entry(found, of_line(line), starting)
            continue
        if line["sender"] != PROGRAM:
            continue
        heard.append(_Heard(line["mono_ns"], line["boot_id"], line["seq"]))
        if message.channel == f"{BUS}state":
            found.states[line["boot_id"], line["version"]] = digest(state_part(line))
        elif message.channel.startswith(f"{BUS}{_REPLY}"):
            found.replies[line["command_id"]].append(body_part(line))
        elif (kind := message.channel.removeprefix(BUS)) in TOLD:
            found.said[kind].append(Said(line["mono_ns"], body_part(line)))
    found.gaps = _gaps(heard)
    return found


def _gaps(heard: list[_Heard]) -> list[tuple[int, int]]:
    """Where the controller's numbers are not one after the other: before the first, too, and from life to life."""
    gaps: list[tuple[int, int]] = []
    last = _Heard(0, "", -1)
    for one in sorted(heard):
        if one.life != last.life or one.seq > last.seq + 1:
            gaps.append((last.mono_ns, one.mono_ns))
        last = one
    return gaps


def recorded_state(recording: Recording, life: str, version: int) -> Mapping[str, Any]:
    """One state as it was heard; KeyError where it was not."""
    for message in recording.messages(f"{BUS}state"):
        line = message.line
        if (line["boot_id"], line["version"]) == (life, version):
            return state_part(line)
    raise KeyError(version)


def body_part(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message without its envelope."""
    return {key: value for key, value in line.items() if key not in _ENVELOPE}


def state_part(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """What of a state follows from the session."""
    return {key: value for key, value in body_part(line).items() if key not in _NOT_OF_THE_SESSION}


def digest(data: object) -> bytes:
    """The hash of plain data, whatever the order of its keys."""
    return hashlib.sha256(canonical(data)).digest()


def canonical(data: object) -> bytes:
    """Plain data as bytes that are the same for the same data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _take_entry(found: Evidence, recorded: Recorded, starting: tuple[int, str] | None) -> tuple[int, str] | None:
    """Sorts an entry in; returns when and in which life of the controller a start is being journalled."""
    found.history.append(recorded)
    entry = recorded.entry
    if isinstance(entry, Started):
        found.starts[entry.boot_id] = deque()
        return recorded.mono_ns, entry.boot_id
    if recorded.kind in _OF_THE_SERVICE or (isinstance(entry, Alerted) and entry.code == FAILED_CODE):
        return starting
    if starting is not None and recorded.mono_ns == starting[0]:
        found.starts[starting[1]].append(recorded)
        return starting
    found.entries[recorded.mono_ns].append(recorded)
    return None
