"""What is wrong with the file of a journal, as a sentence that names what to do."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from table_controller.journal.errors import JournalError

GO_ON = "betline journal go-on"
RESTORE = "betline journal restore BACKUP"
_RESTORE = f"restore a backup ({RESTORE}) or name another with --journal."
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READ_ONLY = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_PRIMARY = 0xFF


@contextlib.contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turns what SQLite says into a JournalError (``damaged``, ``unwritable``)."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & _PRIMARY  # without one: no UTF-8
        if "no such table" in str(error):
            raise JournalError("damaged", f"The journal {path} has lost its entries; {_RESTORE}") from None
        if code in _DAMAGED or code == sqlite3.SQLITE_ERROR:
            raise JournalError("damaged", f"The journal {path} is damaged ({error}); {_RESTORE}") from None
        raise JournalError("unwritable", _unwritable(path, code, str(error))) from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise JournalError("damaged", f"The journal {path} is damaged ({error}); {_RESTORE}") from None


def _unwritable(path: Path, code: int, said: str) -> str:
    if code == sqlite3.SQLITE_FULL:
        return (
            f"The journal {path} cannot be written: its disk is full ({_free(path)} MB free). "
            "Make room on it; play goes on by itself then."
        )
    if code in _READ_ONLY:
        return (
            f"The journal {path} cannot be written: the file, its folder or its disk is read-only ({said}). "
            "Make it writable; play goes on by itself then, or after a restart."
        )
    if code in _BUSY:
        return (
            f"The journal {path} cannot be used now: another program holds it ({said}). "
            "End that program; play goes on by itself then."
        )
    return (
        f"The journal {path} cannot be written: its disk failed ({said}). Save it with: betline journal backup, "
        "and go on from the copy on another disk with --journal."
    )


def _free(path: Path) -> int:
    """What is free on the disk of the journal, in megabytes."""
    try:
        found = os.statvfs(path.parent)
    except OSError:
        return 0
    return found.f_bavail * found.f_frsize // 1_000_000


def broken_at(path: Path, cut: str | None, wrong: str | None) -> JournalError:
    """What was found wrong by the anchors or by the seal, and the ways on."""
    if cut is not None:
        return JournalError(
            "cut-off",
            f"{cut} Restore a backup: {RESTORE} --journal {path}, or go on from here: {GO_ON} --journal {path}",
        )
    return JournalError(
        "broken-seal",
        f"The journal {path} is not as it was sealed: {wrong} Keep a copy for an inquiry. Restore a backup: "
        f"{RESTORE} --journal {path}, or go on with it as it stands: {GO_ON} --journal {path}",
    )
