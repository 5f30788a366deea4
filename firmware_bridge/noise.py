"""How much noise an antenna has, by what a reader's bytes give away of it. Pure.

No family reports the noise of its antenna in decibels. What a host sees of it are inventories that the reader itself
calls disturbed, and tags that were heard once and that nobody has. Both stand for noise; neither measures it. A tag
with a CRC of its own is hardly ever made up; a UID of ISO 14443 has only a check byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.protocols.doubt import Doubt

DISTURBED: Final = frozenset({Doubt.RF_ERROR, Doubt.RF_WARNING, Doubt.ISO_ERROR, Doubt.UNSETTLED})
"""What families call a round that was disturbed in the air (``Inventory.warnings``, ``Refused.code``)."""
_LYING: Final = 1 / 3
"""A tag that answers in more than this share of the rounds lies there."""


@dataclass(slots=True)
class Rounds:
    """The rounds of one antenna, or of all antennas of a reader."""

    count: int = 0
    disturbed: int = 0
    hits: Counter[str] = field(default_factory=Counter)
    """In how many rounds each tag answered."""
    signals: dict[str, list[int]] = field(default_factory=dict)
    """How strongly each tag came in, on the reader's own scale; nothing where the reader does not say it."""

    @property
    def lying(self) -> dict[str, int]:
        """The tags that lie there, with the rounds in which each answered."""
        return {uid: count for uid, count in self.hits.items() if count > self.count * _LYING}

    @property
    def missed(self) -> float:
        """The share of reads of lying tags that was missed."""
        lying = self.lying
        return 1 - sum(lying.values()) / (self.count * len(lying)) if lying else 0.0

    @property
    def noise(self) -> float:
        """The share of rounds that were disturbed."""
        return self.disturbed / self.count if self.count else 0.0

    def strays(self, made_up: Collection[str]) -> int:
        """How many tags were heard in passing, from beside."""
        return len(self.hits) - len(self.lying) - len(made_up)

    def made_up(self, known: Container[str]) -> tuple[str, ...]:
        """Tags that were heard once, and that nobody has: damaged on the air, or made of noise."""
        return tuple(uid for uid, count in self.hits.items() if count == 1 and self.count > 2 and uid not in known)

    def weakest(self) -> tuple[str, int] | None:
        """The lying tag that answers least, and in how many rounds."""
        return min(self.lying.items(), key=lambda one: (one[1], one[0]), default=None)

    def weakest_signal(self) -> int | None:
        """The signal of the lying tag that comes in weakest, in the middle of its reads."""
        return min(
            (sorted(self.signals[uid])[len(self.signals[uid]) // 2] for uid in self.lying if uid in self.signals),
            default=None,
        )
