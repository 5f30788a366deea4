"""The table as it was after each step of the last hands, replayed from the checkpoint before them."""

from __future__ import annotations

from collections.abc import Mapping

from betline.messages.recall import SeatThen, TableThen
from table_controller.journal.entries import Recorded, Stepped
from table_controller.journal.errors import JournalError
from table_controller.session.book import Book
from table_controller.session.fold import History, base_before
from table_controller.session.people import name_of
from table_controller.session.replay import Replay
from table_controller.session.seats import status
from table_controller.session.situation import game_name, phase, positions


def tables_then(history: History, first: int, names: Mapping[str, str]) -> dict[int, TableThen]:
    """The table after each step from entry ``first`` on, by the number of the step's entry.

    What was ruled then stands, whatever the rules are today. Where the journal cannot be replayed the steps from there
    on are missing.
    """
    base = base_before(history, first)
    replay = Replay(base.book)
    found: dict[int, TableThen] = {}
    try:
        for recorded in history.entries(base.seq):
            replay.take(recorded)
            if _is_step(recorded, first) and replay.stands is None and replay.book.table is not None:
                found[recorded.seq] = table_then(replay.book, names)
    except JournalError:
        return found
    return found


def _is_step(recorded: Recorded, first: int) -> bool:
    return recorded.seq >= first and isinstance(recorded.entry, Stepped)


def table_then(book: Book, names: Mapping[str, str]) -> TableThen:
    """What the books say of the table."""
    state = None if book.table is None else book.table.state
    hand = None if state is None else state.hand
    placed, now = positions(book), phase(book)
    acting = state.next_seat if state is not None and now in ("posting", "betting") else None
    seats = () if state is None else tuple(sorted(state.players))
    return TableThen(
        phase=now,
        game=game_name(book),
        street=book.street,
        button=placed.button if placed else None,
        small_blind=placed.small_blind if placed else None,
        big_blind=placed.big_blind if placed else None,
        seats=tuple(
            SeatThen(
                seat=seat,
                name=name_of(book.seated.get(seat), names),
                stack=state.stacks.get(seat, 0) if state is not None else 0,
                bet=hand.bet(seat) if hand is not None and seat in hand.seats else 0,
                status=status(seat, state, hand),
            )
            for seat in seats
        ),
        to_act=acting,
        pot=hand.pot if hand is not None else 0,
    )
