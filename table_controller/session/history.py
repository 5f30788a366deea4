"""What a seat did earlier in this hand, and how many steps ago, from the books before the present ones."""

from __future__ import annotations

from betline.steps import Act
from table_controller.session.book import Book


def last_chips(book: Book, seat: int) -> tuple[Book, Book] | None:
    """The seat's last act in chips of this round: the books before and after it.

    None where it has made none, and where the hand was replayed since: what it was ruled is another act's business.
    """
    later = book
    while later.before is not None and later.table is not None and later.street == book.street:
        if later.table.replaced is not None:
            return None
        step = later.table.step
        if getattr(step, "seat", None) == seat:
            return (later.before, later) if getattr(step, "motions", ()) else None
        later = later.before
    return None


def moved_last(book: Book) -> int | None:
    """The seat whose act in chips, without words, was the table's last step, if nothing of what it owes was paid since.

    Chips that it adds now may be a second motion of that act, which can be taken back and ruled as a whole.
    """
    step = None if book.table is None else book.table.step
    if book.table is None or not isinstance(step, Act) or step.says is not None:
        return None
    earlier, ruled = last_chips(book, step.seat), book.table.ruling
    if earlier is None or earlier[1].table is not book.table:
        return None
    paid = ruled is not None and ruled.owes != book.owes.get(step.seat, 0)
    return None if paid else step.seat


def steps_of_last_key(book: Book) -> int:
    """How many steps the last key made, or what was inferred whole; else 1, for what the felt did last."""
    command = "" if book.last is None else book.last.command
    count = 0
    while command and book.before is not None and book.last is not None and book.last.command == command:
        count, book = count + 1, book.before
    return max(count, 1)


def steps_since_fold(book: Book, seat: int) -> int:
    """How many steps must be taken back to take back the seat's fold, if that was inferred; else 0."""
    ruled = next((one for one in reversed(book.rulings) if one.seat == seat), None)
    if ruled is None or (ruled.hand_no, ruled.ruling, ruled.source) != (book.hand_no, "fold", "inferred"):
        return 0
    count = 1
    while book.before is not None and book.table is not None and getattr(book.table.step, "seat", None) != seat:
        count, book = count + 1, book.before
    return count if book.before is not None else 0
