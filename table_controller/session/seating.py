"""Where people can sit, and a table that begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from betline.steps import TableSetup
from table_controller.betting import Illegal
from table_controller.journal.entries import SetUp
from table_controller.rulings.table import Table
from table_controller.rulings.values.ruling import Refusal
from table_controller.session.checkpoint import ONE_STEP
from table_controller.session.draft import Draft
from table_controller.session.money import money_of
from table_controller.session.terms import Terms


def no_such_seat(terms: Terms, seats: Iterable[int]) -> Refusal | None:
    """The refusal of a seat that the felt does not have."""
    for seat in seats:
        if seat not in terms.seats:
            places = ", ".join(map(str, terms.seats))
            return Refusal("bad-arguments", f"This table has no seat {seat}; it has {places}.")
    return None


def set_up(draft: Draft, setup: TableSetup, persons: Mapping[int, str], *, from_file: bool) -> Refusal | None:
    """The table begins as a setup says; `from_file`: from the table's own settings."""
    try:
        table = Table.begin(setup)
    except Illegal as refusal:
        return Refusal(refusal.code, refusal.sentence)
    old = draft.book
    if old.table is not None:
        draft.checkpoint_is_due(ONE_STEP)
    draft.note(SetUp(setup=setup, persons=persons, from_file=from_file, money=money_of(table)))
    draft.tell_of_the_hand(old)
    return None
