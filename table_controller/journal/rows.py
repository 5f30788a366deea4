"""A journal's tables as they are read: its format, its entries in order and by kind."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from table_controller.journal.entries import Checkpoint, Recorded
from table_controller.journal.errors import JournalError

VERSION = 4
READABLE = (1, 2, 3, 4)
"""Version 1 had names in its entries and no table of them, version 2 no checkpoints, version 3 no seal.

The first controller that opens such a file adds what it lacks, and makes it the present version.
"""
APPLICATION_ID = 0x42544C4E  # "BTLN"
BUSY_WAIT_S = 2.0

CHECKED_CHECKPOINTS = 2
"""A start checks the chain from so many checkpoints back: as far as it may read entries."""
COLUMNS = "SELECT seq, at_ms, mono_ns, kind, payload, prev, hash FROM entry"


def to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=BUSY_WAIT_S)


def to_write(path: Path) -> sqlite3.Connection:
    """A connection that can write beside a controller."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=BUSY_WAIT_S)


def data_version(database: sqlite3.Connection) -> int:
    """A number that changes when another connection has changed the file."""
    found: int = database.execute("PRAGMA data_version").fetchone()[0]
    return found


def check_format(path: Path, database: sqlite3.Connection) -> int:
    """The version of a journal; raises JournalError (``no-journal``, ``other-version``)."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise JournalError("no-journal", f"{path} is a database but no journal of Betline; name one with --journal.")
    if version not in READABLE:
        raise JournalError(
            "other-version",
            f"The journal {path} has version {version}, this program reads {READABLE[0]} to {READABLE[-1]}; "
            "use the program that wrote it, or name another with --journal.",
        )
    return int(version)


def check_table(path: Path, first: Recorded, table: str) -> None:
    """Raises JournalError (``other-table``) where the first entry is not of that table."""
    written_by = first.data.get("table")
    if written_by != table:
        raise JournalError(
            "other-table",
            f"The journal {path} belongs to table {written_by}, not {table}; name another with --journal.",
        )


def entries(database: sqlite3.Connection, after: int) -> Iterator[Recorded]:
    """The entries in order, those after a number."""
    yield from _recorded(database.execute(f"{COLUMNS} WHERE seq > ? ORDER BY seq", (after,)))


def newest(database: sqlite3.Connection, kind: str, before: int | None, after: int = 0) -> Iterator[Recorded]:
    """The entries of a kind, the newest first; only those before a number where one is given, and after another."""
    limit = sys.maxsize if before is None else before
    if kind == Checkpoint.kind:  # written out, so that SQLite takes its index
        query = f"{COLUMNS} WHERE kind = '{Checkpoint.kind}' AND seq < ? AND seq > ? ORDER BY seq DESC"
        yield from _recorded(database.execute(query, (limit, after)))
    else:
        query = f"{COLUMNS} WHERE kind = ? AND seq < ? AND seq > ? ORDER BY seq DESC"
        yield from _recorded(database.execute(query, (kind, limit, after)))


def _recorded(rows: Iterable[tuple[int, int, int, str, str, str, str]]) -> Iterator[Recorded]:
    for seq, at_ms, mono_ns, kind, payload, prev, digest in rows:
        try:
            data: Any = json.loads(payload)
        except ValueError:
            raise sqlite3.DatabaseError(f"entry {seq} is not JSON") from None
        yield Recorded(seq, at_ms, mono_ns, kind, data, prev, digest)


def checked_from(database: sqlite3.Connection) -> int:
    """The entry from which a start checks the chain: the last checkpoint but one, without it the first."""
    query = f"SELECT seq FROM entry WHERE kind = '{Checkpoint.kind}' ORDER BY seq DESC LIMIT ?"
    found = [seq for (seq,) in database.execute(query, (CHECKED_CHECKPOINTS,))]
    return int(found[-1]) if len(found) == CHECKED_CHECKPOINTS else 1
