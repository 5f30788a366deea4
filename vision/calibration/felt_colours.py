"""Which of the chip set's colours the camera can hardly distinguish from this felt, in this light."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import centroid
from betline.settings import ChipSet, Seat, TableSettings
from vision.calibration.calibration import Calibration
from vision.calibration.visibility import Expected, measured
from vision.imaging.pictures import SHADOW_CHROMA, SHADOW_DARKEST, Mask, Picture, blurred
from vision.tuning.thresholds import Thresholds

Colour = npt.NDArray[np.float64]
"""Blue, green, red, 0 to 255."""

WEAK_SHARE = 2.0
"""A colour is weak below this many times the level from which on a difference is an object."""

MISSED_OF_100 = 5
"""A colour is also weak if so many plain chips of it are missed."""


RAIL_PX = 6
"""Half the side of the square of the rail whose colour is taken."""


@dataclass(frozen=True, slots=True)
class WeakColour:
    """One chip type and where it is seen worst; ``levels`` is its difference from the felt there, of 255.

    What is missed is reckoned from measurements at that difference: for a plain chip, and for one with pale inlay and
    edge spots.
    """

    key: str
    seat: int
    levels: int
    why: str
    plain: Expected
    marked: Expected

    def sentence(self) -> str:
        """All of it, for a person."""
        return (
            f"{self.key} {self.why} (seat {self.seat}: {self.levels} of 255). Without pale inlay and edge spots about "
            f"{self.plain.area:.0%} of its area is seen, and {self.plain.missed_of_100} of 100 single chips are "
            f"missed; with them {self.marked.area:.0%}, and {self.marked.missed_of_100} of 100."
        )


def felt_at_seats(picture: Picture, table: TableSettings, calibration: Calibration) -> dict[int, Colour]:
    """The median colour, (3,) float64 BGR, of each seat's bet zone in a picture, (H, W, 3) uint8 BGR."""
    soft = blurred(picture)
    colours: dict[int, Colour] = {}
    for seat in table.seats:
        pixels = soft[zone_of(seat, picture.shape[:2], calibration) > 0]
        if len(pixels):
            colours[seat.number] = np.asarray(np.median(pixels, axis=0), np.float64)
    return colours


def rail_at_seats(picture: Picture, table: TableSettings, calibration: Calibration) -> dict[int, Colour]:
    """The median colour, (3,) float64 BGR, of the rail in front of each seat whose rail a picture, (H, W, 3) uint8 BGR,
    shows.
    """
    soft = blurred(picture)
    colours: dict[int, Colour] = {}
    for seat in table.seats:
        (x, y), (zone_x, zone_y) = seat.rail_mm, centroid(seat.bet_zone_mm)
        share = table.felt.rail_width_mm / 2 / math.dist(seat.rail_mm, (zone_x, zone_y))
        column, row = calibration.to_px([(x + (x - zone_x) * share, y + (y - zone_y) * share)])[0]
        top, left = max(0, round(row) - RAIL_PX), max(0, round(column) - RAIL_PX)
        pixels = soft[top : max(0, round(row) + RAIL_PX + 1), left : max(0, round(column) + RAIL_PX + 1)]
        if pixels.size:
            colours[seat.number] = np.asarray(np.median(pixels.reshape(-1, 3), axis=0), np.float64)
    return colours


def zone_of(seat: Seat, size: tuple[int, ...], calibration: Calibration) -> Mask:
    """A seat's bet zone as it is drawn, over a picture of so many rows and columns: (H, W) uint8, 0 or 255."""
    mask = np.zeros(size, np.uint8)
    cv2.fillPoly(mask, [np.round(calibration.outline_px(seat.bet_zone_mm)).astype(np.int32)], 255)
    return mask


def felt_of_file(table: TableSettings) -> Colour:
    """The felt's colour by the table file, (3,) float64 BGR."""
    return _bgr(table.felt.colour)


def weak_colours(
    felt: dict[int, Colour], table: TableSettings, chips: ChipSet, thresholds: Thresholds
) -> tuple[WeakColour, ...]:
    """The chip types that are too like the felt, (3,) float64 BGR by seat, at some seat.

    How a chip will look is reckoned from the file's colours in the light that the felt shows: a chip is taken to be as
    much brighter or darker than its colour says as the felt is.
    """
    known = measured()
    weak = []
    for chip in chips.chips:
        worst: WeakColour | None = None
        for seat, seen in felt.items():
            looks = _looks(chip.colour, table.felt.colour, seen)
            levels = int(np.abs(looks - seen).max())
            why = _why(looks, seen, levels, thresholds)
            plain, marked = known.expected(levels, plain=True), known.expected(levels, plain=False)
            if not why and plain.missed_of_100 >= MISSED_OF_100:
                why = "may be missed"
            if why and (worst is None or levels < worst.levels):
                worst = WeakColour(chip.key, seat, levels, why, plain, marked)
        if worst is not None:
            weak.append(worst)
    return tuple(weak)


def apart(colour: str, cloth: str, seen: Colour) -> float:
    """How far a chip's colour is from a felt as it is seen, (3,) float64 BGR, in the channel where that is most.

    ``cloth`` is the felt's colour by the table file.
    """
    return float(np.abs(_looks(colour, cloth, seen) - seen).max())


def _looks(colour: str, cloth: str, seen: Colour) -> Colour:
    """How a colour looks in the light in which the felt looks as it is seen."""
    gain = float(seen.sum() / _bgr(cloth).sum())
    return np.asarray(np.clip(_bgr(colour) * gain, 0, 255), np.float64)


def _why(looks: Colour, felt: Colour, levels: int, thresholds: Thresholds) -> str:
    """Why a colour is weak on a felt; empty where it is not."""
    if levels < thresholds.strong_level:
        return "cannot be told from the felt"
    if levels < WEAK_SHARE * thresholds.strong_level:
        return "differs little from the felt"
    light, cloth = looks.sum() + 1, felt.sum() + 1
    chroma = float(np.abs(looks / light - felt / cloth).sum())
    if SHADOW_DARKEST < light / cloth < 1 and chroma < SHADOW_CHROMA:
        return "looks like a shadow while an arm is near"
    return ""


def _bgr(colour: str) -> Colour:
    return np.array([int(colour[at : at + 2], 16) for at in (5, 3, 1)], np.float64)
