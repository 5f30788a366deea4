"""What dealer and floor put right in a hand: corrections, the record, and the floor's override; a function a verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from betline import steps
from betline.messages.table import Ruling
from table_controller.rulings.redo.otherwise import moves_in_words
from table_controller.session import commands
from table_controller.session.book import Source
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


VERBS: dict[str, Callable[[Draft, Any, Terms], Answer]] = {
    "corrects": _corrects,
    "records": _records,
    "overrides": _overrides,
}
