"""What a thing on the felt is by its outline: chips, a card, several cards, or something else.

A chip fills its hull and leaves the corners of its smallest rectangle free; a card fills that rectangle. Cards that
overlap have the width of one card in one direction; a phone is a rectangle of other sides. What is neither, and has the
plain outline of a rigid thing, is unknown; a ragged outline (a hand, a shadow's rest) is nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np

from vision.imaging.pictures import Mask
from vision.tuning.thresholds import Thresholds

Kind = Literal["chips", "card", "cards", "unknown", "ragged"]

BLUR_PX: Final = 1.1
"""Blurred by 5 px an outline is seen this far outside of its pixels' middles."""
SHADOWED_PX: Final = 3.7
"""In a zone weak differences count too: outlines run this far outside of a thing, in its shadow and all of its blur."""
CORE_SHARE: Final = 0.62
"""Two touching chips fall apart when their common outline is shrunk by this share of a chip's radius."""
CARD_EXTENT: Final = 0.88
"""Share of its smallest rectangle that a card fills at least; chips side by side fill 79 % of theirs."""
CARD_CHIPS: Final = (2.6, 6.0)
"""Chip areas of one card or two that overlap: a card of poker size has 4.6 of a chip of 39 mm."""
CARD_CHIP_WIDTHS: Final = 1.35
"""Chip diameters that a card is wide at least: it is 63 mm wide, a leaning stack is as narrow as a chip."""
CARDS_AREAS: Final = (0.9, 4.5)
"""Card areas of cards that overlap."""
CARDS_LONG: Final = 1.35
"""Card lengths up to which cards askew on each other reach."""
CARDS_EXTENT: Final = 0.72
"""Share of their smallest rectangle that overlapping cards fill at least: askew they leave its corners free."""
CARDS_SOLIDITY: Final = 0.86
"""Share of their hull that overlapping cards fill at least: there are notches between them."""
CIRCULARITY: Final = 0.88
"""From this circularity (4 pi area / perimeter squared) of its hull on a thing is round; a square has 0.79."""
ROUND_EXTENT: Final = (0.66, 0.86)
"""Shares of its smallest rectangle that a round thing fills: a circle 0.785."""
CHIP_AREAS: Final = (0.6, 1.6)
"""Chip areas of a single chip: pale edge spots are lost, and a stack shows some of its side."""
CHIP_SOLIDITY: Final = 0.7
"""Share of its hull that a chip fills at least: spots of the felt's colour eat into its outline."""
CHIP_WIDTH: Final = 1.3
"""A row of stacks and a stack seen from the side are no wider than this share of a chip."""
RIGID_SOLIDITY: Final = 0.93
"""Share of its hull that a rigid thing fills at least; between fingers there are gaps."""
RIGID_EXTENT: Final = 0.74
"""Share of its smallest rectangle that a rigid thing fills at least: a cup's circle fills 0.785 of it."""


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
    """The measures of the largest outline of a mask ((H, W) uint8, 0 or 255), holes filled; None of an empty one.

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


def shape_of(piece: Mask, mm_per_px: float, thresholds: Thresholds) -> Shape:
    """What a connected mask ((H, W) uint8, 0 or 255) shows."""
    seen = measured(piece, mm_per_px)
    if seen is None:
        return Shape("ragged")
    flat = _flat(seen, thresholds)
    if flat in ("card", "cards") and seen.extent >= CARD_EXTENT and seen.solidity >= RIGID_SOLIDITY:
        return Shape(flat, seen.area_mm2)
    chips = _chips(piece, seen, mm_per_px, thresholds.chip_diameter_mm)
    return Shape("chips" if chips else flat, seen.area_mm2, chips)


def _flat(seen: Outline, thresholds: Thresholds) -> Kind:
    wide, long = thresholds.card_width_mm, thresholds.card_length_mm
    if _near(seen.short_mm, wide, thresholds) and _near(seen.long_mm, long, thresholds) and seen.extent >= CARD_EXTENT:
        return "card"
    if _is_cards(seen, thresholds):
        return "cards"
    whole = seen.short_mm > CHIP_WIDTH * thresholds.chip_diameter_mm and seen.long_mm <= thresholds.strange_longest_mm
    rigid = seen.solidity >= RIGID_SOLIDITY and seen.extent >= RIGID_EXTENT
    return "unknown" if whole and rigid else "ragged"


def _near(side_mm: float, card_side_mm: float, thresholds: Thresholds) -> bool:
    return abs(side_mm - card_side_mm) <= thresholds.card_tolerance_mm


def _is_cards(seen: Outline, thresholds: Thresholds) -> bool:
    """Cards that overlap along one of their sides, or lie a little askew on each other."""
    wide, long = thresholds.card_width_mm, thresholds.card_length_mm
    least, most = (areas * thresholds.card_mm2 for areas in CARDS_AREAS)
    if not least <= seen.area_mm2 <= most or seen.solidity < CARDS_SOLIDITY:
        return False
    beside = _near(seen.short_mm, long, thresholds) or _near(seen.long_mm, long, thresholds)
    behind = abs(seen.short_mm - wide) <= thresholds.card_tolerance_mm / 2
    return (beside or behind or seen.long_mm <= CARDS_LONG * long) and seen.extent >= CARDS_EXTENT


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
    return cores(np.pad(piece, 1), CORE_SHARE * chip_diameter_mm / 2 / mm_per_px + BLUR_PX)


def cores(mask: Mask, deeper_than_px: float) -> int:
    """How many pieces are left of a mask ((H, W) uint8, 0 or 255) after it is shrunk by so many pixels."""
    depth = np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 3))
    deep = np.where(depth > deeper_than_px, np.uint8(255), np.uint8(0))
    return int(cv2.connectedComponents(deep, connectivity=8)[0]) - 1


def shows_cards(piece: Mask, mm_per_px: float, thresholds: Thresholds) -> bool:
    """Whether a connected mask ((H, W) uint8, 0 or 255) is a card or cards that overlap, with its shadow or without."""
    outlines = (measured(piece, mm_per_px, blur_px) for blur_px in (BLUR_PX, SHADOWED_PX))
    return any(
        seen is not None
        and seen.extent >= CARD_EXTENT
        and seen.solidity >= RIGID_SOLIDITY
        and _flat(seen, thresholds) in ("card", "cards")
        for seen in outlines
    )


def is_cut_card(piece: Mask, mm_per_px: float, thresholds: Thresholds) -> bool:
    """Whether a connected mask ((H, W) uint8, 0 or 255) that is cut off at one side may be a piece of a card: straight
    edges, and wider than a chip; of chips that are cut off round ends are left.
    """
    outlines = (measured(piece, mm_per_px, blur_px) for blur_px in (BLUR_PX, SHADOWED_PX))
    return any(
        seen is not None
        and seen.extent >= CARD_EXTENT
        and seen.solidity >= RIGID_SOLIDITY
        and seen.long_mm >= CARD_CHIP_WIDTHS * thresholds.chip_diameter_mm
        for seen in outlines
    )


def is_card_in_zone(outline: Any, thresholds: Thresholds, mm2_per_px: float) -> bool:
    """Whether an outline in a bet zone (OpenCV's contour, (N, 1, 2) int32 pixels) is a card or two that overlap.

    Coarser than `shape_of`: in a zone it is only to keep cards out of the chips, and chips may lie on them.
    """
    area_px = cv2.contourArea(outline)
    least, most = CARD_CHIPS
    if not least <= area_px * mm2_per_px / thresholds.chip_mm2 <= most:
        return False
    _, (width_px, height_px), _ = cv2.minAreaRect(outline)
    narrow_mm = min(width_px, height_px) * mm2_per_px**0.5
    return narrow_mm >= CARD_CHIP_WIDTHS * thresholds.chip_diameter_mm and area_px >= CARD_EXTENT * width_px * height_px
