"""What the floor needs in a dispute: the acts of the last hands with rulings, floor's decisions, pots and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from betline.messages.recall import TableThen
from betline.messages.table import Ruling
from table_controller.accounts import pictures
from table_controller.accounts.evidence import evidence_of
from table_controller.accounts.read import HandSummary, authors, by_whom, hands, line, sentence, time_of
from table_controller.journal.entries import Alerted, HandBegan, Obeyed, Recorded, Stepped
from table_controller.session.then import tables_then


class History(Protocol):
    """A journal as it is recalled."""

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those between two numbers where they are given."""

    def names(self) -> dict[str, str]:
        """What people are called, by person."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """One hand: what became of it, its steps and alerts in order, and the camera's pictures of each act."""

    summary: HandSummary
    entries: tuple[Recorded, ...]
    pictures: dict[int, tuple[str, ...]]
    commands: tuple[Recorded, ...] = ()
    """What was keyed in it."""
    evidence: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """What readers and camera had seen of each act, by its number in the journal."""
    tables: Mapping[int, TableThen] = field(default_factory=dict)
    """The table after each step, by the number of the step's entry."""

    def lines(self, names: dict[str, str], rings: str = "") -> Iterator[str]:
        """The hand for people; ``rings`` are the options by which the camera's program finds the pictures."""
        yield self.summary.line()
        keyed_by = authors(self.commands, names)
        for recorded in self.entries:
            yield f"{line(recorded, names)}{by_whom(recorded, keyed_by)}"
            if ids := self.pictures.get(recorded.seq):
                yield f"{'':>8}Pictures: {pictures.SHOW} {ids[-1]}{rings}"

    def as_json(self, names: Mapping[str, str]) -> dict[str, Any]:
        """One object of ``betline journal recall --json``, and one hand of the bus's `recall`."""
        keyed_by = authors(self.commands, names)
        return {**self.summary.as_json(), "acts": [self._act(recorded, names, keyed_by) for recorded in self.entries]}

    def _act(self, recorded: Recorded, names: Mapping[str, str], keyed_by: Mapping[str, str]) -> dict[str, Any]:
        entry = recorded.entry
        act: dict[str, Any] = {
            "seq": recorded.seq,
            "at": time_of(recorded.at_ms),
            "text": sentence(recorded, names),
        }
        if isinstance(entry, Stepped):
            act["source"] = entry.source
            act["by"] = keyed_by.get(entry.command, "")
            act["rulings"] = [_told(ruling, names) for ruling in entry.rulings]
        if isinstance(entry, Alerted):
            act["alert"] = {"code": entry.code, "seat": entry.seat, "sentence": entry.sentence}
        act["evidence"] = list(self.evidence.get(recorded.seq, ()))
        then = self.tables.get(recorded.seq)
        table = None if then is None else then.model_dump(mode="json")
        return {**act, "pictures": list(self.pictures.get(recorded.seq, ())), "table": table}


def _told(ruling: Ruling, names: Mapping[str, str]) -> dict[str, Any]:
    """A ruling with who decided by name, as far as the journal's file has it."""
    return ruling.model_copy(update={"by": names.get(ruling.by, "")}).model_dump(mode="json")


def recall(history: History, count: int) -> tuple[Recalled, ...]:
    """The last hands, the oldest of them first; fewer where there are not so many.

    Raises JournalError (``damaged``) for entries that no controller writes.
    """
    began = list(islice(history.newest(HandBegan.kind), count))
    if not began:
        return ()
    entries = tuple(history.entries(began[-1].seq - 1))
    tables = tables_then(history, began[-1].seq - 1, history.names())
    summaries = {one.hand_no: one for one in hands(entries)}
    found = []
    for hand_no, of_hand in _by_hand(entries):
        if hand_no in summaries:
            told = tuple(one for one in of_hand if one.kind in (Stepped.kind, Alerted.kind))
            keyed = tuple(one for one in of_hand if one.kind == Obeyed.kind)
            found.append(
                Recalled(summaries[hand_no], told, pictures.pictured(of_hand), keyed, evidence_of(of_hand), tables)
            )
    return tuple(found)


def _by_hand(entries: tuple[Recorded, ...]) -> Iterator[tuple[int, tuple[Recorded, ...]]]:
    """Each hand's entries, from its beginning to that of the next; a hand that was dealt again counts once."""
    found: dict[int, list[Recorded]] = {}
    now: list[Recorded] = []
    for recorded in entries:
        if recorded.kind == HandBegan.kind and isinstance(began := recorded.entry, HandBegan):
            now = found.setdefault(began.hand_no, [])
        now.append(recorded)
    yield from ((hand_no, tuple(of_hand)) for hand_no, of_hand in found.items())
