"""The journals of one table: the one that is written, and those of earlier evenings that lie beside it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.messages.history import MOST_RAW_BYTES, JournalEnd, Row
from table_controller.journal import names, rows
from table_controller.journal.errors import JournalError
from table_controller.journal.files import BESIDE, beside, real
from table_controller.journal.reader import anchors_in
from table_controller.journal.seal import seal_in
from table_controller.journal.sentences import sentences
from table_controller.journal.upkeep import is_journal

NAMED_LIKE: Final = ".journal"
"""What the name of each journal's file has in it, also of one that was set aside."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries of a journal in order, and the hash that the first of them follows from."""

    prev: str = ""
    rows: tuple[Row, ...] = ()


class JournalFile:
    """One journal's file, opened to be read. No read goes on when a method returns, so that its log can shrink."""

    def __init__(self, path: Path, table: str) -> None:
        """Raises JournalError for what is no journal, has no entry yet, or is another table's."""
        self.path = path
        with sentences(path):
            self._identity = _identity(path)
            self._database = rows.to_read(path)
            try:
                rows.check_format(path, self._database)
                first = self._database.execute(f"{rows.COLUMNS} WHERE seq = 1").fetchone()
                written_for = None if first is None else json.loads(first[4]).get("table")
                if written_for != table:
                    raise JournalError("other-table", f"The journal {path} is of table {written_for}, not {table}.")
                self.id = str(first[6])
            except ValueError:
                self._database.close()
                raise JournalError("damaged", f"The journal {path} is damaged: its first entry is no JSON.") from None
            except BaseException:
                self._database.close()
                raise

    @property
    def replaced(self) -> bool:
        """Whether another file lies there now."""
        return _identity(self.path) != self._identity

    @property
    def version(self) -> int:
        """A number that changes when a program has written the file."""
        with sentences(self.path):
            return rows.data_version(self._database)

    def end(self, *, live: bool) -> JournalEnd:
        """How far it is. Raises JournalError."""
        with sentences(self.path):
            seal = seal_in(self._database)
            last = self._database.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
            known = {(one.seq, one.hash): one.seal for one in anchors_in(beside(self.path, ".anchors"))}
        pruned = seal is not None and seal.kept_after > 1
        return JournalEnd(
            journal=self.id,
            seq=last[0],
            head=last[1],
            seal=known.get((last[0], last[1]), ""),
            pruned_to=seal.kept_after if seal is not None and pruned else 1,
            pruned_hash=seal.kept_hash if seal is not None and pruned else "",
            live=live,
        )

    def stretch(self, after: int, most: int, most_bytes: int = MOST_RAW_BYTES) -> Stretch:
        """Entries after a number, as many as are wanted and are not too long together, but one at least.

        Raises JournalError.
        """
        found: list[Row] = []
        prev, size = "", 0
        with sentences(self.path):
            cursor = self._database.execute(f"{rows.COLUMNS} WHERE seq > ? ORDER BY seq LIMIT ?", (after, most))
            try:
                for seq, at_ms, mono_ns, kind, payload, before, digest in cursor:
                    size += len(payload)
                    if found and size > most_bytes:
                        break
                    prev = prev or before
                    found.append(Row._make((seq, at_ms, mono_ns, kind, payload, digest)))
            finally:
                cursor.close()
        return Stretch(prev, tuple(found))

    def names(self) -> dict[str, str]:
        """What people are called, by person. Raises JournalError."""
        with sentences(self.path):
            return names.names_in(self._database)

    def close(self) -> None:
        """Closes the file."""
        self._database.close()


class Shelf:
    """All journals of a table that lie in the folder of the one that is written."""

    def __init__(self, live: Path, table: str) -> None:
        self._path, self.table = live, table
        self._live: JournalFile | None = None
        self._ended: dict[Path, tuple[int, JournalEnd | None]] = {}

    def live(self) -> JournalFile:
        """The journal that the table writes. Raises JournalError, also where it is not there yet."""
        if self._live is not None and self._live.replaced:
            self.close()
        if self._live is None:
            if not self._path.is_file():
                raise JournalError("missing", f"There is no journal {self._path} yet.")
            self._live = JournalFile(self._path, self.table)
        return self._live

    def ends(self) -> tuple[JournalEnd, ...]:
        """How far each journal is, the live one last; of two files of one journal the longer one."""
        found: dict[str, JournalEnd] = {}
        for _, end in self._others():
            if end.journal not in found or found[end.journal].seq < end.seq:
                found[end.journal] = end
        try:
            live = self.live().end(live=True)
        except JournalError:
            return tuple(found.values())
        found.pop(live.journal, None)
        return (*found.values(), live)

    def opened(self, journal: str) -> tuple[JournalFile, bool]:
        """The file of one of them, and whether it is the live one; who asked closes it where it is not.

        Raises JournalError, ``no-journal`` where there is none of that name.
        """
        try:
            live = self.live()
        except JournalError:
            live = None
        if live is not None and live.id == journal:
            return live, True
        of_it = [(end.seq, path) for path, end in self._others() if end.journal == journal]
        if not of_it:
            raise JournalError("no-journal", f"The table has no journal {journal[:12]} any more.")
        return JournalFile(max(of_it)[1], self.table), False

    def files(self) -> tuple[Path, ...]:
        """Every file of a journal of the table, copies that were set aside too. Raises JournalError."""
        return (self.live().path, *(path for path, _ in self._others()))

    def close(self) -> None:
        """Closes the live journal's file."""
        if self._live is not None:
            self._live.close()
            self._live = None

    def _others(self) -> list[tuple[Path, JournalEnd]]:
        """The files beside the live one, each with how far it is; one that has not changed is not read again."""
        there: dict[Path, tuple[int, JournalEnd | None]] = {}
        live = real(self._path)
        for path in sorted(live.parent.glob(f"*{NAMED_LIKE}*")):
            if path == live or path.name.endswith(BESIDE) or not path.is_file():
                continue
            stamp = _stamp(path)
            known = self._ended.get(path)
            there[path] = known if known is not None and known[0] == stamp else (stamp, self._end_of(path))
        self._ended = there
        return [(path, end) for path, (_, end) in there.items() if end is not None]

    def _end_of(self, path: Path) -> JournalEnd | None:
        """How far a file's journal is; None where it is no journal of this table, or cannot be read."""
        try:
            if not is_journal(path):
                return None
            file = JournalFile(path, self.table)
        except (JournalError, OSError):
            return None
        try:
            return file.end(live=False)
        except JournalError:
            return None
        finally:
            file.close()


def _identity(path: Path) -> tuple[int, int]:
    """Which file lies there; zeros where none does."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _stamp(path: Path) -> int:
    """When a file was changed last, with its log."""
    newest = 0
    for ending in ("", "-wal"):
        try:
            newest = max(newest, os.stat(f"{path}{ending}").st_mtime_ns)
        except OSError:
            continue
    return newest
