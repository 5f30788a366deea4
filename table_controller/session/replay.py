"""The books entry by entry, as a start, an audit and the ledger of an old file replay them.

Recorded rulings are facts. A step is applied by today's rules; where these come to another ruling the recorded one is
imposed, as a floor's override would be, and the difference is noted. Where even that makes no hand, the table stands
before that step until the hand is over, and goes on from the stacks that the journal has for its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from betline.steps import FloorRuling, NextHand, Override, Step, Undo, step_to_mapping
from table_controller.journal.entries import Checkpoint, HandBegan, HandOver, Recorded, SetUp, Stepped
from table_controller.journal.errors import JournalError
from table_controller.positions import known_positions
from table_controller.rulings.redo.overrides import Decreed
from table_controller.rulings.table import Outcome, Table
from table_controller.rulings.values.ruling import NOTHING_STANDING, Refusal, Ruling, RulingKind
from table_controller.rulings.values.state import State
from table_controller.session.book import Book
from table_controller.session.bookkeeping import after
from table_controller.session.checkpoint import book_of, checkpoint_in
from table_controller.session.ruled import ruling_messages

_OVERRIDES: Mapping[str, FloorRuling] = {
    "check": "check", "call": "call", "bet": "bet", "raise": "raise", "complete": "complete", "fold": "fold",
    "none": "withdraw", "floor": "withdraw",
}  # fmt: skip
"""What the floor would say for an act to count as it was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A step that today's rules rule otherwise than the journal has it, or refuse."""

    seq: int
    hand_no: int
    act_no: int
    """Of its ruling in the hand; 0 where it has none."""
    seat: int | None
    street: str
    step: str
    recorded: str
    present: str
    refused: bool
    """Today the step is illegal."""
    imposed: bool
    """The recorded ruling stands all the same."""

    @property
    def sentence(self) -> str:
        """Both rulings for people."""
        act = f", act {self.act_no}" if self.act_no else ""
        seat = "" if self.seat is None else f", seat {self.seat}"
        street = f" on the {self.street}" if self.street else ""
        today = "Refused today" if self.refused else "Today"
        where = f"Hand {self.hand_no}{act}{seat}{street} ({self.step})"
        return f"{where}. Recorded: {self.recorded} {today}: {self.present}"

    def as_json(self) -> dict[str, Any]:
        """One object of ``betline journal verify --rule-again --json``."""
        return {
            "seq": self.seq,
            "hand": self.hand_no,
            "act": self.act_no or None,
            "seat": self.seat,
            "street": self.street,
            "step": self.step,
            "recorded": self.recorded,
            "today": self.present,
            "refused": self.refused,
        }


class Replay:
    """Books replayed entry by entry; nothing that is recorded is refused."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.differences: list[Difference] = []
        self.stands: Difference | None = None
        """The step of the hand in progress that could not be taken: the table stands before it."""
        self.as_recorded = True
        """Where rulings differ the recorded one holds; else today's."""
        self._began: HandBegan | None = None

    def take(self, recorded: Recorded) -> None:
        """Goes on by one entry; raises JournalError (``damaged``) for what no controller writes."""
        entry = recorded.entry
        match entry:
            case Stepped():
                self._step(entry, recorded.seq)
            case HandBegan():
                self._began = entry
                self._positions_as_recorded(entry, recorded.seq)
            case HandOver() if self.stands is not None:
                self._leave_the_hand(entry.stacks)
            case SetUp():
                self.stands = None
                self.book = after(self.book, entry)
            case _:
                self.book = after(self.book, entry)

    def take_all(self, entries: Iterable[Recorded]) -> Replay:
        """Goes on by all of them."""
        for recorded in entries:
            self.take(recorded)
        return self

    @property
    def now(self) -> list[Difference]:
        """The differences of the hand in progress, or of what came since the last one."""
        return [one for one in self.differences if one.hand_no == self.book.hand_no]

    def _step(self, entry: Stepped, seq: int) -> None:
        if self.stands is not None:
            if not isinstance(entry.step, NextHand):
                return
            self._leave_the_hand({} if self._began is None else self._began.seats)
        if isinstance(entry.step, Undo):
            self._take_back(entry, seq)
            return
        table = self.book.table
        if table is None:
            raise JournalError("damaged", "The journal holds a step before any table was set up.")
        outcome, found = _applied(table, entry, seq, as_recorded=self.as_recorded)
        if found is not None:
            self.differences.append(found)
        if outcome is None:
            in_hand = not table.state.between_hands or isinstance(entry.step, NextHand)
            self.stands = found if in_hand else None
            return
        if found is not None and not self.as_recorded:
            ruled = tuple(ruling_messages(self.book, outcome, entry.source))
            entry = replace(entry, ruled=outcome.ruling is not None, rulings=ruled, moves=outcome.moves)
        self.book = after(self.book, entry, outcome)

    def _take_back(self, entry: Stepped, seq: int) -> None:
        try:
            self.book = after(self.book, entry)
        except JournalError as error:
            if not self.differences:
                raise
            self.stands = _difference(entry, seq, str(error), refused=True)
            self.differences.append(self.stands)

    def _positions_as_recorded(self, began: HandBegan, seq: int) -> None:
        """The button and the blinds of a hand are facts too."""
        table, before = self.book.table, self.book.before
        recorded = (began.button, began.small_blind, began.big_blind)
        if table is None or self.stands is not None or _placed(table) == recorded:
            return
        found = Difference(
            seq=seq, hand_no=began.hand_no, act_no=0, seat=None, street="", step="the next hand",
            recorded=_in_words(recorded), present=_in_words(_placed(table)), refused=False, imposed=False,
        )  # fmt: skip
        if self.as_recorded and before is not None and before.table is not None and isinstance(table.step, NextHand):
            outcome = _ruled_now(before.table, replace(table.step, button=began.button))
            if outcome.error is None and _placed(outcome.table) == recorded:
                self.book = replace(self.book, table=outcome.table)
                found = replace(found, imposed=True)
        self.differences.append(found)

    def _leave_the_hand(self, stacks: Mapping[int, int]) -> None:
        """The hand ends as it stood: the next one begins with the stacks that the journal has."""
        self.stands = None
        table = self.book.table
        if table is not None:
            state = _by_facts(table.state, stacks, self._began)
            hand_no = self.book.hand_no if self._began is None else self._began.hand_no
            self.book = replace(self.book, table=Table(state), hand_no=hand_no, before=None, award=None)


def _applied(
    table: Table, entry: Stepped, seq: int, *, as_recorded: bool
) -> tuple[Outcome | None, Difference | None]:  # fmt: skip
    """What a recorded step comes to, None where it cannot be taken; and how that differs from the record."""
    outcome = _ruled_now(table, entry.step)
    if _same(entry, outcome):
        return outcome, None
    rulings = [] if outcome.ruling is None else [outcome.ruling.sentence]
    present = " ".join((*rulings, *[one.sentence for one in outcome.otherwise])) or "done."
    found = _difference(entry, seq, present, refused=outcome.error is not None)
    if as_recorded:
        imposed = _imposed(table, entry)
        if imposed is not None:
            return imposed, replace(found, imposed=True)
    return (None if outcome.error is not None else outcome), found


def _ruled_now(table: Table, step: Step | Decreed) -> Outcome:
    """What a step comes to by today's rules; a fault of a rule is a refusal: it must not lock the journal."""
    try:
        return table.apply(step)
    except Exception as fault:
        sentence = f"The rules met a fault of the program ({fault!r})."
        ruling = Ruling(ruling=RulingKind.ILLEGAL, sentence=sentence)
        return Outcome(table=table, ruling=ruling, error=Refusal("internal", sentence))


def _same(entry: Stepped, outcome: Outcome) -> bool:
    """Whether a step comes to what the journal says it came to."""
    was, now = entry.ruling, outcome.ruling
    if outcome.error is not None or (was is None) != (now is None):
        return False
    if was is not None and now is not None and (was.ruling, was.to, was.returned) != (now.ruling, now.to, now.returned):
        return False
    listed = [(one.seat, one.ruling, one.to) for one in entry.rulings if one.instead_of]
    return listed == [(one.now.seat, one.now.ruling, one.now.to) for one in outcome.otherwise]


def _imposed(table: Table, entry: Stepped) -> Outcome | None:
    """An act as it was recorded, whatever the rules say; None where that makes no hand."""
    was = entry.ruling
    if was is None or was.seat is None or was.ruling not in _OVERRIDES:
        return None
    keeps = was.ruling in ("bet", "raise", "complete") or (was.ruling == "fold" and was.adds)
    decision = Override(
        seat=was.seat, ruling=_OVERRIDES[was.ruling], to=was.to if keeps else None, by="", why="as it was recorded"
    )
    outcome = _ruled_now(table, Decreed(entry.step, decision))
    fits = outcome.error is None and outcome.ruling is not None and outcome.ruling.to == was.to
    return outcome if fits else None


def _difference(entry: Stepped, seq: int, present: str, *, refused: bool) -> Difference:
    was = entry.rulings[0] if entry.rulings else None
    seat = was.seat if was is not None else getattr(entry.step, "seat", None)
    return Difference(
        seq=seq, hand_no=entry.hand_no, act_no=0 if was is None else was.act_no, seat=seat,
        street="" if was is None else was.street, step=_step_in_words(entry), refused=refused, imposed=False,
        recorded=" ".join(one.sentence for one in entry.rulings) or "done.", present=present,
    )  # fmt: skip


def _step_in_words(entry: Stepped) -> str:
    """A step as it is keyed, without the seat: `says raise to 6`."""
    written = step_to_mapping(entry.step)
    return _words({key: value for key, value in written.items() if key != "seat"})


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {_words(one)}" for key, one in value.items())
    return " ".join(map(_words, value)) if isinstance(value, list) else str(value)


def _placed(table: Table) -> tuple[int | None, int | None, int | None]:
    placed = table.state.placed or table.state.last
    return (None, None, None) if placed is None else (placed.button, placed.small_blind, placed.big_blind)


def _in_words(placed: tuple[int | None, int | None, int | None]) -> str:
    button, small, big = placed
    return f"button {button}, blinds {small or 'none'} and {big or 'none'}."


def _by_facts(state: State, stacks: Mapping[int, int], began: HandBegan | None) -> State:
    """A table between two hands, with the stacks and the positions that the journal has for the last one."""
    held = state.stacks
    players = {
        seat: replace(player, stack=stacks.get(seat, held.get(seat, player.stack)))
        for seat, player in state.players.items()
    }
    last = state.last if state.hand is None else state.placed
    if began is not None and began.button is not None and (last is None or last.button != began.button):
        last = known_positions(
            state.structure, state.options, sorted(players), began.button, began.small_blind, began.big_blind
        )
    return state._replace(
        players=players, hand=None, last=last, placed=None, due=None, standing=NOTHING_STANDING, held=(), early=(),
        floor=None, in_front={}, bets_made=(), redealt=False, laid={}, bomb_pot=None, borrowed={},
        borrowed_to_raise=frozenset(),
    )  # fmt: skip


def ruled_again(entries: Iterable[Recorded], progress: Callable[[int], None] = lambda _: None) -> Iterator[Difference]:
    """The recorded rulings that today's rules would make otherwise, hand by hand from the checkpoints.

    A hand is ruled on from the checkpoint before it, so that a difference does not spread to the hands after it.
    ``progress`` is called with the number of each entry.
    """
    replay = Replay(Book())
    for recorded in entries:
        progress(recorded.seq)
        if recorded.kind != Checkpoint.kind:
            replay.take(recorded)
            continue
        yield from replay.differences
        try:
            book = book_of(checkpoint_in(recorded))
        except JournalError:
            book = replay.book
        replay = Replay(replay.book if replace(replay.book, done={}) == book else book)
    yield from replay.differences
