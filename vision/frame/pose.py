"""Whether the camera was bumped, looked at while the picture is still.

The markers are compared with where the calibration saw them, so a camera that was moved while the program was off is
noticed too. Where too few are seen, the shift of the whole picture against the first one tells.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration.calibration import Calibration
from vision.calibration.markers import find_markers, find_markers_near
from vision.imaging.pictures import Picture, grey

EVERY_NS = 5_000_000_000
SUSPICIOUS_EVERY_NS = 300_000_000
MOVED_PX = 0.75
"""Of the gate's picture: about 6 mm on the felt, from where zones and antennas no longer fit."""
BACK_PX = 0.35
MOVED_MM, BACK_MM = 6.0, 3.0
MIN_MARKERS = 3
MIN_RESPONSE = 0.25
CONFIRM = 3
JOLT_SHARE = 0.7
"""The table is jolted, or the camera, when so many of the seats' sectors begin to move in one frame."""
JOLT_FRAMES, JOLT_CONFIRM = 4, 2
JOLT_RESPONSE = 0.3


class PoseCheck:
    """``moved`` until the camera looks where it did; ``said`` is what the markers show, a sentence or nothing."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._then_mm = {number: _middle_mm(calibration, at) for number, at in calibration.markers.items()}
        self._first: npt.NDArray[np.float32] | None = None
        self._window: npt.NDArray[np.float32] | None = None
        self._next_ns = 0
        self._doubts = 0
        self._before: Picture | None = None
        self._anchor: npt.NDArray[np.float32] | None = None
        self._jolt_frames = 0
        self._jolt_votes = 0
        self.moved = False
        self.said = ""

    @property
    def doubtful(self) -> bool:
        """Whether everything moved just now, and it is not clear yet whether it was the camera."""
        return 0 < self._jolt_frames <= JOLT_CONFIRM + 1 and not self.moved

    def feel(self, small: Picture, sectors_moving: float) -> None:
        """Takes every frame, with the share of sectors that move in it: a knock is noticed within some frames.

        The picture before the knock is the measure for those after it.
        """
        before, self._before = self._before, small
        if self.moved or before is None:
            return
        if self._anchor is None:
            if sectors_moving < JOLT_SHARE:
                return
            self._anchor, self._jolt_frames, self._jolt_votes = grey(before).astype(np.float32), 0, 0
        self._jolt_frames += 1
        height, width = self._anchor.shape
        window = self._hanning(width, height)
        (dx, dy), response = cv2.phaseCorrelate(self._anchor, grey(small).astype(np.float32), window)
        shifted = response >= JOLT_RESPONSE and float(np.hypot(dx, dy)) > MOVED_PX
        self._jolt_votes = self._jolt_votes + 1 if shifted else 0
        if self._jolt_votes >= JOLT_CONFIRM:
            self.moved, self._doubts = True, 0
        if self.moved or self._jolt_frames >= JOLT_FRAMES:
            self._anchor, self._jolt_frames = None, 0

    def see(self, small: Picture, picture: Picture, t_ns: int, *, still: bool) -> None:
        """Takes a frame and the gate's picture of it; only still ones are compared."""
        if not still or t_ns < self._next_ns:
            return
        elsewhere = self._by_markers(picture)
        shifted = self._by_shift(small)
        differs = (shifted if elsewhere is None else elsewhere) == (not self.moved)
        self._doubts = self._doubts + 1 if differs else 0
        if self._doubts >= CONFIRM:
            self.moved, self._doubts = not self.moved, 0
        self._next_ns = t_ns + (SUSPICIOUS_EVERY_NS if self._doubts or self.moved else EVERY_NS)

    def _by_markers(self, picture: Picture) -> bool | None:
        """Whether most markers lie elsewhere; None where too few are seen to tell."""
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
        if usual_mm > (BACK_MM if self.moved else MOVED_MM):
            x, y = np.median(list(off.values()), axis=0)
            self.said = f"Its markers are seen {usual_mm:.0f} mm off ({x:+.0f} mm right, {y:+.0f} mm up)."
            return True
        loose = sorted(number for number, far in far_mm.items() if far > MOVED_MM)
        if loose:
            names = ", ".join(f"{number} ({far_mm[number]:.0f} mm)" for number in loose)
            self.said = f"Markers were moved: {names}; put them back, or calibrate again."
        return False

    def _by_shift(self, small: Picture) -> bool | None:
        """Whether the whole picture is shifted against the first one; None where that cannot be told."""
        now = grey(small).astype(np.float32)
        if self._first is None:
            self._first = now
            return None
        (dx, dy), response = cv2.phaseCorrelate(self._first, now, self._hanning(now.shape[1], now.shape[0]))
        if response < MIN_RESPONSE:
            return None
        return float(np.hypot(dx, dy)) > (BACK_PX if self.moved else MOVED_PX)

    def _hanning(self, width: int, height: int) -> npt.NDArray[np.float32]:
        if self._window is None:
            self._window = cv2.createHanningWindow((width, height), cv2.CV_32F).astype(np.float32)
        return self._window


def _middle_mm(calibration: Calibration, corners_px: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(calibration.to_mm(corners_px).mean(axis=0))
