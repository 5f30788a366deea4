"""The felt of one picture that nobody calibrated: the largest plain surface that is not pale, and what lies on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.pictures import Mask, Picture, all_of, closed, opened

Lab = npt.NDArray[np.float32]
"""Rows, columns, CIE Lab with lightness 0 to 100."""

OBJECT_DISTANCE: Final = 22.0
"""Distance in Lab from the felt around it beyond which a pixel is no felt (measured on real felt)."""
SURFACE_DISTANCE: Final = 14.0
"""A surface's pixels are this close to its colour."""
MIN_SHARE: Final = 0.08
"""A felt covers at least this share of its picture."""
COLOURS: Final = 6
SHRINK: Final = 4
NEIGHBOURHOOD_SHARE: Final = 0.12
"""The felt's colour at a place is the mean of the felt within this share of the picture's width: light falls off."""
PALE_LIGHTNESS, PALE_CHROMA = 60.0, 25.0
"""A surface lighter than this with less colour than this may be the table or the wall around the felt."""
SEED: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Where the felt lies (its hull), and the pixels in it that are something else: (H, W) uint8 each."""

    hull: Mask
    objects: Mask


def to_lab(picture: Picture) -> Lab:
    """The picture, (H, W, 3) uint8 BGR, in CIE Lab, blurred by 5 px: (H, W, 3) float32."""
    soft = cv2.GaussianBlur(picture, (5, 5), 0).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), dtype=np.float32)


def find_surface(lab: Lab) -> Surface | None:
    """The felt of a picture; None where no surface is large and plain enough to be one."""
    small = _shrunk(lab)
    best = max(_colours(small), key=lambda colour: _likelihood(small, colour))
    if _likelihood(small, best) <= 0:
        return None
    felt = _surface_of(lab, best)
    outlines, _ = cv2.findContours(felt, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hull = np.zeros_like(felt)
    cv2.fillConvexPoly(hull, cv2.convexHull(max(outlines, key=cv2.contourArea)), 255)
    differs = np.linalg.norm(lab - _felt_colour(lab, felt), axis=2) > OBJECT_DISTANCE
    found = all_of(np.where(differs, np.uint8(255), np.uint8(0)), hull)
    return Surface(hull, opened(closed(found, 5), 3))


def _shrunk(lab: Lab) -> Lab:
    height, width = lab.shape[:2]
    size = (max(1, width // SHRINK), max(1, height // SHRINK))
    return np.asarray(cv2.resize(lab, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _colours(lab: Lab) -> Lab:
    """The main colours of a picture, the same in every run."""
    pixels = lab.reshape(-1, 3)
    cv2.setRNGSeed(SEED)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    count = min(COLOURS, len(pixels))
    _, _, centres = cv2.kmeans(pixels, count, np.zeros((len(pixels), 1), np.int32), stop, 2, cv2.KMEANS_PP_CENTERS)
    return np.asarray(centres, dtype=np.float32)


def _likelihood(lab: Lab, colour: npt.NDArray[np.float32]) -> float:
    """How likely the largest surface of a colour is the felt: its share of the picture, less if it is pale."""
    share = np.count_nonzero(_surface_of(lab, colour)) / (lab.shape[0] * lab.shape[1])
    if share < MIN_SHARE:
        return 0.0
    light = max(0.0, float(colour[0]) - PALE_LIGHTNESS) / (100.0 - PALE_LIGHTNESS)
    paleness = light * max(0.0, 1.0 - float(np.hypot(colour[1], colour[2])) / PALE_CHROMA)
    return float(share * (1.0 - 0.9 * paleness))


def _surface_of(lab: Lab, colour: npt.NDArray[np.float32]) -> Mask:
    """The largest connected surface of one colour."""
    near = np.where(np.linalg.norm(lab - colour, axis=2) < SURFACE_DISTANCE, np.uint8(255), np.uint8(0))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened(closed(near, 5), 5))
    sizes = stats[:, cv2.CC_STAT_AREA].copy()
    sizes[0] = 0
    largest = int(np.argmax(sizes))
    return np.where((labels == largest) & (largest > 0), np.uint8(255), np.uint8(0))


def _felt_colour(lab: Lab, felt: Mask) -> Lab:
    """The felt's colour at each pixel, from the felt around it."""
    width = max(3, int(lab.shape[1] * NEIGHBOURHOOD_SHARE))
    is_felt = (felt > 0).astype(np.float32)
    weight = np.asarray(cv2.blur(is_felt, (width, width)))[..., None]
    total = np.asarray(cv2.blur(lab * is_felt[..., None], (width, width)))
    mean = lab[felt > 0].mean(axis=0)
    return np.where(weight > 0.02, total / np.maximum(weight, 1e-6), mean).astype(np.float32)
