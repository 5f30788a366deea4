"""The journal's files: their owner's only, and one writer for a file whatever it is called.

Closing any descriptor of a database drops the locks that SQLite holds on it (fcntl belongs to the process), so the
writer's own lock is of the other kind (flock), and its descriptor is closed after the database.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from table_controller.journal.errors import JournalError

OWNER_ONLY = 0o600
BESIDE = ("-wal", "-shm", ".lock", ".anchors", ".cards")
"""What lies beside a journal and belongs to it."""


def beside(path: Path, ending: str) -> Path:
    """A file beside the journal; a link to the journal has the files of what it points to."""
    return Path(f"{real(path)}{ending}")


def real(path: Path) -> Path:
    """The journal itself, where `path` is a symbolic link to it."""
    return Path(os.path.realpath(path))


def make_private(path: Path) -> None:
    """Takes from everybody but the owner what they may do with the journal and what lies beside it."""
    for file in (real(path), *(beside(path, ending) for ending in BESIDE)):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            if file.stat().st_mode & 0o077:
                file.chmod(OWNER_ONLY)


class WriterLock:
    """The right to write a journal: on `<journal>.lock`, which names the holder, and on the file itself.

    The second lock holds for every name of the file: a symbolic link, a hard link, another mount.
    """

    def __init__(self, path: Path) -> None:
        """Makes the file where it is missing. Raises JournalError (``in-use``), and OSError where it cannot be made."""
        self._named = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
        self._file = -1
        try:
            if not _locked(self._named):
                holder = os.pread(self._named, 32, 0).decode(errors="replace").strip() or "unknown"
                raise JournalError("in-use", _taken(path, f" (process {holder})"))
            self.made = not real(path).exists()
            self._file = os.open(real(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
            if not _locked(self._file):
                raise JournalError("in-use", _taken(path, " under another name"))
        except BaseException:
            self.close()
            raise
        os.ftruncate(self._named, 0)
        os.pwrite(self._named, f"{os.getpid()}\n".encode(), 0)
        make_private(path)

    def close(self) -> None:
        """Gives the right up; a second call does nothing."""
        for descriptor in (self._file, self._named):
            if descriptor >= 0:
                os.close(descriptor)
        self._file = self._named = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _taken(path: Path, by: str) -> str:
    return f"Another controller{by} writes the journal {path}; stop it or name another with --journal."
