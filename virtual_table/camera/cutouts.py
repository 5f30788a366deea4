"""Real things for the virtual camera to draw with: arms, chips, cards and felt cut out of photos.

Two collections lie beside this module, with their licences: one to tune the detector with, one for scoring only.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from virtual_table.camera.canvas import Bgr
from virtual_table.camera.optics import Floats, Image

Collection = Literal["training", "held_out"]
FOLDER: Final = Path(__file__).with_name("photos")
ARM_MM_PER_PX: Final = 1.1
"""The arms' hands are 80 px wide, people's 88 mm."""
_ARM_ENDS: Final[dict[Collection, tuple[tuple[float, float], tuple[float, float]]]] = {
    "training": ((6.0, 145.0), (316.0, 40.0)),
    "held_out": ((6.0, 190.0), (297.0, 60.0)),
}
"""Where the fingers end and where the middle of the sleeve leaves the photo, in its pixels."""
_SKIN_LEVEL: Final = 26.0
"""Sleeves are darker than this, skin is brighter."""
_OPAQUE: Final = 128
_HAND_LONG_MM: Final = 60.0
"""So far behind the point where the fingers end the outline of a hand is kept: what is behind that never leads."""
_OUTLINE_PX: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class ArmPhoto:
    """A hand with its forearm, (H, W, 4) uint8 BGRA; ``front_px`` is where the fingers end, ``back_px`` the sleeve."""

    picture: Image
    front_px: Floats
    back_px: Floats

    @property
    def length_mm(self) -> float:
        """From the fingers to where the photo ends."""
        return float(np.linalg.norm(self.back_px - self.front_px)) * ARM_MM_PER_PX

    def hand_mm(self) -> tuple[tuple[float, float], ...]:
        """The hull of the hand that the photo shows, for `Looks`: how far each of its corners is behind the point where
        the fingers end, along the arm, and how far aside.
        """
        along = (self.back_px - self.front_px) / np.linalg.norm(self.back_px - self.front_px)
        rows, columns = np.nonzero(self.picture[..., 3] >= _OPAQUE)
        from_front = np.column_stack((columns, rows)) - self.front_px
        near = from_front[from_front @ along * ARM_MM_PER_PX <= _HAND_LONG_MM].astype(np.float32)
        corners = np.asarray(cv2.approxPolyDP(cv2.convexHull(near), _OUTLINE_PX, True)).reshape(-1, 2)
        behind, aside = corners @ along, corners @ np.array((-along[1], along[0]))
        return tuple((float(u) * ARM_MM_PER_PX, float(v) * ARM_MM_PER_PX) for u, v in zip(behind, aside, strict=True))

    def in_sleeve(self, colour: Bgr) -> ArmPhoto:
        """The same arm in a sleeve of another colour."""
        levels = self.picture[..., :3].astype(np.float32)
        light = levels.mean(axis=2)
        along = (self.back_px - self.front_px) / np.linalg.norm(self.back_px - self.front_px)
        y, x = np.mgrid[0 : light.shape[0], 0 : light.shape[1]]
        far_px = (x - self.front_px[0]) * along[0] + (y - self.front_px[1]) * along[1]
        cloth = np.clip((_SKIN_LEVEL - light) / 8.0, 0.0, 1.0) * (far_px > 0.4 * far_px.max())
        folds = np.clip(0.85 + light / _SKIN_LEVEL * 0.5, 0.8, 1.2)
        dyed = np.array(colour) * folds[..., None]
        mixed = levels + (dyed - levels) * cloth[..., None]
        picture = np.dstack((np.clip(mixed, 0, 255).astype(np.uint8), self.picture[..., 3]))
        return ArmPhoto(picture, self.front_px, self.back_px)


@dataclass(frozen=True, slots=True, eq=False)
class Cutouts:
    """A collection: chips, (H, W, 4) uint8 BGRA, a card's face, (H, W, 3) uint8 BGR, an arm, and the weave of a felt.

    The weave is (H, W) float32: how bright each point is against the mean.
    """

    chips: tuple[Image, ...]
    card: Image
    arm: ArmPhoto
    weave: npt.NDArray[np.float32]


@functools.cache
def cutouts(collection: Collection) -> Cutouts:
    """The photos of a collection."""

    def read(name: str) -> Image:
        picture = cv2.imread(str(FOLDER / f"{collection}_{name}.png"), cv2.IMREAD_UNCHANGED)
        return np.asarray(picture, dtype=np.uint8)

    front, back = _ARM_ENDS[collection]
    felt = read("felt").astype(np.float32).mean(axis=2)
    smooth = np.asarray(cv2.GaussianBlur(felt, (0, 0), 12.0))
    return Cutouts(
        tuple(read(f"chip_{number}") for number in (1, 2, 3)),
        read("card"),
        ArmPhoto(read("arm"), np.array(front), np.array(back)),
        np.asarray(felt / smooth, dtype=np.float32),
    )


def mean_colour(picture: Image) -> Bgr:
    """The mean colour of what is opaque in a picture, (H, W, 4) uint8 BGRA."""
    seen = picture[..., :3][picture[..., 3] > _OPAQUE]
    blue, green, red = (float(level) for level in seen.mean(axis=0))
    return (blue, green, red)


def woven(weave: npt.NDArray[np.float32], shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    """A weave, (h, w) float32, over a picture of another shape: mirrored, so that no seam shows."""
    both = np.vstack((weave, weave[::-1]))
    tile = np.hstack((both, both[:, ::-1]))
    times = (-(-shape[0] // tile.shape[0]), -(-shape[1] // tile.shape[1]))
    return np.tile(tile, times)[: shape[0], : shape[1]]
