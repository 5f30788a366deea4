"""What a thing on the felt is by its outline: chips, a card, several cards, or something else.

A chip fills its hull and leaves the corners of its smallest rectangle free; a card fills that rectangle
(hardware_docs/vision.md). Cards that overlap have the width of one card in one direction; a phone is a rectangle of
other sides. What is neither, and has the plain outline of a rigid thing, is unknown; a ragged outline (a hand, a
shadow's rest) is nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from vision.frame.blobs import CORE_SHARE
from vision.imaging.pictures import Mask
from vision.tuning.thresholds import Thresholds

Kind = Literal["chips", "card", "cards", "unknown", "ragged"]

BLUR_PX: Final = 1.1
"""Blurred by 5 px an outline is seen this far outside of its pixels' middles."""
CARD_EXTENT: Final = 0.88
CARDS_EXTENT: Final = 0.72
CARDS_SOLIDITY: Final = 0.86
CIRCULARITY: Final = 0.88
ROUND_EXTENT: Final = (0.66, 0.86)
CHIP_AREAS: Final = (0.6, 1.6)
CHIP_SOLIDITY: Final = 0.7
CHIP_WIDTH: Final = 1.3
"""A row of stacks and a stack seen from the side are no wider than this share of a chip."""
RIGID_SOLIDITY: Final = 0.93
RIGID_EXTENT: Final = 0.74
"""A cup's circle fills 0.785 of its rectangle."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What an outline is: ``chips`` counts the footprints where it is made of chips."""

    kind: Kind
    area_mm2: float = 0.0
    chips: int = 0


@dataclass(frozen=True, slots=True)
class Outline:
    """The measures of a filled outline, in millimetres, and shares of its hull and of its smallest rectangle."""

    area_mm2: float
    short_mm: float
    long_mm: float
    circularity: float
    extent: float
    solidity: float


def measured(piece: Mask, mm_per_px: float, blur_px: float = BLUR_PX) -> Outline | None:
    """The measures of the largest outline of a mask, holes filled; None of an empty one.

    ``blur_px`` is how far the mask runs outside of the thing.
    """
    outlines, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    outline = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    _, sides_px, _ = cv2.minAreaRect(hull)
    around_px = cv2.arcLength(hull, True)
    hull_px = _inside(cv2.contourArea(hull), around_px, blur_px)
    area_px = _inside(cv2.contourArea(outline), cv2.arcLength(outline, True), blur_px)
    around_px -= 2 * math.pi * blur_px
    short_px, long_px = sorted(side - 2 * blur_px for side in sides_px)
    if min(hull_px, area_px, short_px, around_px) <= 0:
        return None
    return Outline(
        area_mm2=area_px * mm_per_px**2,
        short_mm=short_px * mm_per_px,
        long_mm=long_px * mm_per_px,
        circularity=min(1.0, 4 * math.pi * hull_px / around_px**2),
        extent=min(1.0, hull_px / (short_px * long_px)),
        solidity=min(1.0, area_px / hull_px),
    )


def _inside(area_px: float, around_px: float, blur_px: float) -> float:
    """The area within an outline that the blur has pushed outwards."""
    return area_px - around_px * blur_px + math.pi * blur_px**2


def shape_of(piece: Mask, mm_per_px: float, limits: Thresholds) -> Shape:
    """What a connected mask shows."""
    seen = measured(piece, mm_per_px)
    if seen is None:
        return Shape("ragged")
    flat = _flat(seen, limits)
    if flat in ("card", "cards") and seen.extent >= CARD_EXTENT and seen.solidity >= RIGID_SOLIDITY:
        return Shape(flat, seen.area_mm2)
    chips = _chips(piece, seen, mm_per_px, limits.chip_diameter_mm)
    return Shape("chips" if chips else flat, seen.area_mm2, chips)


def _flat(seen: Outline, limits: Thresholds) -> Kind:
    wide, long = limits.card_width_mm, limits.card_length_mm
    if _near(seen.short_mm, wide, limits) and _near(seen.long_mm, long, limits) and seen.extent >= CARD_EXTENT:
        return "card"
    if _is_cards(seen, limits):
        return "cards"
    whole = seen.short_mm > CHIP_WIDTH * limits.chip_diameter_mm and seen.long_mm <= limits.strange_longest_mm
    rigid = seen.solidity >= RIGID_SOLIDITY and seen.extent >= RIGID_EXTENT
    return "unknown" if whole and rigid else "ragged"


def _near(side_mm: float, card_side_mm: float, limits: Thresholds) -> bool:
    return abs(side_mm - card_side_mm) <= limits.card_tolerance_mm


def _is_cards(seen: Outline, limits: Thresholds) -> bool:
    """Cards that overlap along one of their sides, or lie a little askew on each other."""
    wide, long = limits.card_width_mm, limits.card_length_mm
    if not 0.9 * limits.card_mm2 <= seen.area_mm2 <= 4.5 * limits.card_mm2 or seen.solidity < CARDS_SOLIDITY:
        return False
    beside = _near(seen.short_mm, long, limits) or _near(seen.long_mm, long, limits)
    behind = abs(seen.short_mm - wide) <= limits.card_tolerance_mm / 2
    return (beside or behind or seen.long_mm <= 1.35 * long) and seen.extent >= CARDS_EXTENT


def _chips(piece: Mask, seen: Outline, mm_per_px: float, chip_diameter_mm: float) -> int:
    """How many chips or stacks the outline is made of, 0 where it is not made of chips."""
    chip_mm2 = math.pi * chip_diameter_mm**2 / 4
    share = seen.area_mm2 / chip_mm2
    if CHIP_AREAS[0] <= share / seen.solidity <= CHIP_AREAS[1]:  # a pale chip's outline is eaten, its hull is not
        is_round = seen.circularity >= CIRCULARITY and ROUND_EXTENT[0] <= seen.extent <= ROUND_EXTENT[1]
        return 1 if is_round and seen.solidity >= CHIP_SOLIDITY else 0
    if share < CHIP_AREAS[0]:
        return 0
    if seen.short_mm <= CHIP_WIDTH * chip_diameter_mm:  # a row of chips, or a stack that is seen from the side
        return max(1, _cores(piece, mm_per_px, chip_diameter_mm))
    cores = _cores(piece, mm_per_px, chip_diameter_mm)
    return cores if cores >= 2 and CHIP_AREAS[0] <= share / cores <= CHIP_AREAS[1] else 0


def _cores(piece: Mask, mm_per_px: float, chip_diameter_mm: float) -> int:
    depth = np.asarray(cv2.distanceTransform(np.pad(piece, 1), cv2.DIST_L2, 3))
    deep = np.where(depth > CORE_SHARE * chip_diameter_mm / 2 / mm_per_px + BLUR_PX, np.uint8(255), np.uint8(0))
    return int(cv2.connectedComponents(deep, connectivity=8)[0]) - 1
