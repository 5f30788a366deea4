"""Every number by which the detector decides, in millimetres, chips, cards and milliseconds.

Each has its unit, the range in which it may be tuned and a sentence of what it does; what a person is told about a
number is told from here. Those of the bet lines come first (`SeatThresholds`), then those of the cards and the pot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.tuning.number_field import number
from vision.tuning.seat_thresholds import SeatThresholds


@dataclass(frozen=True, slots=True)
class Thresholds(SeatThresholds):
    """All numbers: those of the bet lines, and what tells cards, pots and strange things."""

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
    pot_margin_mm: float = number(30.0, "mm", 0, 120, "Chips up to this far around the drawn pot belong to it.")
    splash_flight_ms: int = number(
        1000, "ms", 100, 5000, "Who threw chips had a hand over the line at most this long before they lay."
    )
    splash_visit_ms: int = number(
        500, "ms", 100, 6000, "A hand that is over its line again sooner never left: its splash begins when it came."
    )
    splash_wait_ms: int = number(
        1200, "ms", 0, 5000, "A splash waits this long for the seat's zone to tell that its bet was pushed in."
    )
    push_wait_ms: int = number(
        4000,
        "ms",
        500,
        20_000,
        "With chips of the pot the dealer's arm is on its way to the stacks for this long at most.",
    )

    @property
    def card_mm2(self) -> float:
        """The area of one card."""
        return self.card_width_mm * self.card_length_mm


ORDERED: Final[tuple[tuple[str, str], ...]] = (
    ("weak_level", "strong_level"),
    ("confirm", "confirm_of"),
    ("leave_confirm", "leave_confirm_of"),
    ("gone_cards", "lying_cards"),
    ("slab_least_wide_mm", "slab_most_wide_mm"),
    ("slab_least_long_mm", "slab_most_long_mm"),
)
"""Pairs of which the first may not be more than the second."""
