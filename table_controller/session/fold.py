"""What a start does: the books from the newest checkpoint on, and what the floor must decide before play goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, Protocol

from betline.messages.table import Alert
from table_controller.journal.entries import Alerted, Checkpoint, DeviceStarted, Entry, Obeyed, Recorded, RulesChanged
from table_controller.journal.errors import JournalError
from table_controller.session.book import RULES_CHANGED, Book, RulesQuestion
from table_controller.session.bookkeeping import COMMANDS_REMEMBERED, after
from table_controller.session.checkpoint import WHOLE_HAND, book_of, checkpoint_in, checkpoint_of
from table_controller.session.inputs import Now
from table_controller.session.replay import Replay
from table_controller.session.session import Session
from table_controller.session.terms import Terms

Severity = Literal["info", "warning", "error"]
FIRST_HANDS = 2_000
"""Entries from the beginning of a journal that a start may fold for the history of its last hand."""

LATELY_MS = 12 * 3_600_000
"""A bridge or a camera that was at the table within so long is awaited after a start."""
LOOKED_BACK = 50_000
"""Entries before the last checkpoint among which a start looks for them: more than 12 hours of play have."""


class History(Protocol):
    """A journal as a start reads it; `journal.store.Journal` and `journal.reader.JournalReader` are such."""

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those between two numbers where they are given."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A session that goes on, what must be journalled before it does, and the alerts to publish."""

    session: Session
    entries: tuple[Entry, ...] = ()
    alerts: tuple[Alert, ...] = ()


def resume(terms: Terms, history: History, now: Now) -> Resumed:
    """The session after a journal, folded from the newest checkpoint that can be read; no change of a rule refuses it.

    Raises JournalError (``damaged``) for entries that no controller writes.
    """
    base = base_before(history)
    replay = Replay(base.book).take_all(history.entries(base.seq))
    if base.seq and replay.book.hand_no == base.book.hand_no:
        replay = _with_history(history, base, replay)
    book = replay.book
    raised = [*base.alerts, *_alerts(replay)]
    entries: list[Entry] = list(raised)
    asked = _question(replay, history, base)
    if asked is not None:
        question, entry = asked
        book = replace(book, rules_question=question)
        raised.append(_alerted("warning", RULES_CHANGED, question.seat, question.sentence))
        entries += [entry, raised[-1]]
    if entries or (not base.seq and book.table is not None):
        entries.append(checkpoint_of(book, WHOLE_HAND))
    alerts = tuple(
        [Alert(severity=one.severity, code=one.code, seat=one.seat, sentence=one.sentence) for one in raised]
    )
    session = Session.new(terms).resumed(book, now, _programs(history, base.seq, now.at_ms))
    return Resumed(session, tuple(entries), alerts)


def _programs(history: History, checkpoint: int, now_ms: int) -> frozenset[str]:
    """The programs that served readers and camera lately."""
    recorded = history.newest(DeviceStarted.kind, after=max(0, checkpoint - LOOKED_BACK))
    served = [one.entry for one in recorded if now_ms - one.at_ms <= LATELY_MS]
    return frozenset(entry.name for entry in served if isinstance(entry, DeviceStarted))


@dataclass(frozen=True, slots=True)
class Base:
    """From where a fold starts: the books of a checkpoint and its number, 0 for the beginning of the journal."""

    book: Book
    seq: int
    alerts: tuple[Alerted, ...] = ()


def base_before(history: History, before: int | None = None) -> Base:
    """The newest checkpoint that can be read; others raise an alert."""
    unread: list[Alerted] = []
    for recorded in history.newest(Checkpoint.kind, before):
        try:
            book = book_of(checkpoint_in(recorded))
        except JournalError as error:
            sentence = f"Entry {recorded.seq} of the journal is passed over: {error} An earlier checkpoint is used."
            unread.append(_alerted("warning", "checkpoint-unread", None, sentence))
            continue
        return Base(replace(book, done=_obeyed(history, recorded.seq)), recorded.seq, tuple(unread))
    return Base(Book(), 0, tuple(unread))


def _obeyed(history: History, before: int) -> Mapping[str, Mapping[str, str]]:
    """The commands that were obeyed before a checkpoint, the newest last."""
    newest = [one.entry for one in islice(history.newest(Obeyed.kind, before), COMMANDS_REMEMBERED)]
    book = Book()
    for entry in reversed(newest):
        book = after(book, entry)
    return book.done


def _with_history(history: History, base: Base, replay: Replay) -> Replay:
    """The same books with every step of the last hand to be taken back, where the steps still come to them.

    What was put right since the hand ended may need its steps: then it only comes out so.
    """
    earlier = base_before(history, base.seq)
    if not earlier.seq and base.seq > FIRST_HANDS:
        return replay
    try:
        whole = Replay(earlier.book).take_all(history.entries(earlier.seq))
    except JournalError:
        return replay
    whole.book = replace(whole.book, done=replay.book.done)
    if whole.differences or (whole.book != replay.book and not replay.differences):
        return replay
    return whole if replay.differences or _steps_back(whole.book) > _steps_back(replay.book) else replay


def _steps_back(book: Book) -> int:
    """How many steps can be taken back."""
    count = 0
    while book.before is not None:
        count, book = count + 1, book.before
    return count


def _question(replay: Replay, history: History, base: Base) -> tuple[RulesQuestion, RulesChanged] | None:
    """Which ruling holds where today's rules rule otherwise on the hand in progress."""
    state = None if replay.book.table is None else replay.book.table.state
    found = [one for one in replay.now if one.imposed]
    if not found or replay.stands is not None or state is None or state.between_hands:
        return None
    first = found[0]
    today = Replay(base.book)
    for recorded in history.entries(base.seq):
        today.as_recorded = recorded.seq < first.seq
        today.take(recorded)
    more = "" if len(found) == 1 else f" {len(found) - 1} later acts differ too."
    stops = "" if today.stands is None else " By today's rules the hand stops before an act that is refused."
    sentence = f"{first.sentence}{more}{stops} Which ruling holds? Playing on keeps what is recorded."
    name = f"rules-{first.hand_no}-{first.act_no or first.seq}"
    entry = RulesChanged(
        id=name, hand_no=first.hand_no, act_no=first.act_no, seat=first.seat, recorded=first.recorded,
        present=first.present, sentence=sentence,
    )  # fmt: skip
    return RulesQuestion(name, first.seat, sentence, today.book), entry


def _alerts(replay: Replay) -> list[Alerted]:
    """What people must know before they play on."""
    found = []
    stands = replay.stands
    if stands is not None:
        sentence = f"{stands.sentence} The hand stands before it: put it right by hand, or call a misdeal."
        found.append(_alerted("error", "hand-stands", stands.seat, sentence))
    for one in replay.now:
        if one is not stands and not one.imposed:
            held = "It is left out." if one.refused else "Today's ruling holds."
            found.append(_alerted("warning", RULES_CHANGED, one.seat, f"{one.sentence} {held}"))
    earlier = len(replay.differences) - len(replay.now)
    if earlier:
        sentence = (
            f"{earlier} acts of earlier hands would be ruled otherwise today; they stand as recorded. "
            "betline journal verify --rule-again lists them."
        )
        found.append(_alerted("info", RULES_CHANGED, None, sentence))
    return found


def _alerted(severity: Severity, code: str, seat: int | None, sentence: str) -> Alerted:
    return Alerted(severity=severity, code=code, seat=seat, sentence=sentence, active=True)
