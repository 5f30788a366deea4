"""The minutes that pass at the table: lockouts, time charges and long absences count them (R-282, R-285, R-194).

They pass at the table when a hand begins and when somebody comes or leaves, never in a hand: an undo takes back
what the dealer did, not the time.
"""

from __future__ import annotations

from betline.steps import AfterMinutes
from table_controller.journal.entries import MinutesPassed
from table_controller.session.draft import Draft

MINUTE_MS = 60_000
MAX_MS = 60 * MINUTE_MS
"""So long without a hand is a pause: it is charged to nobody."""


def pass_to_the_hand(draft: Draft) -> None:
    """Lets the minutes pass at the table before a hand begins."""
    if draft.table is not None:
        _pass(draft)


def pass_to_the_seat(draft: Draft) -> None:
    """Lets the minutes pass at the table before somebody comes or leaves, where the house has a lockout."""
    if draft.table is not None and draft.table.state.house.lockout_minutes:
        _pass(draft)


def _pass(draft: Draft) -> None:
    now_ms, last_ms = draft.now.at_ms, draft.book.time_ms
    if last_ms is None or not 0 <= now_ms - last_ms <= MAX_MS:
        draft.note(MinutesPassed(at_ms=now_ms))
        return
    minutes = (now_ms - last_ms) // MINUTE_MS
    if minutes and draft.apply(AfterMinutes(minutes=minutes), "house") is None:
        draft.note(MinutesPassed(at_ms=last_ms + minutes * MINUTE_MS))
