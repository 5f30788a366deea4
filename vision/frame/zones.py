"""What belongs to each seat in the picture: masks in a small crop, drawn once from the table's millimetres.

A seat's sector runs from its rail over its stacks and the betting line to the far side of its bet zone. Within it lie
the zone (everything beyond the line and its dead band where the seat's bets lie), the near zone (with the margin that
a hand must leave), the root (the seat's piece of the rail, where its arms come in) and the border (the sector's other
sides, where arms of others come in).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point, centroid, distance_mm
from betline.settings import Seat, TableSettings
from vision.calibration.calibration import Calibration, CalibrationError
from vision.imaging.pictures import Mask, Picture
from vision.tuning.thresholds import Thresholds

Indices = npt.NDArray[np.intp]

SECTOR_SIDE_MM: Final = 40.0
"""A seat's sector goes so far beyond the ends of its line: hands come in at a slant."""
SECTOR_FAR_MM: Final = 45.0
"""And so far beyond its bet zone: an arm that reaches in from the pot's side shows there first."""
ZONE_SIDE_MM: Final = 15.0
ZONE_FAR_MM: Final = 20.0
"""Chips that lie half a chip beside or beyond the drawn bet zone still belong to it."""
LINE_BLUR_PX: Final = 2
"""The drawn line is seen this much wider on each side: pictures are compared blurred by 5 px."""
LINE_EDGE_PX: Final = 3
"""Beyond that, within so much, it fades into the felt."""
ROOT_FROM, ROOT_TO = 0.4, 0.95
"""Share of the rail's width: tall stacks near the rail lean over its inner part in the picture."""
BORDER_PX: Final = 3
"""How wide a sector's border is, on which arms of others are noticed: noise makes holes in a thinner one."""
TALL_STACK_MM: Final = 132.0
"""Forty chips. A camera beside the table sees tops of stacks lean inwards: no bet is looked for where they reach."""


@dataclass(frozen=True, slots=True, eq=False)
class BetCrop:
    """The part of a seat's crop around its zone, where chips are looked for; indices, (N,) intp, are into this part.

    ``zone`` is (H, W) uint8, 0 or 255, ``beyond_line_mm`` (H, W) float32.
    """

    rows: slice
    columns: slice
    zone: Mask
    zone_at: Indices
    beyond_line_mm: npt.NDArray[np.float32]
    mm2_per_px: float

    def of(self, crop: Picture) -> Picture:
        """Just this part of a seat's crop, (H, W, 3) uint8, or of a mask over it, (H, W) uint8 (contiguous, a copy)."""
        return np.ascontiguousarray(crop[self.rows, self.columns])


@dataclass(frozen=True, slots=True, eq=False)
class SeatZones:
    """One seat's masks in the crop ``[y0:y1, x0:x1]`` of the picture; index arrays are into the flattened crop.

    Masks are (H, W) uint8, 0 or 255, indices (N,) intp.
    """

    seat: int
    x0: int
    y0: int
    x1: int
    y1: int
    sector: Mask
    zone: Mask
    zone_at: Indices
    near_at: Indices
    root_at: Indices
    border_at: Indices
    far_at: Indices
    """The border's pot side."""
    behind: Mask
    """The sector behind the line, where stacks and cards lie."""
    line: Mask
    """The drawn line."""
    line_px: int
    """How wide the drawn line is seen."""
    line_edges: Mask
    """The drawn line and the blur at its edges."""
    bets: BetCrop
    mm2_per_px: float

    def crop(self, picture: Picture) -> Picture:
        """The seat's part of a full picture, (H, W, 3) or (H, W) uint8 (a view, not a copy)."""
        return picture[self.y0 : self.y1, self.x0 : self.x1]


def seat_zones(table: TableSettings, calibration: Calibration, thresholds: Thresholds) -> tuple[SeatZones, ...]:
    """The masks of all seats of a table; raises CalibrationError where a seat has no zone left."""
    inside_px = _inside_line_px(table, calibration)
    return tuple(_zones_of(seat, table, calibration, inside_px, thresholds) for seat in table.seats)


def _inside_line_px(table: TableSettings, calibration: Calibration) -> npt.NDArray[np.float32]:
    """How far each pixel is inside the drawn betting line, negative outside: seats at a bend have a curved line."""
    inside = np.zeros((calibration.height_px, calibration.width_px), np.uint8)
    corners = np.round(calibration.outline_px(table.felt.betting_line_mm) * 16).astype(np.int32)
    cv2.fillPoly(inside, [corners], 255, shift=4)
    outside = np.asarray(cv2.bitwise_not(inside), dtype=np.uint8)
    within, beyond = (cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) for mask in (inside, outside))
    return np.asarray(within, dtype=np.float32) - np.asarray(beyond, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Millimetres along and beyond a seat's line: the origin in its middle, ``across`` towards the pot."""

    origin: Point
    along: Point
    across: Point

    def at(self, along_mm: float, across_mm: float) -> Point:
        return (
            self.origin[0] + along_mm * self.along[0] + across_mm * self.across[0],
            self.origin[1] + along_mm * self.along[1] + across_mm * self.across[1],
        )

    def beyond(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray((points - self.origin) @ np.array(self.across))

    def sideways(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray((points - self.origin) @ np.array(self.along))


def line_frame(seat: Seat) -> _Frame:
    """The coordinates of a seat's line."""
    (ax, ay), (bx, by) = seat.line_mm
    length = distance_mm(*seat.line_mm)
    along = ((bx - ax) / length, (by - ay) / length)
    across = (-along[1], along[0])
    middle = ((ax + bx) / 2, (ay + by) / 2)
    cx, cy = centroid(seat.bet_zone_mm)
    if (cx - middle[0]) * across[0] + (cy - middle[1]) * across[1] < 0:
        across = (-across[0], -across[1])
    return _Frame(middle, along, across)


def _zones_of(
    seat: Seat,
    table: TableSettings,
    calibration: Calibration,
    inside_px: npt.NDArray[np.float32],
    thresholds: Thresholds,
) -> SeatZones:
    frame = line_frame(seat)
    half_line_mm = distance_mm(*seat.line_mm) / 2
    others = [distance_mm(seat.rail_mm, other.rail_mm) for other in table.seats if other is not seat]
    half_width_mm = min(half_line_mm + SECTOR_SIDE_MM, min(others) / 2)
    bet_zone = np.array(seat.bet_zone_mm)
    far_mm = float(frame.beyond(bet_zone).max())
    rail = np.array([seat.rail_mm])
    rail_along_mm, rail_mm = float(frame.sideways(rail)[0]), float(frame.beyond(rail)[0])

    def strip(from_mm: float, to_mm: float) -> list[Point]:
        """The sector between two distances from the line; it leans where the rail point does not face the line."""
        lean = rail_along_mm / rail_mm if rail_mm else 0.0
        return [
            frame.at(min(lean * from_mm, lean * rail_mm) - half_width_mm, from_mm),
            frame.at(min(lean * from_mm, lean * rail_mm) + half_width_mm, from_mm),
            frame.at(lean * min(to_mm, 0) + half_width_mm, to_mm),
            frame.at(lean * min(to_mm, 0) - half_width_mm, to_mm),
        ]

    rail_width_mm = table.felt.rail_width_mm
    sector_mm = strip(rail_mm - ROOT_TO * rail_width_mm, far_mm + SECTOR_FAR_MM)
    corners = calibration.outline_px(sector_mm)
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 3, (calibration.width_px, calibration.height_px))
    if x1 <= x0 or y1 <= y0:
        raise CalibrationError(
            f"Seat {seat.number} lies outside the camera's picture: turn it or hang it higher, and calibrate again."
        )
    shape = (int(y1 - y0), int(x1 - x0))

    def mask(polygon_mm: list[Point]) -> Mask:
        drawn = np.zeros(shape, np.uint8)
        points = np.round((calibration.outline_px(polygon_mm) - (x0, y0)) * 16).astype(np.int32)
        cv2.fillPoly(drawn, [points], 255, shift=4)
        return drawn

    grid = np.stack(np.meshgrid(np.arange(x0, x1), np.arange(y0, y1)), axis=-1).reshape(-1, 2).astype(np.float64)
    grid_mm = calibration.to_mm(grid)
    mm2_per_px = calibration.mm2_per_px(centroid(seat.bet_zone_mm))
    beyond_mm = inside_px[y0:y1, x0:x1] * np.float32(mm2_per_px**0.5)
    across_mm = frame.beyond(grid_mm).reshape(shape)
    sideways_mm = frame.sideways(grid_mm).reshape(shape)

    sector = mask(sector_mm)
    inside = (sector > 0) & (np.abs(sideways_mm) <= half_line_mm + ZONE_SIDE_MM) & (across_mm <= far_mm + ZONE_FAR_MM)
    stacks = np.array(seat.stack_zone_mm)
    tops_mm = float(frame.beyond(stacks + calibration.lean_mm(stacks, TALL_STACK_MM)).max())
    zone = inside & (beyond_mm >= max(thresholds.line_dead_band_mm + table.felt.line_width_mm / 2, tops_mm))
    near = inside & (beyond_mm >= -thresholds.hand_margin_mm)
    root = (sector > 0) & (mask(strip(rail_mm - ROOT_TO * rail_width_mm, rail_mm - ROOT_FROM * rail_width_mm)) > 0)
    shrunk = cv2.erode(
        sector, np.ones((2 * BORDER_PX + 1,) * 2, np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    border = (sector > 0) & (shrunk == 0) & (beyond_mm >= -thresholds.hand_margin_mm)
    half_line_px = table.felt.line_width_mm / 2 / mm2_per_px**0.5 + LINE_BLUR_PX
    line = (sector > 0) & (np.abs(inside_px[y0:y1, x0:x1]) <= half_line_px)
    line_edges = (sector > 0) & (np.abs(inside_px[y0:y1, x0:x1]) <= half_line_px + LINE_EDGE_PX)
    zone_mask = np.where(zone, np.uint8(255), np.uint8(0))
    return SeatZones(
        seat=seat.number,
        x0=int(x0),
        y0=int(y0),
        x1=int(x1),
        y1=int(y1),
        sector=sector,
        zone=zone_mask,
        zone_at=np.flatnonzero(zone),
        near_at=np.flatnonzero(near),
        root_at=np.flatnonzero(root),
        border_at=np.flatnonzero(border),
        far_at=np.flatnonzero(border & (across_mm >= far_mm + ZONE_FAR_MM)),
        behind=np.where((sector > 0) & (beyond_mm < -thresholds.hand_margin_mm), np.uint8(255), np.uint8(0)),
        line=np.where(line, np.uint8(255), np.uint8(0)),
        line_px=math.ceil(2 * half_line_px),
        line_edges=np.where(line_edges, np.uint8(255), np.uint8(0)),
        bets=_bet_crop(zone_mask, beyond_mm, mm2_per_px),
        mm2_per_px=mm2_per_px,
    )


def _bet_crop(zone: Mask, beyond_mm: npt.NDArray[np.float32], mm2_per_px: float) -> BetCrop:
    rows, columns = np.flatnonzero(zone.any(axis=1)), np.flatnonzero(zone.any(axis=0))
    if len(rows) == 0:
        raise CalibrationError("Nothing of a bet zone is left beyond the line: lower line_dead_band_mm, or move it.")
    window = (slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1))
    inner = np.ascontiguousarray(zone[window])
    return BetCrop(*window, inner, np.flatnonzero(inner), np.ascontiguousarray(beyond_mm[window]), mm2_per_px)
