"""What is wrong with a camera's pictures while it serves them: frozen, black, shoved, or half covered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from virtual_table.camera.optics import Image

COVER_BGR: Final = (52, 58, 70)
"""A sleeve or a cup close to the lens: of one colour, without an edge."""


@dataclass(frozen=True, slots=True)
class ViewFaults:
    """What stands now; nothing does by default."""

    frozen: bool = False
    """Each picture is the one before, byte for byte."""
    black: bool = False
    moved_px: tuple[float, float] = (0.0, 0.0)
    """How far the picture is off, across and down."""
    covered: float = 0.0
    """So much of it is covered, from the left."""

    def seen(self, picture: Image) -> Image:
        """The picture, (H, W, 3) uint8 BGR, before the sensor's noise, as the faulty camera takes it."""
        if self.black:
            return np.zeros_like(picture)
        if self.moved_px != (0.0, 0.0):
            shift = np.array([[1.0, 0.0, self.moved_px[0]], [0.0, 1.0, self.moved_px[1]]])
            size = (picture.shape[1], picture.shape[0])
            moved = cv2.warpAffine(picture, shift, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            picture = np.asarray(moved, dtype=np.uint8)
        if self.covered:
            picture = picture.copy()
            picture[:, : round(self.covered * picture.shape[1])] = COVER_BGR
        return picture


SOUND: Final = ViewFaults()
