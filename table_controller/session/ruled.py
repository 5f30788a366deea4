"""The rulings of a step as they are published and the journal keeps them."""

from __future__ import annotations

from dataclasses import replace

from betline.messages.table import RuledBefore
from betline.messages.table import Ruling as RulingMessage
from table_controller.journal.entries import Source
from table_controller.rulings.redo.otherwise import RuledOtherwise
from table_controller.rulings.table import Outcome
from table_controller.rulings.values.ruling import Ruling
from table_controller.session.book import Book


def ruling_messages(book: Book, outcome: Outcome, source: Source) -> list[RulingMessage]:
    """How a step from these books was ruled and what it settled, then the other acts that are ruled otherwise now."""
    about = next((one for one in outcome.otherwise if not one.place and outcome.ruling is not None), None)
    ruled = [] if outcome.ruling is None else [(outcome.ruling, about)]
    ruled += [(settled.ruling, None) for settled in outcome.settled if settled.ruling is not None]
    ruled += [(replace(one.now, sentence=one.sentence), one) for one in outcome.otherwise if one is not about]
    return [_message(book, ruling, source, number, was) for number, (ruling, was) in enumerate(ruled, start=1)]


def _message(
    book: Book, ruling: Ruling, source: Source, number: int, instead: RuledOtherwise | None
) -> RulingMessage:  # fmt: skip
    return RulingMessage(
        hand_no=book.hand_no,
        act_no=book.act_no + number,
        street=book.street if instead is None else instead.street,
        seat=ruling.seat,
        ruling=str(ruling.ruling),
        to=ruling.to,
        adds=ruling.adds,
        returned=ruling.returned,
        owes=ruling.owes,
        all_in=ruling.all_in,
        cites=ruling.cites,
        alerts=ruling.alerts,
        offers=ruling.offers,
        source=source,
        sentence=ruling.sentence,
        instead_of=None if instead is None else _ruled_before(instead.was),
    )


def _ruled_before(was: Ruling) -> RuledBefore:
    return RuledBefore(
        ruling=str(was.ruling), to=was.to, all_in=was.all_in, offers=was.offers, sentence=was.sentence
    )  # fmt: skip
