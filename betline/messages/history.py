"""What a table's journals hold, for the site that keeps them all: the site asks for a range, the table answers.

Nothing is pushed: whoever asks has one answer on the way at a time, so that a slow site never fills a table's queue.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from betline.messages.common import Body

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
AskId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9-]+$")]
MOST_ROWS: Final = 5000
MOST_RAW_BYTES: Final = 4_000_000
"""The text of the entries in one answer, before it is compressed."""
MOST_PACKED_BYTES: Final = 200_000
"""The same in a message, which may have 256 KiB with all else."""
MOST_ENTRY_BYTES: Final = 8_000_000
"""The text of one entry; a longer one is not told."""
MOST_UNPACKED_BYTES: Final = 2 * MOST_ENTRY_BYTES + 1_000
"""What packed entries may grow to: a quotation mark in an entry's text is two signs in the list."""
MOST_PARTS: Final = 2 * MOST_UNPACKED_BYTES // MOST_PACKED_BYTES
"""One entry that is too long for a message is told in so many parts at most."""


class Row(NamedTuple):
    """One entry of a journal as its file has it; the hash covers all of it and the hash of the entry before."""

    seq: int
    at_ms: int
    mono_ns: int
    kind: str
    payload: str
    hash: str


class JournalEnd(Body):
    """How far one journal of a table is."""

    journal: Digest = Field(description="which journal: the hash of its first entry")
    seq: int = Field(ge=1, description="its newest entry")
    head: Digest = Field(description="the hash of that")
    seal: str = Field(default="", max_length=64, description="seal of journal, seq and head, where one was kept")
    pruned_to: int = Field(
        default=1, ge=1, description="after the first entry those up to here were pruned; 1: none were"
    )
    pruned_hash: str = Field(default="", max_length=64, description="the hash of the last one that was pruned")
    live: bool = Field(default=False, description="the table writes this one now")


class HistoryHead(Body):
    """How far the journal is that the table writes now (retained)."""

    end: JournalEnd


class HistoryAsk(Body):
    """A site asks a table for the list of its journals, for entries of one, or for the names of people in it."""

    id: AskId
    want: Literal["journals", "entries", "names"]
    journal: str = Field(default="", max_length=64, description="which one; empty for the list")
    after: int = Field(default=0, ge=0, description="entries after this number")
    most: int = Field(default=MOST_ROWS, ge=1, le=MOST_ROWS, description="no more than so many entries")
    part: int | None = Field(
        default=None,
        ge=0,
        lt=MOST_PARTS,
        description="of an entry that is too long for a message: this part, from 0 on; null: who asks takes no parts",
    )


class HistoryJournals(Body):
    """All journals of a table, those of earlier evenings too."""

    ask: AskId
    journals: tuple[JournalEnd, ...]


class HistoryEntries(Body):
    """Entries of one journal in order, as many as were asked for or fit in a message; none where there are none.

    One entry that is too long for a message comes in parts of its packed text, one to each question.
    """

    ask: AskId
    journal: str
    after: int
    prev: str = Field(default="", description="the hash that the first of them follows from; empty where none are")
    rows: str = Field(
        default="", description="base64 of zlib of a JSON list: seq, at_ms, mono_ns, kind, payload, hash of each"
    )
    part: int = Field(default=0, ge=0, lt=MOST_PARTS, description="which part of it `rows` is")
    parts: int = Field(default=1, ge=1, le=MOST_PARTS, description="of how many")
    end: JournalEnd | None = Field(default=None, description="how far the journal is; null where there is a problem")
    code: str = Field(
        default="", max_length=64, description="what kind of problem there is: too-long, or the journal's"
    )
    problem: str = Field(default="", description="why there is no answer, as a sentence")


class HistoryNames(Body):
    """The names of people in one journal, by their ids; who was erased is not among them."""

    ask: AskId
    journal: str
    names: dict[str, str] = Field(default={}, description="by person")
    problem: str = ""


class HistoryErase(Body):
    """A site asks a table to take a person's name out of all its journals."""

    id: AskId
    person: str = Field(min_length=1, max_length=200, description="a name, or the id of a person")


class HistoryErased(Body):
    """What became of that."""

    ask: AskId
    ok: bool
    journals: int = Field(default=0, ge=0, description="out of so many journals a name was taken")
    sentence: str


class Unreadable(Exception):
    """Packed entries that are none; the text says why."""


def pack(rows: Sequence[Row]) -> str:
    """Entries as the text of a message."""
    raw = json.dumps(rows, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.b64encode(zlib.compress(raw, 1)).decode("ascii")


def unpack(text: str) -> list[Row]:
    """The entries of such a text; raises Unreadable."""
    if not text:
        return []
    try:
        inflater = zlib.decompressobj()
        raw = inflater.decompress(base64.b64decode(text, validate=True), MOST_UNPACKED_BYTES)
        if not inflater.eof:
            raise Unreadable(f"it is cut off, or has more than {MOST_UNPACKED_BYTES} bytes")
        found = [Row._make(row) for row in json.loads(raw)]
    except (ValueError, TypeError, zlib.error, RecursionError) as error:
        raise Unreadable(str(error)) from None
    for row in found:
        if (type(row.seq), type(row.at_ms), type(row.mono_ns)) != (int, int, int) or not all(
            isinstance(part, str) for part in (row.kind, row.payload, row.hash)
        ):
            raise Unreadable("an entry has fields of another kind")
    return found
