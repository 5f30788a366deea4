"""A journal that is read: its entries, its names, and whether it is whole, also while a controller writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from betline.options import default_key
from table_controller.journal import names, rows
from table_controller.journal.anchors import Anchor, read_anchors
from table_controller.journal.entries import Recorded
from table_controller.journal.errors import JournalError
from table_controller.journal.files import beside
from table_controller.journal.seal import Seal, read_key, seal_in
from table_controller.journal.sentences import RESTORE, sentences
from table_controller.journal.verify import Verdict, verify


class JournalReader:
    """A journal opened to be read, also while a controller writes it."""

    def __init__(self, path: Path) -> None:
        """Raises JournalError: ``missing``, ``no-journal``, ``cut-off``, ``other-version``, ``damaged``."""
        known = anchors_in(beside(path, ".anchors"))
        if not path.is_file():
            if known and not path.exists():
                raise emptied(path, beside(path, ".anchors"), known, gone=True)
            raise JournalError("missing", f"There is no journal {path}; name one with --journal.")
        if known and path.stat().st_size == 0:
            raise emptied(path, beside(path, ".anchors"), known, gone=False)
        self._path = path
        with sentences(path):
            self._database = rows.to_read(path)
            try:
                rows.check_format(path, self._database)
            except BaseException:
                self._database.close()
                raise

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""
        with sentences(self._path):
            yield from rows.entries(self._database, after)

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those between two numbers where they are given."""
        with sentences(self._path):
            yield from rows.newest(self._database, kind, before, after)

    def names(self) -> dict[str, str]:
        """What people are called, by person."""
        with sentences(self._path):
            return names.names_in(self._database)

    @property
    def seal(self) -> Seal | None:
        """What is sealed; None in a journal of an older version."""
        with sentences(self._path):
            return seal_in(self._database)

    def verify(self, key: Path | None = None, anchors: Iterable[Anchor] = ()) -> Verdict:
        """Checks the whole journal: pages, chain, checkpoints, seal, names, and anchors, those beside it too.

        `key` is the key's file, default the user's; without one at the default place the seal is not checked, and
        the notes say so. Raises JournalError: ``no-key`` for a key that was named and is not there, ``damaged``.
        """
        file = key or default_key()
        secret = read_key(file) if key is not None or file.exists() else None
        beside_it = anchors_in(beside(self._path, ".anchors"))  # read before the entries: they may only be older
        with sentences(self._path):
            return verify(self._database, secret, (*anchors, *beside_it))

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def anchors_in(path: Path) -> tuple[Anchor, ...]:
    """The anchors of a file; none where it is not there."""
    return read_anchors(path) if path.exists() else ()


def emptied(path: Path, anchors: Path, known: tuple[Anchor, ...], *, gone: bool) -> JournalError:
    """A journal that the table had, and that is not there any more (``cut-off``)."""
    reached = max(one.seq for one in known)
    return JournalError(
        "cut-off",
        f"The journal {path} is {'gone' if gone else 'empty'}; the table had reached entry {reached}. "
        f"Restore a backup: {RESTORE} --journal {path}, or name another with --journal. To begin a new one, take "
        f"{anchors} away.",
    )
