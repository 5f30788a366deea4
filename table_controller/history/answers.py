"""What a table answers to a site that asks: one message for each question."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from betline.messages.history import (
    MOST_PACKED_BYTES,
    HistoryAsk,
    HistoryEntries,
    HistoryErase,
    HistoryErased,
    HistoryJournals,
    HistoryNames,
    JournalEnd,
    pack,
)
from table_controller.accounts import erasure
from table_controller.history.shelf import JournalFile, Shelf
from table_controller.journal.errors import JournalError

MOST_LISTED: Final = 400
"""Journals in one list; a message has room for some more. The newest are told."""

Answer = HistoryJournals | HistoryEntries | HistoryNames


def answer(shelf: Shelf, ask: HistoryAsk) -> Answer:
    """The answer to a question; what cannot be read is said in it."""
    if ask.want == "journals":
        return HistoryJournals(ask=ask.id, journals=shelf.ends()[-MOST_LISTED:])
    try:
        file, live = shelf.opened(ask.journal)
        try:
            if ask.want == "names":
                return HistoryNames(ask=ask.id, journal=ask.journal, names=file.names())
            return _entries(file, ask, file.end(live=live))
        finally:
            if not live:
                file.close()
    except JournalError as error:
        if ask.want == "names":
            return HistoryNames(ask=ask.id, journal=ask.journal, problem=str(error))
        return HistoryEntries(ask=ask.id, journal=ask.journal, after=ask.after, problem=str(error))


def _entries(file: JournalFile, ask: HistoryAsk, end: JournalEnd) -> HistoryEntries:
    """The entries that fit in one message; fewer are tried until they do."""
    most = ask.most
    while True:
        found = file.stretch(ask.after, most)
        packed = pack(found.rows) if found.rows else ""
        if len(packed) <= MOST_PACKED_BYTES:
            return HistoryEntries(
                ask=ask.id, journal=ask.journal, after=ask.after, prev=found.prev, rows=packed, end=end
            )
        if len(found.rows) == 1:
            said = f"Entry {found.rows[0].seq} of {file.path} is too long for a message: copy that file to the site."
            return HistoryEntries(ask=ask.id, journal=ask.journal, after=ask.after, problem=said)
        most = max(1, len(found.rows) * MOST_PACKED_BYTES // (len(packed) + len(packed) // 8))


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
