"""What can go wrong between a reader and its host: a plan of probabilities, applied to each frame with a seeded die."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

Piece = tuple[float, bytes]
"""Bytes, and after how many milliseconds from now the reader begins to send them."""


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Probabilities a frame; all zero is a perfect line. Several faults may strike one frame."""

    garbage: float = 0.0
    """Up to eight random bytes right before the frame."""
    damage: float = 0.0
    """One flipped bit somewhere in the frame."""
    split: float = 0.0
    """The frame comes in two pieces, `split_ms` apart, cut anywhere."""
    split_ms: float = 8.0
    late: float = 0.0
    """The frame comes `late_ms` later than it should."""
    late_ms: float = 1500.0
    silence: float = 0.0
    """The frame never comes."""
    truncate: float = 0.0
    """The end of the frame is lost."""

    def strike(self, pieces: Iterable[Piece], rng: random.Random) -> list[Piece]:
        """What the host gets in place of `pieces`, of which each is one frame."""
        return [struck for piece in pieces for struck in self._strike(*piece, rng)]

    def _strike(self, delay_ms: float, frame: bytes, rng: random.Random) -> list[Piece]:
        if rng.random() < self.silence:
            return []
        if rng.random() < self.late:
            delay_ms += self.late_ms
        if rng.random() < self.damage:
            at = rng.randrange(len(frame))
            frame = frame[:at] + bytes((frame[at] ^ 1 << rng.randrange(8),)) + frame[at + 1 :]
        if rng.random() < self.truncate:
            frame = frame[: rng.randrange(1, len(frame))] if len(frame) > 1 else frame
        if rng.random() < self.garbage:
            frame = rng.randbytes(rng.randint(1, 8)) + frame
        if rng.random() < self.split:
            cut = rng.randrange(1, len(frame)) if len(frame) > 1 else 1
            return [(delay_ms, frame[:cut]), (delay_ms + self.split_ms, frame[cut:])]
        return [(delay_ms, frame)]


PERFECT = FaultPlan()
