"""Where on the felt a pixel lies: the homography between table millimetres and picture pixels.

It comes from measured points of the table file (RANSAC and least squares) or, where there are none, from the camera's
nominal pose. Points are mapped, never pictures: warping costs more than everything else the detector does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point
from betline.settings import Camera

MAX_RMS_MM = 3.0
RANSAC_REACH_PX = 3.0

Floats = npt.NDArray[np.float64]


class CalibrationError(Exception):
    """The camera's points give no usable homography; the sentence says what to measure again."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """The homography of one camera at one table.

    ``rms_mm`` is the error of the measured points on the felt, None where the nominal pose was taken; ``id`` names the
    calibration in health and changes with every number in it.
    """

    px_from_mm: Floats
    mm_from_px: Floats
    width_px: int
    height_px: int
    rms_mm: float | None
    id: str

    def to_px(self, points_mm: Iterable[Point]) -> Floats:
        """Picture positions of points on the felt, one row (x, y) each."""
        return _apply(self.px_from_mm, points_mm)

    def to_mm(self, points_px: Iterable[Point] | Floats) -> Floats:
        """Points of the felt seen at picture positions, one row (x, y) each."""
        return _apply(self.mm_from_px, points_px)

    def mm2_per_px(self, around_mm: Point) -> float:
        """The area of felt that one pixel shows around a point."""
        x, y = around_mm
        corner, right, up = self.to_px([(x, y), (x + 10, y), (x, y + 10)])
        (ax, ay), (bx, by) = right - corner, up - corner
        return 100.0 / float(abs(ax * by - ay * bx))


def calibrate(camera: Camera) -> Calibration:
    """The calibration of a camera as its table file describes it; raises CalibrationError."""
    if not camera.points:
        return _calibration(np.array(camera.pinhole().homography(), dtype=np.float64), camera, None)
    if len(camera.points) < 4:
        raise CalibrationError(f"Camera {camera.id} has {len(camera.points)} points; measure four or more.")
    mm = np.array([pair.mm for pair in camera.points], dtype=np.float64)
    px = np.array([pair.px for pair in camera.points], dtype=np.float64)
    matrix, inliers = cv2.findHomography(mm, px, cv2.RANSAC, RANSAC_REACH_PX)
    if matrix is None or abs(np.linalg.det(matrix)) < 1e-12:
        raise CalibrationError(f"The points of camera {camera.id} lie on one line; measure points all around the felt.")
    kept = inliers.ravel().astype(bool)
    found = _calibration(np.asarray(matrix, dtype=np.float64), camera, 0.0)
    off_mm = found.to_mm(px[kept]) - mm[kept]
    rms_mm = float(np.sqrt((off_mm**2).sum(axis=1).mean()))
    strays = len(mm) - int(kept.sum())
    if rms_mm > MAX_RMS_MM or strays * 3 > len(mm):
        raise CalibrationError(
            f"The points of camera {camera.id} disagree ({rms_mm:.1f} mm RMS, {strays} of {len(mm)} far off; "
            f"{MAX_RMS_MM:.0f} mm is the most); measure them again."
        )
    return _calibration(np.asarray(matrix, dtype=np.float64), camera, rms_mm)


def _calibration(px_from_mm: Floats, camera: Camera, rms_mm: float | None) -> Calibration:
    normal = px_from_mm / px_from_mm[2, 2]
    digest = hashlib.sha256(np.round(normal, 9).tobytes()).hexdigest()[:12]
    return Calibration(normal, np.linalg.inv(normal), camera.width_px, camera.height_px, rms_mm, digest)


def _apply(matrix: Floats, points: Iterable[Point] | Floats) -> Floats:
    rows = np.asarray(points if isinstance(points, np.ndarray) else list(points), dtype=np.float64)
    if len(rows) == 0:
        return rows.reshape(0, 2)
    homogeneous = np.column_stack((rows, np.ones(len(rows)))) @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], dtype=np.float64)
