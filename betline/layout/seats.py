"""The players' places: their pieces of the betting line, and what lies before and behind each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from betline.geometry import Point, Polygon, contains, distance_mm, gap_mm
from betline.layout.forms import Form
from betline.layout.ring import Facing, Ring

SEATS_MOST = 10
ZONE_INSIDE_MM = 14.0
"""From the middle of the line to a bet zone, so that a chip on the line touches none."""
RAIL_FREE_MM = 20.0
CARDS_BEHIND_MM = 62.0

_WIDTHS_MM = (130, 210)
_WIDTH_STEP_MM = 5
_GAP_MM = 36.0
"""At least so much between two bet zones, so that their antennas are apart."""
_TAPER_MM = 30.0
_STACK_DEPTH_MM = 105.0
_STACK_BEHIND_LINE_MM = 5.0
_STACK_STEP_MM = 2.0


class LayoutError(Exception):
    """The table cannot be laid out so; the text says what would fit."""


@dataclass(frozen=True, slots=True)
class SeatPlaces:
    """Where one seat's things lie."""

    number: int
    rail_mm: Point
    line_mm: tuple[Point, Point]
    bet_zone_mm: Polygon
    stack_zone_mm: Polygon
    cards_mm: Point


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The seats along the line, all of one width."""

    ways_mm: tuple[float, ...]
    """How far along the line each seat's middle is."""
    width_mm: float
    depth_mm: float
    """Of a bet zone."""
    facings: tuple[Facing, ...]

    def places(self, outline: Ring) -> tuple[SeatPlaces, ...]:
        """The places of all seats, from seat 1."""
        return tuple(self._place(number, facing, outline) for number, facing in enumerate(self.facings, 1))

    def _place(self, number: int, facing: Facing, outline: Ring) -> SeatPlaces:
        rail = facing.rail(outline)
        return SeatPlaces(
            number=number,
            rail_mm=rail,
            line_mm=(facing.point(0, -self.width_mm / 2), facing.point(0, self.width_mm / 2)),
            bet_zone_mm=_bet_zone(facing, self.width_mm, self.depth_mm),
            stack_zone_mm=_stack_zone(facing, outline, distance_mm(rail, facing.origin), self.width_mm),
            cards_mm=facing.point(-CARDS_BEHIND_MM),
        )


def row(form: Form, line: Ring, seats: int, depth_mm: float, free_half_mm: float) -> SeatRow:
    """Spreads the seats evenly along the line, as wide as leaves a gap between their bet zones.

    On the dealer's side ``free_half_mm`` of the line stay free on either side of the middle. Raises LayoutError.
    """
    if not 2 <= seats <= SEATS_MOST:
        raise LayoutError(f"{seats} seats cannot be laid out; give 2 to {SEATS_MOST}")
    found = _row(line, seats, depth_mm, free_half_mm)
    if found is not None:
        return found
    fits = next((fewer for fewer in range(seats - 1, 1, -1) if _row(line, fewer, depth_mm, free_half_mm)), None)
    remedy = "take a larger felt" if fits is None else f"{fits} do, or take a larger felt"
    raise LayoutError(f"{seats} seats do not fit on a felt of {form.width_mm:.0f} x {form.depth_mm:.0f} mm; {remedy}")


def _row(line: Ring, seats: int, depth_mm: float, free_half_mm: float) -> SeatRow | None:
    share_mm = (line.length_mm - 2 * free_half_mm) / seats
    ways = tuple(free_half_mm + (number + 0.5) * share_mm for number in range(seats))
    least_mm, most_mm = _WIDTHS_MM
    for width_mm in range(min(most_mm, int(share_mm)), least_mm - 1, -_WIDTH_STEP_MM):
        facings = tuple(line.facing(way, width_mm) for way in ways)
        zones = [_bet_zone(facing, width_mm, depth_mm) for facing in facings]
        if all(gap_mm(a, b) >= _GAP_MM for a, b in pairwise(zones)):
            return SeatRow(ways, width_mm, depth_mm, facings)
    return None


def _bet_zone(facing: Facing, width_mm: float, depth_mm: float) -> Polygon:
    return facing.box(ZONE_INSIDE_MM, ZONE_INSIDE_MM + depth_mm, width_mm, _TAPER_MM)


def _stack_zone(facing: Facing, outline: Ring, reach_mm: float, width_mm: float) -> Polygon:
    """Behind the line and 20 mm from the rail; at a round rail so much further in that its corners are on the felt."""
    behind_mm = reach_mm - RAIL_FREE_MM
    while True:
        front_mm = max(behind_mm - _STACK_DEPTH_MM, _STACK_BEHIND_LINE_MM)
        zone = facing.box(-behind_mm, -front_mm, width_mm)
        if all(contains(outline.corners, corner) for corner in zone) or behind_mm <= front_mm + _STACK_STEP_MM:
            return zone
        behind_mm -= _STACK_STEP_MM
