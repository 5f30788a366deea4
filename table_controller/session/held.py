"""What the books say of a hold: what it refuses, and how it is told to people. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from betline.messages.table import HoldState
from betline.steps import NextHand, Step
from table_controller.rulings.values.ruling import Refusal
from table_controller.session.book import Book

HELD: Final = "held"
"""The code of what is refused."""
_WHY: Final = {
    "hand-for-hand": "hand for hand, all tables deal together",
    "short": "the table is too short of players, until the tables are balanced",
}
_LET_GO: Final = "The floor can let the table go."


def refused(book: Book, steps: Iterable[Step]) -> Refusal | None:
    """Why none of these steps is done now: one begins a hand, and the table waits."""
    state = hold_state(book)
    if state is None or not state.waits or not any(isinstance(step, NextHand) for step in steps):
        return None
    return Refusal(HELD, f"{state.sentence} {_LET_GO}")


def hold_state(book: Book) -> HoldState | None:
    """The hold as the state has it."""
    held = book.hold
    if held is None:
        return None
    between = book.table is None or book.table.state.between_hands
    waits = held.waits(book.hand_no, between_hands=between)
    when = "Wait" if waits else f"Wait after hand {max(held.after_hand, book.hand_no)}"
    return HoldState(
        why=held.why, after_hand=held.after_hand, waits=waits, until_ms=held.until_ms,
        sentence=f"{when}: {_WHY[held.why]}.",
    )  # fmt: skip
