"""The clock of one player's turn: how long it still has, and what it has been told of that (TDA 29; R-288).

Times are wall-clock milliseconds, which go on while a program restarts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

TurnStage = Literal["running", "warned", "last", "up", "off"]
"""Begun; warned once; warned for the last time; time is up; called off for this turn."""
WARNED_MS: Final = 10_000
LAST_MS: Final = 3_000


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """The turn that it belongs to, when it ends, and the stage that was announced last."""

    hand_no: int
    street: str
    seat: int
    ends_ms: int
    stage: TurnStage = "running"

    @classmethod
    def started(cls, turn: tuple[int, str, int], seconds: int, now_ms: int) -> PlayerClock:
        """A clock of so many seconds for a turn: hand, street and seat."""
        hand_no, street, seat = turn
        ends_ms = now_ms + seconds * 1000
        return cls(hand_no, street, seat, ends_ms, _stage(ends_ms - now_ms))

    @property
    def turn(self) -> tuple[int, str, int]:
        """Hand, street and seat."""
        return self.hand_no, self.street, self.seat

    @property
    def runs(self) -> bool:
        """Whether time still passes on it."""
        return self.stage not in ("up", "off")

    def left_s(self, now_ms: int) -> int:
        """The seconds that are left, one that has begun counted whole."""
        return max(0, -(-(self.ends_ms - now_ms) // 1000))

    def at(self, now_ms: int) -> PlayerClock:
        """The clock at a moment, with the stage that people are to know of; a clock that is off stays off."""
        if not self.runs:
            return self
        stage = _stage(self.ends_ms - now_ms)
        return self if stage == self.stage else replace(self, stage=stage)

    def extended(self, seconds: int, now_ms: int) -> PlayerClock:
        """With so many seconds more: after the end, from now on."""
        ends_ms = max(self.ends_ms, now_ms) + seconds * 1000
        return replace(self, ends_ms=ends_ms, stage=_stage(ends_ms - now_ms))

    def off(self) -> PlayerClock:
        """Called off for this turn."""
        return replace(self, stage="off")


def _stage(left_ms: int) -> TurnStage:
    if left_ms <= 0:
        return "up"
    return "last" if left_ms <= LAST_MS else "warned" if left_ms <= WARNED_MS else "running"
