"""The tables of a journal's file: made in a new one, and what an older version lacks."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from table_controller.journal import names, rows, seal
from table_controller.journal.entries import Checkpoint
from table_controller.journal.errors import JournalError
from table_controller.journal.rows import APPLICATION_ID, VERSION
from table_controller.journal.sentences import sentences

_INDEX = f"CREATE INDEX entry_checkpoint ON entry (seq) WHERE kind = '{Checkpoint.kind}';"
KEPT = (
    "CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;"
)
ENTRIES = f"""
CREATE TABLE entry (
    seq     INTEGER PRIMARY KEY,
    at_ms   INTEGER NOT NULL,
    mono_ns INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    payload TEXT NOT NULL,
    prev    TEXT NOT NULL,
    hash    TEXT NOT NULL UNIQUE
) STRICT;
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
{KEPT}
"""
"""The chain of a journal, append only; a cardroom's journal has the same."""
_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
{ENTRIES}
{_INDEX}
{names.SCHEMA}
{seal.SCHEMA}"""
_UPGRADES = {1: f"{names.SCHEMA} {_INDEX} {seal.SCHEMA}", 2: f"{_INDEX} {seal.SCHEMA}", 3: seal.SCHEMA}
"""What a file of an older version lacks."""


def require_ours(path: Path) -> None:
    """Raises JournalError for what is there and is no journal, before anything of it or beside it is touched."""
    if not path.exists():
        return
    if not path.is_file():
        raise JournalError("no-journal", f"{path} is no file; name a file with --journal.")
    if path.stat().st_size:
        with sentences(path), contextlib.closing(rows.to_read(path)) as database:
            rows.check_format(path, database)


def prepare(path: Path, database: sqlite3.Connection) -> int:
    """Sets the connection up, makes the tables that the file lacks, and gives the version that it had."""
    database.execute("PRAGMA journal_mode = WAL").fetchone()
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA secure_delete = ON")  # a name that moves to another page leaves nothing behind
    if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    version = rows.check_format(path, database)
    if version < VERSION:
        upgrade = f"PRAGMA user_version = {VERSION}; {_UPGRADES[version]}"
        database.executescript(f"BEGIN IMMEDIATE; {upgrade} COMMIT;")
    return version
