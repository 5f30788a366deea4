"""Anchors: sealed heads of a journal that are kept outside its file, so that an end that is missing shows.

A journal whose write-ahead log was damaged or lost looks whole: SQLite goes back to what it can read. Beside each
journal lies a small file with the newest two anchors. It is written after each commit into the same place, without a
sync: it survives the death of the program, and after a power cut it is at most older than the journal.

Anchors are also read from lines of JSON that somebody else has kept: messages of the topic `state`, for example.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from betline.messages.table import TableState
from betline.options import make_private_folder
from table_controller.journal.errors import JournalError
from table_controller.journal.files import OWNER_ONLY
from table_controller.journal.seal import Key

SLOT_BYTES = 512
"""One anchor in a file that is written in place: a sector, which a disk writes whole or not at all."""
SLOTS = 2
_FIELDS = {"journal": str, "journal_seq": int, "journal_head": str, "journal_seal": str}


@dataclass(frozen=True, slots=True)
class Anchor:
    """A head as it was published: of which journal, number and hash of the entry, and its seal."""

    journal: str
    seq: int
    hash: str
    seal: str

    @classmethod
    def of(cls, key: Key, journal: str, seq: int, digest: str) -> Anchor:
        """The anchor of an entry."""
        return cls(journal, seq, digest, key.of_head(journal, seq, digest))

    def holds(self, key: Key) -> bool:
        """Whether its seal was made with the key."""
        return hmac.compare_digest(self.seal, key.of_head(self.journal, self.seq, self.hash))

    def line(self) -> str:
        """One line of a file of anchors."""
        named = zip(_FIELDS, (self.journal, self.seq, self.hash, self.seal), strict=True)
        return json.dumps(dict(named), separators=(",", ":"))


def published(state: TableState) -> Anchor | None:
    """The anchor in the state of a table; None where its controller is of a version that does not seal."""
    if not state.journal_seal:
        return None
    return Anchor(state.journal, state.journal_seq, state.journal_head, state.journal_seal)


class AnchorFile:
    """A file with the newest anchors of the journal that is being written."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the file cannot be made."""
        make_private_folder(path.parent)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
        self._slot = 0
        if os.fstat(self._file).st_size > SLOTS * SLOT_BYTES:
            os.close(self._file)
            raise OSError(errno.EFBIG, "it holds something else")
        if os.fstat(self._file).st_size != SLOTS * SLOT_BYTES:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, _blank() * SLOTS, 0)
            os.fsync(self._file)

    def write(self, anchor: Anchor) -> None:
        """Keeps an anchor in place of the older of the two; raises OSError."""
        text = anchor.line().encode()
        os.pwrite(self._file, text + _blank()[len(text) :], self._slot * SLOT_BYTES)
        self._slot = (self._slot + 1) % SLOTS

    def close(self) -> None:
        """Syncs and closes the file."""
        with contextlib.suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def _blank() -> bytes:
    return b" " * (SLOT_BYTES - 1) + b"\n"


def read_anchors(path: Path) -> tuple[Anchor, ...]:
    """The anchors in a file, in its order; lines that are none are passed over.

    Raises JournalError (``no-anchors``) where the file is missing or cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise JournalError(
            "no-anchors", f"The anchors {path} cannot be read ({error.strerror}); name their file with --anchors."
        ) from None
    return tuple(_anchors(text))


def _anchors(text: str) -> Iterator[Anchor]:
    for line in text.split("\n"):
        if line.strip():
            found = anchor_in(line)
            if found is not None:
                yield found


def anchor_in(line: str) -> Anchor | None:
    """The anchor in a line of JSON: one of ours, or a message with the table's state; None where there is none."""
    try:
        data: Any = json.loads(line[line.index("{") :])  # a recorder may have put the topic or the time before it
    except ValueError:
        return None
    if not isinstance(data, dict) or not all(type(data.get(name)) is kind for name, kind in _FIELDS.items()):
        return None
    return Anchor(*(data[name] for name in _FIELDS))
