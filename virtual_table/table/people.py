"""Who sits at the virtual table: where their hands wait, how they look by the seed, where their fingertips are."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from betline.geometry import Point, Point3, centroid
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
HAND_ABOVE_GRIP_MM: Final = 22.0
TIP_ABOVE_GRIP_MM: Final = 18.0
_WRIST_ABOVE_HAND_MM = 18.0
_ARM_MM = 590.0  # shoulder to wrist, stretched; to reach further a person leans forward
_SHOULDER_HEIGHT_MM = 240.0
_ELBOW_HEIGHT_MM = 120.0


class Joints(NamedTuple):
    """Where an arm bends: its body, the shoulder (leant forward where the reach is long), elbow and wrist, and the
    middle of the hand above the grip.
    """

    body: Point3
    shoulder: Point3
    elbow: Point3
    wrist: Point3
    hand: Point3


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


def joints(arm: SeenArm) -> Joints:
    """Where the arm bends, for the artist who draws it and for the truth of the lines."""
    x, y, z = arm.grip_mm[0], arm.grip_mm[1], arm.grip_mm[2] + HAND_ABOVE_GRIP_MM
    ahead_x, ahead_y = _unit(x - arm.shoulder_mm[0], y - arm.shoulder_mm[1])
    side = 1.0 if arm.right_hand else -1.0
    wrist_x = x - ahead_x * WRIST_BEHIND_GRIP_MM + ahead_y * WRIST_ASIDE_MM * side
    wrist_y = y - ahead_y * WRIST_BEHIND_GRIP_MM - ahead_x * WRIST_ASIDE_MM * side
    shoulder_x, shoulder_y = _lean(arm.shoulder_mm, (wrist_x, wrist_y))
    reach = min(_ARM_MM, math.hypot(wrist_x - shoulder_x, wrist_y - shoulder_y))
    bend = min(110.0, 0.5 * math.sqrt(_ARM_MM**2 - reach**2) + 18.0) * side  # outwards, by the slack of the arm
    return Joints(
        (*arm.shoulder_mm, _SHOULDER_HEIGHT_MM),
        (shoulder_x, shoulder_y, _SHOULDER_HEIGHT_MM),
        (
            (shoulder_x + wrist_x) / 2 + ahead_y * bend,
            (shoulder_y + wrist_y) / 2 - ahead_x * bend,
            _ELBOW_HEIGHT_MM,
        ),
        (wrist_x, wrist_y, z + _WRIST_ABOVE_HAND_MM),
        (x, y, z),
    )


def cut_out_hand(arm: SeenArm) -> tuple[Point3, ...]:
    """The outline of a hand that is cut out of a photo, where it is drawn, in millimetres; empty of a drawn hand."""
    outline, bent, girth = arm.looks.hand_mm, joints(arm), arm.looks.girth
    if outline is None:
        return ()
    (x, y, z), elbow = bent.hand, bent.elbow
    away = math.dist(bent.hand, elbow)
    dx, dy, dz = (girth * (to - at) / away for to, at in zip(elbow, bent.hand, strict=True))
    side = 1.0 if arm.right_hand else -1.0
    return tuple(
        (x + dx * behind - dy * aside * side, y + dy * behind + dx * aside * side, z + dz * behind)
        for behind, aside in outline
    )


class Tip(NamedTuple):
    """A fingertip, or a corner of a hand's outline: its middle and how far its edge is from that."""

    x_mm: float
    y_mm: float
    z_mm: float
    radius_mm: float


def fingertips(arm: SeenArm) -> tuple[Tip, ...]:
    """The fingertips of an arm. The thumb stays behind them.

    Of a hand that is cut out of a photo they are the points of its outline: no finger of it is known.
    """
    if arm.looks.hand_mm is not None:
        return tuple(Tip(*corner, 0.0) for corner in cut_out_hand(arm))
    grip, girth = arm.grip_mm, arm.looks.girth
    wrist_x, wrist_y, _ = joints(arm).wrist
    ahead_x, ahead_y = _unit(grip[0] - wrist_x, grip[1] - wrist_y)
    tips = []
    for finger in FINGERS:
        along, across = finger.tip_mm(arm.grip_closed, girth)
        along += finger.ahead_mm - PALM_BEHIND_GRIP_MM
        across += finger.aside_mm * girth
        x, y = grip[0] + ahead_x * along + ahead_y * across, grip[1] + ahead_y * along - ahead_x * across
        tips.append(Tip(x, y, grip[2] + TIP_ABOVE_GRIP_MM, TIP_RADIUS_MM * girth))
    return tuple(tips)


def _lean(shoulder: Point, wrist: Point) -> Point:
    """Where the shoulder goes if the arm is too short for the reach."""
    away_x, away_y = wrist[0] - shoulder[0], wrist[1] - shoulder[1]
    length = math.hypot(away_x, away_y)
    if length <= _ARM_MM:
        return shoulder
    share = 1.0 - _ARM_MM / length
    return (shoulder[0] + away_x * share, shoulder[1] + away_y * share)


def _unit(x: float, y: float) -> tuple[float, float]:
    length = max(1e-9, math.hypot(x, y))
    return x / length, y / length
