"""The real session, fed with what was recorded at the times that were recorded: no clock, no bus, no chance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from betline.messages.common import Body
from betline.options import FAILED, UserError
from table_controller.journal.codec import CodecError
from table_controller.journal.entries import Entry, Recorded
from table_controller.journal.errors import JournalError
from table_controller.service.taken import Began, HeardOnly, Named, Shown, Stumbled, Ticked, Took, Turn, read_turn
from table_controller.session import Handled, Input, Now, Session, Terms, Tick
from table_controller.session.fold import resume
from table_controller.table_replay.evidence import Pages

BEFORE: Final = Now(0, 0)


@dataclass(frozen=True, slots=True)
class Moment:
    """What one turn came to. `life` is the controller's; `session` stands after it."""

    life: str
    now: Now
    session: Session
    given: Input | None = None
    entries: tuple[Entry, ...] = ()
    messages: tuple[Body, ...] = ()
    began: Began | None = None
    shown: Shown | None = None
    fault: str = ""
    """The session met this fault of the program."""
    stumbled: bool = False
    """It met one when it was recorded."""


@dataclass(frozen=True, slots=True)
class Player:
    """A replay at one moment; values of the past stay as they are, so that one can go back to any of them."""

    terms: Terms
    session: Session
    life: str = ""
    now: Now = BEFORE

    @classmethod
    def new(cls, terms: Terms) -> Player:
        """Before anything."""
        return cls(terms, Session.new(terms))

    @classmethod
    def at(cls, terms: Terms, moment: Moment) -> Player:
        """The replay as it stands after a moment."""
        return cls(terms, moment.session, moment.life, moment.now)

    def after(self, turn: Turn, history: Sequence[Recorded]) -> tuple[Player, tuple[Moment, ...]]:
        """The replay after one turn, and what it came to. `history` is the journal as far as it was recorded.

        Raises UserError where a start needs more of the journal than was recorded.
        """
        match turn:
            case Began():
                return self._began(turn, history)
            case Took(now=now, given=given):
                return self._handles(given, now)
            case Stumbled(now=now, given=given):
                moment = self._handle(given, now)
                return replace(self, now=now), (replace(moment, session=self.session, stumbled=True),)
            case HeardOnly(now=now, given=given):
                session = self.session.heard(given, now)
                return self._stands(session, Moment(self.life, now, session, given))
            case Ticked(at=at):
                return self._ticks(at)
            case Named(names=names):
                session = self.session.called(names)
                return self._stands(session, Moment(self.life, self.now, session))
            case Shown():
                return self, (Moment(self.life, self.now, self.session, shown=turn),)

    def _began(self, turn: Began, history: Sequence[Recorded]) -> tuple[Player, tuple[Moment, ...]]:
        pages = Pages(list(history), turn.head)
        if pages.reaches != turn.head:
            raise UserError(
                f"The controller began at entry {turn.head} of its journal, and the recording has it up to "
                f"{pages.reaches}: record with --journal FILE.",
                FAILED,
            )
        try:
            resumed = resume(self.terms, pages, turn.now)
        except JournalError as error:
            raise UserError(f"The journal in the recording cannot be taken up: {error}", FAILED) from None
        session = resumed.session.called(turn.names).knowing(self.session.secrets)
        moment = Moment(turn.life, turn.now, session, entries=resumed.entries, began=turn)
        return replace(self, session=session, life=turn.life, now=turn.now), (moment,)

    def _ticks(self, at: Sequence[tuple[int, int]]) -> tuple[Player, tuple[Moment, ...]]:
        player, moments = self, list[Moment]()
        for at_ms, mono_ns in at:
            player, came = player._handles(Tick(), Now(at_ms, mono_ns))
            moments += came
        return player, tuple(moments)

    def _handles(self, given: Input, now: Now) -> tuple[Player, tuple[Moment, ...]]:
        moment = self._handle(given, now)
        return self._stands(moment.session, moment)

    def _handle(self, given: Input, now: Now) -> Moment:
        try:
            handled: Handled = self.session.handle(given, now)
        except Exception as fault:  # what the program of that evening did, or this one does now: it is told, not hidden
            return Moment(self.life, now, self.session, given, fault=repr(fault))
        return Moment(self.life, now, handled.session, given, handled.entries, handled.messages)

    def _stands(self, session: Session, moment: Moment) -> tuple[Player, tuple[Moment, ...]]:
        return replace(self, session=session, now=moment.now), (moment,)


def turn_of(line: Mapping[str, Any]) -> Turn | None:
    """The turn of a recorded line, None of one that says what is missing.

    Raises UserError for what another version has recorded.
    """
    if "is" not in line:
        return None
    try:
        return read_turn(line)
    except CodecError as error:
        raise UserError(
            f"An input of the recording cannot be read ({error}): replay it with the version that recorded it.", FAILED
        ) from None


def played(
    player: Player, turns: Iterable[Turn], history: Sequence[Recorded]
) -> Iterator[tuple[int, tuple[Moment, ...]]]:
    """Every turn of a replay by its number, from 1, with the moments that it came to."""
    for number, turn in enumerate(turns, start=1):
        player, moments = player.after(turn, history)
        yield number, moments
