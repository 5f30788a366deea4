"""Where things can stand: slots for stacks of chips inside a zone, and the places of the cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from betline.geometry import Point, Polygon, centroid, contains, distance_mm, distance_to_border_mm
from betline.settings import TableSettings

STACK_HEIGHT = 20  # chips that people put on a stack before they start another
CARD_MM = (63.0, 88.0)
PHONE_MM = (72.0, 148.0)
_GAP_MM = 2.5
_BOARD_PITCH_MM = 67.0
_BURN_PITCH_MM = 14.0

BurnPlace = Literal["beside", "below", "muck"]
"""Where burn cards lie: after the board's row, on the dealer's side of it, or in the muck."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A seat's own directions on the felt: ``ahead`` points from the player to the middle, ``right`` to its right."""

    ahead: Point
    right: Point

    def offset(self, origin: Point, ahead_mm: float, right_mm: float = 0.0) -> Point:
        """The point that lies so far ahead and to the right of ``origin``."""
        return (
            origin[0] + self.ahead[0] * ahead_mm + self.right[0] * right_mm,
            origin[1] + self.ahead[1] * ahead_mm + self.right[1] * right_mm,
        )

    @property
    def turn_rad(self) -> float:
        """How far a card that this player reads is turned from +y."""
        return math.atan2(-self.ahead[0], self.ahead[1])


def heading(origin: Point, towards: Point) -> Heading:
    """The directions of a player at ``origin`` who looks at ``towards``."""
    length = distance_mm(origin, towards)
    x, y = (towards[0] - origin[0]) / length, (towards[1] - origin[1]) / length
    return Heading((x, y), (y, -x))


@lru_cache(maxsize=256)
def slots(polygon: Polygon, facing: Heading, diameter_mm: float) -> tuple[Point, ...]:
    """Middles of stacks that fit into the zone side by side, those nearest to its middle first."""
    middle = centroid(polygon)
    pitch = diameter_mm + _GAP_MM
    reach = max(distance_mm(middle, corner) for corner in polygon)
    steps = int(reach / pitch) + 1
    best: list[Point] = []
    for shift_ahead in (0.0, 0.25, 0.5, 0.75):
        for shift_right in (0.0, 0.25, 0.5, 0.75):
            grid = [
                facing.offset(middle, (i + shift_ahead) * pitch, (j + shift_right) * pitch)
                for i in range(-steps, steps + 1)
                for j in range(-steps, steps + 1)
            ]
            fitting = [point for point in grid if _fits(polygon, point, diameter_mm / 2 + 1.0)]
            if len(fitting) > len(best):
                best = fitting
    return tuple(sorted(best, key=lambda point: distance_mm(point, middle)))


def _fits(polygon: Polygon, point: Point, radius_mm: float) -> bool:
    return contains(polygon, point) and distance_to_border_mm(polygon, point) >= radius_mm


def board_places(table: TableSettings) -> tuple[Point, ...]:
    """Middles of the five board cards: a row between the pot and the dealer, beside the muck."""
    y = min(corner[1] for corner in table.pot.polygon_mm) - CARD_MM[1] / 2 - 10.0
    x = table.muck_mm[0] + CARD_MM[0] + 26.0
    return tuple((x + i * _BOARD_PITCH_MM, y) for i in range(5))


def burn_place(table: TableSettings, place: BurnPlace, burnt: int) -> Point:
    """The middle of the next burn card; it overlaps those ``burnt`` before."""
    board = board_places(table)
    step = burnt * _BURN_PITCH_MM
    if place == "muck":
        return (table.muck_mm[0] - step, table.muck_mm[1])
    if place == "beside":
        return (board[-1][0] + _BOARD_PITCH_MM + 20.0 + step, board[-1][1])
    return (board[3][0] + step, board[3][1] - CARD_MM[1] - 16.0)


def deck_place(table: TableSettings) -> Point:
    """Where the dealer holds the deck: over the felt between the tray and the line."""
    top = max(corner[1] for corner in table.tray.polygon_mm)
    return (centroid(table.tray.polygon_mm)[0] - 60.0, top + 50.0)


def hole_card_places(middle: Point, facing: Heading, count: int) -> tuple[Point, ...]:
    """Middles of a seat's hole cards, overlapping in a row."""
    pitch = 40.0 if count <= 2 else 22.0
    return tuple(facing.offset(middle, 0.0, (i - (count - 1) / 2) * pitch) for i in range(count))


def inward_distance_mm(line: Sequence[Point], ahead: Point, point: Point) -> float:
    """How far ``point`` is past the seat's line towards the middle of the table, negative behind the line."""
    a, b = line
    nx, ny = b[1] - a[1], a[0] - b[0]
    length = math.hypot(nx, ny)
    if nx * ahead[0] + ny * ahead[1] < 0:
        nx, ny = -nx, -ny
    return (nx * (point[0] - a[0]) + ny * (point[1] - a[1])) / length
