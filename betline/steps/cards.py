"""Cards that lie face up: as a step under a seal, and as what a person keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from betline.fields import FieldError
from betline.steps.kinds import BoardStreet, CardText, CaseKey, Seat, line, up_to
from betline.steps.play import MAX_RUNS

MAX_HOLE_CARDS, MAX_SEAL = 7, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class LayCards:
    """Cards lie there face up: the board's of one street, or the hand that a seat has shown.

    Which cards they are stands under the seal, not here, until the hand is over. The same place once more is a
    correction; a seat with no card has put its hand into the muck unseen.
    """

    CASE: ClassVar = CaseKey("lays_cards")
    seat: Seat | None = None
    """None: the board."""
    street: BoardStreet | None = None
    """Of the board."""
    board: Annotated[int, up_to(MAX_RUNS)] = 0
    """Of several boards the number, from 1; 0 for the streets that they share."""
    count: Annotated[int, up_to(MAX_HOLE_CARDS)]
    seal: Annotated[str, line(MAX_SEAL, blank=True)] = ""

    def check(self, _given: frozenset[str]) -> None:
        """Raises FieldError unless it is either a street of the board or a seat."""
        if (self.seat is None) == (self.street is None):
            raise FieldError(("street",), "name the street of the board, or a seat.")
        if self.seat is not None and self.board:
            raise FieldError(("board",), "belongs to a street of the board.")
        if bool(self.count) != bool(self.seal):
            raise FieldError(("seal",), "belongs to cards, and cards need one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCards:
    """The cards that lie on the board, keyed: of the street that waits for them, which is dealt by that if need be."""

    cards: CardText
    street: BoardStreet | None = None
    """None: the first street without its cards; a street that has them is corrected."""
    board: Annotated[int, up_to(MAX_RUNS)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCards:
    """The hand that a seat shows; no cards: it goes into the muck unseen."""

    seat: Seat
    cards: CardText = ""
