"""Checkpoints: the books at one moment, written and read whole, so that a start need not fold the whole journal.

What is written is `Book` as its fields have it, without the commands that were obeyed (they stand in the entries before
it), and with so much of what undo goes back to: one step and the state before the last award at a hand's end, more
where a start had to decide something (`WHOLE_HAND`).
"""

from __future__ import annotations

from dataclasses import replace

from table_controller.journal import codec
from table_controller.journal.entries import Checkpoint, Recorded
from table_controller.journal.errors import JournalError
from table_controller.rulings.table import Table
from table_controller.session.book import Book
from table_controller.session.money import money_of

FORM = 1
"""The version of a checkpoint's content; it rises when a field changes its meaning."""
ONE_STEP = 1
WHOLE_HAND = 60
"""Steps that can be taken back; few hands have more."""


def checkpoint_of(book: Book, steps: int = ONE_STEP) -> Checkpoint:
    """The books as a checkpoint, with so many steps that can be taken back."""
    content = codec.write_shared(Book, _kept(book, steps))
    return Checkpoint.of(book.hand_no, FORM, money_of(book.table), content)


def book_of(checkpoint: Checkpoint) -> Book:
    """The books of a checkpoint.

    Raises JournalError: ``other-checkpoint`` for a form that this program does not know, ``damaged-checkpoint`` for
    content that is not what was written.
    """
    where = f"the checkpoint at the end of hand {checkpoint.hand_no}"
    if checkpoint.form != FORM:
        raise JournalError("other-checkpoint", f"{where} has form {checkpoint.form}, this program reads {FORM}.")
    if not checkpoint.holds:
        raise JournalError("damaged-checkpoint", f"{where} does not have the content that its digest was made of.")
    try:
        book: Book = codec.read_shared(Book, checkpoint.content)
    except codec.CodecError as error:
        raise JournalError("damaged-checkpoint", f"{where} cannot be read ({error}).") from None
    return book


def checkpoint_in(recorded: Recorded) -> Checkpoint:
    """The checkpoint that an entry is; raises JournalError (``damaged``)."""
    entry = recorded.entry
    if not isinstance(entry, Checkpoint):
        raise JournalError("damaged", f"Entry {recorded.seq} is no checkpoint.")
    return entry


def _kept(book: Book, steps: int) -> Book:
    """The books without the commands, and with so many steps before them."""
    rules = book.rules_question
    return replace(
        book,
        done={},
        table=_table(book.table, steps),
        before=None if book.before is None or not steps else _earlier(book.before, steps - 1),
        award=None if book.award is None else _earlier(book.award, 0),
        rules_question=None if rules is None else replace(rules, today=_earlier(rules.today, steps)),
    )


def _earlier(book: Book, steps: int) -> Book:
    """Books to go back to, without what no undo concerns."""
    return replace(
        book,
        done={},
        felt={},
        announced=None,
        taken_back=(),
        table=_table(book.table, steps),
        before=None if book.before is None or not steps else _earlier(book.before, steps - 1),
        award=None,
        rules_question=None,
    )


def _table(table: Table | None, steps: int) -> Table | None:
    if table is None:
        return None
    return replace(
        table,
        before=_table(table.before, steps - 1) if steps else None,
        replaced=_table(table.replaced, steps - 1) if steps else None,
    )
