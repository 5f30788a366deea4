"""What a journal holds: entries in a chain, each bound to the one before it by a SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GENESIS = "0" * 64
_IN_CLEAR = "name:"


class JournalError(Exception):
    """The journal cannot be used; ``code`` is stable, the text is a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened, about to be journalled; ``data`` holds JSON values only."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as it stands in the journal: its number, its times, and its link in the chain."""

    seq: int
    at_ms: int
    mono_ns: int
    kind: str
    data: Mapping[str, Any]
    prev: str
    hash: str

    @property
    def entry(self) -> Entry:
        """The entry without its place in the journal."""
        return Entry(self.kind, self.data)


def clear_person(name: str) -> str:
    """Who a person is whom a journal of version 1 knows by nothing but the name."""
    return f"{_IN_CLEAR}{name}" if name else ""


def person_in_clear(person: str) -> str | None:
    """The name of such a person; None for everybody else."""
    return person.removeprefix(_IN_CLEAR) if person.startswith(_IN_CLEAR) else None


def payload_of(data: Mapping[str, Any]) -> str:
    """The one text of an entry's data, from which its hash is made; raises TypeError for what is no JSON."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link(prev: str, seq: int, at_ms: int, mono_ns: int, kind: str, payload: str) -> str:
    """The hash of an entry, which covers the hash of the one before it."""
    return hashlib.sha256(f"{prev}\n{seq}\n{at_ms}\n{mono_ns}\n{kind}\n{payload}".encode()).hexdigest()
