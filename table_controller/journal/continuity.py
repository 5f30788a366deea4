"""The journal of a start against the table's state that still stands on the bus from the controller before it."""

from __future__ import annotations

from dataclasses import dataclass

from betline.messages.table import TableState
from table_controller.journal.anchors import published
from table_controller.journal.sentences import GO_ON, RESTORE
from table_controller.journal.store import Journal


@dataclass(frozen=True, slots=True)
class Break:
    """What does not fit, as a sentence; ``proven`` where the seal shows that this journal's own controller said it."""

    sentence: str
    proven: bool


def break_between(state: TableState, journal: Journal) -> Break | None:
    """Where a journal does not go on from what a table's state says; None where it does.

    Anybody can publish a state: without this journal's seal it proves nothing, and is only worth a warning.
    """
    anchor = published(state)
    ends = journal.opened_at.seq
    if anchor is not None and anchor.journal == journal.id and journal.proves(anchor):
        wrong = journal.contradicted_by(anchor)
        if wrong is None:
            return None
        ways = f"Restore a backup: {RESTORE}, or go on from here: {GO_ON} --broker HOST:PORT"
        return Break(f"{wrong} {ways} --journal {journal.path}", proven=True)
    if anchor is not None and anchor.journal != journal.id:
        return Break(
            f"The table was at entry {state.journal_seq} of another journal; this one, {journal.path}, ended at entry "
            f"{ends}. If that was not meant, stop the controller and name the right one with --journal.",
            proven=False,
        )
    if state.journal_seq > ends:
        return Break(
            f"The journal ends at entry {ends}; a state on the bus says {state.journal_seq}, but its seal is not this "
            f"journal's: it may be forged. Look who wrote it, and run: betline journal verify --journal {journal.path}",
            proven=False,
        )
    return None
