"""Which antenna zones of a table lie so close that both may hear one chip."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from betline.geometry import Point, Polygon, distance_mm
from betline.settings import TableSettings

REACH_MM: Final = 250.0
"""Two zones whose outlines come closer than this are near: an HF antenna under the felt hears a chip some 12 cm
beyond its edge, and both may."""


def near_zones(table: TableSettings) -> Mapping[str, frozenset[str]]:
    """By zone those near it: by their outlines, and those of readers that the table file calls neighbours."""
    outlines: dict[str, Polygon] = {"pot": table.pot.polygon_mm, "tray": table.tray.polygon_mm}
    outlines |= {f"seat-{seat.number}": seat.bet_zone_mm for seat in table.seats}
    outlines |= {f"stack-{seat.number}": seat.stack_zone_mm for seat in table.seats}
    near: dict[str, set[str]] = {zone: set() for zone in outlines}
    pairs = [
        (one, other) for one, other in combinations(outlines, 2) if _apart_mm(outlines[one], outlines[other]) < REACH_MM
    ]
    zones_of = {reader.id: [served.zone for served in reader.antennas] for reader in table.readers}
    for reader in table.readers:
        for neighbour in reader.rf_neighbours:
            pairs += [(one, other) for one in zones_of[reader.id] for other in zones_of[neighbour]]
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)
    return {zone: frozenset(others) for zone, others in near.items()}


def _apart_mm(one: Polygon, other: Polygon) -> float:
    """How far two outlines are apart that do not cross: from a corner of one to a side of the other."""
    return min(
        _to_side_mm(corner, (other[side - 1], other[side]))
        for one, other in ((one, other), (other, one))
        for corner in one
        for side in range(len(other))
    )


def _to_side_mm(point: Point, side: tuple[Point, Point]) -> float:
    (ax, ay), (bx, by) = side
    length = distance_mm(*side)
    along = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / (length * length) if length else 0.0
    share = min(1.0, max(0.0, along))
    return distance_mm(point, (ax + share * (bx - ax), ay + share * (by - ay)))
