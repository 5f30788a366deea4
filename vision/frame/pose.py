"""Whether the camera was bumped, looked at while the picture is still.

The markers are compared with where the calibration saw them, so a camera that was moved while the program was off is
noticed too. Where too few are seen, the shift of the whole picture against the first one decides.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.calibration import Calibration
from vision.calibration.markers import find_markers, find_markers_near
from vision.imaging.pictures import Picture, grey
from vision.tuning.thresholds import Thresholds

EVERY_NS: Final = 5_000_000_000
"""How often a still picture is compared: finding the markers takes as long as some frames."""
SUSPICIOUS_EVERY_NS: Final = 300_000_000
"""How often while the camera has moved, or may have."""
MOVED_PX: Final = 0.75
"""Of the gate's picture, without markers: 6 mm on the felt, from where zones and antennas fit no longer."""
BACK_PX: Final = 0.35
"""The same for the way back: half, so that noise does not swing it."""
MIN_MARKERS: Final = 3
"""With fewer a marker that was moved looks like a camera that was."""
MIN_RESPONSE: Final = 0.25
"""Peak of the phase correlation, 0 to 1, from which a shift of the picture is believed."""
CONFIRM: Final = 3
"""Comparisons in a row that must agree that the camera has moved, or is back."""
JOLT_FRAMES, JOLT_CONFIRM = 4, 2
"""After a knock so many frames are compared with the one before it, and so many in a row must be shifted."""
JOLT_RESPONSE: Final = 0.3
"""Like `MIN_RESPONSE`, while hands may move in the picture."""

_Grey = npt.NDArray[np.float32]


class PoseCheck:
    """``moved`` until the camera looks where it did; ``said`` is what the markers show, a sentence or nothing."""

    def __init__(self, calibration: Calibration, thresholds: Thresholds) -> None:
        self._calibration = calibration
        self._thresholds = thresholds
        self._then_mm = {number: _middle_mm(calibration, at) for number, at in calibration.markers.items()}
        self._first: _Grey | None = None
        self._window: _Grey | None = None
        self._next_ns = 0
        self._doubts = 0
        self._before: Picture | None = None
        self._anchor: _Grey | None = None
        self._jolt_frames = 0
        self._jolt_votes = 0
        self.moved = False
        self.said = ""

    @property
    def doubtful(self) -> bool:
        """Whether everything moved just now, and it is not clear yet whether it was the camera."""
        return 0 < self._jolt_frames <= JOLT_CONFIRM + 1 and not self.moved

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers."""
        self._thresholds = thresholds

    def feel(self, small: Picture, sectors_moving: float) -> None:
        """Takes the gate's picture of every frame, (h, w, 3) uint8 BGR, with the share of sectors that move in it: a
        knock is noticed within some frames.

        The picture before the knock is the measure for those after it.
        """
        before, self._before = self._before, small
        if self.moved or before is None:
            return
        if self._anchor is None:
            if sectors_moving < self._thresholds.jolt_share:
                return
            self._anchor, self._jolt_frames, self._jolt_votes = grey(before).astype(np.float32), 0, 0
        self._jolt_frames += 1
        height, width = self._anchor.shape
        far_px, response = _shift(self._anchor, grey(small).astype(np.float32), self._hanning(width, height))
        shifted = response >= JOLT_RESPONSE and far_px > MOVED_PX
        self._jolt_votes = self._jolt_votes + 1 if shifted else 0
        if self._jolt_votes >= JOLT_CONFIRM:
            self.moved, self._doubts, self._next_ns = True, 0, 0
        if self.moved or self._jolt_frames >= JOLT_FRAMES:
            self._anchor, self._jolt_frames = None, 0

    def see(self, small: Picture, picture: Picture, t_ns: int, *, still: bool) -> None:
        """Takes a frame, (H, W, 3) uint8 BGR, and the gate's picture of it.

        Only still ones are compared; after the camera has moved all are, since a table that is played on is never
        still.
        """
        if not (still or self.moved) or t_ns < self._next_ns:
            return
        elsewhere = self._by_markers(picture)
        shifted = self._by_shift(small)
        differs = (shifted if elsewhere is None else elsewhere) == (not self.moved)
        self._doubts = self._doubts + 1 if differs else 0
        if self._doubts >= CONFIRM:
            self.moved, self._doubts = not self.moved, 0
        self._next_ns = t_ns + (SUSPICIOUS_EVERY_NS if self._doubts or self.moved else EVERY_NS)

    def _by_markers(self, picture: Picture) -> bool | None:
        """Whether most markers lie elsewhere; None where too few are seen."""
        self.said = ""
        if len(self._then_mm) < MIN_MARKERS:
            return None
        seen = find_markers_near(picture, self._calibration.markers)
        if len(seen) < MIN_MARKERS:
            everywhere = find_markers(picture)
            seen = {number: everywhere[number] for number in self._then_mm.keys() & everywhere.keys()}
        if len(seen) < MIN_MARKERS:
            return None
        off = {number: _middle_mm(self._calibration, at) - self._then_mm[number] for number, at in seen.items()}
        far_mm = {number: float(np.hypot(*by)) for number, by in off.items()}
        usual_mm = float(np.median(list(far_mm.values())))
        thresholds = self._thresholds
        if usual_mm > (thresholds.camera_back_mm if self.moved else thresholds.camera_moved_mm):
            x, y = np.median(list(off.values()), axis=0)
            self.said = f"Its markers are seen {usual_mm:.0f} mm off ({x:+.0f} mm right, {y:+.0f} mm up)."
            return True
        loose = sorted(number for number, far in far_mm.items() if far > thresholds.camera_moved_mm)
        if loose:
            names = ", ".join(f"{number} ({far_mm[number]:.0f} mm)" for number in loose)
            self.said = f"Markers were moved: {names}; put them back, or calibrate again."
        return False

    def _by_shift(self, small: Picture) -> bool | None:
        """Whether the whole picture is shifted against the first one; None where that is not known."""
        now = grey(small).astype(np.float32)
        if self._first is None:
            self._first = now
            return None
        far_px, response = _shift(self._first, now, self._hanning(now.shape[1], now.shape[0]))
        if response < MIN_RESPONSE:
            return None
        return far_px > (BACK_PX if self.moved else MOVED_PX)

    def _hanning(self, width: int, height: int) -> _Grey:
        if self._window is None:
            self._window = cv2.createHanningWindow((width, height), cv2.CV_32F).astype(np.float32)
        return self._window


def _shift(before: _Grey, now: _Grey, window: _Grey) -> tuple[float, float]:
    """How far a picture is shifted against an earlier one, in px, and the peak of their correlation.

    OpenCV multiplies both pictures by the window where they lie, so the earlier one, which is needed again, is copied.
    """
    (dx, dy), response = cv2.phaseCorrelate(before.copy(), now, window)
    return float(np.hypot(dx, dy)), response


def _middle_mm(calibration: Calibration, corners_px: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(calibration.to_mm(corners_px).mean(axis=0))
