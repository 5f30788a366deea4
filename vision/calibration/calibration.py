"""Where on the felt a pixel lies: the lens, the homography between millimetres and pixels, and the camera's place.

It comes from a calibration file, from measured points of the table file or, where there is neither, from the camera's
nominal pose. Points are mapped, never pictures: warping costs more than everything else the detector does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from betline.geometry import Point, Point3
from betline.settings import Camera
from vision.calibration.fitting import FitError, fit
from vision.calibration.lens import Lens, nominal_lens

STEP_MM = 20.0
"""Straight edges are mapped in pieces of this length where the lens bends them."""

Floats = npt.NDArray[np.float64]


class CalibrationError(Exception):
    """There is no usable calibration; the sentence says what to measure again."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """The lens, homography ((3, 3) float64 each way) and place of one camera at one table.

    ``px_from_mm`` leads to ideal pixels, which the ``lens`` bends; ``eye_mm`` is where the camera hangs (its first two
    numbers are the nadir). ``rms_mm`` is the error of the measured points on the felt, None where the nominal pose was
    taken or four points agree by force; ``markers`` are the corners of the markers as the picture showed them. ``id``
    names the calibration in every event and changes with every number in it.
    """

    px_from_mm: Floats
    mm_from_px: Floats
    width_px: int
    height_px: int
    rms_mm: float | None
    id: str
    lens: Lens
    eye_mm: Point3
    markers: Mapping[int, Floats] = field(default_factory=dict)

    def to_px(self, points_mm: Iterable[Point] | Floats) -> Floats:
        """Picture positions of points on the felt, (N, 2) float64 each, one row (x, y) a point."""
        return self.lens.bent(_apply(self.px_from_mm, points_mm))

    def to_mm(self, points_px: Iterable[Point] | Floats) -> Floats:
        """Points of the felt seen at picture positions, (N, 2) float64 each, one row (x, y) a point."""
        return _apply(self.mm_from_px, self.lens.straight(_rows(points_px)))

    def outline_px(self, polygon_mm: Sequence[Point]) -> Floats:
        """A closed outline in the picture, (N, 2) float64: the lens bends its edges, so they get points between."""
        if not self.lens.bends:
            return self.to_px(polygon_mm)
        corners = np.asarray(polygon_mm, np.float64)
        pieces = [
            a + np.linspace(0, 1, max(1, int(np.hypot(*(b - a)) // STEP_MM)), endpoint=False)[:, None] * (b - a)
            for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)
        ]
        return self.to_px(np.concatenate(pieces))

    def lean_mm(self, points_mm: Floats, height_mm: float) -> Floats:
        """How far from its foot the top of a thing seems to lie on the felt, (N, 2) float64 mm: d = r h / (H - h)."""
        x, y, eye_mm = self.eye_mm
        return np.asarray((points_mm - (x, y)) * height_mm / (eye_mm - height_mm))

    def mm2_per_px(self, around_mm: Point) -> float:
        """The area of felt that one pixel shows around a point."""
        x, y = around_mm
        corner, right, up = self.to_px([(x, y), (x + 10, y), (x, y + 10)])
        (ax, ay), (bx, by) = right - corner, up - corner
        return 100.0 / float(abs(ax * by - ay * bx))


def calibrate(camera: Camera) -> Calibration:
    """The calibration of a camera as its table file describes it; raises CalibrationError."""
    lens = nominal_lens(camera)
    if not camera.points:
        nominal = np.array(camera.pinhole().homography(), dtype=np.float64)
        return calibration(nominal, lens, None, camera.position_mm)
    pairs = {
        f"point {at}": (np.array([pair.mm], np.float64), np.array([pair.px], np.float64))
        for at, pair in enumerate(camera.points, 1)
    }
    try:
        found = fit(pairs, [pair.mm for pair in camera.points], f"The points of camera {camera.id}")
    except FitError as error:
        raise CalibrationError(str(error)) from None
    return calibration(found.px_from_mm, lens, found.rms_mm, eye_of(found.px_from_mm, lens))


def calibration(
    px_from_mm: Floats, lens: Lens, rms_mm: float | None, eye_mm: Point3, markers: Mapping[int, Floats] | None = None
) -> Calibration:
    """A calibration with its id; ``px_from_mm``, (3, 3) float64, need not be normalised; markers are (4, 2) float64."""
    normal = px_from_mm / px_from_mm[2, 2]
    numbers = [*normal.ravel(), lens.fx_px, lens.fy_px, lens.cx_px, lens.cy_px, lens.k1, lens.k2, *eye_mm]
    digest = hashlib.sha256(np.round(numbers, 9).tobytes()).hexdigest()[:12]
    return Calibration(
        normal, np.linalg.inv(normal), lens.width_px, lens.height_px, rms_mm, digest, lens, eye_mm, markers or {}
    )


def eye_of(px_from_mm: Floats, lens: Lens) -> Point3:
    """Where a camera with that lens hangs whose homography is ``px_from_mm``, (3, 3) float64.

    Raises CalibrationError for a mirrored picture.
    """
    rows = np.linalg.inv(lens.matrix) @ px_from_mm
    rows = rows * (np.sign(rows[2, 2]) / np.sqrt(np.linalg.norm(rows[:, 0]) * np.linalg.norm(rows[:, 1])))
    turned = np.column_stack((rows[:, 0], rows[:, 1], np.cross(rows[:, 0], rows[:, 1])))
    left, _, right = np.linalg.svd(turned)
    x, y, z = -(left @ right).T @ rows[:, 2]
    if z <= 0:
        raise CalibrationError("The picture is mirrored: switch that off in the camera's settings and try again.")
    return float(x), float(y), float(z)


def _rows(points: Iterable[Point] | Floats) -> Floats:
    return np.asarray(points if isinstance(points, np.ndarray) else list(points), dtype=np.float64).reshape(-1, 2)


def _apply(matrix: Floats, points: Iterable[Point] | Floats) -> Floats:
    rows = _rows(points)
    homogeneous = np.column_stack((rows, np.ones(len(rows)))) @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], dtype=np.float64)
