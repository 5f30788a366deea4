"""U and its opposite: the last key is taken back whole, by name, and what was taken back is put back (R-049)."""

from __future__ import annotations

from betline.steps import Undo
from table_controller.journal.entries import CardsOut
from table_controller.rulings.values.ruling import Refusal
from table_controller.session import held
from table_controller.session.book import NO_STEPS
from table_controller.session.draft import NO_TABLE, NOTHING_LEFT, Draft
from table_controller.session.history import steps_of_last_key
from table_controller.session.named import named

NOTHING_BACK = Refusal("nothing-taken-back", "Key it anew: an act has come since, or nothing was taken back.")


def undo_key(draft: Draft) -> tuple[str, str]:
    """Takes back all that the last key did; the answer names it."""
    book = draft.book
    if book.cards_said:
        draft.note(CardsOut(by="dealer", out=False))
        return "ok", "Took back: the cards are out. Straddles and blinds are open again."
    if book.no_step:
        before = "" if book.before is None else f" 1 U takes back: {named(book, 1)}."
        return "not-undone", f"Key it anew: the last key {NO_STEPS[book.no_step]}, which U does not take back.{before}"
    if book.before is None:
        return NOTHING_LEFT.code, NOTHING_LEFT.sentence
    count = steps_of_last_key(book)
    refusal = draft.apply(Undo(count=count), "keyed")
    return ("ok", f"Took back: {named(book, count)}.") if refusal is None else (refusal.code, refusal.sentence)


def redo(draft: Draft) -> tuple[str, str]:
    """Does again, in order, what was taken back last; nothing is done where one of it would be refused now."""
    if draft.table is None:
        return NO_TABLE.code, NO_TABLE.sentence
    if not draft.book.taken_back:
        return NOTHING_BACK.code, NOTHING_BACK.sentence
    again, table = draft.book.taken_back[-1], draft.table
    waits = held.refused(draft.book, (one.step for one in again))
    if waits is not None:
        return waits.code, waits.sentence
    for one in again:
        outcome = table.apply(one.step)
        if outcome.error is not None:
            return outcome.error.code, f"It cannot be put back: {outcome.error.sentence}"
        table = outcome.table
    for one in again:
        draft.apply(one.step, one.source, one.felt_act)
    return "ok", f"Put back: {named(draft.book, len(again))}."
