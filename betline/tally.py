"""How long things took, counted into buckets: a few additions each time, and the same size however many there were."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

RULING_S: Final = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0, 10.0)
"""Bounds for what people wait for."""
WORK_S: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Bounds for what a program does at one go: an input, a write, a frame."""
ROUND_S: Final = (0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 4.0)
"""Bounds for a reader's round: 50 ms for a seat, two seconds for a full tray."""


class Tally:
    """Seconds by bucket. One thread notes; others may read at any time, and then may miss the newest."""

    __slots__ = ("_bounds_s", "_counts", "_sum_s")

    def __init__(self, bounds_s: Sequence[float] = WORK_S) -> None:
        """`bounds_s` rise; a bucket holds what took at most its bound, one more all that took longer."""
        self._bounds_s = tuple(bounds_s)
        self._counts = [0] * (len(self._bounds_s) + 1)
        self._sum_s = 0.0

    def note(self, took_s: float) -> None:
        """Counts one."""
        self._counts[bisect_left(self._bounds_s, took_s)] += 1
        self._sum_s += took_s

    @property
    def total_s(self) -> float:
        """All of them together, in seconds."""
        return self._sum_s

    def up_to(self) -> tuple[tuple[float, int], ...]:
        """For each bound, and at last for infinity, how many took at most so long."""
        rows, so_far = [], 0
        for bound_s, count in zip((*self._bounds_s, float("inf")), tuple(self._counts), strict=True):
            so_far += count
            rows.append((bound_s, so_far))
        return tuple(rows)
