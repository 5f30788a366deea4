"""Soft shadows of what the camera does not see: somebody passes a lamp behind it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np

from betline.geometry import centroid
from betline.settings import TableSettings
from virtual_table.camera.optics import Floats, Image, View
from virtual_table.table.motion import min_jerk

FADE_S: Final = 0.5
"""A shadow comes and goes in this time."""
WIDTH_MM: Final = 110.0
"""From its middle to where it has half of its depth, roughly."""


@dataclass(frozen=True, slots=True, eq=False)
class SoftShade:
    """A shadow without an edge around a point of the picture, from one time to another; it leaves ``gain`` of the
    light in its middle.
    """

    at_px: tuple[float, float]
    radius_px: float
    start_s: float
    end_s: float
    gain: float

    @classmethod
    def over(cls, table: TableSettings, seat: int, start_s: float, end_s: float, gain: float) -> SoftShade:
        """A shadow over the bet zone of a seat."""
        view = View(table.cameras[0].pinhole())
        middle = (*centroid(table.seat(seat).bet_zone_mm), 0.0)
        x, y = (float(value) for value in view.project(middle))
        return cls((x, y), WIDTH_MM * float(view.scale(middle)), start_s, end_s, gain)

    def on(self, picture: Image, t_s: float) -> Image:
        """The picture, (H, W, 3) uint8 BGR, with the shadow of that time: a copy where there is one."""
        depth = (1.0 - self.gain) * min_jerk(min(t_s - self.start_s, self.end_s - t_s) / FADE_S)
        if depth <= 0.0:
            return picture
        height, width = picture.shape[:2]
        away = _away(width, height, self.at_px)
        left = 1.0 - depth * np.exp(-0.5 * (away / self.radius_px) ** 4)
        return np.asarray(picture * left[..., None], dtype=np.uint8)


@functools.lru_cache(maxsize=4)
def _away(width: int, height: int, at_px: tuple[float, float]) -> Floats:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return np.asarray(np.hypot(x - at_px[0], y - at_px[1]))
