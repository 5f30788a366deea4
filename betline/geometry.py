"""Points, polygons and the pinhole camera: the plane geometry that settings, vision and the virtual table share.

Table coordinates are millimetres on the felt: the origin is the middle of the table, x runs to the right and y away
from the dealer, who sits at the bottom, and z rises from the felt. Seen from above, seats run clockwise from the
dealer's left. Picture coordinates are pixels, x to the right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Point3 = tuple[float, float, float]
Polygon = tuple[Point, ...]


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Whether the point lies inside the polygon (even-odd rule; a point on the border may fall on either side)."""
    x, y = point
    inside = False
    previous_x, previous_y = polygon[-1]
    for corner_x, corner_y in polygon:
        if (corner_y > y) != (previous_y > y):
            crossing_x = (previous_x - corner_x) * (y - corner_y) / (previous_y - corner_y) + corner_x
            if x < crossing_x:
                inside = not inside
        previous_x, previous_y = corner_x, corner_y
    return inside


def area_mm2(polygon: Sequence[Point]) -> float:
    """The polygon's area by the shoelace formula, positive whichever way round it runs."""
    total = 0.0
    previous_x, previous_y = polygon[-1]
    for x, y in polygon:
        total += previous_x * y - x * previous_y
        previous_x, previous_y = x, y
    return abs(total) / 2


def centroid(polygon: Sequence[Point]) -> Point:
    """The mean of the polygon's corners: good enough for the convex zones of a table."""
    return (sum(x for x, _ in polygon) / len(polygon), sum(y for _, y in polygon) / len(polygon))


def distance_mm(a: Point, b: Point) -> float:
    """The distance between two points, in the unit of the points."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def between(a: Point, b: Point, share: float) -> Point:
    """The point at that share of the way from ``a`` to ``b``."""
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))


def distance_to_segment_mm(point: Point, a: Point, b: Point) -> float:
    """How far a point lies from the piece of a line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy)
    return distance_mm(point, between(a, b, min(1.0, max(0.0, share))))


def distance_to_border_mm(polygon: Sequence[Point], point: Point) -> float:
    """How far a point lies from the border of a polygon, inside or outside."""
    return min(distance_to_segment_mm(point, polygon[i - 1], polygon[i]) for i in range(len(polygon)))


def gap_mm(a: Sequence[Point], b: Sequence[Point]) -> float:
    """The distance between two polygons; 0 where they share a place."""
    if overlap(a, b):
        return 0.0
    return min(*(distance_to_border_mm(b, corner) for corner in a), *(distance_to_border_mm(a, corner) for corner in b))


def overlap(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether two polygons share a place: one's side crosses the other's, or one lies in the other."""
    if any(crosses(one, other) for one in sides(a) for other in sides(b)):
        return True
    return contains(b, a[0]) or contains(a, b[0])


def sides(polygon: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The sides of a polygon, each from one corner to the next."""
    return [(polygon[i - 1], polygon[i]) for i in range(len(polygon))]


def crosses(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two pieces of a line cross; those that only touch do not."""
    (a, b), (c, d) = one, other
    return _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive where the way from ``a`` over ``b`` to ``c`` turns left, negative where it turns right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera without lens distortion above the table.

    ``position_mm`` is where it hangs, ``look_at_mm`` the point in the middle of its picture, ``focal_px`` its
    focal length. The top of the picture is the side of the table that lies opposite the dealer (+y).
    """

    position_mm: Point3
    look_at_mm: Point
    focal_px: float
    width_px: int
    height_px: int

    def _axes(self) -> tuple[Point3, Point3, Point3]:
        px, py, pz = self.position_mm
        forward = _unit((self.look_at_mm[0] - px, self.look_at_mm[1] - py, -pz))
        right = _unit(_cross(forward, (0.0, 1.0, 0.0)))
        down = _cross(forward, right)
        return right, down, forward

    def project(self, point_mm: Point3) -> Point:
        """The picture position of a point above the felt, in pixels."""
        right, down, forward = self._axes()
        relative = (
            point_mm[0] - self.position_mm[0],
            point_mm[1] - self.position_mm[1],
            point_mm[2] - self.position_mm[2],
        )
        depth = _dot(relative, forward)
        return (
            self.width_px / 2 + self.focal_px * _dot(relative, right) / depth,
            self.height_px / 2 + self.focal_px * _dot(relative, down) / depth,
        )

    def homography(self) -> tuple[tuple[float, float, float], ...]:
        """The 3x3 matrix that takes felt millimetres (x, y, 1) to picture pixels, up to scale."""
        right, down, forward = self._axes()
        origin = (-self.position_mm[0], -self.position_mm[1], -self.position_mm[2])
        rows = []
        for axis, centre_px in ((right, self.width_px / 2), (down, self.height_px / 2)):
            rows.append(
                (
                    self.focal_px * axis[0] + centre_px * forward[0],
                    self.focal_px * axis[1] + centre_px * forward[1],
                    self.focal_px * _dot(origin, axis) + centre_px * _dot(origin, forward),
                )
            )
        rows.append((forward[0], forward[1], _dot(origin, forward)))
        return tuple(rows)


def _dot(a: Point3, b: Point3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point3, b: Point3) -> Point3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Point3) -> Point3:
    length = math.sqrt(_dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)
