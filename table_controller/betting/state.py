"""The state of a hand by position, clockwise from the left of the button: position 0 is first after the flop.

Sets of positions are bits. A tuple, because every act makes a new one. What it means to the people at the table is
said by `Hand`, in seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

from table_controller.betting.acts import ActionKind
from table_controller.betting.pots import Payout
from table_controller.betting.structure import BettingOptions, Limit, ShortAllIn, ShortOpenAllIn, Structure

NOBODY = -1

# What `State.acted` says of a seat that has not acted on this street; of one that has, the level at which it did.
NOT_ACTED = -1
"""It must be given the chance to."""
SLEEPS = -2
"""It need not act while nobody raises."""
ACTS_LAST = -3
"""It acts when everybody else has."""


Done = tuple[int, ActionKind, int, int, bool]
"""An act as it was taken: the position, then the rest of an `Act`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What does not change during a hand."""

    structure: Structure
    options: BettingOptions
    button: int
    seats: tuple[int, ...]
    position_of: Mapping[int, int]
    starting: tuple[int, ...]
    """Stacks before the first forced bet."""
    reserve: tuple[int, ...]
    """What each stack holds beyond the cap of a cap game: it cannot be bet (R-126)."""
    big_blind: int = NOBODY
    small_blinds: tuple[tuple[int, int], ...] = ()
    """Positions of the blinds smaller than the big one, and what each of them is in full."""
    vacant_blinds: tuple[int, ...] = ()
    """The blinds that nobody posted (R-188)."""
    missing_blinds: int = 0
    """What blinds that are vacant or short lack of the full ones (R-157)."""
    uncounted_ante: int = 0
    """The one ante of the table where a pot-limit bet before the flop is not measured by it."""
    blind_opened: bool = False
    """A blind opened the first round."""
    last_to_act: int = NOBODY
    """The position that keeps its option until everybody else has acted on the first street."""
    doubled_street: int = NOBODY
    """The street on which an open pair lets anybody bet the later streets' size as well (R-130)."""
    bet_ranges: tuple[tuple[int, int], ...] = field(init=False)
    """Least and most bet of each street."""
    big_bet: bool = field(init=False)
    """No-limit or pot-limit."""
    pot_limit: bool = field(init=False)
    half_counts: bool = field(init=False)
    """An all-in of half a bet counts as a full one (R-104)."""
    short_open_to_minimum: bool = field(init=False)
    """Over a short opening all-in the minimum bet is enough (R-084)."""

    def __post_init__(self) -> None:
        """Work out once a hand what every act asks."""
        structure, options = self.structure, self.options
        big_bet = structure.limit.is_big_bet
        known = (
            ("bet_ranges", self._bet_ranges()),
            ("big_bet", big_bet),
            ("pot_limit", structure.limit is Limit.POT_LIMIT),
            ("half_counts", not big_bet and options.short_all_in is ShortAllIn.HALF),
            ("short_open_to_minimum", options.short_open_all_in is ShortOpenAllIn.TO_MINIMUM),
        )
        for name, value in known:
            object.__setattr__(self, name, value)

    def _bet_ranges(self) -> tuple[tuple[int, int], ...]:
        ranges = self.structure.bet_ranges
        if self.doubled_street < 0:
            return ranges
        street = self.doubled_street
        return (*ranges[:street], (ranges[street][0], ranges[-1][1]), *ranges[street + 1 :])


class State(NamedTuple):
    """One moment of a hand; `Hand` documents what is public."""

    setup: Setup
    street: int
    behind: tuple[int, ...]
    wagers: tuple[int, ...]
    """Bets of this round."""
    paid: tuple[int, ...]
    """Contributions of the finished rounds, antes among them."""
    acted: tuple[int, ...]
    live: int
    """Who has not folded."""
    able: int
    """Who has not folded and has chips to bet."""
    dead: int = 0
    pot: int = 0
    level: int = 0
    last_raise: int = 0
    full: int = 0
    """The last bet of this round that was full or counts as full; 0 where there is none (R-104)."""
    proper: int = 0
    """The last bet of this round that was not below the minimum: it reopens to all who had acted (R-102, R-104)."""
    raises: int = 0
    """Full raises of this round over the opening bet, for the cap (R-121)."""
    capped: bool = False
    entrants: int = 0
    """Live hands when the round began."""
    acts: int = 0
    acts_with_chips: int = 0
    aggressive_acts: int = 0
    aggressor: int = NOBODY
    turn: int = NOBODY
    last_act: Done | None = None
    payouts: tuple[Payout, ...] = ()
    bring_in: int = NOBODY
    """The position that brought it in."""
    carried: int = 0
    """What nobody won: it waits for the next hand (R-307)."""
    lay: State | None = None
    """The state as the chips lay when the round ended; None where nothing of it has been moved."""

    @property
    def contested(self) -> bool:
        """At least two live hands."""
        return bool(self.live & (self.live - 1))

    @property
    def awaiting_bring_in(self) -> bool:
        """Stud: nobody has been named to bring it in (R-202); a hand resumed on its first street asks for none."""
        return (
            self.turn < 0
            and self.bring_in < 0
            and self.street == 0
            and self.setup.structure.bring_in > 0
            and max(self.acted) < 0
            and self.contested
        )

    @property
    def round_over(self) -> bool:
        """Nobody has anything to decide on this street."""
        return self.turn < 0 and not self.awaiting_bring_in

    @property
    def betting_over(self) -> bool:
        """The last street is done, or at most one player has chips (R-008)."""
        return self.round_over and (
            self.street == len(self.setup.structure.streets) - 1 or not self.able & (self.able - 1) or self.carried > 0
        )

    @property
    def hand_over(self) -> bool:
        """Every pot is paid."""
        return self.turn < 0 and (not self.contested or (self.pot == 0 and self.betting_over))

    def contributions(self) -> tuple[int, ...]:
        """What each has in the pot over the whole hand, without dead money."""
        return tuple(map(add, self.paid, self.wagers))
