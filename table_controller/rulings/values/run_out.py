"""The streets that are dealt after the betting is over: once, or for two or three boards (R-008, R-268, R-303)."""

from __future__ import annotations

from dataclasses import dataclass

BOARD = "flop"
"""The street that a game with a common board has."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The players in the pot have agreed that the rest of the board is dealt more than once."""

    times: int
    streets: tuple[str, ...]
    """What was still to be dealt when they agreed: each board has these streets of its own."""
    dealt: int = 0
    """How many of all these streets have been dealt, board after board."""

    @property
    def to_come(self) -> tuple[str, ...]:
        """The streets still to be dealt, in order, of all boards."""
        return (self.streets * self.times)[self.dealt :]

    @property
    def board(self) -> int:
        """The board that the next street belongs to, from 1; the last one when all are out."""
        return min(self.dealt // len(self.streets) + 1, self.times)
