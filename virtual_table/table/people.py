"""Who sits at the virtual table: hands, arms and how they look, drawn by the seed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from betline.geometry import centroid
from betline.settings import TableSettings
from virtual_table.table.layout import Heading, heading
from virtual_table.table.things import BY_DEALER, Looks
from virtual_table.table.visit import Hand

# Six tones from the lightest to the darkest, and cloths from white to black, some near the colour of a felt.
SKINS = ("#f1cfb4", "#e3b391", "#c98f68", "#a8703f", "#7d4f30", "#4e3021")
SLEEVES = ("#2c2f3a", "#8a1f2d", "#2d4f7c", "#d8d5cc", "#2f5b41", "#6b6f78", "#7a5c3e", "#161719", "#b9892f", "#574a7a")
_METALS = ("#c9a24a", "#b9bcc2", "#8d8f94")
_BEHIND_RAIL_MM = 165.0
_SHOULDER_BEHIND_MM = 420.0
_SHOULDER_ASIDE_MM = 150.0


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
