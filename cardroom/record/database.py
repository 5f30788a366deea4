"""A database that is opened: which servers are taken, whose it is, that one recorder writes it, its present form."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, insert, select, text
from sqlalchemy.exc import DBAPIError, PendingRollbackError

from cardroom.record import tables
from cardroom.record.days import Days
from cardroom.record.errors import RecordError
from cardroom.record.refusals import refusal, said_of

LOCK_SPACE: Final = 0x42544C4E
"""The first number of the advisory lock that the recorder of a database holds."""
OLDEST: Final = 15
"""The oldest PostgreSQL that is taken: the oldest that its makers still maintain, and that this was seen with."""
LINE: Final = {
    "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 20_000, "application_name": "betline",
}  # fmt: skip
"""How a line is opened, and how soon a dead one is noticed (libpq: seconds, but for the last in milliseconds)."""


def engine_of(url: str) -> Engine:
    """What opens one connection to a database. Raises RecordError (``no-url``)."""
    return sqlalchemy.create_engine(_driver(url), pool_size=1, max_overflow=0, connect_args=dict(LINE))


def has_tables(url: str) -> bool:
    """Whether something is in a database already. Raises RecordError where it cannot be opened."""
    engine = sqlalchemy.create_engine(_driver(url), poolclass=sqlalchemy.NullPool, connect_args=dict(LINE))
    with sentences():
        return bool(sqlalchemy.inspect(engine).get_table_names())


def require_young(connection: Connection) -> None:
    """Raises RecordError (``old-server``) where the server is older than is taken."""
    raw: Any = connection.connection.driver_connection
    version = raw.info.server_version // 10_000
    if version < OLDEST:
        raise RecordError(
            "old-server", f"The database's server is PostgreSQL {version}; {OLDEST} or newer is needed: update it."
        )


def take(connection: Connection) -> None:
    """Lets no other recorder write while this connection is open. Raises RecordError (``taken``)."""
    taken = connection.execute(
        text("SELECT pg_try_advisory_lock(:space, oid::int) FROM pg_database WHERE datname = current_database()"),
        {"space": LOCK_SPACE},
    ).scalar_one()
    connection.commit()
    if not taken:
        raise RecordError("taken", "Another recorder writes this database: stop it, or name another database.")


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


def _driver(url: str) -> sqlalchemy.URL:
    """The address with the driver that we have; raises RecordError (``no-url``)."""
    try:
        found = sqlalchemy.make_url(url)
    except sqlalchemy.exc.ArgumentError:
        found = None
    if found is None or found.get_backend_name() not in ("postgresql", "postgres"):
        raise RecordError("no-url", "--database is written as postgresql://USER:PASSWORD@HOST/DATABASE.")
    return found.set(drivername="postgresql+psycopg")


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
