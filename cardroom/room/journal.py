"""The room's own journal: SQLite, append only, each entry bound to the one before it as in a table's journal.

Chain, seal, anchors and their checks are those of a table's journal (`table_controller.journal`). The file is opened
for each decision and closed again, so that several people can work from several screens: `append` takes the right to
write, reads what others have written meanwhile, checks the seal, decides on that, writes and seals. Names of players
and of dealers stand beside the chain, each in a table of its own, by id, where they can be erased.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from betline.options import default_key, make_private_folder
from cardroom.room.errors import RoomError
from cardroom.room.events import Event, Happened, kind_of
from cardroom.room.fold import fold
from cardroom.room.room import Room
from cardroom.room.written import plain, read
from table_controller.journal import names as journal_names
from table_controller.journal import seal as journal_seal
from table_controller.journal.anchors import Anchor, AnchorFile, read_anchors
from table_controller.journal.chain import GENESIS, link, payload_of
from table_controller.journal.errors import JournalError
from table_controller.journal.files import beside
from table_controller.journal.names import names_in
from table_controller.journal.schema import ENTRIES
from table_controller.journal.seal import Key, Seal, keep_seal, make_key, read_key, seal_in
from table_controller.journal.verify import Head, Verdict, anchors_broken, follow, seal_broken, verify

APPLICATION_ID: Final = 0x42544C52  # "BTLR"
VERSION: Final = 2
"""Version 1 had no seal, and dealers among the players' names."""
BUSY_WAIT_S: Final = 5.0
BUSY: Final = "busy"
"""The code of what was not done because somebody else was writing for so long: it can be tried again."""
_PRIMARY: Final = 0xFF
"""What of an extended result code of SQLite is the primary one (sqlite.org/rescode.html)."""
_INQUIRY: Final = "Keep a copy for an inquiry and restore a backup."
OWNER_ONLY: Final = 0o600
DEALERS: Final = "CREATE TABLE dealer (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;"
_SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
{ENTRIES}{journal_names.SCHEMA}{DEALERS}{journal_seal.SCHEMA}
"""
_UPGRADE: Final = f"""
PRAGMA user_version = {VERSION};
ALTER TABLE name RENAME TO person;
{DEALERS}{journal_seal.SCHEMA}
"""
_COLUMNS: Final = "SELECT seq, at_ms, kind, payload FROM entry ORDER BY seq"
Who = Literal["player", "dealer"]
_TABLES: Final[dict[Who, tuple[str, str]]] = {"player": ("person", "p"), "dealer": ("dealer", "d")}
"""Of each the table of names, and what its ids begin with."""


class RoomJournal:
    """A room's journal, open for reading and for whole decisions."""

    def __init__(self, path: Path, key: Path | None = None) -> None:
        """Opens or begins a journal; raises RoomError (`journal`). ``key``: of its seals, default the user's."""
        self._path = path
        self._key = key or default_key()
        with _sentences(path):
            make_private_folder(path.parent)
            path.touch(OWNER_ONLY, exist_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None, timeout=BUSY_WAIT_S)
        try:
            with _sentences(path):
                self._prepare()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def happened(self) -> tuple[Happened, ...]:
        """All entries, checked against the chain; raises RoomError (`broken-chain`, `journal`)."""
        with _sentences(self._path):
            return tuple(self._entries())

    def room(self) -> Room:
        """The room as it stands; raises RoomError."""
        return fold(self.happened())

    def head(self) -> tuple[int, str]:
        """The number and the hash of the last entry; 0 and zeros in a new journal."""
        with _sentences(self._path):
            found = self._database.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        return (0, GENESIS) if found is None else (int(found[0]), str(found[1]))

    def append(self, decide: Callable[[Room], Iterable[Event]], by: str, at_ms: int | None = None) -> Room:
        """Decides on the room as it is now, writes what that comes to, and gives the room afterwards.

        Nobody else writes between reading and writing. What `decide` raises changes nothing. Raises RoomError
        (`broken-seal`, `no-key`) where somebody without the key has written, or the end is missing.
        """
        with self._writing() as key:
            before = self.happened()
            now_ms = int(time.time() * 1000) if at_ms is None else at_ms
            added = self._write(tuple(decide(fold(before))), now_ms, by)
            room = fold((*before, *added))
            self._keep_seal(key)
        self._keep_anchor(key)
        return room

    def names(self, who: Who | None = None) -> dict[str, str]:
        """Id: name of players and dealers, or of these alone; one that was erased is missing."""
        with _sentences(self._path):
            if who is None:
                return _people(self._database)
            return dict(self._database.execute(f"SELECT id, name FROM {_TABLES[who][0]} ORDER BY rowid"))

    def id_of(self, name: str, who: Who = "player") -> str:
        """The id of a name, which is made where it is new; raises RoomError for what is no name.

        A dealer of a journal of version 1 keeps the id that a player would have.
        """
        clean = " ".join(name.split())
        if not clean or len(clean) > 40 or not clean.isprintable():
            raise RoomError("name", "A name is 1 to 40 letters, in one line.")
        table, letter = _TABLES[who]
        with self._writing() as key:
            known = {one.casefold(): person for person, one in self.names(who).items()}
            found = known.get(clean.casefold())
            if found is not None:
                return found
            row = self._database.execute(f"SELECT max(CAST(substr(id, 3) AS INTEGER)) FROM {table}").fetchone()
            person = f"{letter}-{(row[0] or 0) + 1}"
            self._database.execute(f"INSERT INTO {table} VALUES (?, ?)", (person, clean))
            self._keep_seal(key)
        return person

    def erase(self, person: str) -> None:
        """Takes a name away; the entries keep the id, which says nothing of who it was."""
        with self._writing() as key:
            for table, _ in _TABLES.values():
                self._database.execute(f"UPDATE {table} SET name = ? WHERE id = ?", (f"erased {person}", person))
            self._keep_seal(key)
        with _sentences(self._path):
            self._database.execute("VACUUM")

    def head_sealed(self) -> Anchor | None:
        """The newest entry with its seal, as it is published; None in a new journal. Raises RoomError (`no-key`)."""
        seq, digest = self.head()
        if not seq:
            return None
        with _sentences(self._path):
            return Anchor.of(read_key(self._key), self._first(), seq, digest)

    def verify(self, anchors: Path | None = None) -> Verdict:
        """Checks chain, seal, names and anchors, those beside the journal and in a file with more. Raises RoomError."""
        with _sentences(self._path):
            key = read_key(self._key) if self._key.exists() else None
            known = [*self._anchors(), *(() if anchors is None else read_anchors(anchors))]
            return verify(self._database, key, known, _people)

    # --- inside

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Key]:
        """The right to write, with the key, once the seal holds; nothing is written where anything is raised."""
        with _sentences(self._path):
            self._database.execute("BEGIN IMMEDIATE")
        try:
            with _sentences(self._path):
                yield self._checked_key()
                self._database.execute("COMMIT")
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def _checked_key(self) -> Key:
        seal, head = seal_in(self._database), Head(*self.head())
        if seal is None:
            return make_key(self._key)
        key = read_key(self._key)
        known = [one for one in self._anchors() if one.holds(key)]
        wrong = seal_broken(self._database, seal, key, head, _people)
        wrong = wrong or anchors_broken(head, seal.journal, known, self._hash_of)
        if wrong is not None:
            raise RoomError("broken-seal", f"The room's journal {self._path}: {wrong} {_INQUIRY}")
        return key

    def _keep_seal(self, key: Key) -> None:
        seq, digest = self.head()
        made = Seal(self._first(), key.id, seq, digest, key.of_names(_people(self._database))).made(key)
        keep_seal(self._database, made)

    def _keep_anchor(self, key: Key) -> None:
        """Keeps the sealed head beside the journal; what cannot be kept is no reason to refuse what was decided."""
        seq, digest = self.head()
        with contextlib.suppress(OSError), contextlib.closing(AnchorFile(beside(self._path, ".anchors"))) as file:
            file.write(Anchor.of(key, self._first(), seq, digest))

    def _anchors(self) -> tuple[Anchor, ...]:
        file = beside(self._path, ".anchors")
        return read_anchors(file) if file.exists() else ()

    def _first(self) -> str:
        """By which the journal is known: the hash of its first entry; empty in a new one."""
        return self._hash_of(1) or ""

    def _hash_of(self, seq: int) -> str | None:
        row = self._database.execute("SELECT hash FROM entry WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else str(row[0])

    def _prepare(self) -> None:
        self._database.execute("PRAGMA secure_delete = ON")
        application = self._database.execute("PRAGMA application_id").fetchone()[0]
        tables = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not application and not tables:
            self._database.execute("PRAGMA journal_mode = WAL").fetchone()
            self._database.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        elif application != APPLICATION_ID:
            raise RoomError("journal", f"{self._path} is no journal of a room; name another file with --journal.")
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version == 1:
            self._database.executescript(f"BEGIN IMMEDIATE; {_UPGRADE} COMMIT;")
        elif version != VERSION:
            raise RoomError(
                "journal", f"{self._path} has version {version} and this program reads {VERSION}; update Betline."
            )
        self._database.execute("PRAGMA synchronous = FULL")

    def _entries(self) -> Iterator[Happened]:
        chain = follow(self._database, None)
        if chain.broken is not None:
            raise RoomError("broken-chain", f"The room's journal {self._path}: {chain.broken} {_INQUIRY}")
        for seq, at_ms, kind, payload in self._database.execute(_COLUMNS):
            yield read(seq, at_ms, kind, json.loads(payload))

    def _write(self, events: Iterable[Event], at_ms: int, by: str) -> list[Happened]:
        seq, prev = self.head()
        written = []
        for event in events:
            seq, kind, mono_ns = seq + 1, kind_of(type(event)), time.monotonic_ns()
            payload = payload_of({"by": by, "event": plain(event)})
            digest = link(prev, seq, at_ms, mono_ns, kind, payload)
            row = (seq, at_ms, mono_ns, kind, payload, prev, digest)
            self._database.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            written.append(Happened(seq, at_ms, by, event))
            prev = digest
        return written


def _people(database: sqlite3.Connection) -> dict[str, str]:
    """Id: name of players and dealers, as the seal covers them."""
    return {**names_in(database), **dict(database.execute("SELECT id, name FROM dealer ORDER BY rowid"))}


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """What SQLite and the disk complain of, as a sentence."""
    try:
        yield
    except JournalError as error:
        raise RoomError(error.code, str(error)) from None
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & _PRIMARY != sqlite3.SQLITE_BUSY:
            raise _unusable(path, error) from None
        raise RoomError(
            BUSY,
            f"The room's journal {path} is busy: another program has been writing for {BUSY_WAIT_S:.0f} s. Try again.",
        ) from None
    except (sqlite3.Error, OSError, json.JSONDecodeError) as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: Exception) -> RoomError:
    return RoomError(
        "journal", f"The room's journal {path} cannot be used ({error}); name another file with --journal."
    )
