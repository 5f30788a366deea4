"""Checks of where things lie on the felt."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

from betline.geometry import (
    Point,
    Polygon,
    area_mm2,
    centroid,
    contains,
    crosses,
    distance_mm,
    distance_to_border_mm,
    gap_mm,
    overlap,
    sides,
)
from betline.settings import Seat, TableSettings
from betline.tables.finding import Finding
from betline.tables.pieces import Piece, pieces

_FELT_MM = (600.0, 4500.0)
"""A felt is at least and at most so wide."""
_SLACK_MM = 10.0
"""So far a corner may lie over a border before it is wrong: tables are measured by hand."""
_RAIL_SLACK_MM = 60.0
_LEAST_ZONE_MM2 = 90.0 * 60.0
"""Two stacks beside one another, and room to push them in."""
_NEAR_ANTENNAS_MM = 20.0


def felt_is_no_table(table: TableSettings) -> Iterator[Finding]:
    """A border so small or large that its measures must be wrong: the corner that lies furthest out is named."""
    outline = table.felt.outline_mm
    across_mm = max(distance_mm(a, b) for a, b in combinations(outline, 2))
    least, most = _FELT_MM
    if across_mm > most:
        middle = (_median([x for x, _ in outline]), _median([y for _, y in outline]))
        number, corner = max(enumerate(outline, 1), key=lambda one: distance_mm(one[1], middle))
        yield Finding(
            "felt.outline_mm",
            f"the felt is {across_mm / 1000:.1f} m across; look at its corner {number}, {_at(corner)}: "
            "measures are millimetres.",
            corner,
        )
    elif across_mm < least:
        yield Finding(
            "felt.outline_mm",
            f"the felt is only {across_mm:.0f} mm across; give its measures in millimetres.",
            centroid(outline),
        )


def corners_are_crossed(table: TableSettings) -> Iterator[Finding]:
    """A border that crosses itself: its corners are not listed in order."""
    named: list[tuple[str, Polygon]] = [
        ("felt.outline_mm", table.felt.outline_mm),
        ("felt.betting_line_mm", table.felt.betting_line_mm),
        *((piece.name, piece.corners) for piece in pieces(table)),
    ]
    for name, corners in named:
        if any(crosses(one, other) for one, other in combinations(sides(corners), 2)):
            yield Finding(
                name, "its border crosses itself; list the corners one after the other, once around.", centroid(corners)
            )


def seats_do_not_run_clockwise(table: TableSettings) -> Iterator[Finding]:
    """Seats are numbered clockwise from the dealer's left, as they act."""
    middle = centroid(table.felt.outline_mm)
    start = _clockwise(middle, table.dealer_mm)
    ways = [(_clockwise(middle, seat.rail_mm) - start) % 360 for seat in table.seats]
    falls = [(seat, after) for (seat, way), (after, way_after) in _pairs(table.seats, ways) if way_after <= way]
    if not falls:
        return
    if len(falls) == len(table.seats) - 1 > 1:
        yield Finding("seats", "they run anticlockwise; number them clockwise from the dealer's left.", middle)
        return
    for seat, after in falls:
        yield Finding(
            f"seat-{after.number}",
            f"sits before seat {seat.number}, clockwise from the dealer's left; "
            "give the seats their numbers in that order.",
            after.rail_mm,
        )


def things_lie_elsewhere(table: TableSettings) -> Iterator[Finding]:
    """Things off the felt, or on the wrong side of the betting line."""
    outline, line = table.felt.outline_mm, table.felt.betting_line_mm
    off = [corner for corner in line if _outside(outline, corner)]
    if off:
        yield Finding(
            "felt.betting_line_mm", f"leaves the felt at {_at(off[0])}; it must lie inside the outline.", off[0]
        )
    for piece in pieces(table):
        yield from _misplaced(piece, outline, line)
    for seat in table.seats:
        yield from _misplaced_points(seat, outline, line)
    if _outside(outline, table.muck_mm):
        yield Finding("muck_mm", f"{_at(table.muck_mm)} lies off the felt; give where mucked cards go.", table.muck_mm)
    if distance_to_border_mm(outline, table.dealer_mm) > _RAIL_SLACK_MM:
        yield Finding(
            "dealer_mm", f"{_at(table.dealer_mm)} is not at the rail; give where the dealer sits.", table.dealer_mm
        )


def _misplaced(piece: Piece, outline: Polygon, line: Polygon) -> Iterator[Finding]:
    off = [corner for corner in piece.corners if _outside(outline, corner)]
    if off:
        furthest = max(off, key=lambda corner: distance_to_border_mm(outline, corner))
        away_mm = distance_to_border_mm(outline, furthest)
        yield Finding(piece.name, f"reaches {_length(away_mm)} off the felt, at {_at(furthest)}; move it in.", furthest)
        return
    if piece.kind in ("bet", "pot"):
        behind = [corner for corner in piece.corners if _outside(line, corner)]
        if behind:
            yield Finding(piece.name, f"lies behind the betting line at {_at(behind[0])}; move it inside.", behind[0])
    elif piece.kind == "stack":
        over = [
            corner
            for corner in piece.corners
            if contains(line, corner) and distance_to_border_mm(line, corner) > _SLACK_MM
        ]
        if over:
            yield Finding(
                piece.name, f"reaches over the betting line at {_at(over[0])}; stacks stand behind it.", over[0]
            )
    if piece.kind == "bet" and area_mm2(piece.corners) < _LEAST_ZONE_MM2:
        yield Finding(
            piece.name, "is too small for two stacks side by side; make it 100 mm wide at least.", piece.middle_mm
        )


def _misplaced_points(seat: Seat, outline: Polygon, line: Polygon) -> Iterator[Finding]:
    name = f"seat-{seat.number}"
    if distance_to_border_mm(outline, seat.rail_mm) > _RAIL_SLACK_MM:
        yield Finding(
            f"{name}.rail",
            f"{_at(seat.rail_mm)} is not at the rail; give where the player's arms come over it.",
            seat.rail_mm,
        )
    if _outside(outline, seat.cards_mm):
        yield Finding(
            f"{name}.cards", f"{_at(seat.cards_mm)} lies off the felt; give where the seat's cards lie.", seat.cards_mm
        )
    elif contains(line, seat.cards_mm):
        yield Finding(
            f"{name}.cards", f"{_at(seat.cards_mm)} lies inside the betting line; cards lie behind it.", seat.cards_mm
        )
    for end in seat.line_mm:
        if distance_to_border_mm(line, end) > _RAIL_SLACK_MM:
            yield Finding(
                f"{name}.line",
                f"its end {_at(end)} is not on the betting line; give the seat's piece of that line.",
                end,
            )


def zones_are_not_the_seats_own(table: TableSettings) -> Iterator[Finding]:
    """A zone that lies before another seat: two polygons were swapped, or a number is wrong."""
    owners = {seat.number: centroid(seat.line_mm) for seat in table.seats}
    for piece in pieces(table):
        if piece.seat is None:
            continue
        nearest = min(owners, key=lambda number: distance_mm(owners[number], piece.middle_mm))
        if nearest != piece.seat:
            yield Finding(
                piece.name,
                f"lies at seat {nearest}; are the places of seats {piece.seat} and {nearest} swapped?",
                piece.middle_mm,
            )


def things_overlap(table: TableSettings) -> Iterator[Finding]:
    """Two areas with a place in common: a chip there would be in both."""
    for one, other in combinations(pieces(table), 2):
        if set(one.corners) == set(other.corners) or overlap(_shrunk(one.corners), _shrunk(other.corners)):
            yield Finding(
                other.name, f"overlaps {one.name}; a chip there would be in both. Move them apart.", other.middle_mm
            )
        elif one.kind == other.kind == "bet" and gap_mm(one.corners, other.corners) < _NEAR_ANTENNAS_MM:
            yield Finding(
                other.name,
                f"is {gap_mm(one.corners, other.corners):.0f} mm from {one.name}; below {_NEAR_ANTENNAS_MM:.0f} mm "
                "antennas hear the neighbour's chips.",
                other.middle_mm,
                is_fault=False,
            )


def _shrunk(corners: Polygon) -> Polygon:
    """A polygon without its outermost millimetres, so that neighbours may touch."""
    middle = centroid(corners)
    reach_mm = max(distance_mm(middle, corner) for corner in corners)
    share = max(0.0, 1 - _SLACK_MM / reach_mm)
    return tuple((middle[0] + (x - middle[0]) * share, middle[1] + (y - middle[1]) * share) for x, y in corners)


def _outside(polygon: Polygon, point: Point) -> bool:
    return not contains(polygon, point) and distance_to_border_mm(polygon, point) > _SLACK_MM


def _clockwise(middle: Point, point: Point) -> float:
    """The direction of a point from the middle in degrees, rising clockwise as seen from above."""
    return -math.degrees(math.atan2(point[1] - middle[1], point[0] - middle[0]))


def _pairs(seats: tuple[Seat, ...], ways: list[float]) -> Iterator[tuple[tuple[Seat, float], tuple[Seat, float]]]:
    rows = list(zip(seats, ways, strict=True))
    return pairwise(rows)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _at(point: Point) -> str:
    return f"[{point[0]:.0f}, {point[1]:.0f}]"


def _length(length_mm: float) -> str:
    return f"{length_mm / 1000:.1f} m" if length_mm >= 1000 else f"{length_mm:.0f} mm"
