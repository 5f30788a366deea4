"""Where things lie on the screen: the table file's millimetres as cells, at any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from betline.geometry import Point, centroid
from betline.settings import TableSettings
from table_controller.console.canvas import Canvas

MIN_PLATE, MAX_PLATE = 9, 18
TALL_FROM_ROWS = 24


class Box(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    def wider(self, by: int) -> Box:
        """The rectangle with more room on its right."""
        return self._replace(width=self.width + by)

    def touches(self, other: Box) -> bool:
        """Whether two rectangles share a cell."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True, slots=True)
class Places:
    """The plates of the seats, their bets' places and the pot's on a drawing of ``width`` x ``height`` cells."""

    width: int
    height: int
    scale: Point
    origin: Point
    plates: dict[int, Box]
    bets: dict[int, Point]
    pot: Point
    dealer: Point

    @classmethod
    def of(cls, table: TableSettings, width: int, height: int) -> Self:
        """The widest plates with which no two seats overlap, each where the table file puts the seat."""
        plate_height = 4 if height >= TALL_FROM_ROWS else 3
        places = cls._with_plates(table, width, height, MIN_PLATE, plate_height)
        for plate_width in range(MIN_PLATE + 1, MAX_PLATE + 1):
            wider = cls._with_plates(table, width, height, plate_width, plate_height)
            if any(a.wider(1).touches(b) for n, a in wider.plates.items() for m, b in wider.plates.items() if n != m):
                break
            places = wider
        return places

    @classmethod
    def _with_plates(cls, table: TableSettings, width: int, height: int, plate_width: int, plate_height: int) -> Self:
        xs = [seat.rail_mm[0] for seat in table.seats]
        ys = [seat.rail_mm[1] for seat in table.seats]
        span = max(max(xs) - min(xs), 1.0), max(max(ys) - min(ys), 1.0)
        scale = max(width - plate_width, 1) / span[0], max(height - plate_height, 1) / span[1]
        origin = (
            width / 2 - (max(xs) + min(xs)) / 2 * scale[0],
            height / 2 + (max(ys) + min(ys)) / 2 * scale[1],
        )

        def cell(point: Point) -> Point:
            return origin[0] + point[0] * scale[0], origin[1] - point[1] * scale[1]

        def plate(point: Point) -> Box:
            x, y = cell(point)
            return Box(round(x - plate_width / 2), round(y - plate_height / 2), plate_width, plate_height)

        return cls(
            width, height, scale, origin,
            {seat.number: plate(seat.rail_mm) for seat in table.seats},
            {seat.number: cell(centroid(seat.bet_zone_mm)) for seat in table.seats},
            cell(centroid(table.pot.polygon_mm)),
            cell(table.dealer_mm),
        )  # fmt: skip


def felt(table: TableSettings, places: Places) -> Canvas:
    """The bare table: rail, felt and what lies inside the betting line, in half-cells for a smooth border."""
    outline = table.felt.outline_mm
    areas = (
        ("rail", _grown(outline, table.felt.rail_width_mm)),
        ("felt", outline),
        ("inner", table.felt.betting_line_mm),
    )
    halves = [["page"] * places.width for _ in range(2 * places.height)]
    for name, polygon in areas:
        for row, line in enumerate(halves):
            y_mm = (places.origin[1] - (row + 0.5) / 2) / places.scale[1]
            for left_mm, right_mm in _spans(polygon, y_mm):
                first = round(places.origin[0] + left_mm * places.scale[0])
                last = round(places.origin[0] + right_mm * places.scale[0])
                for x in range(max(first, 0), min(last, places.width)):
                    line[x] = name
    canvas = Canvas(places.width, places.height)
    for y in range(places.height):
        for x, (upper, lower) in enumerate(zip(halves[2 * y], halves[2 * y + 1], strict=True)):
            canvas.put(x, y, " " if upper == lower else "▀", f"{upper}/{lower}")
    return canvas


def _grown(polygon: Sequence[Point], by_mm: float) -> list[Point]:
    """The polygon, larger by about ``by_mm`` on every side."""
    middle_x, middle_y = centroid(polygon)
    reach_x = max(abs(x - middle_x) for x, _ in polygon)
    reach_y = max(abs(y - middle_y) for _, y in polygon)
    return [
        (middle_x + (x - middle_x) * (1 + by_mm / reach_x), middle_y + (y - middle_y) * (1 + by_mm / reach_y))
        for x, y in polygon
    ]


def _spans(polygon: Sequence[Point], y: float) -> Iterator[Point]:
    """Where a horizontal line lies inside the polygon, from left to right."""
    crossings = sorted(
        (bx - ax) * (y - ay) / (by - ay) + ax
        for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
        if (ay > y) != (by > y)
    )
    yield from zip(crossings[::2], crossings[1::2], strict=True)
