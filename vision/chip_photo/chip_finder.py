"""Chips in one picture of a felt, by their footprint: what is not felt, round, and no card.

No reference picture is needed. An object on the felt is a chip if its outline is that of a circle seen from somewhere
above: a full ellipse, not much longer than wide. A card fills its rectangle; a hand or a phone is neither. Touching
chips are told apart by the cores of their common outline. A chip that lies on a card has no outline of its own: its rim
is looked for within that object (`disc_finder`). There is no search for circles in the whole picture: on real
pictures that found chips in wood grain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.chip_photo.disc_finder import discs
from vision.chip_photo.surface import Lab, find_surface, to_lab
from vision.imaging.colours import colour_name
from vision.imaging.pictures import Mask, Picture

WORKING_WIDTH_PX: Final = 1280
"""Larger pictures are shrunk to this width."""
MIN_CHIP_PX: Final = 12.0
"""A smaller chip has no shape."""
MAX_CHIP_SHARE: Final = 0.2
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
NEAR_SIZES: Final = (0.8, 1.25)
"""The same for those that lie on something, where less is known of them."""
CORE_SHARE: Final = 0.9
"""Two discs of one outline are two chips if their middles are further apart than this share of the larger's radius."""
CARD_EXTENT: Final = 0.88
CARD_LENGTH: Final = 1.7
"""A card that lies alone fills its rectangle, and is not longer than this by its width, as the camera sees it."""
OF_A_CARD: Final = (0.48, 0.85)
"""A chip's diameter as a share of a card's shorter side: 39 of 63 mm, with room for the angle of the camera."""
WIDEST_OF_A_CARD: Final = 1.0
"""No chip is wider than a card's shorter side where it is seen from 38 degrees or more above the felt: a card under
several chips may be."""
OF_AN_OBJECT: Final = (0.25, 0.85)
"""The same of an object that may be a card with chips that jut out over it."""
SEARCHED: Final = 1.4
"""Objects from so many chip areas on may be more than one thing."""
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
    """The chips on the felt in a picture, (H, W, 3) uint8 BGR, from top to bottom; none where it shows no felt."""
    scale = min(1.0, WORKING_WIDTH_PX / picture.shape[1])
    small = picture
    if scale < 1.0:
        small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    lab = to_lab(small)
    surface = find_surface(lab)
    if surface is None:
        return ()
    round_ones = [one for one in _outlines(surface.objects) if _is_round(one, small.shape[1])]
    cards = _cards(surface.objects)
    widest = WIDEST_OF_A_CARD * float(np.median(cards)) if cards else math.inf
    alone = _of_one_size([one for one in round_ones if _diameter(one) <= widest])
    chips = [_chip(outline, lab, scale) for outline in (*alone, *_on_others(surface.objects, lab, alone, cards))]
    return tuple(sorted(chips, key=lambda chip: (chip.y, chip.x)))


def _outlines(objects: Mask) -> Iterator[Outline]:
    """The outline of each object; one that is not whole is taken apart at its waists."""
    found, _ = cv2.findContours(objects, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in found:
        if cv2.contourArea(outline) < math.pi * (MIN_CHIP_PX / 2) ** 2:
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
    peaks = (depth >= np.asarray(cv2.dilate(depth, np.ones((9, 9)))) - 0.5) & (depth > MIN_CHIP_PX / 3)
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
    if perimeter == 0 or not MIN_CHIP_PX <= diameter <= MAX_CHIP_SHARE * picture_width_px:
        return False
    _, (width, height), _ = cv2.minAreaRect(hull)
    return (
        4 * math.pi * area / perimeter**2 >= CIRCULARITY
        and _solidity(outline) >= SOLIDITY
        and EXTENT[0] <= area / (width * height) <= EXTENT[1]
        and _length(outline) <= LONGEST
    )


def _cards(objects: Mask) -> list[float]:
    """The shorter sides of the cards that lie alone."""
    found, _ = cv2.findContours(objects, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [_short_side(one) for one in found if _is_card(np.asarray(one, dtype=np.int32))]


def _on_others(objects: Mask, lab: Lab, alone: Sequence[Outline], cards: Sequence[float]) -> list[Outline]:
    """The chips that lie on cards or on each other, of the size of those that lie alone, else of the cards."""
    found, _ = cv2.findContours(objects, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    taken = [_disc_of(one) for one in alone]
    usual = float(np.median([radius for _, _, radius in taken])) if taken else None
    chips: list[Outline] = []
    for one in found:
        outline = np.asarray(one, dtype=np.int32)
        radii = _radii(outline, usual, cards)
        if cv2.contourArea(outline) < SEARCHED * math.pi * radii[0] ** 2 or _length(outline) == math.inf:
            continue
        thing = np.zeros_like(objects)
        cv2.drawContours(thing, [outline], -1, 255, cv2.FILLED)
        for disc in discs(lab, thing, radii):
            if all(math.hypot(disc.x - x, disc.y - y) > CORE_SHARE * max(disc.radius, r) for x, y, r in taken):
                taken.append((disc.x, disc.y, disc.radius))
                chips.append(disc.outline())
    return chips


def _radii(outline: Outline, usual: float | None, cards: Sequence[float]) -> tuple[float, float]:
    """Between which radii a chip on this object may be."""
    shares, side = (OF_A_CARD, float(np.median(cards))) if cards else (OF_AN_OBJECT, _short_side(outline))
    least, most = shares[0] * side / 2, shares[1] * side / 2
    if usual is None or not least <= usual <= most:
        return least, most
    return max(least, NEAR_SIZES[0] * usual), min(most, NEAR_SIZES[1] * usual)


def _is_card(outline: Outline) -> bool:
    _, (width, height), _ = cv2.minAreaRect(outline)
    area = cv2.contourArea(outline)
    whole = area > CARD_EXTENT * width * height and _length(outline) <= CARD_LENGTH
    return whole and min(width, height) * OF_A_CARD[0] > MIN_CHIP_PX


def _short_side(outline: Outline | cv2.typing.MatLike) -> float:
    _, (width, height), _ = cv2.minAreaRect(outline)
    return float(min(width, height))


def _disc_of(outline: Outline) -> tuple[float, float, float]:
    """Middle and radius of a round outline."""
    (x, y), _, _ = cv2.minAreaRect(outline)
    return float(x), float(y), _diameter(outline) / 2


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
