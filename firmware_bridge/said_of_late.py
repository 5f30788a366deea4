"""What a reader said of its last rounds, as people are told it: not on and off with each of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from betline.units import NS_PER_S
from firmware_bridge.protocols.doubt import HEALTH, Doubt

LATELY_NS: Final = 5 * NS_PER_S


@dataclass(frozen=True, slots=True)
class SaidOfLate:
    """What a reader said of its rounds in the last `LATELY_NS`."""

    doubt: Doubt | None = None
    """The last that it said; None where it said nothing."""
    at_ns: int = 0

    def after(self, doubts: Collection[Doubt], at_ns: int) -> SaidOfLate:
        """After a round that ended at `at_ns`; of several doubts one that makes it partial counts first."""
        if doubts:
            return SaidOfLate(next((one for one in doubts if one not in HEALTH), next(iter(doubts))), at_ns)
        return SaidOfLate() if at_ns - self.at_ns > LATELY_NS else self
