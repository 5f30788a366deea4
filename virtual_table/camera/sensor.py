"""What light and sensor make of a picture: brightness and colour over time, and noise from a pool."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from virtual_table.camera.canvas import Bgr
from virtual_table.camera.optics import Image

WHITE_K: Final = 4300.0
"""The colour temperature at which white is white: the camera's white balance is fixed."""
_WAVES_NM = (450.0, 540.0, 600.0)
_WIEN_NM_K = 1.4388e7
_FILTERED = 0.7  # the filters of a sensor overlap, so its channels differ less than single wavelengths
_BRIGHTEST = 1.15
_SWING_STEP_S = 10.0 / 3
_SWING_STEPS = 11_000  # ten hours
_EXPOSURE_SWING_S = 30.0
_COLOUR_SWING_S = 50.0

_ROLL_PX = 64
_LUMA_SHARE = 0.9  # of the noise is brightness, the rest colour
_ONE_SD = 32  # of the pool and of the map of its strength
_EDGE_SD = 0.05  # levels of noise for each level of difference between neighbours: jitter of the codec and the camera
_MAX_EDGE_SD = 5.5


def tint(kelvin: float) -> Bgr:
    """The gains that a lamp of that colour temperature gives white, blue first, as bright as `WHITE_K` (Wien's law)."""
    shift = 1.0 / kelvin - 1.0 / WHITE_K
    blue, green, red = (math.exp(-_FILTERED * _WIEN_NM_K / wave * shift) for wave in _WAVES_NM)
    bright = max(0.114 * blue + 0.587 * green + 0.299 * red, max(blue, green, red) / _BRIGHTEST)
    return (blue / bright, green / bright, red / bright)


Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Light:
    """The light of the room over time, linear between the points.

    ``points`` are (seconds, gain), 1 without any; ``kelvins`` are (seconds, colour temperature), `WHITE_K` without any.
    """

    points: Points = ()
    kelvins: Points = ()

    @classmethod
    def ramp(cls, from_s: float, to_s: float, gain: float) -> Light:
        """The light changes evenly to ``gain`` in that span and stays there: a cloud, a slow exposure."""
        return cls(((from_s, 1.0), (to_s, gain)))

    @classmethod
    def switch(cls, at_s: float, gain: float) -> Light:
        """A lamp goes on or off, within a tenth of a second."""
        return cls.ramp(at_s, at_s + 0.1, gain)

    @classmethod
    def drifting(cls, exposure: float, kelvin: float, by_kelvin: float) -> Light:
        """The exposure swings by that share in 30 s, the colour temperature by so many kelvin in 50 s."""
        return cls(
            _swing(1.0, exposure, _EXPOSURE_SWING_S) if exposure else (),
            _swing(kelvin, by_kelvin, _COLOUR_SWING_S) if by_kelvin else (),
        )

    def changed(self, from_s: float, to_s: float, gain: float, kelvin: float | None, drawn_kelvin: float) -> Light:
        """The same light until ``from_s``, then evenly to another brightness and, if given, another colour.

        ``drawn_kelvin`` is the colour temperature of a light without ``kelvins``.
        """
        points = _then(self.points, from_s, self.gain(from_s), to_s, gain)
        if kelvin is None:
            return Light(points, self.kelvins)
        before = self.kelvin(from_s) if self.kelvins else drawn_kelvin
        return Light(points, _then(self.kelvins, from_s, before, to_s, kelvin))

    def gain(self, t_s: float) -> float:
        """The brightness at that time, 1 as drawn."""
        return _between(self.points, t_s, 1.0)

    def kelvin(self, t_s: float) -> float:
        """The colour temperature at that time."""
        return _between(self.kelvins, t_s, WHITE_K)

    def gains(self, t_s: float) -> Bgr:
        """The gain of each channel at that time, blue first."""
        gain = self.gain(t_s)
        if not self.kelvins:
            return (gain, gain, gain)
        blue, green, red = tint(self.kelvin(t_s))
        return (gain * blue, gain * green, gain * red)


def lit(picture: Image, gains: Bgr) -> Image:
    """The picture, (H, W, 3) uint8 BGR, with other gains of its channels."""
    if gains[0] == gains[1] == gains[2]:
        return np.asarray(cv2.convertScaleAbs(picture, alpha=gains[0]), dtype=np.uint8)
    levels = np.arange(256)[None, :, None] * np.array(gains)
    return np.asarray(cv2.LUT(picture, np.clip(np.rint(levels), 0, 255).astype(np.uint8)), dtype=np.uint8)


class NoisePool:
    """Sensor noise made once; each frame takes it from another offset, stronger where the picture is bright.

    Mostly brightness, a little colour, smoothed as cameras do. Its standard deviation is sqrt(1.2 + 0.05 I) at the
    level I of a channel, and more at strong edges.
    """

    def __init__(self, width_px: int, height_px: int, rng: np.random.Generator) -> None:
        shape = (height_px + _ROLL_PX, width_px + _ROLL_PX)
        luma = cv2.GaussianBlur(rng.standard_normal(shape).astype(np.float32), (0, 0), 0.5)
        luma = luma * (_LUMA_SHARE / float(luma.std()))
        colour = rng.standard_normal((*shape, 3)).astype(np.float32) * math.sqrt(1.0 - _LUMA_SHARE**2)
        noise = np.rint((luma[..., None] + colour) * _ONE_SD)
        self._brighter: Image = np.clip(noise, 0, 255).astype(np.uint8)
        self._darker: Image = np.clip(-noise, 0, 255).astype(np.uint8)
        self._rng = rng
        self._size = (height_px, width_px)
        levels = np.arange(256)
        self._by_level = np.rint(np.sqrt(1.2 + 0.05 * levels) * _ONE_SD).astype(np.uint8)
        self._by_edge = np.rint(np.minimum(_EDGE_SD * levels, _MAX_EDGE_SD) * _ONE_SD).astype(np.uint8)

    def strength(self, picture: Image, *, edges: bool = True) -> Image:
        """How strong the noise is at each pixel and channel of a picture, both (H, W, 3) uint8, for `add`."""
        by_level = cv2.LUT(picture, self._by_level)
        if edges:
            steps = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
            cv2.max(by_level, cv2.LUT(steps, self._by_edge), dst=by_level)
        return np.asarray(by_level, dtype=np.uint8)

    def add(self, picture: Image, strength: Image, gain: float = 1.0) -> Image:
        """A copy of the picture, (H, W, 3) uint8 BGR, with new noise.

        ``gain`` is how much brighter the picture is now than when its ``strength`` was computed.
        """
        top, left = self._rng.integers(0, _ROLL_PX, 2)
        piece = (slice(top, top + self._size[0]), slice(left, left + self._size[1]))
        scale = math.sqrt(gain) / _ONE_SD**2
        noisy = cv2.add(picture, cv2.multiply(self._brighter[piece], strength, scale=scale))
        darker = cv2.multiply(self._darker[piece], strength, scale=scale)
        return np.asarray(cv2.subtract(noisy, darker, dst=noisy), dtype=np.uint8)


def _swing(middle: float, by: float, period_s: float) -> Points:
    times = (_SWING_STEP_S * step for step in range(_SWING_STEPS))
    return tuple((t, middle + by * math.sin(math.tau * t / period_s)) for t in times)


def _then(points: Points, from_s: float, now: float, to_s: float, then: float) -> Points:
    return (*(point for point in points if point[0] < from_s), (from_s, now), (to_s, then))


def _between(points: Points, t_s: float, without: float) -> float:
    if not points:
        return without
    after = bisect_right(points, t_s, key=lambda point: point[0])
    if after in (0, len(points)):
        return points[max(0, after - 1)][1]
    (from_s, now), (to_s, then) = points[after - 1 : after + 1]
    return now + (then - now) * (t_s - from_s) / (to_s - from_s)
