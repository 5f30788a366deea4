"""Playing cards: a rank and a suit, as they are keyed, written and read aloud."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
"""From the lowest to the highest, as an odd chip goes (R-264)."""
SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RANK_NAMES: Final = dict(
    zip(
        RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SHORT_DECK_LOWEST: Final = "6"
_BETWEEN: Final = " ,;/-"


class CardError(ValueError):
    """No card; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the deck: `Card("A", "s")` is the ace of spades."""

    rank: str
    suit: str

    def __str__(self) -> str:
        """As hand histories write it: `As`."""
        return self.rank + self.suit

    @property
    def symbol(self) -> str:
        """As people read it, the suit by its shape: `A♠`."""
        return f"{'10' if self.rank == 'T' else self.rank}{SYMBOLS[self.suit]}"

    @property
    def name(self) -> str:
        """The ace of spades."""
        return f"the {RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}"

    @property
    def height(self) -> tuple[int, int]:
        """Rank, then suit: clubs are lowest (R-264)."""
        return RANKS.index(self.rank), SUITS.index(self.suit)


Cards = tuple[Card, ...]
DECK: Final[Cards] = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)


def deck(*, short: bool = False) -> frozenset[Card]:
    """All 52 cards, or the 36 from the six up."""
    lowest = RANKS.index(SHORT_DECK_LOWEST) if short else 0
    return frozenset(card for card in DECK if RANKS.index(card.rank) >= lowest)


@dataclass(frozen=True, slots=True)
class Keyed:
    """Cards as far as they have been keyed; `begun` is a rank without a suit yet, `problem` a key that is none."""

    cards: Cards = ()
    begun: str = ""
    problem: str = ""


def keyed(text: str) -> Keyed:
    """What has been keyed, two keys a card in either case: `asKD10c`; spaces and commas between cards are ignored."""
    found: list[Card] = []
    begun = ""
    for key in text:
        if key in _BETWEEN and not begun:
            continue
        if not begun:
            if key.upper() not in RANKS + "1":
                return Keyed(tuple(found), "", f"{key} is no rank: type 2 to 9, T, J, Q, K or A, then the suit.")
            begun = key.upper()
        elif begun == "1":
            if key != "0":
                return Keyed(tuple(found), begun, "Type T or 10 for a ten.")
            begun = "T"
        elif key.lower() in SUITS:
            found.append(Card(begun, key.lower()))
            begun = ""
        else:
            return Keyed(tuple(found), begun, f"{key} is no suit: type S, H, D or C.")
    return Keyed(tuple(found), begun)


def parse_cards(text: str) -> Cards:
    """The cards of a text such as `As Kd 10c`; raises CardError for anything else, and for a card that is there twice.

    An empty text is no card.
    """
    read = keyed(text)
    if read.problem:
        raise CardError(read.problem)
    if read.begun:
        raise CardError(f"{read.begun} has no suit yet: type S, H, D or C.")
    twice = next((card for place, card in enumerate(read.cards) if card in read.cards[:place]), None)
    if twice is not None:
        raise CardError(f"{sentence_of(twice)} is there twice: a deck has one of each card.")
    return read.cards


def sentence_of(card: Card) -> str:
    """A card at the beginning of a sentence: `The ace of spades`."""
    return f"The {RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}"


def written(cards: Iterable[Card]) -> str:
    """As hand histories write cards: `AsKdTc`."""
    return "".join(map(str, cards))


def shown(cards: Iterable[Card]) -> str:
    """As people read cards: `A♠ K♦ 10♣`."""
    return " ".join(card.symbol for card in cards)
