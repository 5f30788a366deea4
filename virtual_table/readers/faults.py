"""What can go wrong between a reader and its host: a plan of probabilities, applied to each frame by the seed."""

from __future__ import annotations

import random
from collections.abc import Iterable

from pydantic import Field

from betline.settings.model import Settings

Piece = tuple[float, bytes]
"""Bytes, and after how many milliseconds from now the reader begins to send them."""


class FaultPlan(Settings):
    """Probabilities for each frame; all zero is a perfect line. Several faults may strike one frame."""

    garbage: float = Field(default=0.0, ge=0, le=1, description="up to eight random bytes right before the frame")
    damage: float = Field(default=0.0, ge=0, le=1, description="one flipped bit somewhere in the frame")
    truncate: float = Field(default=0.0, ge=0, le=1, description="the end of the frame is lost")
    split: float = Field(default=0.0, ge=0, le=1, description="the frame comes in two pieces, cut anywhere")
    split_ms: float = Field(default=8.0, ge=0, description="the time between the two pieces")
    merged: float = Field(
        default=0.0, ge=0, le=1, description="the frame is held back, and comes in one write with the next"
    )
    late: float = Field(default=0.0, ge=0, le=1, description="the frame comes later than it should")
    late_ms: float = Field(default=1500.0, ge=0, description="how much later")
    silence: float = Field(default=0.0, ge=0, le=1, description="the frame never comes")
    deaf: float = Field(default=0.0, ge=0, le=1, description="one flipped bit in what the host sends")


PERFECT = FaultPlan()


class FaultDice:
    """Applies faults to the frames of one line."""

    def __init__(self, plan: FaultPlan, rng: random.Random) -> None:
        self._plan = plan
        self._rng = rng
        self._held = b""

    def heard(self, data: bytes) -> bytes:
        """What the reader hears of `data`."""
        return self._flip(data) if data and self._rng.random() < self._plan.deaf else data

    def strike(self, pieces: Iterable[Piece]) -> list[Piece]:
        """What the host gets instead of `pieces`, each of which is one frame."""
        return [struck for piece in pieces for struck in self._strike(*piece)]

    def _strike(self, delay_ms: float, frame: bytes) -> list[Piece]:
        plan, rng = self._plan, self._rng
        if rng.random() < plan.silence:
            return []
        if rng.random() < plan.late:
            delay_ms += plan.late_ms
        if rng.random() < plan.damage:
            frame = self._flip(frame)
        if rng.random() < plan.truncate and len(frame) > 1:
            frame = frame[: rng.randrange(1, len(frame))]
        if rng.random() < plan.garbage:
            frame = rng.randbytes(rng.randint(1, 8)) + frame
        if rng.random() < plan.merged:
            self._held += frame
            return []
        frame, self._held = self._held + frame, b""
        if rng.random() < plan.split and len(frame) > 1:
            cut = rng.randrange(1, len(frame))
            return [(delay_ms, frame[:cut]), (delay_ms + plan.split_ms, frame[cut:])]
        return [(delay_ms, frame)]

    def _flip(self, data: bytes) -> bytes:
        at = self._rng.randrange(len(data))
        return data[:at] + bytes((data[at] ^ 1 << self._rng.randrange(8),)) + data[at + 1 :]
