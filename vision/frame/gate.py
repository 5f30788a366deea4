"""The motion gate: in cells of 8 mm it shows which seats need a closer look.

It looks at every channel, since a sleeve may be exactly as bright as the felt. Stillness costs one small resize and one
difference; everything else the detector does happens only where this gate is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame.zones import SeatZones
from vision.imaging.pictures import (
    Mask,
    Picture,
    above,
    all_of,
    difference,
    grown,
    halved,
    none_of,
    resized,
    smooth,
)

SCALE: Final = 4
"""The gate's picture is this many times smaller than the camera's."""
MIN_CELLS: Final = 2
"""A sector moves from two cells of 8 mm on; single ones flicker with noise."""
NEAR_CELLS: Final = 4
"""From the zone, whose edge is past the line, to the margin that a hand must leave, and a cell more."""

Counts = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A seat's masks in cells of the gate's picture, (h, w) uint8, 0 or 255, cut to ``window``."""

    window: tuple[slice, slice]
    sector: Mask
    zone: Mask
    near: Mask
    """The zone and what is within some 32 mm of it."""
    behind: Mask
    """The sector behind the line, without what is near the zone."""


class Gate:
    """Frame-to-frame motion by seat; keeps the last picture."""

    def __init__(self, zones: tuple[SeatZones, ...], width_px: int, height_px: int, motion_level: int) -> None:
        self.size = (width_px // SCALE, height_px // SCALE)
        self.cells = tuple(_cells(seat, self.size) for seat in zones)
        self._level = motion_level
        self._last: Picture | None = None

    def tune(self, zones: tuple[SeatZones, ...], motion_level: int) -> None:
        """Goes on with other zones and another level."""
        self.cells = tuple(_cells(seat, self.size) for seat in zones)
        self._level = motion_level

    def shrink(self, picture: Picture) -> Picture:
        """The gate's picture of a frame, (H, W, 3) uint8 BGR: (H/4, W/4, 3)."""
        return halved(halved(picture))

    def moving(self, small: Picture) -> Mask:
        """The cells of a gate's picture, (h, w, 3) uint8, that changed with their neighbours: (h, w) uint8."""
        before, self._last = self._last, smooth(small)
        if before is None:
            return np.zeros(small.shape[:2], np.uint8)
        return above(difference(self._last, before), self._level)

    def by_seat(self, moving: Mask) -> tuple[Counts, Counts, Counts]:
        """How many cells that move, (h, w) uint8, are in each seat's sector, zone and near it: (seats,) intp each."""
        sectors, zones, near = (np.zeros(len(self.cells), np.intp) for _ in range(3))
        if cv2.countNonZero(moving) >= MIN_CELLS:
            for at, seat in enumerate(self.cells):
                here = all_of(moving[seat.window], seat.sector)
                sectors[at] = cv2.countNonZero(here)
                if sectors[at]:
                    zones[at] = cv2.countNonZero(all_of(here, seat.zone))
                    near[at] = cv2.countNonZero(all_of(here, seat.near))
        return sectors, zones, near


def moves_behind(moving: Mask, seat: Cells) -> bool:
    """Whether something moves behind a seat's line; ``moving`` is (h, w) uint8 of the gate's picture."""
    return cv2.countNonZero(all_of(moving[seat.window], seat.behind)) >= MIN_CELLS


def _cells(zones: SeatZones, size: tuple[int, int]) -> Cells:
    whole = np.zeros((size[1] * SCALE, size[0] * SCALE), np.uint8)
    window = (slice(zones.y0 // SCALE, -(-zones.y1 // SCALE)), slice(zones.x0 // SCALE, -(-zones.x1 // SCALE)))

    def shrunk(mask: Mask) -> Mask:
        whole[:] = 0
        whole[zones.y0 : zones.y1, zones.x0 : zones.x1] = mask
        return np.ascontiguousarray(above(resized(whole, size), 127)[window])

    zone = shrunk(zones.zone)
    near = grown(zone, NEAR_CELLS)
    return Cells(window, shrunk(zones.sector), zone, near, all_of(shrunk(zones.behind), none_of(near)))
