"""The variants of the PHH format as data: how each is bet, dealt and ranked, and what a history says of its stakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pokerkit.hands import (
    BadugiHand,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
)
from pokerkit.hands import Hand as RankedHand

from betline.phh import HandHistory
from table_controller.betting import STREETS, BettingOptions, Limit, Post, PostKind, Structure
from table_controller.betting.structure import BringInEqual, PotLimitPreflop, ShortBlindPot

_FIRST_BIG_STREET = 2  # the turn, fifth street, the second draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A variant: its limit, its streets, its cards and how hands are ranked.

    `hole` and `board` are the cards that a player and the board have on each street in total. `draws`: cards are
    exchanged before every street but the first. `low`: the second ranking of a split game, which wins half a pot if
    any hand qualifies for it. A ranking is greater for the hand that wins, in lowball too.
    """

    limit: Limit
    streets: tuple[str, ...]
    hole: tuple[int, ...]
    board: tuple[int, ...]
    ranking: type[RankedHand]
    low: type[RankedHand] | None = None
    draws: bool = False

    @property
    def stud(self) -> bool:
        """Hole cards come on every street, some of them open; the dealer names who is first."""
        return self.hole[0] < self.hole[-1]


def _flop_game(limit: Limit, name: str, hole: int, ranking: type[RankedHand], low: type[RankedHand] | None) -> Game:
    return Game(
        limit=limit, streets=STREETS[name], hole=(hole,) * 4, board=(0, 3, 4, 5), ranking=ranking, low=low
    )  # fmt: skip


def _stud(ranking: type[RankedHand], low: type[RankedHand] | None = None) -> Game:
    return Game(
        limit=Limit.FIXED_LIMIT, streets=STREETS["stud"], hole=(3, 4, 5, 6, 7), board=(0,) * 5, ranking=ranking, low=low
    )  # fmt: skip


def _draw(limit: Limit, name: str, hole: int, ranking: type[RankedHand]) -> Game:
    streets = STREETS[name]
    return Game(
        limit=limit, streets=streets, hole=(hole,) * len(streets), board=(0,) * len(streets), ranking=ranking,
        draws=True,
    )  # fmt: skip


GAMES: Mapping[str, Game] = {
    "NT": _flop_game(Limit.NO_LIMIT, "holdem", 2, StandardHighHand, None),
    "NS": _flop_game(Limit.NO_LIMIT, "holdem", 2, ShortDeckHoldemHand, None),
    "PO": _flop_game(Limit.POT_LIMIT, "omaha", 4, OmahaHoldemHand, None),
    "FT": _flop_game(Limit.FIXED_LIMIT, "holdem", 2, StandardHighHand, None),
    "FO/8": _flop_game(Limit.FIXED_LIMIT, "omaha", 4, OmahaHoldemHand, OmahaEightOrBetterLowHand),
    "F7S": _stud(StandardHighHand),
    "F7S/8": _stud(StandardHighHand, EightOrBetterLowHand),
    "FR": _stud(RegularLowHand),
    "N2L1D": _draw(Limit.NO_LIMIT, "draw", 5, StandardLowHand),
    "F2L3D": _draw(Limit.FIXED_LIMIT, "triple-draw", 5, StandardLowHand),
    "FB": _draw(Limit.FIXED_LIMIT, "triple-draw", 4, BadugiHand),
}
"""The variants by their names in the format."""

OPTIONS = BettingOptions(
    max_raises=None,
    pot_limit_preflop=PotLimitPreflop.TRUE_POT,
    short_blind_pot=ShortBlindPot.ACTUAL,
    bring_in_equal=BringInEqual.MAY_RAISE,
)
"""What a history leaves open is read as the format's own engine reads it; the cap on raises is the house's affair."""


def structure_of(history: HandHistory) -> Structure:
    """The betting structure that a history names."""
    game = GAMES[history.variant]
    if game.limit is not Limit.FIXED_LIMIT:
        return Structure(limit=game.limit, min_bet=history.min_bet, streets=game.streets)
    bets = [history.small_bet if street < _FIRST_BIG_STREET else history.big_bet for street in range(len(game.streets))]
    return Structure(
        limit=game.limit, bets=tuple(bets), bring_in=history.bring_in if game.stud else 0, streets=game.streets
    )


def posts_of(history: HandHistory) -> tuple[Post, ...]:
    """The forced bets of a history, seat = player: antes, blinds, straddles above them, live posts out of position.

    The bring-in is none of them: it is an act. Stud has no blinds, whatever the file lists.
    """
    ante = PostKind.ANTE if history.ante_trimming else PostKind.DEAD
    posts = [Post(player, amount, ante) for player, amount in enumerate(history.antes, 1) if amount]
    if GAMES[history.variant].stud:
        return tuple(posts)
    live = [(player, amount) for player, amount in enumerate(history.blinds, 1) if amount]
    highest = 0
    for number, (player, amount) in enumerate(sorted(live, key=lambda post: abs(post[1]))):
        if amount < 0:
            posts.append(Post(player, -amount, PostKind.LIVE))
        else:
            straddles = number > 1 and amount > highest
            posts.append(Post(player, amount, PostKind.STRADDLE if straddles else PostKind.BLIND))
            highest = max(highest, amount)
    return tuple(posts)
