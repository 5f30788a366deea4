"""The light over the table: its gain against the first picture, by channel, from felt where nothing lies.

The median over some hundred points all over the felt is not moved by arms or chips; exposure ramps and slow drifts
are compensated with it, and a sudden change stops betting events until the light is steady again.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.settings import TableSettings
from betline.units import NS_PER_MS, NS_PER_S
from vision.calibration.calibration import Calibration
from vision.frame.gate import SCALE
from vision.imaging.pictures import Picture
from vision.tuning.thresholds import Thresholds

GRID_MM: Final = 100.0
"""Distance of the points at which the light is measured: some hundred over the felt."""
INSIDE_MM: Final = 25.0
"""So far within the felt's edge no rail and no shadow of it is near."""
CALM_SHARE: Final = 0.03
"""The light is steady where it varies by less than this share: lamps flicker by 1 %."""
DARK_LEVELS: Final = 4
"""Added to both levels of a ratio: in the dark, noise of a level or two would look like a change of light."""

Gain = npt.NDArray[np.float64]


class Light:
    """Follows the light frame by frame."""

    def __init__(self, table: TableSettings, calibration: Calibration, thresholds: Thresholds) -> None:
        self._at = _felt_cells(table, calibration)
        self.tune(thresholds)
        self._first: npt.NDArray[np.float64] | None = None
        self._recent: deque[tuple[int, float]] = deque()
        self._unsteady_ns: int | None = None
        self.gain: Gain = np.ones(3)
        self.changing = False

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers."""
        self._step = thresholds.light_step
        self._calm_ns = thresholds.light_calm_ms * NS_PER_MS

    def see(self, small: Picture, t_ns: int) -> None:
        """Takes the gate's picture of one frame, (h, w, 3) uint8 BGR.

        Afterwards ``gain``, (3,) float64 by channel, and ``changing`` hold for this frame.
        """
        now = small[self._at].astype(np.float64) + DARK_LEVELS
        if self._first is None:
            self._first = now
        self.gain = np.median(now / self._first, axis=0)
        level = float(self.gain.mean())
        self._recent.append((t_ns, level))
        while self._recent[0][0] < t_ns - NS_PER_S:
            self._recent.popleft()
        lately = [then for at_ns, then in self._recent if at_ns >= t_ns - self._calm_ns]
        if not self.changing:
            levels = [then for _, then in self._recent]
            self.changing = max(levels) > min(levels) * (1 + self._step)
        elif max(lately) < min(lately) * (1 + CALM_SHARE) and self._recent[0][0] <= t_ns - self._calm_ns:
            self.changing = False
            self._recent = deque([(t_ns, level)])


def _felt_cells(table: TableSettings, calibration: Calibration) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Cells of the gate's picture on a grid over the felt, away from its border."""
    outline = np.array(table.felt.outline_mm, dtype=np.float32)
    (left, bottom), (right, top) = outline.min(axis=0), outline.max(axis=0)
    points = [
        (float(x), float(y))
        for x in np.arange(left, right, GRID_MM)
        for y in np.arange(bottom, top, GRID_MM)
        if cv2.pointPolygonTest(outline, (float(x), float(y)), True) > INSIDE_MM
    ]
    cells = np.round(calibration.to_px(points) / SCALE - 0.5).astype(np.intp)
    width, height = calibration.width_px // SCALE, calibration.height_px // SCALE
    seen = (cells >= 0).all(axis=1) & (cells[:, 0] < width) & (cells[:, 1] < height)
    return cells[seen][:, 1], cells[seen][:, 0]
