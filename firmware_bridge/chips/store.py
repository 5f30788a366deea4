"""The register's file: SQLite, the chips and the history that they follow from.

Every change goes through `RegisterFile.apply`: history and chips in one transaction, with synchronous=FULL, and only
where each change follows from what the file has. Triggers refuse to change or delete an entry of the history.
Version 1 had UID and type alone; it is read as it is, and the first program that changes it makes it version 2.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Self

from firmware_bridge.chips.record import Change, Chip, ChipState, RegisterError, after, enrolled, replayed

VERSION: Final = 2
READABLE: Final = (1, 2)
BUSY_WAIT_S: Final = 2.0
FROM_VERSION_1: Final = "register version 1"
"""Who enrolled the chips of a register that did not say."""
_SQLITE_MAGIC: Final = b"SQLite format 3\x00"
_CHIPS: Final = """
CREATE TABLE chips (
    uid         TEXT PRIMARY KEY CHECK (uid NOT GLOB '*[^0-9A-F]*' AND length(uid) BETWEEN 8 AND 64),
    chip_type   TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('active', 'retired', 'hot')),
    name        TEXT NOT NULL,
    reason      TEXT NOT NULL,
    batch       TEXT NOT NULL,
    kind        TEXT,
    enrolled_ms INTEGER NOT NULL,
    enrolled_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
_HISTORY: Final = """
CREATE TABLE history (
    seq     INTEGER PRIMARY KEY,
    uid     TEXT NOT NULL,
    element TEXT NOT NULL,
    old     TEXT,
    new     TEXT,
    at_ms   INTEGER NOT NULL,
    user    TEXT NOT NULL
) STRICT;
CREATE INDEX history_of_chip ON history (uid);
CREATE TRIGGER history_stays BEFORE UPDATE ON history BEGIN SELECT RAISE(ABORT, 'the history is append only'); END;
CREATE TRIGGER history_is_kept BEFORE DELETE ON history BEGIN SELECT RAISE(ABORT, 'the history is append only'); END;
"""
_SCHEMA: Final = f"{_CHIPS}{_HISTORY}PRAGMA user_version = {VERSION};"
_UPGRADE: Final = f"""
ALTER TABLE chips RENAME TO chips_1;
{_SCHEMA}
"""
_COLUMNS: Final = "uid, chip_type, state, name, reason, batch, kind, enrolled_ms, enrolled_by"


def is_database(path: Path) -> bool:
    """Whether the file is SQLite's. Raises RegisterError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
    except OSError as error:
        raise RegisterError(f"The chip register {path} cannot be read: {error.strerror}.") from None


def read(path: Path) -> dict[str, Chip]:
    """The chips of a register file of any version, which is not changed. Raises RegisterError."""
    try:
        with contextlib.closing(_read_only(path)) as database:
            if _version(path, database) == VERSION:
                return _chips(database)
            rows = database.execute("SELECT uid, chip_type FROM chips").fetchall()
    except sqlite3.Error as error:
        raise RegisterError(f"The chip register {path} cannot be read: {error}.") from None
    return {uid: Chip(uid, chip_type) for uid, chip_type in rows}


def history(path: Path, uid: str | None = None) -> tuple[Change, ...]:
    """The history of a register file, oldest first; of one UID where it is given. Raises RegisterError.

    A register of version 1 has none, and JSON lines neither.
    """
    if not is_database(path):
        return ()
    where, values = ("", ()) if uid is None else (" WHERE uid = ?", (uid,))
    try:
        with contextlib.closing(_read_only(path)) as database:
            if _version(path, database) < VERSION:
                return ()
            rows = database.execute(
                f"SELECT uid, element, old, new, at_ms, user FROM history{where} ORDER BY seq", values
            )
            return tuple(Change(*row) for row in rows)
    except sqlite3.Error as error:
        raise RegisterError(f"The chip register {path} cannot be read: {error}.") from None


def differences(path: Path) -> tuple[str, ...]:
    """UIDs whose chip is not what the history makes of it: somebody changed the file with other means.

    Raises RegisterError where there is no history, or it does not follow from itself.
    """
    changes = history(path)
    if not changes:
        raise RegisterError(f"The chip register {path} has no history yet: the first change of it begins one.")
    made, has = replayed(changes), read(path)
    return tuple(uid for uid in sorted({*made, *has}) if made.get(uid) != has.get(uid))


def make(path: Path, chips: Iterable[Chip], at_ms: int = 0, user: str = "") -> None:
    """Make a new register file of these chips. Raises RegisterError, and then leaves no file."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    try:
        with contextlib.closing(RegisterFile.open(fresh)) as file:
            file.apply(list(enrolled({}, chips, at_ms, user)))
        fresh.replace(path)
    except (RegisterError, OSError) as error:
        fresh.unlink(missing_ok=True)
        raise RegisterError(f"The chip register {path} cannot be written: {error}") from None


class RegisterFile:
    """A register opened to be changed. Other programs may read it, and wait two seconds to change it too."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database

    @classmethod
    def open(cls, path: Path, at_ms: int = 0) -> Self:
        """Open a register, make one where there is none, bring one of version 1 up to date. Raises RegisterError."""
        there = path.exists()
        if there and path.stat().st_size and not is_database(path):
            raise RegisterError(
                f"The chip register {path} is no SQLite file: bring its chips into one with betline chips import."
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, isolation_level=None, timeout=BUSY_WAIT_S)
        except (OSError, sqlite3.Error) as error:
            raise RegisterError(f"The chip register {path} cannot be opened: {error}.") from None
        file = cls(path, database)
        try:
            file._bring_up_to_date(at_ms)
        except BaseException:
            database.close()
            raise
        return file

    def chips(self) -> dict[str, Chip]:
        """All chips by UID."""
        with self._sentences("read"):
            return _chips(self._database)

    def apply(self, changes: Iterable[Change]) -> None:
        """Write changes, all or none. Raises RegisterError, also where one does not follow from what the file has."""
        with self._sentences("written"), self._transaction():
            for change in changes:
                self._apply(change)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _bring_up_to_date(self, at_ms: int) -> None:
        with self._sentences("opened"):
            self._database.execute("PRAGMA synchronous = FULL")
            if not self._database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                self._database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            elif _version(self.path, self._database) < VERSION:
                self._upgrade(at_ms)

    def _upgrade(self, at_ms: int) -> None:
        with self._transaction():
            if _version(self.path, self._database) == VERSION:
                return  # another program was quicker
            old = self._database.execute("SELECT uid, chip_type FROM chips ORDER BY uid").fetchall()
            for statement in _statements(_UPGRADE):
                self._database.execute(statement)
            for uid, chip_type in old:
                self._apply(Change(uid, "chip_type", None, chip_type, at_ms, FROM_VERSION_1))
            self._database.execute("DROP TABLE chips_1")

    def _apply(self, change: Change) -> None:
        row = self._database.execute(f"SELECT {_COLUMNS} FROM chips WHERE uid = ?", (change.uid,)).fetchone()
        chip = after(None if row is None else _chip(row), change)
        self._database.execute(
            "INSERT INTO history (uid, element, old, new, at_ms, user) VALUES (?, ?, ?, ?, ?, ?)",
            (change.uid, change.element, change.old, change.new, change.at_ms, change.user),
        )
        if chip is None:
            self._database.execute("DELETE FROM chips WHERE uid = ?", (change.uid,))
            return
        self._database.execute(
            f"INSERT OR REPLACE INTO chips ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                chip.uid,
                chip.chip_type,
                chip.state.value,
                chip.name,
                chip.reason,
                chip.batch,
                chip.kind,
                chip.enrolled_ms,
                chip.enrolled_by,
            ),
        )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _sentences(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise RegisterError(f"The chip register {self.path} cannot be {what}: {error}.") from None


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_WAIT_S)


def _version(path: Path, database: sqlite3.Connection) -> int:
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version not in READABLE:
        raise RegisterError(
            f"The chip register {path} is of version {version}, this program reads {' and '.join(map(str, READABLE))}: "
            "use the program that wrote it."
        )
    return version


def _chips(database: sqlite3.Connection) -> dict[str, Chip]:
    rows = database.execute(f"SELECT {_COLUMNS} FROM chips ORDER BY uid")
    return {row[0]: _chip(row) for row in rows}


def _chip(row: tuple[str, str, str, str, str, str, str | None, int, str]) -> Chip:
    uid, chip_type, state, name, reason, batch, kind, enrolled_ms, enrolled_by = row
    return Chip(uid, chip_type, ChipState(state), name, reason, batch, kind, enrolled_ms, enrolled_by)
