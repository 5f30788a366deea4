"""Where people can sit, and a table that begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from betline.steps import TableSetup
from table_controller.betting import Illegal
from table_controller.rulings.table import Table
from table_controller.rulings.values.ruling import Refusal
from table_controller.session.draft import Draft
from table_controller.session.terms import Terms
from table_controller.session.written import setup_to_data


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
        Table.begin(setup)
    except Illegal as refusal:
        return Refusal(refusal.code, refusal.sentence)
    old = draft.book
    written = {str(seat): person for seat, person in persons.items()}
    draft.note("setup", {"setup": setup_to_data(setup), "persons": written, "from_file": from_file})
    draft.tell_of_the_hand(old)
    return None
