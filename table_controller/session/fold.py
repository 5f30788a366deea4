"""The state of a table as a fold over its journal: what a restart, a replay and an audit all do."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.journal.entries import Recorded
from table_controller.session.inputs import Now
from table_controller.session.session import Session
from table_controller.session.terms import Terms


def fold(terms: Terms, entries: Iterable[Recorded], now: Now) -> Session:
    """The session after all entries of a journal; raises JournalError where they cannot be told again."""
    return Session.new(terms).restored((recorded.entry for recorded in entries), now)
