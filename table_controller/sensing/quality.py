"""How well a zone's antenna reads: the share of reads that chips known to lie there have missed.

The worse a zone reads, the more rounds must pass before a set can be taken to be whole: so many that a chip is unheard
in all of them with a probability below 1e-6 (5 rounds at 5 % missed reads, 6 at 10 %, 8 at 15 %, 9 at 20 %).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

USUAL: Final = 0.05
"""Missed reads of an antenna of which nothing is known yet."""
USUAL_READS: Final = 50
"""So many reads weigh as much as that assumption."""
MEMORY: Final = 1_000
"""So many reads are remembered; older ones fade."""
UNHEARD: Final = 1e-6
"""Accepted probability that a chip is unheard in all rounds."""
WORST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Quality:
    """Reads of chips that lay in a zone before and after, faded with time."""

    answered: float = 0.0
    missed: float = 0.0

    @property
    def missed_share(self) -> float:
        """Share of reads that such a chip misses, 0 to 1."""
        missed = self.missed + USUAL * USUAL_READS
        return missed / (self.answered + self.missed + USUAL_READS)

    @property
    def rounds(self) -> int:
        """Rounds in which every chip of a zone has been heard at least once, but for one chip in a million."""
        return math.ceil(math.log(UNHEARD) / math.log(min(self.missed_share, WORST)))

    @property
    def extra_rounds(self) -> int:
        """Rounds beyond those of an antenna that reads as usual."""
        return max(0, self.rounds - Quality().rounds)

    def after(self, answered: int, missed: int) -> Quality:
        """With these reads."""
        keeps = max(0.0, 1 - (answered + missed) / MEMORY)
        return Quality(self.answered * keeps + answered, self.missed * keeps + missed)
