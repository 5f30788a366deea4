"""Where each chip lay last, kept in a small SQLite file beside the register, so that a restart knows it.

It changes all evening and nothing is lost with it for good, so it is a file of its own, with WAL and without a sync of
the disk at every write. Several tables may share it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

VERSION: Final = 1
BUSY_WAIT_S: Final = 2.0
_SCHEMA: Final = f"""
CREATE TABLE place (
    uid      TEXT PRIMARY KEY,
    at_table TEXT NOT NULL,
    zone     TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    heard_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""


class PlacesError(Exception):
    """The places cannot be read or written; the text says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chip lies or lay: a table's zone (`seat-4`, `pot`, `tray`), from when to when, on the wall clock."""

    table: str
    zone: str
    since_ms: int
    heard_ms: int
    """When it was last heard there."""
    heard_ns: int | None = field(default=None, compare=False)
    """The same on this machine's monotonic clock, which no file can keep; None where that is not known."""

    def kept(self) -> dict[str, str | int]:
        """What the file keeps of it."""
        return {"table": self.table, "zone": self.zone, "since_ms": self.since_ms, "heard_ms": self.heard_ms}


def places_beside(register: Path) -> Path:
    """The file of places that belongs to a register."""
    return register.with_name(f"{register.stem}.places.sqlite")


def last_place(register: Path, uid: str) -> Place | None:
    """Where a chip of that register lay last, None where no reader saw it or nothing can be read."""
    path = places_beside(register)
    if not path.exists():
        return None
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            row = database.execute(
                "SELECT at_table, zone, since_ms, heard_ms FROM place WHERE uid = ?", (uid,)
            ).fetchone()
    except sqlite3.Error:
        return None
    return None if row is None else Place(*row)


class PlacesFile:
    """The file, opened by the one bridge of a table; it belongs to one thread at a time."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the places, or begin them. Raises PlacesError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, isolation_level=None, timeout=BUSY_WAIT_S, check_same_thread=False)
            database.execute("PRAGMA journal_mode = WAL").fetchone()
            database.execute("PRAGMA synchronous = NORMAL")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise PlacesError(f"The file of places {path} is of version {version}: move it away.")
            if version == 0:
                database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        except (OSError, sqlite3.Error) as error:
            raise PlacesError(f"The file of places {path} cannot be used ({error}): move it away.") from None
        return cls(database)

    def all(self) -> dict[str, Place]:
        """The last place of every chip. Raises PlacesError."""
        try:
            rows = self._database.execute("SELECT uid, at_table, zone, since_ms, heard_ms FROM place")
            return {uid: Place(*rest) for uid, *rest in rows}
        except sqlite3.Error as error:
            raise PlacesError(f"The places of the chips cannot be read ({error}).") from None

    def keep(self, places: Iterable[tuple[str, Place]]) -> None:
        """Write the places of these chips, all or none. Raises PlacesError."""
        rows = [(uid, place.table, place.zone, place.since_ms, place.heard_ms) for uid, place in places]
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.executemany("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?, ?)", rows)
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise PlacesError(f"The places of the chips cannot be written ({error}).") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()
