"""Copies of a journal: made while a controller writes it, checked, and put in its place again."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from betline.options import make_private_folder, set_aside
from table_controller.journal import rows
from table_controller.journal.anchors import Anchor, read_anchors
from table_controller.journal.errors import JournalError
from table_controller.journal.files import OWNER_ONLY, WriterLock, beside, real
from table_controller.journal.reader import JournalReader
from table_controller.journal.sentences import sentences
from table_controller.journal.verify import Verdict


def back_up(path: Path, to: Path, key: Path | None = None, anchors: Iterable[Anchor] = ()) -> Verdict:
    """Copies a journal into one new file, its owner's only, and checks the copy as `JournalReader.verify` does.

    The copy is held against the anchors of the journal too, so that it is not one of a damaged log.

    Raises JournalError: ``there-already``, ``unwritable``, ``no-key`` and those of JournalReader.
    """
    JournalReader(path).close()
    known = (*anchors, *_anchors_beside(path))
    _copy(path, to)
    with JournalReader(to) as reader:
        return reader.verify(key, known)


def restore(path: Path, backup: Path, now_ms: int, key: Path | None = None) -> tuple[Verdict, Path | None]:
    """Puts a backup in the place of a journal; gives what was found of it, and where the files from before are now.

    Nothing is changed where the backup does not hold. Its end may be earlier than the journal's was: the next
    controller refuses until a person has accepted that.

    Raises JournalError: ``in-use``, ``broken-backup``, ``unwritable``, ``no-key`` and those of JournalReader.
    """
    with JournalReader(backup) as reader:
        verdict = reader.verify(key)
    if not verdict.ok:
        raise JournalError(
            "broken-backup", f"The backup {backup} is not as it was written: {verdict.sentence} Restore another one."
        )
    try:
        make_private_folder(real(path).parent)
        with WriterLock(path) as lock:
            aside = None if lock.made else set_aside(real(path), now_ms)
            real(path).unlink(missing_ok=True)
            _copy(backup, real(path))
    except OSError as error:
        raise JournalError("unwritable", f"The journal {path} cannot be written ({error.strerror}).") from None
    return verdict, aside


def _anchors_beside(path: Path) -> tuple[Anchor, ...]:
    file = beside(path, ".anchors")
    return read_anchors(file) if file.exists() else ()


def _copy(path: Path, to: Path) -> None:
    """A journal's content, with what its log holds, in one new file that is synced."""
    try:
        make_private_folder(to.parent)
        os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except FileExistsError:
        raise JournalError("there-already", f"{to} is there already; name a file that is not.") from None
    except OSError as error:
        raise JournalError(
            "unwritable", f"The file {to} cannot be made ({error.strerror}); name another place."
        ) from None
    try:
        with (
            sentences(to),
            contextlib.closing(rows.to_read(path)) as source,
            contextlib.closing(sqlite3.connect(to, isolation_level=None)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()  # one file, with no log beside it
        _sync(to)
        _sync(to.parent)
    except BaseException:
        to.unlink(missing_ok=True)
        raise


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
