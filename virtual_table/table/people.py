"""Who sits at the virtual table: where their hands wait, how they look by the seed, where their fingertips are."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from betline.geometry import centroid
from betline.settings import TableSettings
from virtual_table.table.layout import Heading, heading
from virtual_table.table.things import BY_DEALER, Looks, SeenArm
from virtual_table.table.visit import Hand

# Six tones from the lightest to the darkest, and cloths from white to black, some near the colour of a felt.
SKINS = ("#f1cfb4", "#e3b391", "#c98f68", "#a8703f", "#7d4f30", "#4e3021")
SLEEVES = ("#2c2f3a", "#8a1f2d", "#2d4f7c", "#d8d5cc", "#2f5b41", "#6b6f78", "#7a5c3e", "#161719", "#b9892f", "#574a7a")
_METALS = ("#c9a24a", "#b9bcc2", "#8d8f94")
_BEHIND_RAIL_MM = 165.0
_SHOULDER_BEHIND_MM = 420.0
_SHOULDER_ASIDE_MM = 150.0

# The shape of a hand seen from above, for the artist who draws it and for the truth of the lines.
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
        """How far the fingertip is ahead of its root and to the side of it; ``closed`` from 0 to 1."""
        reach = self.length_mm * (1.0 - 0.22 * closed) * girth
        angle = self.spread_rad * (1.0 - 0.8 * closed)
        return reach * math.cos(angle), reach * math.sin(angle) - 0.35 * closed * self.aside_mm


FINGERS: Final = (
    Finger(14.0, -30.0, 50.0, -0.24),
    Finger(22.0, -11.0, 62.0, -0.08),
    Finger(22.0, 9.0, 60.0, 0.06),
    Finger(14.0, 28.0, 46.0, 0.22),
)


def seat_heading(table: TableSettings, seat: int) -> Heading:
    """The directions of the player at a seat."""
    place = table.seat(seat)
    return heading(place.rail_mm, centroid(place.line_mm))


def player_hands(table: TableSettings, rng: Random) -> dict[int, Hand]:
    """The hand that each seat bets with."""
    sleeves = list(SLEEVES)
    rng.shuffle(sleeves)
    hands = {}
    for index, seat in enumerate(table.seats):
        facing = seat_heading(table, seat.number)
        right = rng.random() < 0.88
        side = 1.0 if right else -1.0
        looks = _adorned(
            Looks(
                rng.choice(SKINS),
                sleeves[index % len(sleeves)],
                rng.choice((15.0, 60.0, 260.0)),
                rng.uniform(0.88, 1.12),
            )
        )
        hands[seat.number] = Hand(
            f"seat-{seat.number}",
            facing.offset(seat.rail_mm, -_BEHIND_RAIL_MM, 70.0 * side),
            facing.offset(seat.rail_mm, -_SHOULDER_BEHIND_MM, _SHOULDER_ASIDE_MM * side),
            right,
            looks,
        )
    return hands


def dealer_hands(table: TableSettings, rng: Random) -> tuple[Hand, Hand]:
    """The dealer's left and right hand."""
    facing = heading(table.dealer_mm, (0.0, 0.0))
    looks = Looks(rng.choice(SKINS), "#b4b3ae", 40.0, 1.0)
    left, right = (
        Hand(
            BY_DEALER,
            facing.offset(table.dealer_mm, -_BEHIND_RAIL_MM, 130.0 * side),
            facing.offset(table.dealer_mm, -_SHOULDER_BEHIND_MM, 190.0 * side),
            side > 0,
            looks,
        )
        for side in (-1.0, 1.0)
    )
    return left, right


def _adorned(looks: Looks) -> Looks:
    """With a ring and a watch, or without."""
    rng = Random(f"{looks.skin}:{looks.girth}")
    ring, watch = (rng.choice(_METALS) if rng.random() < share else None for share in (0.4, 0.35))
    return replace(looks, ring=ring, watch=watch)


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
