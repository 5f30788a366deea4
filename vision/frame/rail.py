"""Whose piece of the rail is where, and which bet zones only the dealer reaches: in the gate's cells of 8 mm."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from betline.geometry import Point
from betline.settings import TableSettings
from vision.calibration.calibration import Calibration
from vision.frame.zones import ROOT_FROM
from vision.imaging.pictures import Mask

NOBODY, DEALER = 0, 11
"""Codes in the maps; a seat's code is its number."""
DEALER_POINTS: Final = 9
"""The dealer's piece of the rail stands as so many points, as each seat does as one."""
DEALER_INSIDE_MM: Final = 30.0
"""Shoulders of the players beside the dealer are nearer than the ends of the tray."""
_BESIDE = np.ones((3, 3), np.uint8)


def rail_owners(table: TableSettings, calibration: Calibration, size: tuple[int, int], scale: int) -> Mask:
    """For each cell on and behind the rail whose place it is, ``NOBODY`` elsewhere."""
    cells = np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), axis=-1).reshape(-1, 2)
    at_mm = calibration.to_mm((cells + 0.5) * scale)
    outline = np.array(table.felt.outline_mm, dtype=np.float32)
    outside_mm = np.array(
        [-cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in at_mm], dtype=np.float64
    )
    owners = [*_dealer_places(table), *((seat.number, seat.rail_mm) for seat in table.seats)]
    away = np.stack([np.hypot(at_mm[:, 0] - place[0], at_mm[:, 1] - place[1]) for _, place in owners])
    nearest = np.array([code for code, _ in owners], dtype=np.uint8)[away.argmin(axis=0)]
    behind = outside_mm > ROOT_FROM * table.felt.rail_width_mm
    return np.where(behind, nearest, np.uint8(NOBODY)).reshape(size[1], size[0])


def felt_cells(table: TableSettings, calibration: Calibration, size: tuple[int, int], scale: int) -> Mask:
    """The cells, (h, w) uint8, 0 or 255, of the felt within the rail; ``scale`` is how many pixels a cell is wide."""
    felt = np.zeros((size[1], size[0]), np.uint8)
    corners = np.round(calibration.outline_px(table.felt.outline_mm) / scale - 0.5).astype(np.int32)
    cv2.fillPoly(felt, [corners], 255)
    return felt


def far_zones(table: TableSettings, calibration: Calibration, rail: Mask, scale: int) -> dict[int, Mask]:
    """For each seat beside the dealer the cells, (h, w) uint8, 0 or 255, of the bet zones past its neighbours' own.

    ``rail`` is the map of `rail_owners`; ``scale`` is how many pixels a cell is wide.
    """
    numbers = [seat.number for seat in table.seats]
    dealers = np.where(rail == DEALER, np.uint8(255), np.uint8(NOBODY))
    beside = np.unique(rail[np.asarray(cv2.dilate(dealers, _BESIDE)) > 0])
    found: dict[int, Mask] = {}
    for at, number in enumerate(numbers):
        if number not in beside:
            continue
        near = {number, numbers[at - 1], numbers[(at + 1) % len(numbers)]}
        mask = np.zeros_like(rail)
        for seat in table.seats:
            if seat.number not in near:
                corners = np.round(calibration.to_px(seat.bet_zone_mm) / scale - 0.5).astype(np.int32)
                cv2.fillPoly(mask, [corners], 255)
        found[number] = mask
    return found


def _dealer_places(table: TableSettings) -> list[tuple[int, Point]]:
    """The dealer's piece of the rail: a little narrower than the tray."""
    dealer, towards = np.array(table.dealer_mm), np.array(table.pot.polygon_mm).mean(axis=0)
    ahead = (towards - dealer) / np.linalg.norm(towards - dealer)
    aside = np.array((-ahead[1], ahead[0]))
    offsets_mm = (np.array(table.tray.polygon_mm) - dealer) @ aside
    places = [
        dealer + offset_mm * aside
        for offset_mm in np.linspace(
            offsets_mm.min() + DEALER_INSIDE_MM, offsets_mm.max() - DEALER_INSIDE_MM, DEALER_POINTS
        )
    ]
    return [(DEALER, (float(x), float(y))) for x, y in places]
