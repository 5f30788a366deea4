"""Whether something covers part of the lens: where a table has edges a covered part is smooth.

The picture is cut into tiles. For each it is known how many edges it has when nothing covers it; a tile with hardly any
of them left is covered. An arm, or a head that leans in, covers a tile or two.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.units import NS_PER_MS
from vision.imaging.pictures import Picture, grey, resized

EVERY_NS: Final = 200 * NS_PER_MS
"""How often a picture is looked at."""
SIZE_PX: Final = (324, 180)
"""At this size noise makes no edges."""
TILES: Final = (4, 6)
"""Rows and columns."""
EDGE_SHARE: Final = 0.12
"""Share of its brightness by which a place must change to its neighbours to be an edge, whatever the light."""
AROUND_PX: Final = (5, 5)
"""Over so much its brightness is the mean."""
DARK_LEVELS: Final = 12
"""Added to that brightness: in the dark noise would look like edges."""
LEAST_EDGES: Final = 60
"""A tile with fewer edges, plain felt or floor, says nothing."""
LEFT_SHARE: Final = 0.3
"""A covered tile has less than this share of its edges."""
COVERED_SHARE: Final = 0.35
"""The lens is covered where so many of the tiles that can say it are."""
CONFIRM: Final = 4
"""Pictures in a row that must agree: 0.8 s."""
FOLLOW: Final = 0.05
"""How fast the number of edges follows what lies on the table, as a share of a look."""

Counts = npt.NDArray[np.float64]


class CoverCheck:
    """``covered`` holds for the last picture that was looked at."""

    def __init__(self) -> None:
        self._usual: Counts | None = None
        self._next_ns = 0
        self._votes = 0
        self.covered = False

    def see(self, picture: Picture, t_ns: int) -> None:
        """Takes a frame, (H, W, 3) uint8 BGR, shown at ``t_ns``; few are looked at."""
        if t_ns < self._next_ns:
            return
        self._next_ns = t_ns + EVERY_NS
        edges = _edges(picture)
        if self._usual is None:
            self._usual = edges
            return
        telling = self._usual >= LEAST_EDGES
        smooth = telling & (edges < LEFT_SHARE * self._usual)
        covered = bool(telling.any()) and smooth.sum() >= COVERED_SHARE * telling.sum()
        self._votes = self._votes + 1 if covered != self.covered else 0
        if self._votes >= CONFIRM:
            self.covered, self._votes = covered, 0
        if not covered and not self.covered:
            self._usual = self._usual + FOLLOW * (edges - self._usual)

    def forget(self) -> None:
        """The camera looks elsewhere: what is usual is learnt anew."""
        self._usual, self._votes, self.covered = None, 0, False


def _edges(picture: Picture) -> Counts:
    """How many places of each tile are edges: (rows, columns) float64."""
    small = grey(resized(picture, SIZE_PX)).astype(np.float32)
    across, down = cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)
    steep = cv2.magnitude(across, down) / 4 > EDGE_SHARE * (cv2.blur(small, AROUND_PX) + DARK_LEVELS)
    rows, columns = TILES
    height, width = steep.shape
    return np.asarray(steep.reshape(rows, height // rows, columns, width // columns).sum(axis=(1, 3)), dtype=np.float64)
