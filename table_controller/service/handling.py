"""One input after the other: worked out, journalled, and only then counted and published.

What cannot be journalled has not happened: the session stays, and whoever asked is told.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Final

from betline.messages.common import Body, Reply
from betline.messages.table import Announcement, Ruling
from betline.units import NS_PER_MS
from table_controller.cards.seals import Secret
from table_controller.journal.entries import Entry, Recorded
from table_controller.journal.errors import JournalError
from table_controller.journal.store import Journal
from table_controller.journal.vault import Vault
from table_controller.service.figures import Figures
from table_controller.service.outlet import Outlet, Worked
from table_controller.service.recalling import Recalling
from table_controller.service.taken import HeardOnly, Notes, Stumbled
from table_controller.service.writing import Writing
from table_controller.session import Handled, Input, Keyed, Now, Session, Tick
from table_controller.session.again import EXPIRED, REPLAYED

_log: Final = logging.getLogger(__name__)


class Handling:
    """The session of one table, and all that an input does to it. Used on the controller's own thread."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        writing: Writing,
        outlet: Outlet,
        figures: Figures,
        notes: Notes,
        *,
        clock: Callable[[], Now],
        refused: Callable[[str, str], None],
    ) -> None:
        """`refused` counts a command that came too late or again: the reason and its sender."""
        self.session = session
        """The session as it stands."""
        self._journal = journal
        self._writing = writing
        self._outlet = outlet
        self._figures = figures
        self._notes = notes
        self._clock = clock
        self._refused = refused
        self._vault = Vault(journal.path)
        self._recalling = Recalling(journal.path, outlet.recalled)

    def resume(self, session: Session) -> None:
        """Takes up a session that was folded from the journal, with the names and secrets that are kept beside it."""
        self.session = session.called(self._journal.names()).knowing(self._vault.read())

    def call_by(self, names: Mapping[str, str]) -> None:
        """People are called by these names from now on: a name was erased from the journal's file."""
        self.session = self.session.called(names)

    def take(self, given: Input) -> None:
        """Works an input out, journals what follows, and only then lets it count and be published."""
        now = self._clock()
        self._figures.inputs += not isinstance(given, Tick)
        self._figures.commands += isinstance(given, Keyed)
        again = isinstance(given, Keyed) and self.session.askers.knows(given)
        if self._writing.fails and not isinstance(given, Keyed):
            self.session = self.session.heard(given, now)
            self._notes.note(HeardOnly(now, given))
            return
        began_ns = time.perf_counter_ns()
        try:
            handled = self.session.handle(given, now)
        except Exception as error:
            self._fault(given, error)
            self._notes.note(Stumbled(now, given))
            return
        if not handled.entries and not handled.messages:
            self.session = handled.session
            self._notes.took(given, now)
            return
        worked_ns, ruled_ns = time.perf_counter_ns(), self._clock().mono_ns
        recorded = self._journalled(given, handled, now)
        if recorded is None:
            return
        worked = Worked(ruled_ns, self._clock().mono_ns)
        self._figures.ruled(handled, self.session.sensing.turn.since_ns, worked.written_ns)
        self.session = handled.session
        if isinstance(given, Keyed):
            self._count_reply(given, handled, again)
        if not isinstance(given, Tick):
            self._figures.handled((worked_ns - began_ns) / NS_PER_MS)
        for message in sorted(handled.messages, key=_urgency):
            self._outlet.publish(message)
        self._outlet.events(recorded, self.session.book.hand_no, worked)
        self._notes.took(given, now)
        if handled.recalls and isinstance(given, Keyed):
            self._recalling.ask(given.id, handled.recalls)

    def keep(self, entries: tuple[Entry, ...]) -> bool:
        """Journals and publishes what follows from no input; returns whether it could be written."""
        with contextlib.suppress(JournalError):
            self._outlet.events(self._append(entries, self._clock(), {}), self.session.book.hand_no)
            return True
        return False

    def _count_reply(self, given: Keyed, handled: Handled, again: bool) -> None:
        for reply in handled.messages:
            if isinstance(reply, Reply):
                self._figures.denied += bool(reply.needs)
                if not reply.ok:
                    self._figures.answered(reply.code)
                if reply.code in (EXPIRED, REPLAYED):
                    self._refused(reply.code, given.sender)
                else:
                    self._figures.again += again

    def _journalled(self, given: Input, handled: Handled, now: Now) -> tuple[Recorded, ...] | None:
        """The entries as they were written; None where they could not be, and then nothing has happened."""
        try:
            return self._append(handled.entries, now, handled.names, handled.secrets)
        except JournalError as error:
            if isinstance(given, Keyed):
                self._outlet.publish(_refusal(given, "journal-failed", str(error)))
            return None

    def _append(
        self,
        entries: tuple[Entry, ...],
        now: Now,
        names: Mapping[str, str],
        secrets: Mapping[str, Secret] | None = None,
    ) -> tuple[Recorded, ...]:
        """The entries as they were written; raises JournalError, after people were told.

        Secrets are kept before the seals that they open, and forgotten after the hand that they were of.
        """
        began_ns = time.perf_counter_ns()
        try:
            if secrets:
                self._vault.keep(secrets)
            recorded = self._journal.append(entries, now.at_ms, now.mono_ns, names)
            if secrets is not None and not secrets:
                self._vault.keep({})
        except JournalError as error:
            self._figures.journal_failures += 1
            self._writing.failed(error, time.monotonic())
            raise
        if recorded:
            took_ms = (time.perf_counter_ns() - began_ns) / NS_PER_MS
            self._figures.journalled(took_ms)
            self._writing.worked(took_ms, time.monotonic())
        return recorded

    def _fault(self, given: Input, error: Exception) -> None:
        """A fault of this program: the input is dropped, the table stays as it was, and it is counted."""
        self._figures.faults += 1
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place is not None else "?"
        _log.error("%s was dropped: %r at %s", type(given).__name__, error, where)
        if isinstance(given, Keyed):
            self._outlet.publish(
                _refusal(given, "internal", "This command met a fault of the program; nothing has changed.")
            )


def _urgency(message: Body) -> int:
    """What a player waits for goes out first."""
    return 0 if isinstance(message, Announcement) else 1 if isinstance(message, Ruling | Reply) else 2


def _refusal(given: Keyed, code: str, sentence: str) -> Reply:
    return Reply(command_id=given.id, verb=given.verb, ok=False, code=code, sentence=sentence)
