"""The names of people, in a table of the journal's file beside its entries: they can be taken out, entries cannot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping

SCHEMA = """
CREATE TABLE person (
    id   TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;
"""


def names_in(database: sqlite3.Connection) -> dict[str, str]:
    """What people are called, by person, in the order in which they came; none in a journal of version 1."""
    if not database.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'person'").fetchone():
        return {}
    return dict(database.execute("SELECT id, name FROM person ORDER BY rowid"))


def keep(database: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Keeps the names of people, within the transaction of the entries that they belong to."""
    database.executemany("INSERT OR REPLACE INTO person (id, name) VALUES (?, ?)", names.items())


def forget(database: sqlite3.Connection, persons: tuple[str, ...], seal_again: Callable[[], None]) -> bool:
    """Takes names out so that no page of the file holds them any more, and has those that are left sealed with it.

    False where somebody read the file at that moment: its log holds them until that has ended and it is written anew.
    """
    if persons:
        database.execute("PRAGMA secure_delete = ON")
        database.execute("BEGIN IMMEDIATE")
        try:
            database.executemany("DELETE FROM person WHERE id = ?", [(person,) for person in persons])
            seal_again()
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise
    busy = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not busy
