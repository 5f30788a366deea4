"""Seals of cards: what is written of cards before the hand is over, and what proves later which cards they were.

A seal is the SHA-256 of a salt, the hand, the place and the cards. There are 22,100 flops, so without the salt of 128
bits anybody could try them all.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where cards lie: before a seat, or on a board; `board` is 0 for the streets that all boards share."""

    hand_no: int
    seat: int | None
    street: str
    board: int


@dataclass(frozen=True, slots=True)
class Secret:
    """What opens a seal."""

    salt: str = field(repr=False)
    cards: str = field(repr=False)
    """As hand histories write them: `AsKdTc`."""


def seal_of(place: Place, secret: Secret) -> str:
    """The seal of cards at a place."""
    parts = (
        "betline cards",
        secret.salt,
        place.hand_no,
        place.seat or "board",
        place.street,
        place.board,
        secret.cards,
    )
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def opens(place: Place, secret: Secret, seal: str) -> bool:
    """Whether a seal is that of these cards at this place."""
    return hmac.compare_digest(seal_of(place, secret), seal)
