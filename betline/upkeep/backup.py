"""Making a backup, also while the table plays."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from betline.options import make_private_folder
from betline.upkeep.archive import Item, Manifest, digest, write
from betline.upkeep.contents import Kept
from betline.upkeep.errors import UpkeepError
from betline.upkeep.journals import Copied, Journals, journals

_SQLITE: Final = b"SQLite format 3\x00"


def back_up(
    files: Iterable[Kept],
    to: Path,
    now_ms: int,
    key: Path | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Manifest:
    """Writes the files into one new file of mode 600; databases are copied by SQLite, journals checked as well.

    A journal that does not hold is kept as it is; its item says what is wrong. `step` is called twice a file.
    Raises UpkeepError: ``there-already``, ``unwritable``, ``unreadable``, and those of a journal.
    """
    if to.exists():
        raise UpkeepError("there-already", f"{to} is there already; name a file that is not.")
    try:
        make_private_folder(to.absolute().parent)
        staging = tempfile.TemporaryDirectory(dir=to.absolute().parent, prefix=".betline-backup-")
    except OSError as error:
        raise UpkeepError("unwritable", f"{to} cannot be written ({error.strerror}); name another place.") from None
    with staging as folder:
        items, staged = [], {}
        room = journals()
        for one in files:
            step(one.name)
            copy = Path(folder, one.name)
            try:
                make_private_folder(copy.parent)
                items.append(_staged(one, copy, room, key))
            except FileNotFoundError:
                continue  # a program took it away while we looked
            except (OSError, sqlite3.Error) as error:
                raise UpkeepError("unreadable", f"{one.source} cannot be copied ({error}).") from None
            staged[one.name] = copy
        manifest = Manifest(now_ms, importlib.metadata.version("betline"), tuple(items))
        write(to, manifest, staged, step)
    return manifest


def _staged(one: Kept, copy: Path, room: Journals, key: Path | None) -> Item:
    kind, found = "file", Copied(0, "")
    if room.is_journal(one.source):
        kind, found = "journal", _journal(one.source, copy, room, key)
    elif _is_database(one.source):
        kind = "database"
        _copy_database(one.source, copy)
    else:
        shutil.copyfile(one.source, copy, follow_symlinks=False)
    copy.chmod(0o600)
    if kind != "journal":
        return Item(one.name, str(one.source.absolute()), digest(copy), copy.stat().st_size, kind)
    size = copy.stat().st_size
    return Item(one.name, str(one.source.absolute()), digest(copy), size, kind, found.entries, found.head, found.fault)


def _journal(source: Path, copy: Path, room: Journals, key: Path | None) -> Copied:
    """A journal that cannot even be read is copied byte for byte: somebody may mend it."""
    try:
        return room.copy(source, copy, key)
    except UpkeepError as error:
        if error.code == "no-key":
            raise
        copy.unlink(missing_ok=True)
        shutil.copyfile(source, copy)
        return Copied(0, "", str(error))


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _copy_database(source: Path, to: Path) -> None:
    os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as read,
        contextlib.closing(sqlite3.connect(to)) as copy,
    ):
        read.backup(copy)
