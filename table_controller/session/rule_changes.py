"""The floor says which ruling holds where today's rules rule otherwise on the hand that a start found in progress."""

from __future__ import annotations

from betline.messages.table import Alert, Question
from table_controller.journal.entries import Answered
from table_controller.rulings.redo.otherwise import moves_in_words
from table_controller.session.book import AS_RECORDED, RULES_CHANGED
from table_controller.session.checkpoint import WHOLE_HAND
from table_controller.session.draft import Draft
from table_controller.session.words import Response


def chosen(draft: Draft, asked: Question, choice: str) -> Response:
    """The floor says whether an act that today's rules rule otherwise stands as it was recorded."""
    old = draft.book
    draft.note(Answered(id=asked.id, choice=choice))
    draft.checkpoint_is_due(WHOLE_HAND)
    if choice == AS_RECORDED:
        return "ok", "The hand goes on as it was recorded."
    new = draft.book
    open_now = {**new.owes, **{seat: -due for seat, due in new.change_due.items()}}
    were = {**old.owes, **{seat: -due for seat, due in old.change_due.items()}}
    words = [moves_in_words(seat, amount) for seat, amount in open_now.items() if were.get(seat) != amount]
    sentence = " ".join(("The hand goes on by today's rules.", *words))
    draft.alert(Alert(severity="warning", code=RULES_CHANGED, seat=asked.seat, sentence=sentence))
    draft.tell_of_the_hand(old)
    return "ok", sentence
