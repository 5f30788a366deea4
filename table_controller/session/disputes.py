"""What dealer and floor put right in a hand: corrections, the record, and the floor's override; a function a verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from betline import steps
from betline.messages.table import Alert, Question, Ruling
from table_controller.journal.entries import Answered, Source
from table_controller.rulings.redo.otherwise import moves_in_words
from table_controller.session import commands
from table_controller.session.book import AS_RECORDED, RULES_CHANGED
from table_controller.session.checkpoint import WHOLE_HAND
from table_controller.session.draft import Draft
from table_controller.session.inputs import NO_SEAT
from table_controller.session.terms import Terms
from table_controller.session.words import Answer


def _corrects(draft: Draft, args: commands.CorrectBet, _terms: Terms) -> Answer:
    return _put_right(draft, steps.CorrectBet(seat=args.seat, to=args.to), "keyed")


def _records(draft: Draft, args: commands.CorrectRecord, _terms: Terms) -> Answer:
    street = args.street or draft.book.street
    return _put_right(draft, steps.CorrectRecord(street=street, seat=args.seat, to=args.to), "keyed")


def _overrides(draft: Draft, args: commands.Override, _terms: Terms) -> Answer:
    """The journal has who decided by an id, as it has players."""
    by = draft.person(NO_SEAT, args.by, ())
    step = steps.Override(
        seat=args.seat, ruling=args.ruling, to=args.to, street=args.street, by=by, why=" ".join(args.why.split())
    )  # fmt: skip
    return _put_right(draft, step, "floor")


def _put_right(draft: Draft, step: steps.Step, source: Source) -> Answer:
    """A step that tells the hand again is answered with every act that is ruled otherwise, and what moves for it."""
    refusal = draft.apply(step, source)
    if refusal is not None:
        return refusal.code, refusal.sentence
    rulings = [message for message in draft.effects if isinstance(message, Ruling)]
    told = {ruling.seat for ruling in rulings if ruling.owes or ruling.returned}
    moves = [moves_in_words(seat, amount) for seat, amount in draft.moves.items() if seat not in told]
    return "ok", " ".join((*[ruling.sentence for ruling in rulings], *moves)) or "Nothing is ruled otherwise."


def rules_chosen(draft: Draft, asked: Question, choice: str) -> Answer:
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


VERBS: dict[str, Callable[[Draft, Any, Terms], Answer]] = {
    "corrects": _corrects,
    "records": _records,
    "overrides": _overrides,
}
