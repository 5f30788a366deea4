"""Where everything lies on a felt of a given form: the measures of the shipped tables, fitted to any other.

From the rail to the middle: 20 mm free, the stacks (105 mm), the cards, the betting line, 14 mm, the bet zone, the pot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from betline.geometry import Point, Polygon, contains, distance_mm, distance_to_border_mm
from betline.layout.forms import Form
from betline.layout.ring import Ring
from betline.layout.seats import (
    CARDS_BEHIND_MM,
    RAIL_FREE_MM,
    ZONE_INSIDE_MM,
    LayoutError,
    SeatPlaces,
    row,
)

_LINE_SHARE = 0.44
"""How far the line lies inside the rail, as a share of half the felt's depth..."""
_LINE_INSET_MM = (170.0, 235.0)
"""...but at least and at most so far: behind it stacks and cards must lie, and an arm reaches no further."""
_INSIDE_LEAST_MM = 204.0
"""The least from the middle to the line: bet zone, pot and half the board."""
_ZONE_DEPTHS_MM = (80.0, 126.0)

_POT_HALF_MM = 130.0
_POT_FROM_MM, _POT_TO_MM = -70.0, 110.0
_POT_GAP_MM = 20.0
_BOARD_MM = 98.0
"""How far the board reaches from the pot towards the dealer."""
_POT_LEAST_MM = 70.0
_TRAY_HALF_MM, _BANK_HALF_MM, _TRAY_DEPTH_MM = 170.0, 120.0, 110.0
"""A dealer's tray, and the bank's smaller rack where a player deals."""
_DEALER_HALF_MM, _BANK_HALF_LINE_MM = 255.0, 150.0
"""Half of the line that no seat uses: with a dealer tray, muck and board lie there, without only the bank."""
_MUCK_ASIDE_MM, _BANK_MUCK_ASIDE_MM = 150.0, 90.0
_MUCK_INSIDE_MM, _MUCK_SHARE = 110.0, 0.55
"""The muck: left of the middle, and so far inside the dealer's line, or at that share of the way to the pot."""

_MARKERS_MOST, _MARKERS_LEAST = 8, 4
_MARKER_SIZES_MM = (80.0, 70.0, 60.0)
_MARKER_CLEAR_MM = 8.0
_MARKER_RAIL_MM = 15.0
_MARKER_EVERY_MM, _MARKER_STEP_MM = 450.0, 20.0

_PICTURES_PX = ((1280, 720), (1920, 1080))
_FOCAL_SHARE = 0.617
"""Focal length of a usual webcam, 78 degrees across, as a share of the picture's width."""
_CHIP_MM, _LEAST_CHIP_PX = 39.0, 18.5
_IN_PICTURE = 1.04
_CAMERA_STEP_MM = 50.0


@dataclass(frozen=True, slots=True)
class MarkerPlace:
    """Where a printed marker lies and how large it is."""

    centre_mm: Point
    size_mm: float


@dataclass(frozen=True, slots=True)
class CameraPlace:
    """A camera with a usual lens (78 degrees across), hung so that it sees the table with its rail."""

    position_mm: tuple[float, float, float]
    look_at_mm: Point
    focal_px: float
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class Places:
    """A table laid out: polygons in millimetres from the middle of the felt, the dealer at the bottom."""

    outline_mm: Polygon
    line_mm: Polygon
    dealer_mm: Point
    muck_mm: Point
    pot_mm: Polygon
    tray_mm: Polygon
    seats: tuple[SeatPlaces, ...]
    markers: tuple[MarkerPlace, ...]
    camera: CameraPlace


def lay_out(
    form: Form, seats: int, *, dealer: bool = True, line_inset_mm: float | None = None, rail_width_mm: float = 120.0
) -> Places:
    """Lays ``seats`` places and all that goes with them out on a felt.

    Without a ``dealer`` the players deal: the seats run nearly all around, a bank stands between the last and seat 1.
    ``line_inset_mm`` is how far the betting line lies inside the rail (of a racetrack: how wide the track is); without
    it as far as suits the felt. Raises LayoutError where it does not fit.
    """
    inset_mm = _line_inset(form) if line_inset_mm is None else line_inset_mm
    inside_mm = form.depth_mm / 2 - inset_mm
    _require_room(form, inset_mm, inside_mm)
    outline, line = form.ring(), form.ring(inset_mm)
    zone_mm = min(_ZONE_DEPTHS_MM[1], inside_mm - _INSIDE_LEAST_MM + _ZONE_DEPTHS_MM[0])
    free_half_mm = _DEALER_HALF_MM if dealer else _BANK_HALF_LINE_MM
    placed = row(form, line, seats, zone_mm, free_half_mm).places(outline)
    tray = _tray(outline.at(0)[1] + RAIL_FREE_MM, _TRAY_HALF_MM if dealer else _BANK_HALF_MM)
    line_y = line.at(0)[1]
    below_board_mm = line_y + (0.0 if dealer else ZONE_INSIDE_MM + zone_mm)
    pot = _pot(inside_mm - ZONE_INSIDE_MM - zone_mm - _POT_GAP_MM, below_board_mm + _BOARD_MM + _POT_GAP_MM)
    muck_y = line_y + min(_MUCK_INSIDE_MM, _MUCK_SHARE * (pot[0][1] - line_y))
    return Places(
        outline_mm=outline.corners,
        line_mm=line.corners,
        dealer_mm=outline.at(0),
        muck_mm=(-(_MUCK_ASIDE_MM if dealer else _BANK_MUCK_ASIDE_MM), muck_y),
        pot_mm=pot,
        tray_mm=tray,
        seats=placed,
        markers=_markers(outline, line, free_half_mm, placed, tray),
        camera=_camera(form, rail_width_mm),
    )


def _line_inset(form: Form) -> float:
    least, most = _LINE_INSET_MM
    return min(most, max(least, _LINE_SHARE * form.depth_mm / 2))


def _require_room(form: Form, inset_mm: float, inside_mm: float) -> None:
    width_mm, depth_mm = round(form.width_mm), round(form.depth_mm)
    if width_mm < depth_mm:
        raise LayoutError(f"a felt of {width_mm} x {depth_mm} mm is deeper than wide; give the longer side first")
    if inside_mm < _INSIDE_LEAST_MM:
        needed_mm = math.ceil(2 * (_INSIDE_LEAST_MM + inset_mm) / 10) * 10
        raise LayoutError(
            f"a felt {depth_mm} mm deep has no room for bets and pot inside a line {inset_mm:.0f} mm from the rail; "
            f"it must be {needed_mm} mm deep"
        )


def _pot(highest_mm: float, lowest_mm: float) -> Polygon:
    top_mm, bottom_mm = min(_POT_TO_MM, highest_mm), max(_POT_FROM_MM, lowest_mm)
    if top_mm - bottom_mm < _POT_LEAST_MM:
        more_mm = math.ceil((_POT_LEAST_MM - top_mm + bottom_mm) / 10) * 20
        raise LayoutError(f"the pot and the board have no room between the bets; the felt must be {more_mm} mm deeper")
    return _rectangle(-_POT_HALF_MM, bottom_mm, _POT_HALF_MM, top_mm)


def _tray(bottom_mm: float, half_mm: float) -> Polygon:
    return _rectangle(-half_mm, bottom_mm, half_mm, bottom_mm + _TRAY_DEPTH_MM)


def _rectangle(left: float, bottom: float, right: float, top: float) -> Polygon:
    return ((left, bottom), (right, bottom), (right, top), (left, top))


def _markers(
    outline: Ring, line: Ring, free_half_mm: float, seats: tuple[SeatPlaces, ...], tray: Polygon
) -> tuple[MarkerPlace, ...]:
    """Near the rail between the seats, the largest that fit; eight at most, spread around the table."""
    spots: list[Point] = []
    size_mm = _MARKER_SIZES_MM[-1]
    for size_mm in _MARKER_SIZES_MM:
        half_mm = size_mm / math.sqrt(2)  # it may lie turned
        spots = _free_spots(outline, line, free_half_mm, half_mm, seats, tray)
        if len(spots) >= _MARKERS_LEAST:
            break
    if len(spots) > _MARKERS_MOST:
        spots = [spots[round(i * (len(spots) - 1) / (_MARKERS_MOST - 1))] for i in range(_MARKERS_MOST)]
    return tuple(MarkerPlace(spot, size_mm) for spot in spots)


def _free_spots(
    outline: Ring, line: Ring, free_half_mm: float, half_mm: float, seats: tuple[SeatPlaces, ...], tray: Polygon
) -> list[Point]:
    """The middles of the free stretches of the rail; of a long one several."""
    steps = int((line.length_mm - free_half_mm) / _MARKER_STEP_MM)
    stretches: list[list[Point]] = [[]]
    for step in range(int(free_half_mm / _MARKER_STEP_MM), steps + 1):
        facing = line.facing(step * _MARKER_STEP_MM, _MARKER_STEP_MM)
        reach_mm = distance_mm(facing.rail(outline), facing.origin)
        spot = facing.point(-(reach_mm - half_mm - _MARKER_RAIL_MM))
        if _is_free(spot, half_mm, seats, tray):
            stretches[-1].append(spot)
        elif stretches[-1]:
            stretches.append([])
    spots = []
    for stretch in stretches:
        count = max(1, round(len(stretch) * _MARKER_STEP_MM / _MARKER_EVERY_MM)) if stretch else 0
        spots += [stretch[(2 * i + 1) * len(stretch) // (2 * count)] for i in range(count)]
    return spots


def _is_free(spot: Point, half_mm: float, seats: tuple[SeatPlaces, ...], tray: Polygon) -> bool:
    return distance_to_border_mm(tray, spot) >= half_mm + _MARKER_CLEAR_MM and all(
        not contains(seat.stack_zone_mm, spot)
        and distance_to_border_mm(seat.stack_zone_mm, spot) >= half_mm + _MARKER_CLEAR_MM
        and distance_mm(seat.cards_mm, spot) >= half_mm + CARDS_BEHIND_MM
        for seat in seats
    )


def _camera(form: Form, rail_width_mm: float) -> CameraPlace:
    """Over the middle, as high as needed to see all, in the smaller picture in which a chip is wide enough."""
    across_mm = (form.width_mm + 2 * rail_width_mm) * _IN_PICTURE
    deep_mm = (form.depth_mm + 2 * rail_width_mm) * _IN_PICTURE
    for width_px, height_px in _PICTURES_PX:
        focal_px = round(width_px * _FOCAL_SHARE)
        height_mm = max(across_mm * focal_px / width_px, deep_mm * focal_px / height_px)
        height_mm = math.ceil(height_mm / _CAMERA_STEP_MM) * _CAMERA_STEP_MM
        camera = CameraPlace((0.0, 0.0, height_mm), (0.0, 0.0), float(focal_px), width_px, height_px)
        if _CHIP_MM * focal_px / height_mm >= _LEAST_CHIP_PX:
            break
    return camera
