"""A calibration as people make it: off by some millimetres, with a lens that is slightly wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.settings import TableSettings
from vision.calibration.calibration import Calibration, calibrate, calibration, eye_of

RMS_MM: Final = (1.0, 3.0)
"""How far off the betting line is, in millimetres: up to the most that a calibration may be and still be accepted."""
K1: Final = 0.004
"""The most by which the first coefficient of the lens is wrong: 3 mm at the rail of a casino's table."""

Floats = npt.NDArray[np.float64]


def imperfect_calibration(table: TableSettings, seed: int) -> Calibration:
    """The calibration of a table's camera with an error drawn by the seed."""
    rng = np.random.default_rng([seed, 0xCA1])
    true = calibrate(table.cameras[0])
    lens = replace(true.lens, k1=float(rng.uniform(-K1, K1)))
    corners = np.array(table.felt.outline_mm, dtype=np.float64)
    line = np.array(table.felt.betting_line_mm, dtype=np.float64)
    moved = rng.normal(0.0, 1.0, (4, 2))
    wanted_mm = float(rng.uniform(*RMS_MM))
    low, high = 0.0, 20.0
    for _ in range(30):  # the error grows with the points' error, so bisect
        by = (low + high) / 2
        found = _fitted(lens.straight(true.to_px(corners)), corners, by * moved)
        made = calibration(found, lens, None, eye_of(found, lens))
        low, high = (by, high) if off_mm(made, true, line) < wanted_mm else (low, by)
    return made


def off_mm(made: Calibration, true: Calibration, points_mm: Floats) -> float:
    """How far points of the felt, (n, 2) float64 millimetres, are from where the calibration puts them, root mean
    square.
    """
    off = made.to_mm(true.to_px(points_mm)) - points_mm
    return float(np.sqrt((off**2).sum(axis=1).mean()))


def _fitted(ideal_px: Floats, corners_mm: Floats, moved_mm: Floats) -> Floats:
    """The homography (3, 3) float64 of the felt's corners (n, 2), the four outermost measured slightly wrong.

    ``moved_mm`` (4, 2) is by how much.
    """
    measured = corners_mm.copy()
    x, y = corners_mm.T
    for (sx, sy), by in zip(((-1, -1), (1, -1), (1, 1), (-1, 1)), moved_mm, strict=True):
        measured[(np.sign(x) == sx) & (np.sign(y) == sy)] += by
    found, _ = cv2.findHomography(measured, ideal_px)
    return np.asarray(found, dtype=np.float64)
