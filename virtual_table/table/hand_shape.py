"""A hand seen from above: where its fingertips are, for whoever draws it and for the truth of the lines."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from virtual_table.table.things import SeenArm

WRIST_BEHIND_GRIP_MM: Final = 128.0
WRIST_ASIDE_MM: Final = 12.0
PALM_BEHIND_GRIP_MM: Final = 78.0
TIP_RADIUS_MM: Final = 8.0


class Finger(NamedTuple):
    """Where a finger leaves the palm, how long it is and how far it spreads (radians) when the hand is open."""

    ahead_mm: float
    aside_mm: float
    length_mm: float
    spread_rad: float

    def tip_mm(self, closed: float, girth: float) -> tuple[float, float]:
        """How far ahead of its root and aside of it the fingertip is; ``closed`` from 0 to 1."""
        reach = self.length_mm * (1.0 - 0.22 * closed) * girth
        angle = self.spread_rad * (1.0 - 0.8 * closed)
        return reach * math.cos(angle), reach * math.sin(angle) - 0.35 * closed * self.aside_mm


FINGERS: Final = (
    Finger(14.0, -30.0, 50.0, -0.24),
    Finger(22.0, -11.0, 62.0, -0.08),
    Finger(22.0, 9.0, 60.0, 0.06),
    Finger(14.0, 28.0, 46.0, 0.22),
)


def fingertips(arm: SeenArm) -> tuple[tuple[float, float, float], ...]:
    """The fingertips of an arm: x, y and radius of each, in millimetres. The thumb stays behind them."""
    grip, girth = arm.grip_mm, arm.looks.girth
    ahead_x, ahead_y = _unit(grip[0] - arm.shoulder_mm[0], grip[1] - arm.shoulder_mm[1])
    side = WRIST_ASIDE_MM if arm.right_hand else -WRIST_ASIDE_MM
    wrist_x = grip[0] - ahead_x * WRIST_BEHIND_GRIP_MM + ahead_y * side
    wrist_y = grip[1] - ahead_y * WRIST_BEHIND_GRIP_MM - ahead_x * side
    ahead_x, ahead_y = _unit(grip[0] - wrist_x, grip[1] - wrist_y)
    tips = []
    for finger in FINGERS:
        along, across = finger.tip_mm(arm.grip_closed, girth)
        along += finger.ahead_mm - PALM_BEHIND_GRIP_MM
        across += finger.aside_mm * girth
        x, y = grip[0] + ahead_x * along + ahead_y * across, grip[1] + ahead_y * along - ahead_x * across
        tips.append((x, y, TIP_RADIUS_MM * girth))
    return tuple(tips)


def _unit(x: float, y: float) -> tuple[float, float]:
    length = max(1e-9, math.hypot(x, y))
    return x / length, y / length
