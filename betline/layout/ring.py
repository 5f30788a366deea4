"""A closed curve around the middle of the table, walked clockwise from the dealer's side."""

from __future__ import annotations

import math
from dataclasses import dataclass

from betline.geometry import Point, Polygon, between, distance_mm, sides


@dataclass(frozen=True, slots=True)
class Ring:
    """Corners of a closed curve in millimetres, clockwise as seen from above; the walk begins at the first."""

    corners: Polygon

    @property
    def length_mm(self) -> float:
        """The way once around."""
        return sum(distance_mm(a, b) for a, b in self._walk())

    def _walk(self) -> list[tuple[Point, Point]]:
        first, *others = sides(self.corners)
        return [*others, first]

    def at(self, way_mm: float) -> Point:
        """The point so far along the curve; beyond its length the walk goes round again."""
        left_mm = way_mm % self.length_mm
        for a, b in self._walk():
            side_mm = distance_mm(a, b)
            if left_mm <= side_mm:
                return between(a, b, left_mm / side_mm)
            left_mm -= side_mm
        return self.corners[0]

    def facing(self, way_mm: float, width_mm: float) -> Facing:
        """What a player there has in front, whose piece of the curve is ``width_mm`` wide in a straight line."""
        first, last = self.at(way_mm - width_mm / 2), self.at(way_mm + width_mm / 2)
        middle = between(first, last, 0.5)
        length_mm = distance_mm(first, last)
        along = ((last[0] - first[0]) / length_mm, (last[1] - first[1]) / length_mm)
        return Facing(middle, along)

    def hit(self, origin: Point, direction: Point) -> Point:
        """Where a ray that begins inside the curve leaves it; raises ValueError for one that never does."""
        found = [
            share for a, b in self._walk() if (share := _crossing(origin, direction, a, b)) is not None and share > 0
        ]
        if not found:
            raise ValueError("the ray begins outside the curve")
        share = min(found)
        return (origin[0] + share * direction[0], origin[1] + share * direction[1])


@dataclass(frozen=True, slots=True)
class Facing:
    """A player's own directions, from ``origin`` on the line: ``along`` it clockwise, ``inward`` to the middle."""

    origin: Point
    along: Point

    @property
    def inward(self) -> Point:
        """To the middle of the table: clockwise and a quarter turn to the right."""
        return (self.along[1], -self.along[0])

    def point(self, inward_mm: float, along_mm: float = 0.0) -> Point:
        """The point so far inward (negative: towards the player) and along the line."""
        return (
            self.origin[0] + inward_mm * self.inward[0] + along_mm * self.along[0],
            self.origin[1] + inward_mm * self.inward[1] + along_mm * self.along[1],
        )

    def rail(self, outline: Ring) -> Point:
        """Where the player's arms come over the rail: straight behind."""
        return outline.hit(self.origin, (-self.inward[0], -self.inward[1]))

    def box(self, near_mm: float, far_mm: float, width_mm: float, taper_mm: float = 0.0) -> Polygon:
        """The piece from ``near_mm`` to ``far_mm`` inward, on its far side narrower by ``taper_mm``."""
        half, far_half = width_mm / 2, (width_mm - taper_mm) / 2
        return (
            self.point(near_mm, -half),
            self.point(near_mm, half),
            self.point(far_mm, far_half),
            self.point(far_mm, -far_half),
        )


def _crossing(origin: Point, direction: Point, a: Point, b: Point) -> float | None:
    """How many times ``direction`` a ray goes before it meets the side from ``a`` to ``b``; None where it does not."""
    side = (b[0] - a[0], b[1] - a[1])
    cross = direction[0] * side[1] - direction[1] * side[0]
    if math.isclose(cross, 0.0, abs_tol=1e-12):
        return None
    away = (a[0] - origin[0], a[1] - origin[1])
    share = (away[0] * side[1] - away[1] * side[0]) / cross
    along = (away[0] * direction[1] - away[1] * direction[0]) / cross
    return share if 0.0 <= along <= 1.0 else None
