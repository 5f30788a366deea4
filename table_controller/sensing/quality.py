"""How well a zone's antenna reads: the share of reads that chips known to lie there have missed.

The worse a zone reads, the more rounds must pass before a set can be taken to be whole: so many that a chip is unheard
in all of them with a probability below 1e-6 (5 rounds at 5 % missed reads, 6 at 10 %, 8 at 15 %, 9 at 20 %).

More rounds help only as far as the window of 8 rounds: a chip that is silent in all of them is forgotten. That has a
probability below 1e-6 up to 17.8 % missed reads; it is 2.6e-6 at 20 %, 1.5e-5 at 25 %, 6.6e-5 at 30 %. From 15 % people
are told (`weak`), from 25 % nothing is ruled from the zone (`unreliable`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from table_controller.sensing.setup import Thresholds

USUAL: Final = 0.05
"""Missed reads of an antenna of which nothing is known yet."""
USUAL_READS: Final = 50
"""So many reads weigh as much as that assumption."""
MEMORY: Final = 1_000
"""So many reads are remembered; older ones fade."""
UNHEARD: Final = 1e-6
"""Accepted probability that a chip is unheard in all rounds."""
WORST: Final = 0.5
SILENT: Final = 0.004
"""Accepted probability that a chip which lies there is silent for some rounds: two at 5 %, three at 10 and 15 %."""
SET_READS: Final = 20
"""So many reads are worth what is known of the antenna, where a set of chips reads worse than it does."""
JUDGED_READS: Final = 300
"""So many reads are needed before an antenna is called weak: the figure of one that misses 10 % is then 9 +- 1.5 %."""


def rounds_at(missed_share: float, unheard: float = UNHEARD) -> int:
    """Rounds in which every chip has been heard at least once, but for a share `unheard`, where so many are missed."""
    return math.ceil(math.log(unheard) / math.log(min(missed_share, WORST)))


@dataclass(frozen=True, slots=True)
class Quality:
    """Reads of chips that lay in a zone before and after, faded with time."""

    answered: float = 0.0
    missed: float = 0.0
    weak: bool = False
    """It misses so many that people are told to look at the antenna."""
    unreliable: bool = False
    """It misses so many that nothing is ruled from what it reads."""

    @property
    def missed_share(self) -> float:
        """Share of reads that such a chip misses, 0 to 1."""
        missed = self.missed + USUAL * USUAL_READS
        return missed / (self.answered + self.missed + USUAL_READS)

    @property
    def rounds(self) -> int:
        """Rounds in which every chip of a zone has been heard at least once, but for one chip in a million."""
        return rounds_at(self.missed_share)

    @property
    def extra_rounds(self) -> int:
        """Rounds beyond those of an antenna that reads as usual."""
        return max(0, self.rounds - Quality().rounds)

    @property
    def alive_misses(self) -> int:
        """Misses in a row at which a chip is still taken to lie there without any doubt."""
        return math.ceil(math.log(SILENT) / math.log(min(self.missed_share, WORST))) - 1

    def share_of_set(self, heard: int, reads: int) -> float:
        """Share of reads that the chips of a set miss, which answered so many of so many, on this antenna: of a few
        reads chance says more than the set.
        """
        return (reads - heard + self.missed_share * SET_READS) / (reads + SET_READS)

    @property
    def poor(self) -> bool:
        """Whether it reads worse than usual, so that a set needs more rounds."""
        return self.unreliable or self.extra_rounds > 0

    @property
    def percent(self) -> int:
        """Whole per cent of missed reads: with this it is known again after a restart."""
        return round(100 * self.missed_share)

    @classmethod
    def known(cls, percent: int, thresholds: Thresholds) -> Quality:
        """An antenna that missed so many reads before this program began."""
        missed = JUDGED_READS * percent // 100
        return cls().after(JUDGED_READS - missed, missed, thresholds)

    def after(self, answered: int, missed: int, thresholds: Thresholds) -> Quality:
        """With these reads."""
        keeps = max(0.0, 1 - (answered + missed) / MEMORY)
        reads = Quality(self.answered * keeps + answered, self.missed * keeps + missed)
        share, back = reads.missed_share, thresholds.better_share
        enough = self.weak or reads.answered + reads.missed >= JUDGED_READS
        unreliable = share >= thresholds.unreliable_share - (back if self.unreliable else 0.0)
        weak = unreliable or (enough and share >= thresholds.weak_share - (back if self.weak else 0.0))
        return replace(reads, weak=weak, unreliable=unreliable)
