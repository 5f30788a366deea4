"""The forms that poker tables are built in: each gives its border, and the same border further in.

Oval and racetrack have straight sides and half-round ends; a racetrack's playing felt begins at the inner edge of the
track, where its betting line lies. A kidney is an oval that is dented on the dealer's side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from betline.geometry import Point
from betline.layout.ring import Ring

FormName = Literal["oval", "racetrack", "round", "kidney", "rectangle"]
FORMS: tuple[FormName, ...] = get_args(FormName)

_ARC_STEP_DEG = 15
_CORNER_MM = 80.0
"""How round the corners of a rectangle are."""
_INNER_CORNER = 0.75
"""How round those of the line inside it are, as a share of half its depth: no seat's piece may lie around a corner."""
_DENT_DEPTH = 0.12
"""How deep the dealer's dent in a kidney is, as a share of the felt's depth."""
_DENT_WIDTH = 0.55
"""How wide it is, as a share of the felt's width."""
_DENT_STEPS = 16
_SAME_MM = 0.5


@dataclass(frozen=True, slots=True)
class Form:
    """A form with its measures: ``width_mm`` along the dealer's side, ``depth_mm`` across."""

    name: FormName
    width_mm: float
    depth_mm: float

    @property
    def dent_mm(self) -> float:
        """How far the middle of the dealer's side is pushed in; 0 for all but the kidney."""
        return self.depth_mm * _DENT_DEPTH if self.name == "kidney" else 0.0

    def ring(self, inset_mm: float = 0.0) -> Ring:
        """The border, moved in by ``inset_mm`` (negative: out): it begins in the middle of the dealer's side."""
        half_x, half_y = self.width_mm / 2 - inset_mm, self.depth_mm / 2 - inset_mm
        corner = half_y
        if self.name == "rectangle":
            corner = _CORNER_MM if inset_mm <= 0 else half_y * _INNER_CORNER
        return Ring(tuple(self._dented(point) for point in _rounded(half_x, half_y, corner, self._side_steps())))

    def _side_steps(self) -> int:
        return _DENT_STEPS if self.name == "kidney" else 1

    def _dented(self, point: Point) -> Point:
        x, y = point
        share = abs(x) / (self.width_mm * _DENT_WIDTH / 2)
        if not self.dent_mm or y >= 0 or share >= 1:
            return point
        return (x, y + self.dent_mm * (1 + math.cos(math.pi * share)) / 2)


def _rounded(half_x: float, half_y: float, corner: float, side_steps: int) -> list[Point]:
    """A rectangle with round corners, clockwise from the middle of its lower side, which has ``side_steps`` a half."""
    flat_x, flat_y = half_x - corner, half_y - corner
    corners: list[Point] = [(-flat_x * step / side_steps, -half_y) for step in range(side_steps)]
    for middle, start in (
        ((-flat_x, -flat_y), 270),
        ((-flat_x, flat_y), 180),
        ((flat_x, flat_y), 90),
        ((flat_x, -flat_y), 0),
    ):
        for turn in range(0, 91, _ARC_STEP_DEG):
            angle = math.radians(start - turn)
            corners.append((middle[0] + corner * math.cos(angle), middle[1] + corner * math.sin(angle)))
    corners += [(flat_x * step / side_steps, -half_y) for step in range(side_steps - 1, 0, -1)]
    return _without_repeats(corners)


def _without_repeats(corners: list[Point]) -> list[Point]:
    kept = corners[:1]
    for corner in corners[1:]:
        if math.dist(corner, kept[-1]) > _SAME_MM:
            kept.append(corner)
    return kept[:-1] if math.dist(kept[-1], kept[0]) <= _SAME_MM else kept
