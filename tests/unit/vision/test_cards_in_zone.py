"""Cards in a bet zone, with chips on them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from betline.settings import load_table
from vision.calibration.calibration import calibrate
from vision.frame.zones import SeatZones, seat_zones
from vision.imaging.pictures import Mask, Picture, difference, smaller
from vision.seats.cards_in_zone import ZoneCards
from vision.seats.zone_frame import ZoneFrame
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
FELT, CARD, CHIP = (60, 90, 40), (200, 200, 200), (215, 212, 210)
CHIP_PX, SEEN_PX = 10, 13


@pytest.fixture(scope="module")
def zones() -> SeatZones:
    table = load_table()
    return seat_zones(table, calibrate(table.cameras[0]), THRESHOLDS)[4]


def painted(zones: SeatZones, *, cards: bool, chip: bool) -> Picture:
    """The seat's crop with cards in the zone and a chip in their middle."""
    picture = np.full((*zones.sector.shape, 3), FELT, np.uint8)
    top, left = zones.bets.rows.start + 8, zones.bets.columns.start + 8
    if cards:
        picture[top : top + 44, left : left + 47] = CARD
    if chip:
        cv2.circle(picture, (left + 23, top + 22), CHIP_PX, CHIP, cv2.FILLED)
    return picture


def chips_as_they_settled(zones: SeatZones) -> Mask:
    """The chip's mask, with its blur and shadow."""
    mask = np.zeros_like(zones.bets.zone)
    cv2.circle(mask, (31, 30), SEEN_PX, 255, cv2.FILLED)
    return mask


@pytest.mark.parametrize("stays", [True, False])
def test_a_chip_has_gone_from_cards_where_its_place_looks_like_them_and_not_where_only_its_edge_does(
    zones: SeatZones, stays: bool
) -> None:
    bets, cards = zones.bets, ZoneCards(zones, THRESHOLDS)
    felt, chip = painted(zones, cards=False, chip=False), painted(zones, cards=False, chip=True)
    now = painted(zones, cards=True, chip=stays)
    levels = smaller(difference(now, felt), difference(now, chip))
    seen = ZoneFrame(bets.of(now), bets.of(chip), bets.of(felt), bets.of(difference(now, chip)))
    cards.note(seen, levels, np.zeros_like(levels), chips_as_they_settled(zones))

    assert cards.show
    assert bool(cards.bared.any()) is not stays
