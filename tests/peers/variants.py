"""The games that are played against PokerKit: each of its game classes, and games put together from its parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache

import pokerkit
from pokerkit import Card, Hand
from pokerkit.games import (
    FixedLimitPokerMixin,
    NoLimitPokerMixin,
    OmahaHoldemMixin,
    Poker,
    PotLimitPokerMixin,
    TexasHoldemMixin,
    UnfixedLimitHoldem,
)
from pokerkit.hands import GreekHoldemHand
from pokerkit.state import BettingStructure

from table_controller.betting import STREETS, Limit


class PotLimitTexasHoldem(PotLimitPokerMixin, TexasHoldemMixin, UnfixedLimitHoldem):
    """PokerKit plays it, and has no class for it."""


class PotLimitFiveCardOmaha(pokerkit.PotLimitOmahaHoldem):
    hole_dealing_count = 5


class PotLimitCourchevel(PotLimitFiveCardOmaha):
    """The first card of the flop lies open from the start."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        preflop, flop, *later = self.streets
        self.streets = (replace(preflop, board_dealing_count=1), replace(flop, board_dealing_count=2), *later)


class NoLimitGreekHoldem(NoLimitPokerMixin, OmahaHoldemMixin, UnfixedLimitHoldem):
    deck = pokerkit.Deck.STANDARD
    hand_types = (GreekHoldemHand,)
    hole_dealing_count = 2


class FixedLimitOmahaEight(FixedLimitPokerMixin, pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter):
    """PokerKit's class of that name is pot-limit: it inherits the wrong one of its mixins."""

    max_completion_betting_or_raising_count = 4


@cache
def remembering(ranking: type[Hand]) -> type[Hand]:
    """The same ranking, worked out once for the same cards: PokerKit asks for every hand many times."""

    @lru_cache(maxsize=64)
    def rank(hole: tuple[Card, ...], board: tuple[Card, ...]) -> Hand | None:
        try:
            return ranking.from_game.__func__(kept, hole, board)  # type: ignore[attr-defined, no-any-return]
        except (KeyError, ValueError):
            return None

    def from_game(cls: type[Hand], hole: Iterable[Card], board: Iterable[Card] = ()) -> Hand:
        hand = rank(tuple(hole), tuple(board))
        if hand is None:
            raise ValueError("No hand can be made of these cards.")
        return hand

    kept: type[Hand] = type(ranking.__name__, (ranking,), {"from_game": classmethod(from_game)})
    return kept


class Forced(StrEnum):
    """Which forced bets a game has, besides antes."""

    BLINDS = "blinds"
    BRING_IN = "bring-in"
    NONE = "none"


@dataclass(frozen=True)
class Variant:
    """A game of PokerKit and what it is to the engine.

    `tiers` says of each street whether the bet is the small (0) or the big one (1); `sizes` how many of them the game
    class takes; `most_wagers` is what a bet and its raises may come to, as PokerKit counts them.
    """

    name: str
    game: type[Poker]
    streets: tuple[str, ...]
    tiers: tuple[int, ...]
    most_players: int
    forced: Forced = Forced.BLINDS
    deepest: int = 200
    """Stacks at most, in big bets."""

    @property
    def limit(self) -> Limit:
        return {
            BettingStructure.NO_LIMIT: Limit.NO_LIMIT,
            BettingStructure.POT_LIMIT: Limit.POT_LIMIT,
            BettingStructure.FIXED_LIMIT: Limit.FIXED_LIMIT,
        }[self.game.betting_structure]

    @property
    def most_wagers(self) -> int | None:
        return self.game.max_completion_betting_or_raising_count  # type: ignore[attr-defined, no-any-return]

    @property
    def sizes(self) -> int:
        """How many bet sizes the game class takes."""
        named_fixed = issubclass(self.game, pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter)
        return max(self.tiers) + 1 if named_fixed or self.limit is Limit.FIXED_LIMIT else 1


def _variants() -> tuple[Variant, ...]:
    holdem, stud, draw, triple = (STREETS[game] for game in ("holdem", "stud", "draw", "triple-draw"))
    flop_tiers, stud_tiers, drawn = (0, 0, 1, 1), (0, 0, 1, 1, 1), (0, 0)
    omaha_eight = pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter
    bring_in, antes = Forced.BRING_IN, Forced.NONE
    return (
        Variant("fixed-limit-holdem", pokerkit.FixedLimitTexasHoldem, holdem, flop_tiers, 9),
        Variant("no-limit-holdem", pokerkit.NoLimitTexasHoldem, holdem, flop_tiers, 9),
        Variant("pot-limit-holdem", PotLimitTexasHoldem, holdem, flop_tiers, 9),
        Variant("royal-holdem", pokerkit.NoLimitRoyalHoldem, holdem, flop_tiers, 6),
        Variant("short-deck-holdem", pokerkit.NoLimitShortDeckHoldem, holdem, flop_tiers, 9),
        Variant("greek-holdem", NoLimitGreekHoldem, holdem, flop_tiers, 9),
        Variant("pot-limit-omaha", pokerkit.PotLimitOmahaHoldem, holdem, flop_tiers, 9),
        Variant("five-card-omaha", PotLimitFiveCardOmaha, holdem, flop_tiers, 6),
        Variant("courchevel", PotLimitCourchevel, holdem, flop_tiers, 6),
        Variant("omaha-8", FixedLimitOmahaEight, holdem, flop_tiers, 9),
        Variant("pot-limit-omaha-8", omaha_eight, holdem, flop_tiers, 9),
        Variant("stud", pokerkit.FixedLimitSevenCardStud, stud, stud_tiers, 8, bring_in),
        Variant("stud-8", pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter, stud, stud_tiers, 8, bring_in),
        Variant("razz", pokerkit.FixedLimitRazz, stud, stud_tiers, 8, bring_in),
        Variant("single-draw-2-7", pokerkit.NoLimitDeuceToSevenLowballSingleDraw, draw, drawn, 6),
        Variant("triple-draw-2-7", pokerkit.FixedLimitDeuceToSevenLowballTripleDraw, triple, flop_tiers, 6),
        Variant("badugi", pokerkit.FixedLimitBadugi, triple, flop_tiers, 6),
        # One bet is all that Kuhn poker allows, and no house caps at none: an ante and a bet are the whole stack here.
        Variant("kuhn", pokerkit.KuhnPoker, ("deal",), (0,), 2, antes, deepest=1),
        Variant("leduc", pokerkit.LeducHoldem, ("preflop", "flop"), (0, 1), 2, antes),
        Variant("rhode-island", pokerkit.RhodeIslandHoldem, ("preflop", "flop", "turn"), (0, 1, 1), 6, antes),
        Variant(
            "royal-rhode-island", pokerkit.RoyalRhodeIslandHoldem, ("preflop", "flop", "turn"), (0, 1, 1), 6, antes
        ),
        Variant("numeral-211", pokerkit.Numeral211Holdem, ("preflop", "flop", "turn"), (0, 1, 1), 6, antes),
    )


VARIANTS = {variant.name: variant for variant in _variants()}
