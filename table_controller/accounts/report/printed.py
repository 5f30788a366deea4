"""A head of the journal that was printed with a report, held against the journal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self

from betline.options import WRONG_USAGE, UserError
from table_controller.journal.entries import Recorded

_HASH = re.compile(r"[0-9a-f]{64}")


class Entries(Protocol):
    """A journal's entries."""

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether the journal is the one of the print."""

    holds: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Printed:
    """The number of an entry and its hash: all entries up to it have that hash and no others."""

    seq: int
    hash: str

    @classmethod
    def read(cls, text: str) -> Self:
        """`SEQ:HASH`; raises UserError for what is not that."""
        seq, _, digest = text.partition(":")
        if not (seq.isdecimal() and int(seq) > 0 and _HASH.fullmatch(digest.lower())):
            raise UserError(
                f"--head is SEQ:HASH as the report has it, 64 digits after the colon; not {text}.", WRONG_USAGE
            )
        return cls(int(seq), digest.lower())

    def against(self, journal: Entries, pruned: int) -> Finding:
        """Whether a journal whose chain holds has this entry; entries up to ``pruned`` were taken out of it."""
        if 1 < self.seq <= pruned:
            return Finding(False, f"Entry {self.seq} of the print was pruned here: ask for a backup that has it.")
        entry = next(journal.entries(self.seq - 1), None)
        if entry is None or entry.seq != self.seq:
            return Finding(False, f"This journal has no entry {self.seq}: it is another one, or its end was cut off.")
        if entry.hash != self.hash:
            return Finding(
                False,
                f"Entry {self.seq} is not the one of the print: the journal was written anew since, or is another one. "
                "Keep both for an inquiry.",
            )
        return Finding(True, f"Entry {self.seq} is the one of the print: so is all before it.")
