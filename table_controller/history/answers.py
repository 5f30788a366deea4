"""What a table answers to a site that asks: one message for each question."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from betline.messages.history import (
    MOST_ENTRY_BYTES,
    MOST_PACKED_BYTES,
    MOST_PARTS,
    MOST_ROWS,
    HistoryAsk,
    HistoryEntries,
    HistoryErase,
    HistoryErased,
    HistoryJournals,
    HistoryNames,
    JournalEnd,
    Row,
    pack,
)
from table_controller.accounts import erasure
from table_controller.history.shelf import JournalFile, Shelf
from table_controller.journal.errors import JournalError

MOST_LISTED: Final = 400
"""Journals in one list; a message has room for some more. The newest are told."""

Answer = HistoryJournals | HistoryEntries | HistoryNames


class Answering:
    """Answers for one table; it learns how many entries fit in a message, so that few are read for nothing."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._fit = MOST_ROWS
        self._long: tuple[str, str] = ("", "")
        """The hash of the long entry that is told in parts now, and its packed text."""

    def answer(self, ask: HistoryAsk) -> Answer:
        """The answer to a question; what cannot be read is said in it."""
        if ask.want == "journals":
            return HistoryJournals(ask=ask.id, journals=self._shelf.ends()[-MOST_LISTED:])
        try:
            file, live = self._shelf.opened(ask.journal)
            try:
                if ask.want == "names":
                    return HistoryNames(ask=ask.id, journal=ask.journal, names=file.names())
                return self._entries(file, ask, file.end(live=live))
            finally:
                if not live:
                    file.close()
        except JournalError as error:
            if ask.want == "names":
                return HistoryNames(ask=ask.id, journal=ask.journal, problem=str(error))
            return _problem(ask, error.code, str(error))

    def _entries(self, file: JournalFile, ask: HistoryAsk, end: JournalEnd) -> HistoryEntries:
        """The entries that fit in one message; fewer are packed until they do."""
        found = file.stretch(ask.after, min(ask.most, self._fit))
        rows = found.rows
        if rows and len(rows[0].payload) > MOST_PACKED_BYTES:  # else it is packed to learn what it comes to
            return self._in_parts(rows[0], found.prev, file.path, ask, end)
        packed = pack(rows) if rows else ""
        while len(packed) > MOST_PACKED_BYTES:
            if len(rows) == 1:
                return self._in_parts(rows[0], found.prev, file.path, ask, end)
            rows = rows[: max(1, len(rows) * 7 * MOST_PACKED_BYTES // (8 * len(packed)))]
            packed = pack(rows)
        if len(rows) >= 16:  # of a few rows nothing is learned
            self._fit = max(16, min(MOST_ROWS, len(rows) * 9 * MOST_PACKED_BYTES // (10 * len(packed))))
        return HistoryEntries(ask=ask.id, journal=ask.journal, after=ask.after, prev=found.prev, rows=packed, end=end)

    def _in_parts(self, row: Row, prev: str, path: Path, ask: HistoryAsk, end: JournalEnd) -> HistoryEntries:
        """One entry by itself: whole where it fits in a message, else the part that was asked for."""
        if len(row.payload.encode()) > MOST_ENTRY_BYTES:
            most = MOST_ENTRY_BYTES // 1_000_000
            return _problem(ask, "too-long", f"Entry {row.seq} of {path} is longer than the {most} MB that are told.")
        if self._long[0] != row.hash:
            self._long = (row.hash, pack((row,)))
        packed = self._long[1]
        parts = -(-len(packed) // MOST_PACKED_BYTES)
        part = ask.part or 0
        if parts > 1 and ask.part is None:
            said = f"Entry {row.seq} of {path} comes in parts, which this program of the site cannot take: update it."
            return _problem(ask, "in-parts", said)
        if parts > MOST_PARTS or part >= parts:
            return _problem(ask, "no-part", f"Entry {row.seq} of {path} has {parts} parts, and no part {part}.")
        start = part * MOST_PACKED_BYTES
        return HistoryEntries(
            ask=ask.id, journal=ask.journal, after=ask.after, prev=prev, rows=packed[start : start + MOST_PACKED_BYTES],
            part=part, parts=parts, end=end,
        )  # fmt: skip


def _problem(ask: HistoryAsk, code: str, sentence: str) -> HistoryEntries:
    return HistoryEntries(ask=ask.id, journal=ask.journal, after=ask.after, code=code, problem=sentence)


def erase(shelf: Shelf, wish: HistoryErase, key: Path | None) -> HistoryErased:
    """Takes a person's names out of every journal of the table, copies that were set aside too."""
    taken = 0
    left: list[str] = []
    for path in shelf.files():
        try:
            erasure.erase(path, wish.person, key)
            taken += 1
        except JournalError as error:
            if error.code != "no-name":
                left.append(str(error))
    if left:
        return HistoryErased(ask=wish.id, ok=False, journals=taken, sentence=left[0])
    said = f"The name was taken out of {taken} journals." if taken else "No journal of the table has that name."
    return HistoryErased(ask=wish.id, ok=True, journals=taken, sentence=said)
