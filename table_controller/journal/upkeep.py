"""Journals as `betline backup` and `betline restore` copy, check and replace them."""

from __future__ import annotations

import contextlib
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from betline.units import NS_PER_MS
from betline.upkeep.errors import UpkeepError
from betline.upkeep.journals import Copied
from table_controller.journal import backup
from table_controller.journal.errors import JournalError
from table_controller.journal.files import WriterLock
from table_controller.journal.reader import JournalReader
from table_controller.journal.rows import APPLICATION_ID
from table_controller.journal.store import Journal
from table_controller.journal.verify import Verdict

_MAGIC: Final = b"SQLite format 3\x00"
_ID_AT: Final = 68
"""Where SQLite keeps the application's number in the file's header, in 4 bytes."""


def is_journal(path: Path) -> bool:
    """Whether a file is a journal, by its first bytes; raises OSError."""
    with path.open("rb") as file:
        head = file.read(_ID_AT + 4)
    return head.startswith(_MAGIC) and head[_ID_AT:] == struct.pack(">I", APPLICATION_ID)


def copy(path: Path, to: Path, key: Path | None) -> Copied:
    """Copies a journal, also while a controller writes it, and checks the copy; raises UpkeepError."""
    with _errors():
        return _copied(backup.back_up(path, to, key))


def check(path: Path, key: Path | None) -> Copied:
    """Checks the whole chain, the seal and the names; raises UpkeepError for what cannot be read."""
    with _errors(), JournalReader(path) as reader:
        return _copied(reader.verify(key))


def renew(path: Path, key: Path | None) -> None:
    """Opens a journal to write, which gives it the form of this version; raises UpkeepError."""
    with _errors():
        with JournalReader(path) as reader:
            first = next(reader.entries(), None)
        if first is not None:
            written_for, at_ms = str(first.data.get("table", "")), time.time_ns() // NS_PER_MS
            Journal.open(path, written_for, at_ms, time.monotonic_ns(), key=key).close()


def require_unused(path: Path) -> None:
    """Raises UpkeepError (``in-use``) while a controller writes this journal."""
    if path.exists():
        with _errors():
            WriterLock(path).close()


def put(path: Path, copy: Path, now_ms: int, key: Path | None) -> Path | None:
    """Puts a copy in a journal's place; gives where the journal from before is now. Raises UpkeepError."""
    with _errors():
        return backup.restore(path, copy, now_ms, key)[1]


def _copied(verdict: Verdict) -> Copied:
    return Copied(verdict.entries, verdict.head.hash, None if verdict.ok else verdict.sentence)


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except JournalError as error:
        raise UpkeepError(error.code, str(error)) from None
