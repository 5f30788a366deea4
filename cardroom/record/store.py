"""The record of a site in its database: rows are put in with how far the journal is, in one transaction."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, delete, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import SQLAlchemyError

from betline.messages.history import JournalEnd, Row
from betline.units import NS_PER_MS
from cardroom.record import database, tables
from cardroom.record.batch import Follows, Place
from cardroom.record.database import sentences
from cardroom.record.days import UNDATED, Days, moment
from cardroom.record.errors import RecordError

COPY: Final = "COPY entry (journal_id, seq, day, at, at_ms, mono_ns, kind, payload, hash) FROM STDIN"


@dataclass(frozen=True, slots=True)
class Kept:
    """One journal, or one branch of it, as it is recorded."""

    id: int
    table: str
    journal: str
    branch: int
    fork_of: int | None
    fork_seq: int
    place: Place
    pruned: Place
    """Rows up to here were pruned at the table before they could be recorded."""


class Store:
    """One connection to the database of a site; a context manager. Its errors are RecordError, code ``away`` where
    the database cannot be reached, after which only `close` makes sense.
    """

    def __init__(self, url: str, site: str | None = None, zone: str | None = None, *, writes: bool = False) -> None:
        """Raises RecordError: ``away``, ``other-site``, ``other-zone``, ``no-zone``, ``taken``, ``no-record``,
        ``pooled``, and what `refusals.refusal` tells of.
        """
        self._engine: Engine = database.engine_of(url)
        self._days_made: set[date] = set()
        self._patience_s = database.ANSWER_S if writes else None
        with sentences():
            self._connection: Connection = self._engine.connect()
        try:
            with sentences(), database.answered(self._line, database.ANSWER_S):
                database.require_young(self._connection)
                database.require_own_session(self._connection, url)
            with sentences():
                if writes:
                    with database.answered(self._line, self._patience_s):
                        database.require_writing(self._connection)
                        database.let_it_notice_us_gone(self._connection)
                        database.take(self._connection)
                    database.migrate(self._connection)
                    database.leave_the_disk_time(self._connection)
                self.site, self.zone = database.whose(self._connection, site, zone, writes=writes)
            self._days = Days(self.zone)
        except BaseException:
            self.close()
            raise

    # --- journals -------------------------------------------------------------------------------------------------

    def journals(self, table: str | None = None) -> list[Kept]:
        """All journals with their branches, oldest branch first."""
        with self._reading() as connection:
            return journals_in(connection, table)

    def begin(self, table: str, journal: str) -> Kept:
        """A journal that was not known before."""
        with self._writing() as connection:
            return self._new(connection, table, journal, 1, None, Place())

    def fork(self, of: Kept, at: Place, code: str, sentence: str, found: str) -> Kept:
        """Another version of a journal from the row after `at` on, and the incident that says so."""
        with self._writing() as connection:
            self._note(connection, of, at.seq + 1, code, sentence, found)
            return self._new(connection, of.table, of.journal, of.branch + 1, of.id, at)

    def append(self, kept: Kept, found: Follows, end: JournalEnd | None = None) -> Kept:
        """Puts rows in, and how far the journal is with them, both or neither.

        Raises RecordError (``out-of-step``) where the database is not where `kept` says.
        """
        now_ms = time.time_ns() // NS_PER_MS
        days = [self._days.day_of(row.at_ms, now_ms) for row in found.rows]
        pruned = found.pruned or kept.pruned
        with self._writing() as connection:
            there = connection.execute(
                select(tables.journal.c.seq, tables.journal.c.hash)
                .where(tables.journal.c.id == kept.id)
                .with_for_update()
            ).one()
            if (there.seq, there.hash) != (kept.place.seq, kept.place.hash):
                raise RecordError(
                    "out-of-step", f"The journal of {kept.table} was recorded by somebody else meanwhile."
                )
            made = self._make_days(connection, set(days))
            self._copy(connection, kept.id, found.rows, days)
            connection.execute(
                update(tables.journal)
                .where(tables.journal.c.id == kept.id)
                .values(seq=found.place.seq, hash=found.place.hash, pruned_to=pruned.seq, pruned_hash=pruned.hash)
            )
            if end is not None and end.seal and end.seq == found.place.seq:
                self._anchor(connection, kept.id, end)
        self._days_made |= made
        return replace(kept, place=found.place, pruned=pruned)

    def hash_at(self, kept: Kept, seq: int) -> str | None:
        """The hash of a row of a journal as one branch has it; None where it is not there any more."""
        with self._reading() as connection:
            one: Kept | None = kept
            while one is not None and seq <= one.fork_seq:
                row = connection.execute(select(tables.journal).where(tables.journal.c.id == one.fork_of)).first()
                one = None if row is None else _kept(row)
            if one is None:
                return None
            found = connection.execute(
                select(tables.entry.c.hash).where(tables.entry.c.journal_id == one.id, tables.entry.c.seq == seq)
            ).scalar_one_or_none()
        return None if found is None else bytes(found).hex()

    def anchors(self, kept: Kept) -> list[tuple[int, str, str]]:
        """Number, hash and seal of each head of a branch that was heard with a seal."""
        one = tables.anchor.c
        with self._reading() as connection:
            rows = connection.execute(select(one.seq, one.hash, one.seal).where(one.journal_id == kept.id))
            return [(row.seq, row.hash, row.seal) for row in rows]

    def incident(self, kept: Kept, seq: int, code: str, sentence: str, found: str) -> bool:
        """Notes that something is wrong with a journal; False where that was noted before."""
        with self._writing() as connection:
            return self._note(connection, kept, seq, code, sentence, found)

    def incidents(self) -> list[dict[str, Any]]:
        """All incidents in their order."""
        with self._reading() as connection:
            rows = connection.execute(select(tables.incident).order_by(tables.incident.c.id))
            return [dict(row._mapping) for row in rows]

    # --- names ----------------------------------------------------------------------------------------------------

    def keep_names(self, kept: Kept, names: dict[str, str]) -> None:
        """The names of a journal are these and no others; who was erased stays so."""
        person, erased = tables.person, tables.erased
        with self._writing() as connection:
            gone = set(connection.execute(select(erased.c.person).where(erased.c.journal_id == kept.id)).scalars())
            connection.execute(delete(person).where(person.c.journal_id == kept.id))
            rows = [
                {"journal_id": kept.id, "person": one, "name": name} for one, name in names.items() if one not in gone
            ]
            if rows:
                connection.execute(insert(person), rows)

    # --- the connection -------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """The connection to read with, in one snapshot: what is recorded meanwhile is not seen."""
        with self._reading() as connection:
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """The connection within one transaction."""
        with self._writing() as connection:
            yield connection

    def vacuum(self, table: str) -> None:
        """Writes a table anew, so that nothing that was deleted is left in its file."""
        with sentences():
            raw: Any = self._connection.connection.driver_connection
            raw.rollback()
            raw.autocommit = True
            try:
                raw.execute(f"VACUUM FULL {table}")
            finally:
                raw.autocommit = False
                self._connection.rollback()

    def close(self) -> None:
        """Leaves the database."""
        with contextlib.suppress(SQLAlchemyError):
            self._connection.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        with sentences(), database.answered(self._line, self._patience_s):
            try:
                yield self._connection
            finally:
                self._connection.rollback()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with sentences(), database.answered(self._line, self._patience_s), self._connection.begin():
            yield self._connection

    @property
    def _line(self) -> Any:
        """The driver's own connection."""
        return self._connection.connection.driver_connection

    # --- within a transaction ---------------------------------------------------------------------------------------

    def _new(
        self, connection: Connection, table: str, journal: str, branch: int, fork_of: int | None, at: Place
    ) -> Kept:
        row = connection.execute(
            insert(tables.journal)
            .values(
                table_name=table, journal=journal, branch=branch, fork_of=fork_of, fork_seq=at.seq, fork_hash=at.hash,
                seq=at.seq, hash=at.hash, pruned_to=0, pruned_hash="",
            )
            .returning(tables.journal)
        ).one()  # fmt: skip
        return _kept(row)

    def _note(self, connection: Connection, kept: Kept, seq: int, code: str, sentence: str, found: str) -> bool:
        noted = connection.execute(
            upsert(tables.incident)
            .values(
                table_name=kept.table, journal=kept.journal, seq=seq, code=code, found=found, sentence=sentence,
                at=datetime.now(UTC),
            )
            .on_conflict_do_nothing()
            .returning(tables.incident.c.id)
        ).first()  # fmt: skip
        return noted is not None

    def _anchor(self, connection: Connection, journal_id: int, end: JournalEnd) -> None:
        connection.execute(
            upsert(tables.anchor)
            .values(journal_id=journal_id, seq=end.seq, hash=end.head, seal=end.seal, heard=datetime.now(UTC))
            .on_conflict_do_nothing()
        )

    def _make_days(self, connection: Connection, days: set[date]) -> set[date]:
        """Partitions for these days and the one after the newest, where they are not there yet."""
        dated = days - {UNDATED}
        wanted = (days | ({max(dated) + timedelta(days=1)} if dated else set())) - self._days_made
        for day in sorted(wanted):
            connection.execute(
                text(
                    f"CREATE TABLE IF NOT EXISTS {partition(day)} PARTITION OF entry "
                    f"FOR VALUES FROM ('{day}') TO ('{day + timedelta(days=1)}')"
                )
            )
        return wanted

    def _copy(self, connection: Connection, journal_id: int, rows: Sequence[Row], days: Sequence[date]) -> None:
        if not rows:
            return
        raw: Any = connection.connection.driver_connection
        with raw.cursor() as cursor, cursor.copy(COPY) as copy:
            for row, day in zip(rows, days, strict=True):
                at = None if day == UNDATED else moment(row.at_ms)
                copy.write_row(
                    (
                        journal_id,
                        row.seq,
                        day,
                        at,
                        row.at_ms,
                        row.mono_ns,
                        row.kind,
                        row.payload,
                        bytes.fromhex(row.hash),
                    )
                )


def journals_in(connection: Connection, table: str | None = None) -> list[Kept]:
    """All journals with their branches, oldest branch first."""
    wanted = select(tables.journal).order_by(tables.journal.c.table_name, tables.journal.c.id)
    if table is not None:
        wanted = wanted.where(tables.journal.c.table_name == table)
    return [_kept(row) for row in connection.execute(wanted)]


def partition(day: date) -> str:
    """The name of a day's partition."""
    return "entry_undated" if day == UNDATED else f"entry_{day:%Y%m%d}"


def _kept(row: Any) -> Kept:
    return Kept(
        row.id, row.table_name, row.journal, row.branch, row.fork_of, row.fork_seq, Place(row.seq, row.hash),
        Place(row.pruned_to, row.pruned_hash),
    )  # fmt: skip
