"""How long an answer is awaited, learned from how long the answers took of late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FLOOR_MS: Final = 800.0


@dataclass(frozen=True, slots=True)
class AdaptiveTimeout:
    """Four times as long as the slowest answer of a round took of late; unlimited before the first whole round."""

    ms: float | None = None

    def within(self, limit_ms: float, on_air_ms: float = 0.0) -> float:
        """How long to wait for an answer that the family awaits for `limit_ms`: never longer than that, nor shorter
        than the reader was told to be on the air and `FLOOR_MS` more.
        """
        return limit_ms if self.ms is None else min(limit_ms, max(self.ms, on_air_ms + FLOOR_MS))

    def after_round(self, slowest_ms: float) -> AdaptiveTimeout:
        """A round was whole, and its slowest answer took so long."""
        before = 2 * FLOOR_MS if self.ms is None else self.ms
        return AdaptiveTimeout(before * 7 / 8 + slowest_ms / 2)

    def doubled(self) -> AdaptiveTimeout:
        """No answer came in time."""
        return self if self.ms is None else AdaptiveTimeout(2 * self.ms)
