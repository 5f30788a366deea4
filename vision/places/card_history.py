"""Since when a place has looked as it does now: the last seconds of its cells in the gate's picture.

A place is judged when it is at rest; what is reported of it is dated back with this to the frame that first showed it.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame.zones import Indices
from vision.imaging.pictures import Picture

KEPT_NS: Final = 8_000_000_000
"""How far back a place's looks are kept: longer than hands are busy over it."""
DIFFERS_LEVEL: Final = 18
"""Grey levels of 255 from which a cell looks otherwise."""
MIN_CELLS: Final = 8
"""Cells of 8 mm from which a place looks otherwise: half a chip has 9."""
EARLY_SHARE: Final = 0.2
"""What comes or goes piece by piece is dated by the first fifth of its cells."""
PASSING_FRAMES: Final = 5
"""What covers a cell for fewer frames only flew over it: a card on its way to another seat."""

Flags = npt.NDArray[np.bool_]


class History:
    """How the cells of one place looked lately, and how they looked when it settled.

    ``at``, (N,) intp, are the place's cells in the flattened picture of the gate.
    """

    def __init__(self, at: Indices) -> None:
        self._at = at
        self._frames: deque[tuple[int, Picture]] = deque()
        self._settled: Picture | None = None

    def add(self, t_ns: int, small: Picture) -> None:
        """Takes the gate's picture of a frame, (h, w, 3) uint8 BGR."""
        while self._frames and self._frames[0][0] < t_ns - KEPT_NS:
            self._frames.popleft()
        self._frames.append((t_ns, self._cut(small)))

    def settle(self, small: Picture) -> None:
        """The place has settled as this picture of the gate, (h, w, 3) uint8 BGR, shows it."""
        self._settled = self._cut(small)
        self._frames.clear()

    def since(self, small: Picture, within: Flags | None = None) -> int | None:
        """When what differs from the settled picture began to look as it does in this one, (h, w, 3) uint8 BGR; None
        where nothing does. ``within``, (h, w) bool, says which cells count, all where it is None.
        """
        if self._settled is None or not self._frames:
            return None
        now = self._cut(small)
        differs = _differs(now, self._settled)
        changed = np.flatnonzero(differs if within is None else differs & within.reshape(-1)[self._at])
        if len(changed) < MIN_CELLS:
            return None
        times = np.array([t_ns for t_ns, _ in self._frames])
        other = _differs(np.stack([cells[changed] for _, cells in self._frames]), now[changed])
        other = _lasting(other)
        first = np.where(other.any(axis=0), len(times) - other[::-1].argmax(axis=0), 0)
        return int(np.quantile(times[np.minimum(first, len(times) - 1)], EARLY_SHARE, method="lower"))

    def _cut(self, small: Picture) -> Picture:
        return small.reshape(-1, 3).take(self._at, axis=0)


def _differs(a: Picture, b: Picture) -> Flags:
    return np.asarray(np.abs(a.astype(np.int16) - b).max(axis=-1) > DIFFERS_LEVEL)


def _lasting(flags: Flags) -> Flags:
    """Without the spans of rows that are too short; one that was on before the first row lasts."""
    kernel = np.ones((PASSING_FRAMES, 1), np.uint8)
    before = np.repeat(flags[:1], PASSING_FRAMES, axis=0)
    rows = np.concatenate((before, flags)).astype(np.uint8)
    opened = cv2.morphologyEx(rows, cv2.MORPH_OPEN, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(opened, dtype=np.bool_)[PASSING_FRAMES:]
