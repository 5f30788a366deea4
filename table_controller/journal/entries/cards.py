"""Which cards lay under the seals of a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from table_controller.journal.entries.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedCards:
    """The cards under one seal, and the salt that proves it (`table_controller.cards.seals`)."""

    seat: int | None
    street: str
    board: int
    seal: str
    salt: str
    cards: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsOpened(Entry):
    """The hand is over: which cards lay face up."""

    kind: ClassVar[str] = "cards-opened"
    hand_no: int
    cards: tuple[OpenedCards, ...]
