"""The room's own journal: SQLite, append only, each entry bound to the one before it as in a table's journal.

The chain is `table_controller.journal.chain`, the same function. The file is opened for each decision and closed again,
so that several people can work from several screens: `append` takes the right to write, reads what others have written
meanwhile, decides on that, and writes. Names of players stand beside the chain, by id, where they can be erased.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pydantic import TypeAdapter, ValidationError

from betline.options import make_private_folder
from cardroom.room.errors import RoomError
from cardroom.room.events import KINDS, Event, Happened, Undone, kind_of
from cardroom.room.room import Room, fold
from table_controller.journal.chain import GENESIS, link, payload_of
from table_controller.journal.schema import ENTRIES

APPLICATION_ID: Final = 0x42544C52  # "BTLR"
VERSION: Final = 1
BUSY_WAIT_S: Final = 5.0
OWNER_ONLY: Final = 0o600
_SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
{ENTRIES}CREATE TABLE name (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
"""
_COLUMNS: Final = "SELECT seq, at_ms, mono_ns, kind, payload, prev, hash FROM entry ORDER BY seq"

_ADAPTERS: Final[Mapping[str, TypeAdapter[Any]]] = {kind: TypeAdapter(cls) for kind, cls in KINDS.items()}


class RoomJournal:
    """A room's journal, open for reading and for whole decisions."""

    def __init__(self, path: Path) -> None:
        """Opens or begins a journal; raises RoomError (`journal`)."""
        self._path = path
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
            return tuple(one for one, _ in self._entries())

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

        Nobody else writes between reading and writing. What `decide` raises changes nothing.
        """
        with _sentences(self._path):
            self._database.execute("BEGIN IMMEDIATE")
        try:
            before = self.happened()
            now_ms = int(time.time() * 1000) if at_ms is None else at_ms
            events = tuple(decide(fold(before)))
            with _sentences(self._path):
                added = self._write(events, now_ms, by)
                self._database.execute("COMMIT")
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        return fold((*before, *added))

    def names(self) -> dict[str, str]:
        """Id: name of every player; one that was erased is missing."""
        with _sentences(self._path):
            return dict(self._database.execute("SELECT id, name FROM name"))

    def id_of(self, name: str) -> str:
        """The id of a player's name, which is made where it is new; raises RoomError for what is no name."""
        clean = " ".join(name.split())
        if not clean or len(clean) > 40 or not clean.isprintable():
            raise RoomError("name", "A name is 1 to 40 letters, in one line.")
        known = {one.casefold(): player for player, one in self.names().items()}
        found = known.get(clean.casefold())
        if found is not None:
            return found
        with _sentences(self._path):
            self._database.execute("BEGIN IMMEDIATE")
            last = self._database.execute("SELECT max(CAST(substr(id, 3) AS INTEGER)) FROM name").fetchone()[0] or 0
            player = f"p-{last + 1}"
            self._database.execute("INSERT INTO name VALUES (?, ?)", (player, clean))
            self._database.execute("COMMIT")
        return player

    def erase(self, player: str) -> None:
        """Takes a player's name away; the entries keep the id, which says nothing of who it was."""
        with _sentences(self._path):
            self._database.execute("UPDATE name SET name = ? WHERE id = ?", (f"erased {player}", player))
            self._database.execute("VACUUM")

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
        if version != VERSION:
            raise RoomError(
                "journal", f"{self._path} has version {version} and this program reads {VERSION}; update Betline."
            )
        self._database.execute("PRAGMA synchronous = FULL")

    def _entries(self) -> Iterator[tuple[Happened, str]]:
        before = GENESIS
        for number, row in enumerate(self._database.execute(_COLUMNS), 1):
            seq, at_ms, mono_ns, kind, payload, prev, digest = row
            if seq != number or prev != before or digest != link(prev, seq, at_ms, mono_ns, kind, payload):
                raise RoomError(
                    "broken-chain",
                    f"The room's journal {self._path} was changed after it was written, at entry {seq}; keep a copy "
                    "for an inquiry and restore a backup.",
                )
            before = digest
            yield read(seq, at_ms, kind, json.loads(payload)), digest

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


def undoing(happened: tuple[Happened, ...]) -> Undone:
    """The last event that still counts is taken back; raises RoomError where a table has carried it out."""
    gone = {one.event.seq for one in happened if isinstance(one.event, Undone)}
    last = next(
        (one for one in reversed(happened) if one.seq not in gone and not isinstance(one.event, Undone)), None
    )  # fmt: skip
    if last is None:
        raise RoomError("nothing", "Nothing is left to take back.")
    kind = kind_of(type(last.event))
    if kind in FINAL:
        raise RoomError("final", f"Entry {last.seq} ({kind}) was carried out and stays; do the contrary instead.")
    return Undone(seq=last.seq)


FINAL: Final = frozenset(
    {"leave-asked", "left-seat", "moved", "counted", "counts-differ", "count-begun", "stock-taken"}
)
"""Kinds that tell what happened outside the room's book: taking them back would make the book wrong."""


def plain(event: Event) -> dict[str, Any]:
    """An event as JSON can have it."""
    return {one.name: _plain(getattr(event, one.name)) for one in fields(event)}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def read(seq: int, at_ms: int, kind: str, payload: Mapping[str, Any]) -> Happened:
    """An entry as an event; raises RoomError (`journal`) for one that this version does not know."""
    adapter = _ADAPTERS.get(kind)
    try:
        if adapter is None:
            raise ValueError
        event = adapter.validate_python(payload["event"])
        return Happened(seq, at_ms, str(payload["by"]), event)
    except (ValidationError, ValueError, KeyError):
        raise RoomError("journal", f"Entry {seq} ({kind}) is none that this version knows; update Betline.") from None


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """What SQLite and the disk complain of, as a sentence."""
    try:
        yield
    except (sqlite3.Error, OSError, json.JSONDecodeError) as error:
        raise RoomError(
            "journal", f"The room's journal {path} cannot be used ({error}); name another file with --journal."
        ) from None
