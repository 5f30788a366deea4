"""A journal that is read while it grows, from where a replay needs it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from table_controller.journal.entries import Checkpoint, Recorded
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.session.fold import LOOKED_BACK

CHECKPOINTS = 2
"""A start may fold from the checkpoint before the newest one, for the history of its last hand."""


class JournalTail:
    """Hands out the entries that have come; a journal that is not there yet is waited for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader: JournalReader | None = None
        self._read = 0

    def fresh(self) -> Iterator[Recorded]:
        """The entries since the last time; the first time from so far back as a start of the controller may read."""
        try:
            if self._reader is None:
                if not self.path.exists():
                    return
                self._reader = JournalReader(self.path)
                self._read = _needed_from(self._reader)
            for recorded in self._reader.entries(self._read):
                self._read = recorded.seq
                yield recorded
        except JournalError:
            self.close()  # it is being made, restored or damaged: looked at again next time, from where it was read to

    def close(self) -> None:
        """Closes the file."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _needed_from(reader: JournalReader) -> int:
    """The entry after which a start may read."""
    checkpoints = list(islice(reader.newest(Checkpoint.kind), CHECKPOINTS))
    return max(0, checkpoints[-1].seq - LOOKED_BACK) if len(checkpoints) == CHECKPOINTS else 0


def as_line(recorded: Recorded) -> dict[str, Any]:
    """An entry as a recording has it."""
    return {
        "seq": recorded.seq, "at_ms": recorded.at_ms, "mono_ns": recorded.mono_ns, "kind": recorded.kind,
        "data": recorded.data, "prev": recorded.prev, "hash": recorded.hash,
    }  # fmt: skip


def of_line(line: Mapping[str, Any]) -> Recorded:
    """The entry of such a line."""
    return Recorded(line["seq"], line["at_ms"], line["mono_ns"], line["kind"], line["data"], line["prev"], line["hash"])
