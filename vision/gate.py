"""The motion gate: at an eighth of a square centimetre a cell it tells which seats need a closer look.

Stillness costs one small resize and one difference; everything else the detector does happens only where this gate
is open. It also tells whose arm reaches into a zone from somewhere else: by following it to the rail.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from betline.settings import TableSettings
from vision.calibration import Calibration
from vision.pictures import Mask, Picture, above, aged, all_of, difference, grey, resized
from vision.thresholds import Thresholds
from vision.zones import ROOT_FROM, ROOT_TO, SeatZones

SCALE = 4
"""The gate's picture is this many times smaller than the camera's."""
LEAST_CELLS = 2
DEALER = 0
ABSORB_FRAMES = 30
ARM_LEVEL = 16
_NOWHERE = 255

Small = npt.NDArray[np.uint8]


class Gate:
    """Frame-to-frame motion by seat, and the roots of arms; keeps the last small picture and a quiet background."""

    def __init__(
        self, table: TableSettings, calibration: Calibration, zones: tuple[SeatZones, ...], thresholds: Thresholds
    ) -> None:
        self._level = thresholds.motion_level
        self._size = (calibration.width_px // SCALE, calibration.height_px // SCALE)
        self._parts = tuple(_Part(seat, self._size) for seat in zones)
        self._rail = _rail_owners(table, calibration, self._size)
        self._last_grey: Small | None = None
        self._background: Small | None = None
        self._quiet_frames: Small | None = None

    def shrink(self, picture: Picture) -> Small:
        """The gate's picture of a frame."""
        return resized(picture, self._size)

    def motion(self, small: Small) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Moving cells in each seat's sector, and in each seat's zone, since the last picture."""
        now = grey(small)
        sectors, zones = np.zeros(len(self._parts), np.intp), np.zeros(len(self._parts), np.intp)
        if self._last_grey is not None and self._background is not None and self._quiet_frames is not None:
            moving = above(np.asarray(cv2.absdiff(now, self._last_grey), dtype=np.uint8), self._level)
            if cv2.countNonZero(moving) >= LEAST_CELLS:
                for at, part in enumerate(self._parts):
                    cells = moving[part.y0 : part.y1, part.x0 : part.x1]
                    sectors[at] = cv2.countNonZero(all_of(cells, part.sector))
                    zones[at] = cv2.countNonZero(all_of(cells, part.zone))
            self._absorb(small, moving)
        else:
            self._background = small.copy()
            self._quiet_frames = np.zeros(now.shape, np.uint8)
        self._last_grey = now
        return sectors, zones

    def arm_owners(self, small: Small, seat_at: int) -> set[int]:
        """Whose arms cover cells of a seat's zone: seat numbers, ``DEALER`` for the dealer."""
        if self._background is None:
            return set()
        part = self._parts[seat_at]
        levels = difference(small, self._background)
        count, labels = cv2.connectedComponents(above(levels, ARM_LEVEL), connectivity=8)
        zone_labels = labels[part.y0 : part.y1, part.x0 : part.x1][part.zone > 0]
        inside = np.bincount(zone_labels, minlength=count) >= LEAST_CELLS
        inside[0] = False
        return {int(owner) for owner in np.unique(self._rail[inside[labels]])} - {_NOWHERE}

    def _absorb(self, small: Small, moving: Mask) -> None:
        """Takes into the background what has not moved for a second: only arms in motion are followed."""
        assert self._background is not None
        assert self._quiet_frames is not None
        self._quiet_frames = aged(self._quiet_frames)
        self._quiet_frames[moving > 0] = 0
        cv2.copyTo(small, above(self._quiet_frames, ABSORB_FRAMES), self._background)


class _Part:
    """A seat's masks in cells of the gate's picture."""

    __slots__ = ("sector", "x0", "x1", "y0", "y1", "zone")

    def __init__(self, zones: SeatZones, size: tuple[int, int]) -> None:
        whole = np.zeros((size[1] * SCALE, size[0] * SCALE), np.uint8)

        def shrunk(mask: Mask) -> Mask:
            whole[:] = 0
            whole[zones.y0 : zones.y1, zones.x0 : zones.x1] = mask
            return above(resized(whole, size), 127)

        self.x0, self.y0 = zones.x0 // SCALE, zones.y0 // SCALE
        self.x1, self.y1 = -(-zones.x1 // SCALE), -(-zones.y1 // SCALE)
        window = (slice(self.y0, self.y1), slice(self.x0, self.x1))
        self.sector = np.ascontiguousarray(shrunk(zones.sector)[window])
        self.zone = np.ascontiguousarray(shrunk(zones.zone)[window])


def _rail_owners(table: TableSettings, calibration: Calibration, size: tuple[int, int]) -> Small:
    """For each cell on the rail whose place it is, ``_NOWHERE`` elsewhere."""
    cells = np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), axis=-1).reshape(-1, 2)
    at_mm = calibration.to_mm(cells * float(SCALE) + SCALE / 2)
    outline = np.array(table.felt.outline_mm, dtype=np.float32)
    width_mm = table.felt.rail_width_mm
    outside_mm = np.array(
        [-cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in at_mm], dtype=np.float64
    )
    owners = [(DEALER, table.dealer_mm), *((seat.number, seat.rail_mm) for seat in table.seats)]
    away = np.stack([np.hypot(at_mm[:, 0] - place[0], at_mm[:, 1] - place[1]) for _, place in owners])
    nearest = np.array([number for number, _ in owners], dtype=np.uint8)[away.argmin(axis=0)]
    on_rail = (outside_mm > ROOT_FROM * width_mm) & (outside_mm < ROOT_TO * width_mm)
    return np.where(on_rail, nearest, np.uint8(_NOWHERE)).reshape(size[1], size[0])
