"""What is known of one table and what is to be asked of it next: pure but for the numbers of its questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from betline.messages.history import HistoryAsk, HistoryEntries, HistoryNames, JournalEnd
from cardroom.record.batch import Place
from cardroom.record.store import Kept

NAMES_AGAIN_S: Final = 60.0
LIST_AGAIN_S: Final = 600.0
MOST_WAITS: Final = 64
"""So many words of a table are awaited at once; while it is further behind, the oldest ones count."""
TRIES: Final = 3
"""A batch that is wrong so often is wrong at the table, and no matter of the way here."""


@dataclass(slots=True)
class Search:
    """Where the table's journal leaves what is recorded: the last row that both have lies in `same` to `most`."""

    same: int
    most: int

    @property
    def middle(self) -> int:
        """The row to compare next."""
        return (self.same + self.most + 1) // 2

    @property
    def found(self) -> bool:
        """Whether nothing is left to compare."""
        return self.same >= self.most


@dataclass(slots=True)
class Parts:
    """What came so far of one entry that is too long for a message: parts of its packed text, from the first on."""

    after: int
    prev: str
    of: int
    texts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Followed:
    """One table, as the recorder follows it."""

    table: str
    ends: dict[str, JournalEnd] = field(default_factory=dict)
    listed_s: float | None = None
    searches: dict[str, Search] = field(default_factory=dict)
    parts: dict[str, Parts] = field(default_factory=dict)
    stuck: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Journals that cannot be recorded on, with the end at which that was found."""
    wrong: dict[str, int] = field(default_factory=dict)
    """How often in turn a batch of a journal did not follow."""
    names_s: dict[str, float] = field(default_factory=dict)
    asked: HistoryAsk | None = None
    asked_s: float = 0.0
    waits: dict[tuple[str, int], float] = field(default_factory=dict)
    """What the table told of and is not recorded: journal and number, and when it was told."""
    silent: int = 0
    """Questions in turn that were not answered."""

    def next_ask(self, kept: dict[str, Kept], number: str, now_s: float) -> HistoryAsk | None:
        """The next question; None where nothing is to be asked."""
        if self.listed_s is None or now_s - self.listed_s > LIST_AGAIN_S:
            return HistoryAsk(id=number, want="journals")
        for journal, end in self.ends.items():
            search, place = self.searches.get(journal), _place(kept, journal)
            if search is not None:
                after = search.middle - 1
                part = self._part(journal, after)
                return HistoryAsk(id=number, want="entries", journal=journal, after=after, most=1, part=part)
            if (end.seq, end.head) != (place.seq, place.hash) and self.stuck.get(journal) != (end.seq, end.head):
                part = self._part(journal, place.seq)
                return HistoryAsk(id=number, want="entries", journal=journal, after=place.seq, part=part)
        for journal in self.ends:
            if journal in kept and now_s >= self.names_s.get(journal, now_s):
                return HistoryAsk(id=number, want="names", journal=journal)
        return None

    def behind(self, kept: dict[str, Kept]) -> int:
        """How many entries the table has that are not recorded, as far as is known."""
        return sum(max(0, end.seq - _place(kept, journal).seq) for journal, end in tuple(self.ends.items()))

    def told(self, kept: dict[str, Kept], now_s: float) -> None:
        """The table told how far it is: from now on that is awaited, where it is not recorded yet."""
        if self.behind(kept) == 0:
            self.waits.clear()
            return
        for journal, end in self.ends.items():
            if end.seq > _place(kept, journal).seq and len(self.waits) < MOST_WAITS:
                self.waits.setdefault((journal, end.seq), now_s)

    def recorded(self, kept: dict[str, Kept], now_s: float) -> list[float]:
        """Rows came into the database; for each word of the table that they reached, how long it had waited."""
        reached = [one for one in self.waits if one[1] <= _place(kept, one[0]).seq]
        return [now_s - self.waits.pop(one) for one in reached]

    @property
    def since_s(self) -> float | None:
        """Since when the table has had entries that could be recorded and are not; None where it has none."""
        if self.silent >= TRIES:
            return None
        waits = tuple(self.waits.items())
        return min((at_s for (journal, _), at_s in waits if journal in self.ends and not self.is_stuck(journal)),
                   default=None)  # fmt: skip

    def is_stuck(self, journal: str) -> bool:
        """Whether a journal cannot be recorded on as its table has it now."""
        end = self.ends.get(journal)
        return end is not None and self.stuck.get(journal) == (end.seq, end.head)

    def names_came(self, answer: HistoryNames, now_s: float) -> None:
        """The names of the live journal are asked for again; others do not get new ones."""
        live = answer.journal in self.ends and self.ends[answer.journal].live
        self.names_s[answer.journal] = now_s + (NAMES_AGAIN_S if live else LIST_AGAIN_S)

    def whole(self, answer: HistoryEntries) -> str | None:
        """The packed text of an answer; None where it is a part and others are to come.

        A part that does not go on from those that are there makes an end of them: the entry is asked for anew.
        """
        if answer.parts == 1:
            self.parts.pop(answer.journal, None)
            return answer.rows
        there = self.parts.pop(answer.journal, None)
        if answer.part == 0:
            there = Parts(answer.after, answer.prev, answer.parts)
        if (
            there is None
            or (there.after, there.prev, there.of) != (answer.after, answer.prev, answer.parts)
            or answer.part != len(there.texts)
        ):
            return None
        there.texts.append(answer.rows)
        if len(there.texts) == there.of:
            return "".join(there.texts)
        self.parts[answer.journal] = there
        return None

    def _part(self, journal: str, after: int) -> int:
        """Which part of the entry after this number is to be asked for."""
        there = self.parts.get(journal)
        return len(there.texts) if there is not None and there.after == after else 0

    def forget_questions(self) -> None:
        """What was asked does not count any more: the database was away."""
        self.asked = None
        self.parts.clear()
        self.searches.clear()
        self.wrong.clear()


def _place(kept: dict[str, Kept], journal: str) -> Place:
    return kept[journal].place if journal in kept else Place()
