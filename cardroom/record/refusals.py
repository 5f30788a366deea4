"""What a PostgreSQL server says when it does not take us, as sentences that say what to do. Pure.

libpq gives no code for what failed before a connection stood, only the server's words, which are English unless the
server's `lc_messages` says otherwise; what is not known here is told as it came.
"""

from __future__ import annotations

from typing import Final

import psycopg

from cardroom.record.errors import RecordError

_KNOWN: Final[tuple[tuple[str, tuple[str, ...], str], ...]] = (
    (
        "login",
        ("authentication failed", "no password supplied", "no pg_hba.conf entry", "is not permitted to log in",
         "empty password returned"),
        "The database's server does not let us in ({said}): see the user in --database, its password in ~/.pgpass (a "
        "file of mode 600), and pg_hba.conf of the server.",
    ),
    (
        "no-tls",
        ("certificate", "SSL", "sslmode"),
        "The line to the database is not as safe as --database asks ({said}): see sslmode and sslrootcert in it.",
    ),
    (
        "no-database",
        ("does not exist",),
        "There is no such database or user ({said}): make it there, createuser --pwprompt USER and createdb "
        "--owner=USER NAME.",
    ),
)  # fmt: skip


def refusal(cause: BaseException) -> RecordError | None:
    """The error that tells people of it; None for what is no refusal to connect or of a right.

    Codes: ``login``, ``no-database``, ``no-tls``, ``rights``, ``read-only``.
    """
    said = said_of(cause)
    if isinstance(cause, psycopg.errors.InsufficientPrivilege):
        return RecordError(
            "rights",
            f"The database refused ({said}): its user must own it, ALTER DATABASE NAME OWNER TO USER, and the tables "
            "in it.",
        )
    if isinstance(cause, psycopg.errors.ReadOnlySqlTransaction):
        return only_reads(said)
    if isinstance(cause, psycopg.OperationalError) and "connection" in str(cause) and " failed: " in said:
        for code, words, sentence in _KNOWN:
            if any(word in said for word in words):
                return RecordError(code, sentence.format(said=said.rpartition(" failed: ")[2].strip()))
    return None


def only_reads(said: str) -> RecordError:
    """The error for a server on which nothing can be written (``read-only``)."""
    return RecordError(
        "read-only",
        f"The database's server only reads ({said}): name the one that writes, or all of them with "
        "postgresql://USER@HOST1,HOST2/NAME?target_session_attrs=read-write.",
    )


def said_of(cause: BaseException) -> str:
    """The line that says what is wrong: the first, or the last where each address of a host was tried."""
    lines = str(cause).strip().splitlines() or ["it said nothing"]
    return lines[-1 if lines[0].startswith("Multiple connection attempts") else 0]
