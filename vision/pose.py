"""Whether the camera was bumped: the shift of the whole picture against the first one, looked at while it is still."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Picture, grey

EVERY_NS = 5_000_000_000
SUSPICIOUS_EVERY_NS = 300_000_000
MOVED_PX = 0.75
"""Of the gate's picture: about 6 mm on the felt, from where zones and antennas no longer fit."""
BACK_PX = 0.35
LEAST_RESPONSE = 0.25
CONFIRM = 3


class PoseCheck:
    """Compares still pictures with the first; ``moved`` until the camera looks where it did before."""

    def __init__(self) -> None:
        self._first: npt.NDArray[np.float32] | None = None
        self._window: npt.NDArray[np.float32] | None = None
        self._next_ns = 0
        self._doubts = 0
        self.moved = False

    def see(self, small: Picture, t_ns: int, *, still: bool) -> None:
        """Takes the gate's picture of a frame; only still ones are compared."""
        if not still or t_ns < self._next_ns:
            return
        now = grey(small).astype(np.float32)
        if self._first is None or self._window is None:
            self._first = now
            height, width = now.shape
            self._window = cv2.createHanningWindow((width, height), cv2.CV_32F).astype(np.float32)
            self._next_ns = t_ns + EVERY_NS
            return
        (dx, dy), response = cv2.phaseCorrelate(self._first, now, self._window)
        shift_px = float(np.hypot(dx, dy))
        limit_px = BACK_PX if self.moved else MOVED_PX
        differs = response >= LEAST_RESPONSE and (shift_px > limit_px) != self.moved
        self._doubts = self._doubts + 1 if differs else 0
        if self._doubts >= CONFIRM:
            self.moved, self._doubts = not self.moved, 0
        self._next_ns = t_ns + (SUSPICIOUS_EVERY_NS if self._doubts or self.moved else EVERY_NS)
