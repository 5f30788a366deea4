"""The numbers by which hands and chips at the bet lines are told, and changes of the light."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.tuning.number_field import number


@dataclass(frozen=True, slots=True)
class SeatThresholds:
    """What tells hands and chips at the bet lines, and the light; the chip's diameter is the chip set's."""

    chip_diameter_mm: float = 39.0

    weak_level: int = number(
        13, "levels", 5, 60, "A pixel that differs this much may belong to an object, if it touches one that is strong."
    )
    strong_level: int = number(
        24, "levels", 8, 120, "A pixel that differs this much (largest of the three channels) makes an object."
    )
    motion_level: int = number(
        5, "levels", 2, 40, "From this frame-to-frame difference of a square of 24 mm, in its mean, something moves."
    )

    line_dead_band_mm: float = number(
        8.0, "mm", 0, 60, "In the first millimetres beyond the drawn betting line nothing is decided."
    )
    hand_margin_mm: float = number(12.0, "mm", 0, 80, "A hand has left when it is this far behind the line.")
    arm_chips: float = number(6.0, "chips", 1.5, 30, "An object at the rail is an arm from this many chip areas on.")
    foreign_chips: float = number(
        2.5, "chips", 0.5, 20, "An object that reaches in from another side is an arm from this many chip areas on."
    )
    hand_in_zone_chips: float = number(
        0.12,
        "chips",
        0.03,
        4,
        "A hand is at the line when it covers this many chip areas, counted from hand_margin_mm before the line.",
    )

    occupied_chips: float = number(
        0.5, "chips", 0.1, 0.95, "Something lies in a zone from this area on; more than one chip would miss one chip."
    )
    changed_chips: float = number(
        0.22, "chips", 0.1, 0.95, "A zone where its player had a hand has changed from this area on."
    )
    passing_chips: float = number(
        0.35, "chips", 0.1, 0.95, "A zone where only others had a hand has changed from this area on."
    )
    lower_chips: float = number(
        0.015,
        "chips",
        0.005,
        0.5,
        "A changed stack whose area has shrunk by this is lower: one chip less leans 20 to 60 mm2 less outwards.",
    )

    confirm: int = number(2, "frames", 1, 10, "A hand is believed after this many frames of the last confirm_of.")
    confirm_of: int = number(3, "frames", 1, 15, "In so many frames a hand must be seen confirm times.")
    leave_confirm: int = number(
        3, "frames", 1, 15, "A hand has left after this many frames of the last leave_confirm_of."
    )
    leave_confirm_of: int = number(4, "frames", 1, 20, "In so many frames a hand must be missed leave_confirm times.")

    hand_pause_ms: int = number(
        300, "ms", 0, 3000, "A large thing without visible arm is a hand while something moves, and for so long after."
    )
    quiet_ms: int = number(270, "ms", 60, 3000, "A zone without hand and motion for this long is settled.")
    steady_ms: int = number(200, "ms", 30, 2000, "Two masks this far apart must agree before a zone is settled.")
    steady_iou: float = number(0.9, "share", 0.5, 0.99, "In this share of their pixels two masks agree.")
    amend_ms: int = number(
        2000,
        "ms",
        0,
        10_000,
        "A change without a hand this soon after settling is the same bet (a stack that toppled).",
    )
    same_act_ms: int = number(2500, "ms", 200, 15_000, "Motions that follow each other sooner belong to one act.")
    occluded_ms: int = number(5000, "ms", 500, 60_000, "A zone that an arm covers for this long is told as occluded.")
    rest_ms: int = number(
        900, "ms", 300, 10_000, "A sector without motion for this long is at rest: its picture is taken as the new one."
    )

    light_step: float = number(
        0.12, "share", 0.04, 0.8, "A change of brightness by this share within a second stops betting events."
    )
    light_calm_ms: int = number(
        500, "ms", 100, 10_000, "After the light has been steady for this long betting events are told again."
    )

    @property
    def chip_mm2(self) -> float:
        """The area of one chip."""
        return math.pi * self.chip_diameter_mm**2 / 4
