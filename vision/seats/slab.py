"""False bets: a phone or another smooth slab in a bet zone is a strange thing, and no chips.

That something lies in a zone its eye sees. By its outline alone a phone looks like a block of tall stacks, but
stacks are speckled with edge spots and inlays: only what is one rectangle of one colour is no bet.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from vision.frame.shapes import SHADOWED_PX, measured
from vision.frame.zones import SeatZones
from vision.imaging.pictures import Mask, Picture, grey
from vision.tuning.thresholds import Thresholds

EXTENT: Final = 0.92
"""Share of its smallest rectangle that a slab fills at least; its corners are a little round."""
RIM_MM: Final = 12.0
"""So far within its edge nothing of a slab's rim or its shadow is left."""
MOST: Final = 0.7
"""Share of what lies in the zone that a slab is at least: a chip may lie beside a phone."""


def slab_mm2(zones: SeatZones, lying: Mask, picture: Picture, thresholds: Thresholds) -> float:
    """The area of a smooth slab that is most of what lies in a zone, 0 where there is none.

    ``lying`` is (H, W) uint8, 0 or 255, cut to ``zones.bets``; ``picture`` the whole frame, (H, W, 3) uint8 BGR.
    """
    if not lying.any():
        return 0.0
    mm_per_px = math.sqrt(zones.bets.mm2_per_px)
    crop = grey(zones.bets.of(zones.crop(picture)))
    count, labels = cv2.connectedComponents(lying, connectivity=8)
    lying_px = cv2.countNonZero(lying)
    for label in range(1, count):
        piece = np.where(np.asarray(labels) == label, np.uint8(255), np.uint8(0))
        if cv2.countNonZero(piece) >= MOST * lying_px and _is_slab(piece, crop, mm_per_px, thresholds):
            return cv2.countNonZero(piece) * zones.bets.mm2_per_px
    return 0.0


def _is_slab(piece: Mask, crop: Mask, mm_per_px: float, thresholds: Thresholds) -> bool:
    seen = measured(piece, mm_per_px, SHADOWED_PX)
    if seen is None or seen.extent < EXTENT:
        return False
    wide = thresholds.slab_least_wide_mm <= seen.short_mm <= thresholds.slab_most_wide_mm
    if not (wide and thresholds.slab_least_long_mm <= seen.long_mm <= thresholds.slab_most_long_mm):
        return False
    outlines, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(piece)
    cv2.fillConvexPoly(filled, cv2.convexHull(np.concatenate(outlines)), 255)
    size = 2 * round(RIM_MM / mm_per_px + SHADOWED_PX) + 1
    inside = cv2.erode(filled, np.ones((size, size), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    levels = crop[np.asarray(inside) > 0]
    return len(levels) > 0 and float(levels.std()) < thresholds.slab_levels
