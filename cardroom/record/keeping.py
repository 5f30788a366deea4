"""Retention, erasure, backup and restore of what a site has recorded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, text

from betline.options import name_new
from cardroom.record import tables
from cardroom.record.clients import dump, restore_into
from cardroom.record.database import has_tables
from cardroom.record.errors import RecordError
from cardroom.record.store import Store, partition

_ISLANDS: Final = """
    SELECT journal_id, min(seq) AS first_seq, max(seq) AS last_seq
    FROM (SELECT journal_id, seq, seq - row_number() OVER (PARTITION BY journal_id ORDER BY seq) AS island
          FROM entry WHERE day = :day) AS numbered
    GROUP BY journal_id, island ORDER BY journal_id, first_seq
"""
"""The stretches of rows of a day: a clock that was put back makes more than one."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """One day that was taken out."""

    day: date
    rows: int


def retain(store: Store, first_kept: date) -> list[Dropped]:
    """Takes out the partitions of the days before one, whole; what went from each journal is said in `removed`."""
    with store.reading() as connection:
        days = _days(connection)
    return [_drop(store, day) for day in days if day < first_kept]


def _days(connection: Connection) -> list[date]:
    """The days that have a partition, oldest first; that of entries without a date is none of them."""
    names = connection.execute(
        text("SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
             "WHERE i.inhparent = 'entry'::regclass ORDER BY 1")
    ).scalars()  # fmt: skip
    return [datetime.strptime(name, "entry_%Y%m%d").replace(tzinfo=UTC).date() for name in names if name[6:].isdigit()]


def _drop(store: Store, day: date) -> Dropped:
    """One day, in one transaction with the rows that say what went."""
    with store.writing() as connection:
        connection.execute(text(f"LOCK TABLE {partition(day)} IN ACCESS EXCLUSIVE MODE"))
        rows = 0
        for island in connection.execute(text(_ISLANDS), {"day": day}).all():
            last = connection.execute(
                select(tables.entry.c.hash).where(
                    tables.entry.c.journal_id == island.journal_id,
                    tables.entry.c.seq == island.last_seq,
                    tables.entry.c.day == day,
                )
            ).scalar_one()
            connection.execute(
                insert(tables.removed).values(
                    journal_id=island.journal_id, first_seq=island.first_seq, last_seq=island.last_seq,
                    last_hash=bytes(last).hex(), day=day, at=datetime.now(UTC),
                )
            )  # fmt: skip
            rows += island.last_seq - island.first_seq + 1
        connection.execute(text(f"DROP TABLE {partition(day)}"))
    return Dropped(day, rows)


def first_kept(today: date, days: int) -> date:
    """The oldest day that stays where so many days are kept."""
    return today - timedelta(days=days)


def erase(store: Store, who: str) -> list[tuple[str, str]]:
    """Takes the names of a person out, by name or id; gives table and journal of each. They are not taken in again."""
    person = tables.person
    with store.writing() as connection:
        found = connection.execute(
            select(person.c.journal_id, person.c.person, tables.journal.c.table_name, tables.journal.c.journal)
            .join(tables.journal, tables.journal.c.id == person.c.journal_id)
            .where((person.c.person == who) | (func.lower(person.c.name) == who.lower()))
        ).all()
        for row in found:
            connection.execute(
                delete(person).where(person.c.journal_id == row.journal_id, person.c.person == row.person)
            )
            connection.execute(
                insert(tables.erased).values(journal_id=row.journal_id, person=row.person, at=datetime.now(UTC))
            )
    if found:
        store.vacuum("person")
    return [(row.table_name, row.journal) for row in found]


def back_up(url: str, to: Path) -> None:
    """Writes the whole database into one new file, its owner's only (pg_dump, custom format). Raises RecordError."""
    if to.exists():
        raise RecordError("there-already", f"{to} is there already: name a file that is not.")
    part = to.with_name(f"{to.name}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        dump(url, part)
        name_new(part, to)
    except OSError as error:
        raise RecordError("no-file", f"The file {to} cannot be made ({error.strerror}): name another place.") from None
    finally:
        part.unlink(missing_ok=True)


def restore(url: str, backup: Path) -> None:
    """Puts a backup into a database that is empty yet, whole or not at all. Raises RecordError."""
    if not backup.is_file():
        raise RecordError("no-file", f"There is no backup {backup}.")
    if has_tables(url):
        raise RecordError("not-empty", "That database holds something already: name an empty one, or another --data.")
    restore_into(url, backup)
