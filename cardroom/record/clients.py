"""PostgreSQL's programs on a database: those of the wheel, or of this machine where need be.

The wheel's are built without TLS. On a server to which our own line is encrypted they would send everything in the
clear, or not be let in; and pg_dump refuses a server that is newer than itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Final, Literal

import psycopg
from psycopg.conninfo import make_conninfo

from cardroom.record.database import line_to, words_of
from cardroom.record.embedded import programs
from cardroom.record.errors import RecordError
from cardroom.record.refusals import refusal, said_of

Program = Literal["pg_dump", "psql"]
TOO_NEW: Final = b"SET transaction_timeout = 0;\n"
"""What pg_restore 17 and newer writes at its head, whatever the server; a server before 17 does not know it."""
_HEAD_LINES: Final = 40


def dump(url: str, to: Path) -> None:
    """Writes a whole database into a file (pg_dump, custom format).

    Raises RecordError: ``failed``, ``no-program``, ``away``, and what `refusals.refusal` tells of.
    """
    form = ("--format=custom", "--no-owner", "--no-privileges", "--file", str(to))
    words, environment = _line("pg_dump", url)
    found = subprocess.run((*words, *form), env=environment, capture_output=True, text=True, check=False)
    if found.returncode:
        raise _failed("pg_dump", found.stderr)


def restore_into(url: str, backup: Path) -> None:
    """Puts such a file into a database, whole or not at all: pg_restore makes statements of it, psql carries them out.

    Raises RecordError as `dump` does.
    """
    words, environment = _line("psql", url)
    reads = (str(programs() / "pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(backup))
    takes = (*words, "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
    with tempfile.TemporaryFile() as of_reader, tempfile.TemporaryFile() as of_taker:
        with (
            subprocess.Popen(reads, stdout=subprocess.PIPE, stderr=of_reader) as reader,
            subprocess.Popen(takes, stdin=subprocess.PIPE, stderr=of_taker, env=environment) as taker,
        ):
            assert reader.stdout is not None
            assert taker.stdin is not None
            try:
                for _ in range(_HEAD_LINES):
                    line = reader.stdout.readline()
                    taker.stdin.write(b"" if line == TOO_NEW else line)
                shutil.copyfileobj(reader.stdout, taker.stdin)
            except BrokenPipeError:  # psql has ended, and says why
                reader.kill()
            read = reader.wait()
            if read:
                taker.kill()  # a file that is cut off is no whole one: nothing of it stays
            with contextlib.suppress(BrokenPipeError):
                taker.stdin.close()
        if said := _said(of_taker).strip() or (taker.returncode and not read and "it ended"):
            raise _failed("psql", str(said))
        if read:
            raise _failed("pg_restore", _said(of_reader))


def _line(program: Program, url: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """The words that start a program on a database, and its environment: in that goes the password, where nobody
    else sees it.
    """
    where = words_of(url)
    environment = dict(os.environ)
    if "password" in where:
        environment["PGPASSWORD"] = str(where["password"])
    shown = make_conninfo(**{word: said for word, said in where.items() if word != "password"})
    return (str(_chosen(program, url)), "--dbname", shown, "--no-password"), environment


def _said(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _failed(program: str, said: str) -> RecordError:
    lines = [line for line in said.strip().splitlines() if "ERROR" in line or "error" in line]
    return RecordError(
        "failed", f"{program} failed: {([*lines, *said.strip().splitlines()] or ['it said nothing'])[0]}"
    )


def _chosen(program: Program, url: str) -> Path:
    """The program that can serve this server."""
    try:
        with line_to(url) as line:
            server, safe = line.info.server_version // 10_000, line.pgconn.ssl_in_use
    except psycopg.Error as error:
        raise refusal(error) or RecordError("away", f"The database cannot be reached ({said_of(error)}).") from None
    least = server if program == "pg_dump" else 0
    of_wheel = programs() / program
    if not safe and _version(of_wheel) >= least:
        return of_wheel
    of_machine = shutil.which(program)
    if of_machine is not None and _version(Path(of_machine)) >= max(1, least):
        return Path(of_machine)
    why = "The line to this server is encrypted" if safe else f"This server is PostgreSQL {server}"
    raise RecordError(
        "no-program",
        f"{why}, which needs {program} of PostgreSQL {server} or newer on this machine: apt install "
        f"postgresql-client-{server}.",
    )


def _version(program: Path) -> int:
    """The main version of a program; 0 where it does not tell."""
    try:
        said = subprocess.run((program, "--version"), capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    found = re.search(r"\) (\d+)", said)
    return int(found[1]) if found else 0
