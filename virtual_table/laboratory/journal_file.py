"""A simulated controller's journal in a real file, opened anew at each start as the real controller opens it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from table_controller.journal.entries import Entry, Recorded
from table_controller.journal.errors import JournalError
from table_controller.journal.store import Journal
from table_controller.session import Now
from virtual_table.laboratory.controller import Pages


class JournalFile(Pages):
    """The journal of one table in a file with a key of its own; close it when it is done with."""

    def __init__(self, path: Path, table: str, key: Path) -> None:
        """``table`` is ``site/name``."""
        Pages.__init__(self)
        self.path = path
        self._table = table
        self._key = key
        self._journal: Journal | None = None

    def start(self, now: Now) -> None:
        self._journal = Journal.open(self.path, self._table, now.at_ms, now.mono_ns, key=self._key)

    def stop(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    @property
    def head(self) -> str:
        return self._file().head.hash

    def append(self, entries: tuple[Entry, ...], now: Now) -> None:
        if entries and self.full:
            raise JournalError("unwritable", f"The journal {self.path} cannot be written: its disk is full.")
        self._file().append(entries, now.at_ms, now.mono_ns)

    def __len__(self) -> int:
        return self._file().head.seq

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        return self._file().entries(after)

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        return self._file().newest(kind, before, after)

    def _file(self) -> Journal:
        if self._journal is None:
            raise JournalError("in-use", "No controller has this journal open.")
        return self._journal
