"""The numbers of the detector that a person may tune, in millimetres, chips, cards and milliseconds.

Each has its unit, the range in which it may be set and a sentence of what it does; `betline vision tune` takes its
names, ranges and sentences from here. Other numbers of the detection modules are named constants beside their use, with
unit and reason: they follow from how the parts work on a picture, and setting them for one table would help nobody.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Final, Literal

Unit = Literal["mm", "chips", "cards", "ms", "frames", "levels", "share"]
"""Chips and cards are areas of one; grey levels are of 255, after a blur of 5 px."""


def number(default: float, unit: Unit, least: float, most: float, meaning: str) -> Any:
    """A field that may be tuned between ``least`` and ``most``; ``meaning`` is a sentence for a person."""
    return dataclasses.field(default=default, metadata={"unit": unit, "least": least, "most": most, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """All of them; only the chip's diameter is not to be tuned: it is the chip set's."""

    chip_diameter_mm: float = 39.0

    weak_level: int = number(
        13, "levels", 5, 60, "A pixel that differs this much may belong to an object, if it touches one that is strong."
    )
    strong_level: int = number(
        24, "levels", 8, 120, "A pixel that differs this much (largest of the three channels) makes an object."
    )
    start_level: int = number(
        26,
        "levels",
        8,
        120,
        "At the start a pixel that differs this much from the felt's own colour belongs to a thing.",
    )
    arm_level: int = number(
        16, "levels", 5, 60, "A cell of 8 mm that differs this much from the still picture belongs to an arm."
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

    confirm: int = number(
        3,
        "frames",
        1,
        10,
        "A hand is believed after this many frames of the last confirm_of; for two, tossed chips look like one.",
    )
    confirm_of: int = number(4, "frames", 1, 15, "In so many frames a hand must be seen confirm times.")
    leave_confirm: int = number(
        3, "frames", 1, 15, "A hand has left after this many frames of the last leave_confirm_of."
    )
    leave_confirm_of: int = number(4, "frames", 1, 20, "In so many frames a hand must be missed leave_confirm times.")

    stacked_frames: int = number(
        4, "frames", 1, 30, "Chips on others, where the area hardly grows, are believed after this many frames."
    )

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
    occluded_ms: int = number(
        5000, "ms", 500, 60_000, "A zone that an arm covers for this long is reported as occluded."
    )
    rest_ms: int = number(
        900, "ms", 300, 10_000, "A sector without motion for this long is at rest: its picture is taken as the new one."
    )

    near_rest_ms: int = number(
        300, "ms", 0, 5000, "A seat at rest is not looked at when nothing has moved near its zone for this long."
    )
    refresh_ms: int = number(
        8000, "ms", 1000, 60_000, "The picture of a place at rest is taken anew after this long: light drifts."
    )
    arm_still_frames: int = number(
        90, "frames", 15, 250, "What has not moved for so many frames is no arm; longer than any reach."
    )
    start_covered_share: float = number(
        0.45, "share", 0.1, 0.5, "A zone covered by more than this at the start is not known until it is seen freer."
    )

    tap_dip_share: float = number(
        0.8, "share", 0.3, 0.95, "Between two knocks the hand is seen at most this large, against the smaller knock."
    )
    tap_least_gap_ms: int = number(100, "ms", 30, 1000, "From one knock to the next it takes at least this long.")
    tap_most_gap_ms: int = number(600, "ms", 100, 3000, "From one knock to the next it takes at most this long.")
    tap_reach_chips: float = number(
        3.0, "chips", 0.5, 15, "A hand that reaches over the line by more than this many chip areas does not knock."
    )

    camera_moved_mm: float = number(
        6.0, "mm", 2, 50, "The camera has moved when its markers are seen this far off; zones fit no longer then."
    )
    camera_back_mm: float = number(3.0, "mm", 1, 50, "The camera is back when its markers are seen within this.")
    jolt_share: float = number(
        0.7, "share", 0.3, 1, "A knock at the camera is looked for when this share of the seats moves in one frame."
    )

    light_step: float = number(
        0.12, "share", 0.04, 0.8, "A change of brightness by this share within a second stops betting events."
    )
    light_calm_ms: int = number(
        500, "ms", 100, 10_000, "After the light has been steady for this long betting events are reported again."
    )

    card_width_mm: float = number(
        63.0, "mm", 50, 75, "The cards are this wide: cards of poker size 63 mm, of bridge size 57 mm."
    )
    card_length_mm: float = number(88.0, "mm", 75, 105, "The cards are this long.")
    card_tolerance_mm: float = number(
        11.0, "mm", 3, 20, "A card's sides may look this much shorter or longer than they are."
    )
    card_spot_side_mm: float = number(
        145.0, "mm", 60, 250, "A card spot reaches this far to each side of its middle, for a phone beside the cards."
    )
    card_spot_deep_mm: float = number(
        60.0,
        "mm",
        45,
        150,
        "A card spot reaches this far behind its middle and before it, there up to the line at most.",
    )
    lying_cards: float = number(
        0.6,
        "cards",
        0.3,
        0.95,
        "A card lies at a spot from this many card areas on; chips or a hand may cover the rest.",
    )
    gone_cards: float = number(0.35, "cards", 0.05, 0.9, "Below this many card areas no card lies at a spot any more.")
    pair_cards: float = number(1.3, "cards", 1.05, 2, "Two cards or more lie at a spot from this many card areas on.")
    more_cards: float = number(
        0.3, "cards", 0.1, 0.95, "A card that comes to others shows at least this many card areas beside them."
    )
    protector_chips: float = number(1.45, "chips", 1, 4, "A chip on cards is a protector up to this many chip areas.")
    protector_share: float = number(0.6, "share", 0.2, 0.95, "At least this share of a protector lies on the cards.")

    place_quiet_ms: int = number(
        270, "ms", 60, 3000, "A card spot and the middle of the felt are looked at when still for this long."
    )
    thing_chips: float = number(
        0.45, "chips", 0.1, 0.95, "What has fewer chip areas is no thing, at a card spot and in the middle of the felt."
    )
    strange_longest_mm: float = number(
        230.0, "mm", 120, 400, "What is longer is no strange thing but a sleeve or a shadow."
    )
    slab_least_wide_mm: float = number(50.0, "mm", 30, 110, "A phone in a bet zone is at least this wide.")
    slab_most_wide_mm: float = number(110.0, "mm", 50, 200, "A phone in a bet zone is at most this wide.")
    slab_least_long_mm: float = number(
        115.0, "mm", 60, 200, "A phone in a bet zone is at least this long; cards beside each other are shorter."
    )
    slab_most_long_mm: float = number(200.0, "mm", 100, 300, "A phone in a bet zone is at most this long.")
    slab_levels: float = number(
        11.0, "levels", 2, 60, "A phone's inside varies by less than this; stacks of chips vary by 25 and more."
    )

    muck_reach_mm: float = number(
        110.0, "mm", 40, 250, "What lies this near to the muck's middle, along and across the table, is in the muck."
    )
    muck_wait_ms: int = number(
        2500, "ms", 300, 8000, "Cards that left their spot are looked for in the muck for this long."
    )
    mucked_cards: float = number(
        0.3, "cards", 0.05, 0.95, "What is new in the muck is a card from this many card areas on: they overlap there."
    )
    pot_margin_mm: float = number(30.0, "mm", 0, 120, "Chips up to this far around the drawn pot belong to it.")
    splash_flight_ms: int = number(
        1000, "ms", 100, 5000, "Who threw chips had a hand over the line at most this long before they lay."
    )
    splash_visit_ms: int = number(
        500, "ms", 100, 6000, "A hand that is over its line again sooner never left: its splash begins when it came."
    )
    splash_wait_ms: int = number(
        1200, "ms", 0, 5000, "A splash waits this long for the seat's zone to report its bet as pushed in."
    )
    splash_loss_ms: int = number(
        500, "ms", 0, 3000, "A zone that lost its bet up to this long before a splash has brought its chips there."
    )
    push_wait_ms: int = number(
        4000,
        "ms",
        500,
        20_000,
        "With chips of the pot the dealer's arm is on its way to the stacks for this long at most.",
    )

    @property
    def chip_mm2(self) -> float:
        """The area of one chip."""
        return math.pi * self.chip_diameter_mm**2 / 4

    @property
    def card_mm2(self) -> float:
        """The area of one card."""
        return self.card_width_mm * self.card_length_mm


ORDERED: Final[tuple[tuple[str, str], ...]] = (
    ("weak_level", "strong_level"),
    ("confirm", "confirm_of"),
    ("leave_confirm", "leave_confirm_of"),
    ("tap_least_gap_ms", "tap_most_gap_ms"),
    ("camera_back_mm", "camera_moved_mm"),
    ("gone_cards", "lying_cards"),
    ("slab_least_wide_mm", "slab_most_wide_mm"),
    ("slab_least_long_mm", "slab_most_long_mm"),
)
"""Pairs of which the first may not be more than the second."""
