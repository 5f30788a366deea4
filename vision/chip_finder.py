"""Chips in one picture of a felt, by their footprint: what is not felt, round, and no card.

No reference picture is needed. An object on the felt is a chip if its outline is that of a circle seen from somewhere
above: a full ellipse, not much longer than wide. A card fills its rectangle; a hand or a phone is neither. Touching
chips are told apart by the cores of their common outline. There is no search for circles in the whole picture: on real
pictures that found chips in wood grain (VISION.md 4.5).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.colours import colour_name
from vision.pictures import Mask, Picture
from vision.surface import Lab, find_surface, to_lab

WORKING_WIDTH_PX: Final = 1280
"""Larger pictures are shrunk to this width."""
SMALLEST_CHIP_PX: Final = 12.0
"""A smaller chip has no shape."""
LARGEST_CHIP_SHARE: Final = 0.2
"""A chip is at most this share of the picture's width."""
CIRCULARITY: Final = 0.88
"""4 pi area / perimeter squared of the hull: chips 0.965 to 0.994 on real pictures, cards at most 0.84."""
SOLIDITY: Final = 0.93
EXTENT: Final = (0.70, 0.86)
"""Share of its smallest rectangle that the outline fills; an ellipse fills 0.785, a card more than 0.85."""
LONGEST: Final = 1.75
"""Length by width: a chip seen at 35 degrees above the felt."""
SIZES: Final = (0.6, 1.7)
"""Diameters of one picture's chips, compared with their median: the far ones are smaller."""
CORE_SHARE: Final = 0.9
"""Two discs of one outline are two chips if their middles are further apart than this share of the larger's radius."""
RING: Final = (0.35, 0.95)
"""The chip's body: between these shares of its radius, inlay and rim left out."""

Outline = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class FoundChip:
    """One chip, or a stack of them, in pixels of the picture; `colour` is the name of its body's colour."""

    x: float
    y: float
    diameter: float
    colour: str


def find_chips(picture: Picture) -> tuple[FoundChip, ...]:
    """The chips on the felt that a picture shows, from top to bottom; none where it shows no felt."""
    scale = min(1.0, WORKING_WIDTH_PX / picture.shape[1])
    small = picture
    if scale < 1.0:
        small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    lab = to_lab(small)
    surface = find_surface(lab)
    if surface is None:
        return ()
    round_ones = [one for one in _outlines(surface.objects) if _is_round(one, small.shape[1])]
    chips = [_chip(outline, lab, scale) for outline in _of_one_size(round_ones)]
    return tuple(sorted(chips, key=lambda chip: (chip.y, chip.x)))


def _outlines(objects: Mask) -> Iterator[Outline]:
    """The outline of each object; one that is not whole is taken apart at its waists."""
    found, _ = cv2.findContours(objects, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in found:
        if cv2.contourArea(outline) < math.pi * (SMALLEST_CHIP_PX / 2) ** 2:
            continue
        if _solidity(outline) >= SOLIDITY and _length(outline) <= LONGEST:
            yield np.asarray(outline, dtype=np.int32)
        else:
            yield from _parts(np.asarray(outline, dtype=np.int32))


def _parts(outline: Outline) -> Iterator[Outline]:
    """The pieces of an outline that hang together by waists: each pixel goes to the disc that it is deepest in."""
    x, y, width, height = cv2.boundingRect(outline)
    filled = np.zeros((height + 2, width + 2), np.uint8)
    cv2.drawContours(filled, [outline], -1, 255, cv2.FILLED, offset=(1 - x, 1 - y))
    discs = _discs(np.asarray(cv2.distanceTransform(filled, cv2.DIST_L2, 5), dtype=np.float32))
    if len(discs) < 2:
        return
    rows, columns = np.indices(filled.shape)
    power = np.stack([(rows - row) ** 2 + (columns - column) ** 2 - radius**2 for row, column, radius in discs])
    owner = np.where(filled > 0, power.argmin(axis=0), -1)
    for number in range(len(discs)):
        piece = np.where(owner == number, np.uint8(255), np.uint8(0))
        found, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if found:
            yield np.asarray(max(found, key=cv2.contourArea), dtype=np.int32) + np.array([[[x - 1, y - 1]]], np.int32)


def _discs(depth: npt.NDArray[np.float32]) -> list[tuple[int, int, float]]:
    """Row, column and radius of the discs that a shape is made of, deepest first; `depth` is the way to its edge.

    A disc whose middle lies well within another one is the same chip.
    """
    peaks = (depth >= np.asarray(cv2.dilate(depth, np.ones((9, 9)))) - 0.5) & (depth > SMALLEST_CHIP_PX / 3)
    rows, columns = np.nonzero(peaks)
    discs: list[tuple[int, int, float]] = []
    for at in np.argsort(-depth[rows, columns]):
        row, column = int(rows[at]), int(columns[at])
        apart = (math.hypot(row - other[0], column - other[1]) / other[2] for other in discs)
        if all(share > CORE_SHARE for share in apart):
            discs.append((row, column, float(depth[row, column])))
    return discs


def _is_round(outline: Outline, picture_width_px: int) -> bool:
    hull = cv2.convexHull(outline)
    area, perimeter = cv2.contourArea(hull), cv2.arcLength(hull, True)
    diameter = _diameter(outline)
    if perimeter == 0 or not SMALLEST_CHIP_PX <= diameter <= LARGEST_CHIP_SHARE * picture_width_px:
        return False
    _, (width, height), _ = cv2.minAreaRect(hull)
    return (
        4 * math.pi * area / perimeter**2 >= CIRCULARITY
        and _solidity(outline) >= SOLIDITY
        and EXTENT[0] <= area / (width * height) <= EXTENT[1]
        and _length(outline) <= LONGEST
    )


def _of_one_size(outlines: Sequence[Outline]) -> list[Outline]:
    """Without what is much smaller or larger than the chips of this picture are."""
    if not outlines:
        return []
    usual = float(np.median([_diameter(one) for one in outlines]))
    return [one for one in outlines if SIZES[0] * usual <= _diameter(one) <= SIZES[1] * usual]


def _chip(outline: Outline, lab: Lab, scale: float) -> FoundChip:
    hull = cv2.convexHull(outline)
    moments = cv2.moments(hull)
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    diameter = _diameter(outline)
    return FoundChip(
        round(x / scale, 1), round(y / scale, 1), round(diameter / scale, 1), _body_colour(hull, (x, y), lab)
    )


def _body_colour(hull: Outline | cv2.typing.MatLike, middle: tuple[float, float], lab: Lab) -> str:
    """The name of the body's colour: the median of the more colourful half, since edge spots and inlays are pale."""
    body = np.zeros(lab.shape[:2], np.uint8)
    centre = np.array([[middle]], np.float32)
    for share, level in ((RING[1], 255), (RING[0], 0)):
        shrunk = centre + (np.asarray(hull, np.float32) - centre) * share
        cv2.fillConvexPoly(body, np.round(shrunk).astype(np.int32), level)
    pixels = lab[body > 0]
    chroma = np.hypot(pixels[:, 1], pixels[:, 2])
    lightness, a, b = np.median(pixels[chroma >= np.median(chroma)], axis=0)
    return colour_name(float(lightness), float(a), float(b))


def _diameter(outline: Outline) -> float:
    """The longer axis: a disc's diameter survives where the picture is taken from the side."""
    _, (width, height), _ = cv2.minAreaRect(outline)
    return float(max(width, height))


def _length(outline: Outline | cv2.typing.MatLike) -> float:
    _, (width, height), _ = cv2.minAreaRect(outline)
    return math.inf if min(width, height) == 0 else max(width, height) / min(width, height)


def _solidity(outline: Outline | cv2.typing.MatLike) -> float:
    hull = cv2.contourArea(cv2.convexHull(outline))
    return 0.0 if hull == 0 else float(cv2.contourArea(outline)) / hull
