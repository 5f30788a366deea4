"""What every format asks of a hand that is told: its antes, who showed or mucked, and the cards of a street."""

from __future__ import annotations

from table_controller.accounts.histories.told import Dealt, Told
from table_controller.betting.structure import AnteBy

UNKNOWN = "??"
Written = tuple[str, tuple[str, ...]]
"""The text of a file, and a sentence for each hand that it does not hold."""


class NotExpressible(Exception):
    """A format cannot tell this hand; the text says why."""


NO_CHOP = "no word for blinds that are chopped"


def on_the_board(told: Told, dealt: Dealt) -> str:
    """The cards of a street of a board, empty where nobody knows them."""
    return told.cards.get((None, dealt.street, 0)) or told.cards.get((None, dealt.street, dealt.board), "")


def shown_at_showdown(told: Told) -> tuple[int, ...]:
    """The seats that showed their hands or mucked at the showdown, whoever bet last first (TDA 17)."""
    seats = told.hand.seats
    first = seats.index(told.hand.aggressor) if told.hand.aggressor in seats else 0
    order = (*seats[first:], *seats[:first])
    return tuple(seat for seat in order if (seat, "", 0) in told.cards or seat in told.mucked)


def antes_of(told: Told) -> dict[int, int]:
    """What each seat owes as an ante of the game, whatever its stack."""
    structure, hand, placed = told.start.structure, told.hand, told.start.placed
    if told.start.bomb_pot is not None:
        return dict.fromkeys(hand.seats, told.start.bomb_pot)
    if not structure.ante:
        return {}
    if structure.ante_by is AnteBy.EACH:
        return dict.fromkeys(hand.seats, structure.ante)
    payer = hand.button if structure.ante_by is AnteBy.BUTTON else placed.big_blind if placed else None
    return {} if payer is None else {payer: structure.ante}
