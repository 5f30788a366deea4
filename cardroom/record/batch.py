"""Whether entries that came follow from those that are there: pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from betline.messages.history import JournalEnd, Row
from table_controller.journal.chain import GENESIS, link


@dataclass(frozen=True, slots=True)
class Place:
    """How far a journal is recorded: the number and hash of the newest row."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Follows:
    """The rows that follow, from the first on; where they end before the batch does, why."""

    rows: tuple[Row, ...]
    place: Place
    pruned: Place | None = None
    """The rows begin anew after this one: those before were pruned at the table, and never recorded."""
    wrong: Literal["", "gap", "broken"] = ""
    """``gap``: a number is missing; ``broken``: a row's hash is not that of its content."""


@dataclass(frozen=True, slots=True)
class Forked:
    """The batch is a sound piece of a chain, but of another one: what is recorded is not what the table has now."""


def check(place: Place, prev: str, rows: Sequence[Row], end: JournalEnd) -> Follows | Forked:
    """Follows a batch from the recorded place on; ``prev`` is what the first of its rows says it follows from."""
    good: list[Row] = []
    pruned: Place | None = None
    for row in rows:
        if row.seq != place.seq + 1:
            if not _is_pruned(place, row, end):
                return Follows(tuple(good), place, pruned, "gap")
            place = pruned = Place(end.pruned_to, end.pruned_hash)
        if not good and pruned is None and place.seq and prev != place.hash:
            return Forked() if row.hash == hash_of(prev, row) else Follows((), place, None, "broken")
        if row.hash != hash_of(place.hash, row):
            return Follows(tuple(good), place, pruned, "broken")
        good.append(row)
        place = Place(row.seq, row.hash)
    return Follows(tuple(good), place, pruned)


def hash_of(prev: str, row: Row) -> str:
    """What an entry's hash must be."""
    return link(prev, row.seq, row.at_ms, row.mono_ns, row.kind, row.payload)


def _is_pruned(place: Place, row: Row, end: JournalEnd) -> bool:
    return place.seq < end.pruned_to and row.seq == end.pruned_to + 1 and bool(end.pruned_hash)
