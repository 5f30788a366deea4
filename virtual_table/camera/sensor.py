"""What the light and the sensor make of a picture: brightness over time, and noise from a pool."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from virtual_table.camera.optics import Image

_ROLL_PX = 64
_LUMA_SD = 1.75
_CHROMA_SD = 0.8


@dataclass(frozen=True, slots=True)
class Light:
    """The brightness of the room over time: points of (seconds, gain), straight lines between them, 1 without any."""

    points: tuple[tuple[float, float], ...] = ()

    @classmethod
    def ramp(cls, from_s: float, to_s: float, gain: float) -> Light:
        """The light goes evenly to ``gain`` in that span and stays there: a cloud, a slow exposure."""
        return cls(((from_s, 1.0), (to_s, gain)))

    @classmethod
    def switch(cls, at_s: float, gain: float) -> Light:
        """A lamp goes on or off, within a tenth of a second."""
        return cls.ramp(at_s, at_s + 0.1, gain)

    def gain(self, t_s: float) -> float:
        """The brightness at that time, 1 as drawn."""
        if not self.points:
            return 1.0
        times, gains = zip(*self.points, strict=True)
        return float(np.interp(t_s, times, gains))


class NoisePool:
    """Sensor noise made once; each frame takes it from another offset.

    Mostly brightness, a little colour, and smoothed as cameras do. The noise of the shadows is not weaker than that of
    the lights.
    """

    def __init__(self, width_px: int, height_px: int, rng: np.random.Generator) -> None:
        shape = (height_px + _ROLL_PX, width_px + _ROLL_PX)
        luma = cv2.GaussianBlur(rng.standard_normal(shape).astype(np.float32), (0, 0), 0.5)
        luma = luma * (_LUMA_SD / float(luma.std()))
        colour = rng.standard_normal((*shape, 3)).astype(np.float32) * _CHROMA_SD
        noise = np.rint(luma[..., None] + colour)
        self._brighter: Image = np.clip(noise, 0, 255).astype(np.uint8)
        self._darker: Image = np.clip(-noise, 0, 255).astype(np.uint8)
        self._rng = rng
        self._size = (height_px, width_px)

    def add(self, picture: Image) -> Image:
        """A copy of the picture with the next noise on it."""
        top, left = self._rng.integers(0, _ROLL_PX, 2)
        piece = (slice(top, top + self._size[0]), slice(left, left + self._size[1]))
        noisy = cv2.add(picture, self._brighter[piece])
        return np.asarray(cv2.subtract(noisy, self._darker[piece], dst=noisy), dtype=np.uint8)
