"""What the rules ask to be remembered of a betting round, kept apart from the engine that is tested."""

from __future__ import annotations

from dataclasses import dataclass, field

from table_controller.betting import BettingOptions, Limit, PostKind
from table_controller.betting.structure import HeadsUpCap, ShortAllIn, ShortOpenAllIn, StraddleMinRaise
from tests.peers.tables import LIVE_POSTS, Table


@dataclass
class Round:
    """One betting round. `level` is the bet to match: the largest made, or the forced bet that is owed in full."""

    table: Table
    street: int
    entrants: int
    level: int = 0
    full: int = 0
    """The last bet that was a full one or counts as one."""
    increment: int = 0
    """The largest full bet or raise."""
    proper: int = 0
    """The last bet that was no short all-in: it reopens the betting to all who had acted."""
    raises: int = 0
    """Full raises over the opening bet, for the cap."""
    uncounted: int = 0
    """Wagers too short to be one of them."""
    below_full: bool = False
    """Some wager was less than a full one, even if it counts as one."""
    unmet: bool = False
    """Somebody bet or raised before the forced bet had been met in full."""
    freed: bool = False
    """The last raise of the cap was made between two players, whom the house does not cap."""
    capped: bool = False
    seen: dict[int, int] = field(default_factory=dict)
    """The bet to match when each seat last acted."""
    gone: set[int] = field(default_factory=set)
    """Seats that have folded in this round."""

    @property
    def options(self) -> BettingOptions:
        return self.table.options

    @property
    def fixed(self) -> bool:
        return self.table.variant.limit is Limit.FIXED_LIMIT

    @property
    def size(self) -> int:
        """The least full bet of the street."""
        return self.table.sizes[self.table.variant.tiers[self.street]]

    @property
    def forced(self) -> int:
        """The forced bet that everybody owes in full."""
        if self.street:
            return 0
        return max((p.amount for p in self.table.posts if p.kind in LIVE_POSTS), default=self.table.structure.bring_in)

    @property
    def straddle(self) -> int:
        """What the straddles raised by (R-196)."""
        level = raised = 0
        for post in self.table.posts if not self.street else ():
            if post.kind is PostKind.STRADDLE:
                double = self.options.straddle_min_raise is StraddleMinRaise.DOUBLE
                raised = max(raised, post.amount if double else post.amount - level)
            level = max(level, post.amount)
        return raised

    @property
    def blind_is_the_bet(self) -> bool:
        """The forced bet is a full one, so that whatever follows is a raise."""
        return not self.street and self.forced >= self.size

    def __post_init__(self) -> None:
        self.level = self.forced
        self.full = self.forced if self.blind_is_the_bet else 0
        self.increment = self.size if self.fixed else max(self.size, self.straddle)
        if self.options.straddle_counts_as_raise and not self.street:
            self.raises = sum(post.kind is PostKind.STRADDLE for post in self.table.posts)

    @property
    def least(self) -> int:
        """The least bet or raise that is no short all-in (R-081, R-084, R-104)."""
        if self.fixed:
            return self.full + self.size
        if self.options.short_open_all_in is ShortOpenAllIn.TO_MINIMUM and self.level < self.size:
            return self.size
        return self.level + self.increment

    def wager(self, seat: int, to: int, betting: int, largest: int) -> None:
        """A bet or raise to `to`; `betting` players had chips, the largest bet really made was `largest`."""
        self.unmet = self.unmet or largest < self.level
        if to >= self.least:
            self.proper = to
        if self.fixed:
            self.below_full = self.below_full or to - self.full < self.size
            if self.is_full(to - self.full):
                if self.full:
                    self._count_raise(betting)
                self.full = to
            else:
                self.uncounted += 1
        elif self.is_full(to - self.level):
            self.increment = to - self.level
        else:
            self.below_full = True
        self.level = to
        self.seen[seat] = to

    def _count_raise(self, betting: int) -> None:
        self.raises += 1
        most = self.options.max_raises
        if most is None or self.raises < most or self.capped:
            return
        heads_up = {
            HeadsUpCap.ALWAYS: False,
            HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP: self.entrants == 2,
            HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP: betting == 2,
        }[self.options.heads_up_cap]
        self.capped, self.freed = not heads_up, heads_up

    def is_full(self, increase: int) -> bool:
        """Whether an increase is a full bet or raise, or counts as one (R-100, R-104)."""
        half = self.fixed and self.options.short_all_in is ShortAllIn.HALF
        return 2 * increase >= self.increment if half else increase >= self.increment

    def reopened_to(self, seat: int) -> bool:
        """Whether a seat that may have acted may act as if it had not (R-100, R-102)."""
        return seat not in self.seen or self.seen[seat] < self.proper or self.is_full(self.level - self.seen[seat])
