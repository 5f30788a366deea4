"""What a cheap camera does to a picture: bumps, flicker of the lamps, key-frame flashes, JPEG, lost frames.

A chain over finished pictures, (H, W, 3) uint8 BGR; the renderer knows nothing of it. All chance comes from the seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from virtual_table.camera.optics import Image

FLASH_BLOCK_PX = 16
FLASH_BLOCKS = 18
"""A key frame of a real H.264 clip changed 4,200 to 5,100 pixels by more than 25 levels for one frame."""
FLASH_LEVELS = (26, 40)
_BAND_PX = 8


@dataclass(frozen=True, slots=True)
class Flaws:
    """The camera's standing faults; none by default.

    ``jpeg_quality`` is libjpeg's 1 to 100; ``flash_every`` a number of frames; ``flicker`` the share by which the
    brightness of bands swings (lamps on mains); ``dropped`` the share of frames that repeat the one before.
    """

    jpeg_quality: int | None = None
    flash_every: int = 0
    flicker: float = 0.0
    dropped: float = 0.0


@dataclass(slots=True)
class FlawedCamera:
    """The pictures of one film, in order."""

    flaws: Flaws
    rng: np.random.Generator
    moved_px: tuple[float, float] = (0.0, 0.0)
    """How far the camera was bumped; the picture is shifted by it."""
    _number: int = 0
    _flashes: int = 0
    _before: Image | None = field(default=None)

    def flash(self) -> None:
        """The next picture is a key frame of a bad encoder."""
        self._flashes += 1

    def shifted(self, picture: Image) -> Image:
        """The picture before the sensor's noise, as the bumped camera sees it; (H, W, 3) uint8 BGR."""
        if self.moved_px == (0.0, 0.0):
            return picture
        shift = np.array([[1.0, 0.0, self.moved_px[0]], [0.0, 1.0, self.moved_px[1]]])
        size = (picture.shape[1], picture.shape[0])
        moved = cv2.warpAffine(picture, shift, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, dtype=np.uint8)

    def taken(self, picture: Image) -> Image:
        """The next picture of the film as it arrives; (H, W, 3) uint8 BGR."""
        self._number += 1
        if self._before is not None and self.flaws.dropped and self.rng.random() < self.flaws.dropped:
            return self._before
        if self.flaws.flicker:
            picture = self._flickered(picture)
        if self._flashes or (self.flaws.flash_every and self._number % self.flaws.flash_every == 0):
            picture = self._flashed(picture)
            self._flashes = max(0, self._flashes - 1)
        if self.flaws.jpeg_quality is not None:
            picture = _through_jpeg(picture, self.flaws.jpeg_quality)
        self._before = picture
        return picture

    def _flickered(self, picture: Image) -> Image:
        """Wandering bands: 100 Hz of the lamps against 30 frames a second."""
        height = picture.shape[0]
        banded = np.empty_like(picture)
        for top in range(0, height, _BAND_PX):
            swing = 1.0 + self.flaws.flicker * math.sin(math.tau * (1.5 * top / height + 0.071 * self._number))
            rows = slice(top, top + _BAND_PX)
            banded[rows] = cv2.convertScaleAbs(picture[rows], alpha=swing)
        return banded

    def _flashed(self, picture: Image) -> Image:
        picture = picture.copy()
        height, width = picture.shape[:2]
        for _ in range(FLASH_BLOCKS):
            top = int(self.rng.integers(0, height - FLASH_BLOCK_PX))
            left = int(self.rng.integers(0, width - FLASH_BLOCK_PX))
            block = picture[top : top + FLASH_BLOCK_PX, left : left + FLASH_BLOCK_PX]
            levels = int(self.rng.integers(*FLASH_LEVELS)) * int(self.rng.choice((-1, 1)))
            block[:] = np.clip(block.astype(np.int16) + levels, 0, 255).astype(np.uint8)
        return picture


def _through_jpeg(picture: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
