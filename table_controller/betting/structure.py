"""What game is played: the betting structure, and the house options that the betting depends on.

Names and values are those of docs/case-format.md (`game`) and docs/rulebook.md. Amounts are in the smallest unit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Limit(StrEnum):
    """How large a bet may be."""

    NO_LIMIT = "no-limit"
    POT_LIMIT = "pot-limit"
    FIXED_LIMIT = "fixed-limit"
    SPREAD_LIMIT = "spread-limit"

    @property
    def is_big_bet(self) -> bool:
        """No-limit and pot-limit: the full-bet rule always, no completion, no cap on raises (R-085, R-100, R-105)."""
        return self in (Limit.NO_LIMIT, Limit.POT_LIMIT)


class AnteBy(StrEnum):
    """Who pays the ante: everybody, or one seat once for the whole table (R-180)."""

    EACH = "each"
    BIG_BLIND = "big-blind"
    BUTTON = "button"


STREETS: dict[str, tuple[str, ...]] = {
    "holdem": ("preflop", "flop", "turn", "river"),
    "omaha": ("preflop", "flop", "turn", "river"),
    "stud": ("third", "fourth", "fifth", "sixth", "seventh"),
    "draw": ("predraw", "postdraw"),
    "triple-draw": ("predraw", "first", "second", "third"),
}


class ShortOpenAllIn(StrEnum):
    """What a raise over an opening all-in below the minimum must make it (R-084)."""

    ADD_MINIMUM = "add-minimum"
    TO_MINIMUM = "to-minimum"


class ShortAllIn(StrEnum):
    """How much of a bet an all-in must be to count as a full one, in fixed and spread limit (R-104)."""

    FULL = "full"
    HALF = "half"


class HeadsUpCap(StrEnum):
    """Whether the cap on raises holds between two players (R-121)."""

    ALWAYS = "always"
    OFF_IF_ROUND_STARTED_HEADS_UP = "off-if-round-started-heads-up"
    OFF_IF_HEADS_UP_BEFORE_CAP = "off-if-heads-up-before-cap"


class StraddleMinRaise(StrEnum):
    """The least raise over a straddle: by what the straddle raised, or by the whole straddle (R-196)."""

    INCREMENT = "increment"
    DOUBLE = "double"


class PotLimitPreflop(StrEnum):
    """Whether smaller blinds count as the big blind in the pot before the flop (R-155)."""

    TRUE_POT = "true-pot"
    ASSUMED_CALL = "assumed-call"


class PotLimitSmallBlind(StrEnum):
    """What the small blind may make it when all have folded to it: 3 x BB, or 3 x BB + SB (R-156)."""

    AS_CALL = "as-call"
    AS_POT = "as-pot"


class SmallBlind(StrEnum):
    """Whether the small blind is a live bet or dead money (R-156)."""

    LIVE = "live"
    DEAD = "dead"


class ShortBlindPot(StrEnum):
    """Whether a missing or short blind counts in full in the pot before the flop (R-157)."""

    FULL = "full"
    ACTUAL = "actual"


class PotBelowMinimum(StrEnum):
    """Whether the minimum bet is allowed where the pot is smaller (R-151)."""

    MINIMUM_BET = "minimum-bet"
    NO_BET = "no-bet"


class PotLimitAnte(StrEnum):
    """Whether the one ante of the table is in the pot that a bet before the flop is measured by (R-150, R-180)."""

    COUNTED = "counted"
    NOT_COUNTED = "not-counted"


class BigBlindAnteOrder(StrEnum):
    """What a short stack that owes both pays first; individual antes always come first (R-180, R-203)."""

    BLIND_FIRST = "blind-first"
    ANTE_FIRST = "ante-first"


class ThreeBlindFirst(StrEnum):
    """Where the first of three blinds is posted (R-181)."""

    ON_BUTTON = "on-button"
    LEFT_OF_BUTTON = "left-of-button"


class BringInEqual(StrEnum):
    """Whether a bring-in that equals the bet leaves its poster an option like a live blind (R-202)."""

    MAY_RAISE = "may-raise"
    LIVE_OPTION = "live-option"


class OddChip(StrEnum):
    """Who takes an odd unit: the first winner left of the button, or the first that the dealer names (R-264)."""

    LEFT_OF_BUTTON = "left-of-button"
    HIGH_CARD_SUIT = "high-card-suit"


class SubstantialAction(StrEnum):
    """Two acts of which one put chips in or any three; in `wsop-live` any two (R-224)."""

    TDA = "tda"
    WSOP_LIVE = "wsop-live"


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingOptions:
    """The house options that betting depends on; the defaults are those of the `cash` profile."""

    short_open_all_in: ShortOpenAllIn = ShortOpenAllIn.ADD_MINIMUM
    short_all_in: ShortAllIn = ShortAllIn.HALF
    max_raises: int | None = 3
    heads_up_cap: HeadsUpCap = HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP
    straddle_counts_as_raise: bool = False
    straddle_min_raise: StraddleMinRaise = StraddleMinRaise.INCREMENT
    pot_limit_preflop: PotLimitPreflop = PotLimitPreflop.ASSUMED_CALL
    pot_limit_small_blind: PotLimitSmallBlind = PotLimitSmallBlind.AS_CALL
    small_blind: SmallBlind = SmallBlind.LIVE
    short_blind_pot: ShortBlindPot = ShortBlindPot.FULL
    pot_below_minimum: PotBelowMinimum = PotBelowMinimum.MINIMUM_BET
    pot_round_to: int | None = None
    pot_limit_ante: PotLimitAnte = PotLimitAnte.COUNTED
    big_blind_ante_order: BigBlindAnteOrder = BigBlindAnteOrder.BLIND_FIRST
    three_blind_first: ThreeBlindFirst = ThreeBlindFirst.LEFT_OF_BUTTON
    bring_in_equal: BringInEqual = BringInEqual.LIVE_OPTION
    odd_chip: OddChip = OddChip.LEFT_OF_BUTTON
    substantial_action: SubstantialAction = SubstantialAction.WSOP_LIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """The game of one hand (docs/case-format.md, `game`).

    `min_bet` None is the big blind, in fixed-limit the small bet. `bets` has one size a street (fixed-limit), `spread`
    one (least, most) a street or one for all (spread-limit). `cap` is the most that a seat may put in during a hand.

    Raises ValueError with a sentence where the numbers make no game.
    """

    limit: Limit
    blinds: tuple[int, ...] = ()
    ante: int = 0
    ante_by: AnteBy = AnteBy.EACH
    bring_in: int = 0
    min_bet: int | None = None
    bets: tuple[int, ...] = ()
    spread: tuple[tuple[int, int], ...] = ()
    unit: int = 1
    cap: int | None = None
    streets: tuple[str, ...] = STREETS["holdem"]
    bet_ranges: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)
    """Least and most opening bet of each street in fixed and spread limit; the least, twice, in big-bet games."""
    big_blind: int = field(init=False, repr=False, compare=False)
    """The largest blind, 0 where there is none."""

    def __post_init__(self) -> None:
        if not self.streets:
            raise ValueError("A game needs at least one street.")
        if len(self.blinds) > 3:
            raise ValueError(f"At most three blinds can be posted, not {len(self.blinds)}.")
        if min((*self.blinds, self.ante, self.bring_in)) < 0:
            raise ValueError("Blinds, ante and bring-in cannot be negative.")
        if self.bring_in and any(self.blinds):
            raise ValueError("A game has blinds or a bring-in, not both.")
        if self.unit < 1:
            raise ValueError(f"The betting unit must be at least 1, not {self.unit}.")
        if self.min_bet is not None and self.min_bet < 1:
            raise ValueError(f"The minimum bet must be at least 1, not {self.min_bet}.")
        if self.cap is not None and self.cap < 1:
            raise ValueError(f"The cap must be at least 1, not {self.cap}.")
        if self.limit is Limit.FIXED_LIMIT:
            if len(self.bets) != len(self.streets):
                raise ValueError(
                    f"Fixed limit needs one bet for each of {len(self.streets)} streets, not {len(self.bets)}."
                )
            if min(self.bets) < 1:
                raise ValueError("Every bet of a fixed-limit game must be at least 1.")
        elif self.limit is Limit.SPREAD_LIMIT:
            if len(self.spread) not in (1, len(self.streets)):
                raise ValueError(
                    f"Spread limit needs one spread, or one for each of {len(self.streets)} streets, "
                    f"not {len(self.spread)}."
                )
            if any(not 1 <= least <= most for least, most in self.spread):
                raise ValueError("Every spread must run from at least 1 to no less than that.")
        elif self.min_bet is None and not any(self.blinds):
            raise ValueError("A big-bet game without blinds needs a minimum bet (`min_bet`).")
        object.__setattr__(self, "big_blind", max(self.blinds, default=0))
        object.__setattr__(self, "bet_ranges", self._bet_ranges())

    @property
    def opener_named(self) -> bool:
        """Stud: the dealer names who is first on every street (R-003)."""
        return self.streets == STREETS["stud"]

    def _bet_ranges(self) -> tuple[tuple[int, int], ...]:
        streets = len(self.streets)
        if self.limit is Limit.FIXED_LIMIT:
            return tuple([(size, size) for size in self.bets])
        if self.limit is Limit.SPREAD_LIMIT:
            spreads = self.spread if len(self.spread) > 1 else self.spread * streets
            return tuple([(max(least, min(self.min_bet or 0, most)), most) for least, most in spreads])
        least = self.min_bet or self.big_blind
        return ((least, least),) * streets
