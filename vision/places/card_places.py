"""The places that are watched for cards, pots and strange things: each seat's card spot, and the middle of the felt.

Each is a crop of the picture with a mask; beside them stand the cells of the gate's picture by which motion and arms
are noticed at no cost. The middle is everything inside the betting line but the bet zones: pot, board and muck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from betline.geometry import Point
from betline.settings import Seat, TableSettings
from vision.calibration.calibration import Calibration
from vision.frame.zones import ZONE_FAR_MM, ZONE_SIDE_MM, Indices, line_frame
from vision.imaging.pictures import Mask, Picture, resized
from vision.tuning.thresholds import Thresholds

BEHIND_LINE_MM: Final = 5.0
"""So far behind the drawn line the felt has its plain colour in the picture: blur reaches over its edge."""
INSIDE_LINE_MM: Final = 8.0
"""So far within the line the middle begins, the dead band of the bet zones."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A watched piece of felt: the crop ``[y0:y1, x0:x1]`` of the picture, and its pixels that count: (H, W) uint8.

    ``plain`` is the part of it where bare felt has one colour: without the drawn line.
    """

    x0: int
    y0: int
    x1: int
    y1: int
    mask: Mask
    plain: Mask
    mm2_per_px: float

    @property
    def mm_per_px(self) -> float:
        """The width of a pixel."""
        return math.sqrt(self.mm2_per_px)

    def crop(self, picture: Picture) -> Picture:
        """The place's part of a full picture, (H, W, 3) or (H, W) uint8 (a view, not a copy)."""
        return picture[self.y0 : self.y1, self.x0 : self.x1]


def card_spot(seat: Seat, table: TableSettings, calibration: Calibration, thresholds: Thresholds) -> Place:
    """Where a seat's cards lie."""
    plain = spot_mm(seat, thresholds, table.felt.line_width_mm / 2 + BEHIND_LINE_MM)
    return _place([spot_mm(seat, thresholds)], [], [plain], calibration, seat.cards_mm)


def spot_mm(seat: Seat, thresholds: Thresholds, behind_line_mm: float = 0.0) -> list[Point]:
    """The corners of a seat's card spot; towards the middle of the table it ends at the line."""
    frame = line_frame(seat)
    middle = np.array([seat.cards_mm])
    along, across = float(frame.sideways(middle)[0]), float(frame.beyond(middle)[0])
    near, far = across - thresholds.card_spot_deep_mm, min(across + thresholds.card_spot_deep_mm, -behind_line_mm)
    left, right = along - thresholds.card_spot_side_mm, along + thresholds.card_spot_side_mm
    return [frame.at(left, near), frame.at(right, near), frame.at(right, far), frame.at(left, far)]


def middle_of_felt(table: TableSettings, calibration: Calibration) -> Place:
    """What is inside the betting line and in no bet zone."""
    within = list(table.felt.betting_line_mm)
    zones = [whole_zone_mm(seat) for seat in table.seats]
    clear_mm = table.felt.line_width_mm / 2 + INSIDE_LINE_MM
    return _place([within], zones, None, calibration, (0.0, 0.0), clear_of_edge_mm=clear_mm)


def whole_zone_mm(seat: Seat) -> list[Point]:
    """A bet zone as the seat's watch sees it: up to the line, with its margins."""
    frame = line_frame(seat)
    zone = np.array(seat.bet_zone_mm)
    half_mm = max(abs(float(side)) for side in frame.sideways(np.array(seat.line_mm))) + ZONE_SIDE_MM
    far_mm = float(frame.beyond(zone).max()) + ZONE_FAR_MM
    return [frame.at(-half_mm, 0), frame.at(half_mm, 0), frame.at(half_mm, far_mm), frame.at(-half_mm, far_mm)]


def pot_mm(table: TableSettings, thresholds: Thresholds) -> list[Point]:
    """The pot with a margin: its chips are pushed together, not counted into a frame."""
    corners = np.array(table.pot.polygon_mm, np.float64)
    middle = corners.mean(axis=0)
    away = corners - middle
    grown = corners + thresholds.pot_margin_mm * np.sign(away)
    return [(float(x), float(y)) for x, y in grown]


def muck_mm(table: TableSettings, thresholds: Thresholds) -> list[Point]:
    """The square around the muck's middle."""
    (x, y), half_mm = table.muck_mm, thresholds.muck_reach_mm
    return [
        (x - half_mm, y - half_mm),
        (x + half_mm, y - half_mm),
        (x + half_mm, y + half_mm),
        (x - half_mm, y + half_mm),
    ]


def _place(
    within: Sequence[Sequence[Point]],
    without: Sequence[Sequence[Point]],
    plain: Sequence[Sequence[Point]] | None,
    calibration: Calibration,
    middle: Point,
    clear_of_edge_mm: float = 0.0,
) -> Place:
    corners = np.concatenate([calibration.outline_px(polygon) for polygon in within])
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 3, (calibration.width_px, calibration.height_px))
    shape = (int(y1 - y0), int(x1 - x0))
    mm2_per_px = calibration.mm2_per_px(middle)
    mask = _drawn(within, calibration, shape, (int(x0), int(y0)))
    if clear_of_edge_mm:
        size = 2 * round(clear_of_edge_mm / mm2_per_px**0.5) + 1
        kernel = np.ones((size, size), np.uint8)
        mask = np.asarray(cv2.erode(mask, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0), dtype=np.uint8)
    mask = np.where(_drawn(without, calibration, shape, (int(x0), int(y0))) > 0, np.uint8(0), mask)
    flat = mask if plain is None else _drawn(plain, calibration, shape, (int(x0), int(y0)))
    return Place(int(x0), int(y0), int(x1), int(y1), mask, flat, mm2_per_px)


def whole(polygon: Sequence[Point], calibration: Calibration) -> Mask:
    """A polygon of the felt as a mask of the full picture: (H, W) uint8, 0 or 255."""
    return _drawn([polygon], calibration, (calibration.height_px, calibration.width_px), (0, 0))


def in_whole(place: Place, calibration: Calibration) -> Mask:
    """A place's mask in the full picture: (H, W) uint8, 0 or 255."""
    mask = np.zeros((calibration.height_px, calibration.width_px), np.uint8)
    mask[place.y0 : place.y1, place.x0 : place.x1] = place.mask
    return mask


def _drawn(
    polygons: Sequence[Sequence[Point]], calibration: Calibration, shape: tuple[int, int], at_px: tuple[int, int]
) -> Mask:
    drawn = np.zeros(shape, np.uint8)
    for polygon in polygons:
        points = np.round((calibration.outline_px(polygon) - at_px) * 16).astype(np.int32)
        cv2.fillPoly(drawn, [points], 255, shift=4)
    return drawn


class Cells:
    """Pieces of the felt in cells of the gate's picture: how many of each move, and whose arms are over them.

    The pieces come in layers; those of one layer do not overlap, or the first of them has the cells of both.
    """

    def __init__(self, layers: Sequence[Sequence[Mask]], size: tuple[int, int]) -> None:
        small = [[resized(piece, size).reshape(-1) > 127 for piece in pieces] for pieces in layers]
        self.count = sum(len(pieces) for pieces in small)
        self.of: tuple[Indices, ...] = tuple(np.flatnonzero(piece) for pieces in small for piece in pieces)
        self._layers: list[Indices] = []
        first = 0
        for pieces in small:
            layer = np.full(size[0] * size[1], self.count, np.intp)
            for number in reversed(range(len(pieces))):
                layer[pieces[number]] = first + number
            self._layers.append(layer)
            first += len(pieces)

    def moving(self, moving: Mask) -> Indices:
        """How many cells of each piece move, by a mask of cells, (h, w) uint8: (pieces,) intp."""
        at = np.flatnonzero(moving != 0)
        return sum((np.bincount(layer[at], minlength=self.count + 1) for layer in self._layers), self._none())[:-1]

    def owned(self, owner_of: Mask, codes: int) -> Indices:
        """How many cells of each piece each owner covers, by a map, (h, w) uint8 codes: (pieces, codes) intp.

        What nobody owns is not counted.
        """
        at = np.flatnonzero(owner_of != 0)
        code = owner_of.reshape(-1)[at]
        size = (self.count + 1) * codes
        counts = [np.bincount(layer[at] * codes + code, minlength=size) for layer in self._layers]
        return sum(counts, np.zeros(size, np.intp)).reshape(self.count + 1, codes)[:-1]

    def _none(self) -> Indices:
        return np.zeros(self.count + 1, np.intp)
