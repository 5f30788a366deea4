"""A database that is opened: which servers are taken, whose it is, that one recorder writes it, its present form."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Connection, Engine, insert, select, text
from sqlalchemy.exc import DBAPIError, PendingRollbackError

from cardroom.record import tables
from cardroom.record.days import Days
from cardroom.record.errors import RecordError
from cardroom.record.refusals import only_reads, refusal, said_of

LOCK_SPACE: Final = 0x42544C4E
"""The first number of the advisory lock that the recorder of a database holds."""
OLDEST: Final = 15
"""The oldest PostgreSQL that is taken: the oldest that its makers still maintain, and that this was seen with."""
LINE: Final = {
    "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 20_000, "application_name": "betline",
}  # fmt: skip
"""How a line is opened, and how soon a dead one is noticed (libpq: seconds, but for the last in milliseconds). What
the address says of these counts instead."""
OF_SERVER: Final = (
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; "
    "SET tcp_user_timeout = 20000"
)
"""How soon the server notices that we are gone: until then it keeps our lock, and by its own settings that is hours."""
LINE_S: Final = 5.0
ANSWER_S: Final = 30.0
"""A line on which one transaction of the recorder has had no answer for so long is given up."""


def words_of(url: str) -> dict[str, Any]:
    """An address of libpq (PostgreSQL, "Connection URIs") word by word; raises RecordError (``no-url``).

    It may name several hosts, of which the one is taken that `target_session_attrs` says.
    """
    try:
        if url.startswith(("postgresql://", "postgres://")):
            return dict(conninfo_to_dict(url))
    except psycopg.Error:
        pass
    raise RecordError("no-url", "--database is written as postgresql://USER:PASSWORD@HOST/DATABASE.")


def line_to(url: str) -> psycopg.Connection:
    """A new line to a database."""
    return psycopg.connect(**{**LINE, **words_of(url)})


def engine_of(url: str) -> Engine:
    """What opens one connection to a database. Raises RecordError (``no-url``)."""
    words_of(url)
    return sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: line_to(url), pool_size=1, max_overflow=0)


def has_tables(url: str) -> bool:
    """Whether something is in a database already. Raises RecordError where it cannot be opened."""
    engine = engine_of(url)
    try:
        with sentences():
            return bool(sqlalchemy.inspect(engine).get_table_names())
    finally:
        engine.dispose()


def require_young(connection: Connection) -> None:
    """Raises RecordError (``old-server``) where the server is older than is taken."""
    raw: Any = connection.connection.driver_connection
    version = raw.info.server_version // 10_000
    if version < OLDEST:
        raise RecordError(
            "old-server", f"The database's server is PostgreSQL {version}; {OLDEST} or newer is needed: update it."
        )


def require_writing(connection: Connection) -> None:
    """Raises RecordError (``read-only``) where the server is a replica, which only reads."""
    if connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one():
        raise only_reads("it follows another server")


def require_own_session(connection: Connection, url: str) -> None:
    """Raises RecordError (``pooled``) where a pool before the server gives our session to others between transactions.

    Locks, settings and prepared statements of a session would then be somebody else's. A pool shows by the number of
    the server's process, which it cannot tell beforehand; that it hands sessions on, by a second line that gets ours.
    """
    raw: Any = connection.connection.driver_connection
    ours = _process(raw)
    if ours == raw.info.backend_pid:
        return
    with line_to(url) as other, contextlib.suppress(RecordError), answered(other, LINE_S):
        theirs = _process(other)  # a pool whose sessions are all taken lets it wait: so ours is our own
        if theirs == ours:
            ours = 0
    if not ours:
        raise RecordError(
            "pooled",
            "What stands before the database gives a session to others between two transactions (pgbouncer with "
            "pool_mode = transaction): name the server itself, or set pool_mode = session for this database.",
        )


def _process(line: psycopg.Connection) -> int:
    """The number of the server's process that answers, asked in a transaction of its own and without preparing."""
    row = line.execute("SELECT pg_backend_pid()", prepare=False).fetchone()
    line.rollback()
    assert row is not None
    return int(row[0])


@contextlib.contextmanager
def answered(line: psycopg.Connection, within_s: float | None) -> Iterator[None]:
    """Ends a line on which the work within is not done in so long; None: waits for ever. Raises RecordError (``away``).

    No keep-alive says so where a proxy or the server itself hangs, and the machine before it still answers for it.
    """
    if within_s is None:
        yield
        return
    given_up = threading.Event()

    def give_up() -> None:
        given_up.set()
        with contextlib.suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(line.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(within_s, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception:
        if given_up.is_set():
            raise RecordError("away", f"The database has not answered for {within_s:g} s.") from None
        raise
    finally:
        timer.cancel()


def take(connection: Connection) -> None:
    """Lets no other recorder write while this connection is open. Raises RecordError (``taken``)."""
    taken = connection.execute(
        text("SELECT pg_try_advisory_lock(:space, oid::int) FROM pg_database WHERE datname = current_database()"),
        {"space": LOCK_SPACE},
    ).scalar_one()
    connection.commit()
    if not taken:
        raise RecordError("taken", "Another recorder writes this database: stop it, or name another database.")


def let_it_notice_us_gone(connection: Connection) -> None:
    """Has the server look after our line, so that a lock of a line that died is free again in half a minute."""
    connection.execute(text(OF_SERVER))
    connection.commit()


def leave_the_disk_time(connection: Connection) -> None:
    """Waits for no disk at the end of each batch, which held a site of many tables up.

    A database that dies so loses its last transactions whole, rows and how far the journal is (PostgreSQL,
    "Asynchronous Commit"), and the tables are asked for them again. Who erases does not write by this.
    """
    connection.execute(text("SET synchronous_commit = off"))
    connection.commit()


def whose(connection: Connection, site: str | None, zone: str | None, *, writes: bool) -> tuple[str, str]:
    """The site and the time zone of a database; who writes may give both to a new one.

    Raises RecordError: ``no-record``, ``no-zone``, ``other-site``, ``other-zone``.
    """
    if not sqlalchemy.inspect(connection).has_table("site"):
        raise RecordError("no-record", "Nothing was recorded in this database yet: begin with betline site record.")
    row = connection.execute(select(tables.site)).first()
    if row is None:
        if not writes or site is None or zone is None:
            raise RecordError("no-record", "Nothing was recorded in this database yet: betline site record.")
        Days(zone)
        connection.execute(insert(tables.site).values(name=site, zone=zone))
        row_name, row_zone = site, zone
    else:
        row_name, row_zone = row.name, row.zone
    connection.commit()
    if site is not None and row_name != site:
        raise RecordError("other-site", f"This database is of the site {row_name}, not {site}: name another one.")
    if zone is not None and row_zone != zone:
        raise RecordError(
            "other-zone",
            f"The days of this database are those of {row_zone}; {zone} cannot be used for it any more.",
        )
    return row_name, row_zone


def migrate(connection: Connection) -> None:
    """Brings the database to the present form. Raises RecordError (``newer``) for one of a newer program."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise RecordError("newer", f"A newer program has made this database ({error}); use that one.") from None
    connection.commit()


@contextlib.contextmanager
def sentences() -> Iterator[None]:
    """Turns what SQLAlchemy and the driver say into a RecordError."""
    try:
        yield
    except (DBAPIError, PendingRollbackError, psycopg.Error) as error:
        cause = getattr(error, "orig", None) or error
        known = refusal(cause)
        if known is not None:
            raise known from None
        if isinstance(error, DBAPIError) and not error.connection_invalidated and not _is_away(cause):
            raise RecordError("refused", f"The database refused ({said_of(cause)}).") from None
        raise RecordError("away", f"The database cannot be reached ({said_of(cause)}).") from None


def _is_away(cause: BaseException) -> bool:
    return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError)
