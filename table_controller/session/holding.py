"""A table is held between two hands, and let go.

Hand for hand all tables of a tournament deal together, and play halts where a table is too short (TDA 11-D). The room
says up to which hand the table may play. It never hangs on the room: what nobody says again ends by itself, and whoever
has the right may let the table go by name.
"""

from __future__ import annotations

from betline.messages.table import Alert
from betline.steps import Hold as Asked
from betline.steps import LetGo
from table_controller.journal.entries import HoldSet
from table_controller.levels import Hold
from table_controller.session.draft import Draft
from table_controller.session.held import hold_state
from table_controller.session.terms import Terms
from table_controller.session.words import Response


def hold(draft: Draft, asked: Asked, _terms: Terms) -> Response:
    """Holds the table up to a hand, or says the same again so that it stays held."""
    before, until_ms = draft.book.hold, draft.now.at_ms + asked.for_s * 1000
    draft.note(HoldSet(by="asked", hold=Hold(asked.why, asked.after_hand, until_ms)))
    state = hold_state(draft.book)
    sentence = "" if state is None else state.sentence
    if before is None or (before.why, before.after_hand) != (asked.why, asked.after_hand):
        draft.alert(Alert(severity="info", code="held", sentence=sentence))
    return "ok", sentence


def let_go(draft: Draft, _asked: LetGo, _terms: Terms) -> Response:
    """The table plays on; who said so stands in the journal."""
    if draft.book.hold is None:
        return "not-open", "Nobody holds this table."
    draft.note(HoldSet(by="asked"))
    sentence = "The table is held no longer."
    draft.alert(Alert(severity="info", code="held", sentence=sentence))
    return "ok", sentence


def tick(draft: Draft) -> None:
    """Ends a hold that nobody has said again in time."""
    held = draft.book.hold
    if held is None or not held.over(draft.now.at_ms):
        return
    draft.note(HoldSet(by="time"))
    sentence = "The room was not heard in time: the table is held no longer and plays on by itself."
    draft.alert(Alert(severity="warning", code="hold-over", sentence=sentence))
