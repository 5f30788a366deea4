"""What a hand is worth in the game that is dealt, by PokerKit's rankings, and what it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from betline.cards import RANKS, Card, Cards, written
from betline.messages.cards import HandKind as Kind
from betline.settings import GameSettings

if TYPE_CHECKING:
    from pokerkit.hands import Hand as RankedHand

_LABELS: Mapping[str, Kind] = {
    "HIGH_CARD": "high-card", "ONE_PAIR": "pair", "TWO_PAIR": "two-pair", "THREE_OF_A_KIND": "three",
    "STRAIGHT": "straight", "FLUSH": "flush", "FULL_HOUSE": "full-house", "FOUR_OF_A_KIND": "four",
    "STRAIGHT_FLUSH": "straight-flush",
}  # fmt: skip
_STREETS_RANKED: Mapping[str, str] = {"triple-draw": "deuce-to-seven"}
"""What wins where the game does not say: in triple draw the lowest hand, everywhere else the highest."""
_HOLE: Mapping[str, int] = {"holdem": 2, "omaha": 4, "stud": 7, "draw": 5, "triple-draw": 5}
_ACE_LOW = RANKS[-1] + RANKS[:-1]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best hand that a seat makes of its cards and a board."""

    kind: Kind
    ranks: tuple[str, ...]
    """The ranks that its name tells: of two pair the higher and the lower, of a low all of them from the highest."""
    cards: Cards
    """The cards that make it."""
    strength: Any
    """Greater for the hand that wins, equal for hands that split; comparable within one ranking."""


Evaluate = Callable[[Cards, Cards], Ranked | None]


@dataclass(frozen=True, slots=True)
class Ranking:
    """How the hands of a game are ranked; `low` is the second ranking of a split game, None for a hand without one."""

    hole_cards: int
    high: Evaluate
    low: Evaluate | None = None
    short_deck: bool = False


def ranking_of(game: GameSettings) -> Ranking:
    """The ranking of a game."""
    from pokerkit import hands  # takes half a second, which a house without cards need not wait for

    wins = game.showdown or _STREETS_RANKED.get(game.streets, "high")
    omaha = game.streets == "omaha"
    high: type[RankedHand] = hands.OmahaHoldemHand if omaha else hands.StandardHighHand
    low: type[RankedHand] | None = None
    match wins:
        case "high-low":
            low = hands.OmahaEightOrBetterLowHand if omaha else hands.EightOrBetterLowHand
        case "short-deck":
            high = hands.ShortDeckHoldemHand
        case "deuce-to-seven":
            high = hands.StandardLowHand
        case "ace-to-five":
            high = hands.RegularLowHand
        case "badugi":
            high = hands.BadugiHand
    usual = 4 if wins == "badugi" else _HOLE[game.streets]
    return Ranking(
        hole_cards=game.hole_cards or usual,
        high=_evaluate(
            high,
            badugi=wins == "badugi",
            is_low=wins in ("deuce-to-seven", "ace-to-five"),
            ace_low=wins == "ace-to-five",
        ),
        low=None if low is None else _evaluate(low, is_low=True, ace_low=True),
        short_deck=wins == "short-deck",
    )


def _evaluate(ranking: type[RankedHand], *, is_low: bool, ace_low: bool, badugi: bool = False) -> Evaluate:
    def evaluate(hole: Cards, board: Cards) -> Ranked | None:
        made = ranking.from_game_or_none(written(hole), written(board))
        if made is None:
            return None
        cards = tuple(Card(str(card.rank), str(card.suit)) for card in made.cards)
        kind: Kind = "badugi" if badugi else _LABELS[made.entry.label.name]
        order = _ACE_LOW if ace_low or kind == "badugi" else RANKS
        if is_low and kind == "high-card":
            kind = "low"
        return _named(kind, cards, order, made)

    return evaluate


def _named(kind: Kind, cards: Cards, order: str, made: RankedHand) -> Ranked:
    """The cards with those first that the name tells."""
    ranks = [card.rank for card in cards]
    first = sorted(cards, key=lambda card: (ranks.count(card.rank), order.index(card.rank)), reverse=True)
    several = tuple(dict.fromkeys(card.rank for card in first))
    if kind in ("straight", "straight-flush"):
        top = _top_of_straight(several)
        first = sorted(first, key=lambda card: RANKS.index(card.rank) <= RANKS.index(top), reverse=True)
        kind = "royal-flush" if kind == "straight-flush" and top == "A" else kind
        return Ranked(kind, (top,), tuple(first), made)
    told = {"low": len(several), "badugi": len(several), "two-pair": 2, "full-house": 2}.get(kind, 1)
    return Ranked(kind, several[:told], tuple(first), made)


def _top_of_straight(ranks: Sequence[str]) -> str:
    """The highest rank of a straight: an ace below the others counts as the lowest."""
    places = sorted(RANKS.index(rank) for rank in ranks)
    return RANKS[places[-1] if places[-1] - places[0] == len(places) - 1 else places[-2]]
