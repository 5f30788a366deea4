"""Cards on the bus: on a private topic while the hand is played, in the state once it is over."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from betline.messages.common import Body, SeatNumber


class CardsAt(Body):
    """Cards that lie face up at one place."""

    seat: SeatNumber | None = Field(description="null for the board")
    street: str = Field(description="of the board; empty for a seat")
    board: int = Field(default=0, ge=0, description="of several boards the number; 0 for the streets that they share")
    cards: str = Field(description="as hand histories write them, AsKdTc; empty: mucked unseen; ??: not known any more")


HandKind = Literal[
    "high-card", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush",
    "royal-flush", "low", "badugi",
]  # fmt: skip


class HandMade(Body):
    """What a seat has won with, once the hand is over."""

    seat: SeatNumber
    kind: HandKind
    ranks: tuple[str, ...] = Field(description="the ranks that its name tells, highest first: of two pair both")


class CardsView(Body):
    """What the dealer's console alone may show while the hand is played (retained, private)."""

    hand_no: int
    places: tuple[CardsAt, ...] = ()
    next_street: str = Field(default="", description="the street that waits for its cards; empty where none does")
    next_board: int = Field(default=0, ge=0)
    next_count: int = Field(default=0, ge=0)
    may_show: tuple[SeatNumber, ...] = Field(default=(), description="seats that may show their hand now")
    hole_cards: int = Field(default=0, ge=0, description="cards of a hand in this game")
    short_deck: bool = False
    proposal: tuple[str, ...] = Field(default=(), description="the award that the cards make, pot by pot")
    question: str = Field(default="", description="the id of the question that takes this award")
    missing: str = Field(default="", description="what the cards lack for an award")
