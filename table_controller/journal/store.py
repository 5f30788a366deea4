"""The journal's file: SQLite, append only, one writer.

WAL with synchronous=FULL, so that what ``append`` has returned survives a power cut; triggers refuse to change or
delete an entry, and the chain of hashes shows it where somebody did it all the same.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Self

from table_controller.journal import names
from table_controller.journal.entries import (
    GENESIS,
    Checkpoint,
    Entry,
    JournalError,
    Opened,
    Recorded,
    digest_of,
    link,
    payload_of,
)

VERSION = 3
READABLE = (1, 2, 3)
"""Version 1 had names in its entries and no table of them, version 2 no checkpoints.

The first controller that opens such a file adds the table and the index, and makes it the present version.
"""
APPLICATION_ID = 0x42544C4E  # "BTLN"
NO_NAMES: Mapping[str, str] = MappingProxyType({})
BUSY_WAIT_S = 2.0

CHECKED_CHECKPOINTS = 2
"""A start checks the chain from so many checkpoints back: as far as it may read entries."""

_INDEX = f"CREATE INDEX entry_checkpoint ON entry (seq) WHERE kind = '{Checkpoint.kind}';"
_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
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
CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
{_INDEX}
{names.SCHEMA}"""
_UPGRADES = {1: f"{names.SCHEMA} {_INDEX}", 2: _INDEX}
"""What a file of an older version lacks."""
_COLUMNS = "SELECT seq, at_ms, mono_ns, kind, payload, prev, hash FROM entry"


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry's number and hash; who keeps it can prove later that nothing was cut off."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Verdict:
    """What ``verify`` found: the entries that hold, and the first that does not, with what is wrong with it."""

    entries: int
    head: Head
    broken_seq: int | None = None
    sentence: str = "Every entry is as it was written."

    @property
    def ok(self) -> bool:
        """Whether the whole chain holds."""
        return self.broken_seq is None


class Journal:
    """The one writer of a table's journal. Open it with ``Journal.open``; it belongs to one thread at a time."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: IO[str], head: Head) -> None:
        self._path = path
        self._database = database
        self._lock = lock
        self._head = head
        self._seen = 0

    @classmethod
    def open(cls, path: Path, table: str, at_ms: int, mono_ns: int) -> Self:
        """Opens or begins the journal of ``table`` (``site/name``) and checks that its newest part holds.

        That is the chain from the last checkpoint but one on, so that it takes no longer for a longer journal.

        Raises JournalError: ``in-use``, ``no-journal``, ``other-version``, ``other-table``, ``broken-chain``,
        ``damaged``, ``unwritable``.
        """
        _require_ours(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = _lock(path)
        except OSError as error:
            raise JournalError(
                "unwritable", f"The journal {path} cannot be written ({error.strerror}); name another with --journal."
            ) from None
        try:
            with _sentences(path):
                database = sqlite3.connect(path, isolation_level=None, timeout=BUSY_WAIT_S, check_same_thread=False)
                database.execute("PRAGMA journal_mode = WAL").fetchone()
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA secure_delete = ON")  # a name that moves to another page leaves nothing behind
                begun = database.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
                if not begun:
                    database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
                version = _check_format(path, database)
                if version < VERSION:
                    upgrade = f"PRAGMA user_version = {VERSION}; {_UPGRADES[version]}"
                    database.executescript(f"BEGIN IMMEDIATE; {upgrade} COMMIT;")
                verdict = _verify(database, _checked_from(database))
            if not verdict.ok:
                raise JournalError(
                    "broken-chain",
                    f"The journal {path} was changed after it was written: {verdict.sentence} "
                    "Keep it for an inquiry and name another with --journal.",
                )
            journal = cls(path, database, lock, verdict.head)
            if verdict.entries == 0:
                journal.append((Opened(table=table, version=VERSION),), at_ms, mono_ns)
            else:
                _check_table(path, next(journal.entries()), table)
        except BaseException:
            lock.close()
            raise
        return journal

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._path

    @property
    def head(self) -> Head:
        """The newest entry."""
        return self._head

    def append(
        self, entries: Iterable[Entry], at_ms: int, mono_ns: int, named: Mapping[str, str] = NO_NAMES
    ) -> tuple[Recorded, ...]:
        """Writes the entries of one step in one transaction; when it returns they survive a power cut.

        `named` are names of people, by person, that are kept with them and can be erased. Raises JournalError
        (``unwritable``); then none of them is in the journal.
        """
        seq, prev = self._head.seq, self._head.hash
        recorded: list[Recorded] = []
        rows: list[tuple[int, int, int, str, str, str, str]] = []
        for entry in entries:
            seq += 1
            data = entry.data
            payload = payload_of(data)
            digest = link(prev, seq, at_ms, mono_ns, entry.kind, payload)
            rows.append((seq, at_ms, mono_ns, entry.kind, payload, prev, digest))
            recorded.append(Recorded(seq, at_ms, mono_ns, entry.kind, data, prev, digest))
            prev = digest
        if not rows:
            return ()
        with _sentences(self._path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                names.keep(self._database, named)
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise
        self._head = Head(seq, prev)
        return tuple(recorded)

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""
        with _sentences(self._path):
            yield from _entries(self._database, after)

    def newest(self, kind: str, before: int | None = None) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those before a number where one is given."""
        with _sentences(self._path):
            yield from _newest(self._database, kind, before)

    def names(self) -> dict[str, str]:
        """What people are called, by person."""
        with _sentences(self._path):
            self._seen = _data_version(self._database)
            return names.names_in(self._database)

    @property
    def changed_by_another(self) -> bool:
        """Whether another program has changed the file since `names`: it can but erase some of them."""
        with _sentences(self._path):
            return _data_version(self._database) != self._seen

    def close(self) -> None:
        """Closes the file and gives up the right to write; a second call does nothing."""
        self._database.close()
        self._lock.close()


class JournalReader:
    """A journal opened to be read, also while a controller writes it."""

    def __init__(self, path: Path) -> None:
        """Raises JournalError: ``missing``, ``no-journal``, ``other-version``, ``damaged``."""
        if not path.is_file():
            raise JournalError("missing", f"There is no journal {path}; name one with --journal.")
        self._path = path
        with _sentences(path):
            self._database = _read_only(path)
            try:
                _check_format(path, self._database)
            except BaseException:
                self._database.close()
                raise

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""
        with _sentences(self._path):
            yield from _entries(self._database, after)

    def newest(self, kind: str, before: int | None = None) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those before a number where one is given."""
        with _sentences(self._path):
            yield from _newest(self._database, kind, before)

    def names(self) -> dict[str, str]:
        """What people are called, by person."""
        with _sentences(self._path):
            return names.names_in(self._database)

    def verify(self) -> Verdict:
        """Follows the chain from its first entry, checkpoints with their digests, and names the first that fails."""
        with _sentences(self._path):
            return _verify(self._database, digests=True)

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _require_ours(path: Path) -> None:
    """Raises JournalError for what is there and is no journal, before anything of it or beside it is touched."""
    if not path.exists():
        return
    if not path.is_file():
        raise JournalError("no-journal", f"{path} is no file; name a file with --journal.")
    if path.stat().st_size:
        with _sentences(path), contextlib.closing(_read_only(path)) as database:
            _check_format(path, database)


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_WAIT_S)


def _lock(path: Path) -> IO[str]:
    """The writer's lock, on a file of its own: closing any descriptor of the database would drop SQLite's locks."""
    file = Path(f"{path}.lock").open("a+", encoding="utf-8")  # noqa: SIM115  (held as long as the journal is open)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise JournalError(
            "in-use",
            f"Another controller (process {holder}) writes the journal {path}; stop it or name another with --journal.",
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def erase_names(path: Path, persons: tuple[str, ...]) -> bool:
    """Takes the names of some people out of a journal, also while a controller writes it; the entries stay.

    False where the file's log still holds them, since somebody reads it. Asked for nobody it clears the log.

    Raises JournalError: ``missing``, ``no-journal``, ``other-version``, ``damaged``, ``unwritable``.
    """
    JournalReader(path).close()
    with _sentences(path), contextlib.closing(_to_write(path)) as database:
        return names.forget(database, persons)


def _to_write(path: Path) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_WAIT_S)


def _data_version(database: sqlite3.Connection) -> int:
    found: int = database.execute("PRAGMA data_version").fetchone()[0]
    return found


def _check_format(path: Path, database: sqlite3.Connection) -> int:
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


def _check_table(path: Path, first: Recorded, table: str) -> None:
    written_by = first.data.get("table")
    if written_by != table:
        raise JournalError(
            "other-table",
            f"The journal {path} belongs to table {written_by}, not {table}; name another with --journal.",
        )


def _entries(database: sqlite3.Connection, after: int) -> Iterator[Recorded]:
    yield from _recorded(database.execute(f"{_COLUMNS} WHERE seq > ? ORDER BY seq", (after,)))


def _newest(database: sqlite3.Connection, kind: str, before: int | None) -> Iterator[Recorded]:
    limit = sys.maxsize if before is None else before
    if kind == Checkpoint.kind:  # written out, so that SQLite takes its index
        query = f"{_COLUMNS} WHERE kind = '{Checkpoint.kind}' AND seq < ? ORDER BY seq DESC"
        yield from _recorded(database.execute(query, (limit,)))
    else:
        yield from _recorded(
            database.execute(f"{_COLUMNS} WHERE kind = ? AND seq < ? ORDER BY seq DESC", (kind, limit))
        )


def _recorded(rows: Iterable[tuple[int, int, int, str, str, str, str]]) -> Iterator[Recorded]:
    for seq, at_ms, mono_ns, kind, payload, prev, digest in rows:
        try:
            data: Any = json.loads(payload)
        except ValueError:
            raise sqlite3.DatabaseError(f"entry {seq} is not JSON") from None
        yield Recorded(seq, at_ms, mono_ns, kind, data, prev, digest)


def _checked_from(database: sqlite3.Connection) -> int:
    """The entry from which a start checks the chain: the last checkpoint but one, without it the first."""
    query = f"SELECT seq FROM entry WHERE kind = '{Checkpoint.kind}' ORDER BY seq DESC LIMIT ?"
    found = [seq for (seq,) in database.execute(query, (CHECKED_CHECKPOINTS,))]
    return int(found[-1]) if len(found) == CHECKED_CHECKPOINTS else 1


def _verify(database: sqlite3.Connection, first: int = 1, *, digests: bool = False) -> Verdict:
    """Follows the chain from an entry on; ``digests``: and holds every checkpoint against its own."""
    head = Head()
    for seq, at_ms, mono_ns, kind, payload, prev, digest in database.execute(
        f"{_COLUMNS} WHERE seq >= ? ORDER BY seq", (first,)
    ):
        if seq == first > 1:
            head = Head(seq - 1, prev)
        if seq != head.seq + 1:
            found = f"entry {head.seq + 1} is missing."
        elif prev != head.hash:
            found = f"entry {seq} does not follow from entry {head.seq}."
        elif digest != link(prev, seq, at_ms, mono_ns, kind, payload):
            found = f"entry {seq} does not have the content that its hash was made of."
        elif digests and kind == Checkpoint.kind and not _digest_holds(payload):
            found = f"entry {seq}, a checkpoint, does not have the content that its digest was made of."
        else:
            head = Head(seq, digest)
            continue
        return Verdict(head.seq, head, head.seq + 1, found.capitalize())
    return Verdict(head.seq, head)


def _digest_holds(payload: str) -> bool:
    try:
        data = json.loads(payload)
        return bool(digest_of(data["content"]) == data["digest"])
    except (ValueError, KeyError, TypeError):
        return False


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turns what SQLite says into a JournalError."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            raise JournalError(
                "damaged",
                f"The journal {path} has lost its entries; restore it from a copy or name another with --journal.",
            ) from None
        raise JournalError(
            "unwritable", f"The journal {path} cannot be used now ({error}); make room or free it, then try again."
        ) from None
    except sqlite3.DatabaseError as error:
        raise JournalError(
            "damaged",
            f"The journal {path} is damaged ({error}); restore it from a copy or name another with --journal.",
        ) from None
