"""Whether all rows are there, once, in order, with equal hashes; held against what tables or files have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, select

from betline.messages.history import JournalEnd
from cardroom.record import tables
from cardroom.record.batch import Place
from cardroom.record.store import Kept, Store, journals_in
from table_controller.journal.chain import link

FETCHED: Final = 2000


@dataclass(slots=True)
class Found:
    """What was found of the rows of a site."""

    rows: int = 0
    journals: int = 0
    compared: int = 0
    """Journals that were held against their tables or files."""
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def verify_rows(store: Store, progress: Callable[[int], None]) -> Found:
    """Follows the chain of every journal and branch through the database."""
    found = Found()
    with store.reading() as connection:
        for kept in journals_in(connection):
            found.journals += 1
            problem = _follow(connection, kept, found, progress)
            if problem:
                found.problems.append(f"{kept.table}, journal {kept.journal[:12]}: {problem}")
    return found


def _follow(connection: Connection, kept: Kept, found: Found, progress: Callable[[int], None]) -> str:
    gone = {
        row.first_seq: Place(row.last_seq, row.last_hash)
        for row in connection.execute(select(tables.removed).where(tables.removed.c.journal_id == kept.id))
    }
    row = connection.execute(select(tables.journal).where(tables.journal.c.id == kept.id)).one()
    place = Place(row.fork_seq, row.fork_hash)
    for seq, at_ms, mono_ns, kind, payload, digest in _rows(connection, kept.id):
        if seq != place.seq + 1:
            place = _bridged(place, kept, gone)
        if seq <= place.seq:
            return f"row {seq} is there twice."
        if seq != place.seq + 1:
            return f"row {place.seq + 1} is missing."
        if digest != link(place.hash, seq, at_ms, mono_ns, kind, payload):
            return f"row {seq} does not have the content that its hash was made of."
        place = Place(seq, digest)
        found.rows += 1
        if found.rows % FETCHED == 0:
            progress(found.rows)
    place = _bridged(place, kept, gone)
    if place != kept.place:
        return f"it ends at row {place.seq}; it was recorded up to {kept.place.seq}."
    if kept.pruned.seq > 1:
        found.notes.append(f"{kept.table}: entries 2 to {kept.pruned.seq} were pruned there before they were recorded.")
    return ""


def _bridged(place: Place, kept: Kept, gone: dict[int, Place]) -> Place:
    """The place after rows that were taken out by retention, or pruned at the table."""
    while True:
        if place.seq + 1 in gone:
            place = gone[place.seq + 1]
        elif place.seq == 1 < kept.pruned.seq:
            place = kept.pruned
        else:
            return place


def _rows(connection: Connection, journal_id: int) -> Iterator[tuple[int, int, int, str, str, str]]:
    """All rows of a journal in order, from the server by and by."""
    raw: Any = connection.connection.driver_connection
    with raw.cursor(name="rows") as cursor:
        cursor.itersize = FETCHED
        cursor.execute(
            "SELECT seq, at_ms, mono_ns, kind, payload::text, hash FROM entry WHERE journal_id = %s ORDER BY seq",
            (journal_id,),
        )
        for seq, at_ms, mono_ns, kind, payload, digest in cursor:
            yield seq, at_ms, mono_ns, kind, payload, bytes(digest).hex()


def against_ends(store: Store, table: str, ends: tuple[JournalEnd, ...], found: Found) -> None:
    """Holds what is recorded of a table against how far its journals are."""
    newest = {kept.journal: kept for kept in store.journals(table)}
    for end in ends:
        found.compared += 1
        kept = newest.get(end.journal)
        name = f"{table}, journal {end.journal[:12]}"
        if kept is None:
            found.problems.append(f"{name}: nothing of it is recorded; the table has {end.seq} entries.")
        elif kept.place.seq < end.seq:
            found.problems.append(f"{name}: rows {kept.place.seq + 1} to {end.seq} are not recorded yet.")
        elif store.hash_at(kept, end.seq) not in (None, end.head):
            found.problems.append(f"{name}: row {end.seq} is not the one that the table has.")
        elif kept.place.seq > end.seq and not end.live:
            found.problems.append(f"{name}: the table's file ends at entry {end.seq}, recorded are {kept.place.seq}.")
