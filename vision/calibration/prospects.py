"""Where the camera will see badly at this table, said at calibration: seats at the edge, small chips, dark felt."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Polygon, centroid
from betline.settings import TableSettings
from vision.calibration.calibration import Calibration
from vision.tuning.thresholds import Thresholds

LEAST_CHIP_PX: Final = 15.0
"""A chip that is narrower in the picture is a few pixels of noise; 20 and more are usual."""
CHIP_HEIGHT_MM: Final = 3.3
LEAST_RISE_MM2: Final = 40.0
"""A chip on a stack makes it look this much larger at least where it is seen for sure: chips of two colours, one over
the other, differ by as much in how large they look.
"""
BLACK_LEVEL: Final = 18.0
"""How bright black cloth looks under the lamps of a table, of 255."""

Colour = npt.NDArray[np.float64]


def prospects(
    table: TableSettings,
    calibration: Calibration,
    felt: Mapping[int, Colour],
    rail: Mapping[int, Colour],
    thresholds: Thresholds,
) -> Iterator[str]:
    """Sentences on what will not hold, and what to do; ``felt`` and ``rail`` are each seat's colours, (3,) float64
    BGR.
    """
    for seat in table.seats:
        share = _share_seen(seat.bet_zone_mm, calibration)
        if share < 1.0:
            yield (
                f"{share:.0%} of seat {seat.number}'s bet zone is in the picture: bets beyond its edge are missed; "
                "turn the camera, or hang it higher."
            )
        elif not _in_picture(seat.rail_mm, calibration):
            yield (
                f"The rail at seat {seat.number} is outside the picture: whose arm reaches in there may not be known; "
                "turn the camera, or hang it higher."
            )
    widths_px = {
        seat.number: thresholds.chip_diameter_mm / math.sqrt(calibration.mm2_per_px(centroid(seat.bet_zone_mm)))
        for seat in table.seats
    }
    small = [seat for seat, width_px in widths_px.items() if width_px < LEAST_CHIP_PX]
    if small:
        yield (
            f"A chip at {seats_in_words(small)} is {min(widths_px[seat] for seat in small):.0f} pixels wide, "
            f"{LEAST_CHIP_PX:.0f} are needed: set the camera to a higher resolution, or hang it lower."
        )
    steep = [
        seat.number for seat in table.seats if _rise_mm2(seat.bet_zone_mm, calibration, thresholds) < LEAST_RISE_MM2
    ]
    if steep:
        yield (
            f"The camera looks down steeply at {seats_in_words(steep)}: one chip put on a stack there, or taken off "
            "it, may be missed or taken for the other. Leave such bets to the readers, or hang the camera lower or "
            "further to the side."
        )
    dark, dark_rail = (
        [seat for seat, one in colours.items() if float(np.abs(one - BLACK_LEVEL).max()) < thresholds.strong_level]
        for colours in (felt, rail)
    )
    if dark:
        yield (
            f"The felt at {seats_in_words(dark)} is so dark that a black sleeve cannot be told from it: of an arm "
            "only the hand is seen; give the table more light."
        )
    if dark_rail:
        yield (
            f"The rail at {seats_in_words(dark_rail)} is so dark that a black sleeve cannot be told from it: a hand is "
            "seen some 40 ms later, and one that rests on its chips may be taken for a bet; give the rail more light, "
            "or a lighter cover."
        )


def seats_in_words(numbers: list[int]) -> str:
    """Seats by their numbers, in a sentence."""
    return f"seat {numbers[0]}" if len(numbers) == 1 else f"seats {', '.join(str(number) for number in numbers)}"


def _share_seen(polygon_mm: Polygon, calibration: Calibration) -> float:
    """The share of a polygon that the picture shows."""
    outline = calibration.outline_px(polygon_mm).astype(np.float32)
    width, height = calibration.width_px, calibration.height_px
    picture = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    seen, _ = cv2.intersectConvexConvex(cv2.convexHull(outline), picture)
    whole = cv2.contourArea(cv2.convexHull(outline))
    share = float(seen) / whole if whole > 0 else 0.0
    return 1.0 if share > 1.0 - 1e-3 else share


def _rise_mm2(bet_zone_mm: Polygon, calibration: Calibration, thresholds: Thresholds) -> float:
    """By how much a stack looks larger with one chip more: its top leans outwards."""
    foot = np.array([centroid(bet_zone_mm)])
    return float(np.hypot(*calibration.lean_mm(foot, CHIP_HEIGHT_MM)[0])) * thresholds.chip_diameter_mm


def _in_picture(point_mm: tuple[float, float], calibration: Calibration) -> bool:
    x, y = calibration.to_px([point_mm])[0]
    return bool(0 <= x < calibration.width_px and 0 <= y < calibration.height_px)
