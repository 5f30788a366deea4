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
def all_zones() -> tuple[SeatZones, ...]:
    table = load_table()
    return seat_zones(table, calibrate(table.cameras[0]), THRESHOLDS)


@pytest.fixture(scope="module")
def zones(all_zones: tuple[SeatZones, ...]) -> SeatZones:
    return all_zones[4]


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


def at_the_pots_side(zones: SeatZones, discs: int, into_zone_px: int) -> Picture:
    """The crop of a seat whose zone's pot side is above, with a card that lies mostly beyond it, or so many chips."""
    picture = np.full((*zones.sector.shape, 3), FELT, np.uint8)
    mm_per_px = zones.mm2_per_px**0.5
    edge, left = zones.bets.rows.start + into_zone_px, zones.bets.columns.start + 20
    if discs:
        radius = round(THRESHOLDS.chip_diameter_mm / 2 / mm_per_px)
        for at in range(discs):
            cv2.circle(picture, (left + 2 * radius * at, edge - radius), radius, CARD, cv2.FILLED)
    else:
        wide, long = (round(side / mm_per_px) for side in (THRESHOLDS.card_width_mm, THRESHOLDS.card_length_mm))
        picture[max(0, edge - long) : edge, left : left + wide] = CARD
    return cv2.blur(picture, (3, 3)).astype(np.uint8)


def fan_at_the_pots_side(zones: SeatZones) -> Picture:
    """Burn cards that overlap askew, with their ends in the zone."""
    picture = np.full((*zones.sector.shape, 3), FELT, np.uint8)
    for at, turned in enumerate((-8.0, 7.0, 2.0)):
        middle = (zones.bets.columns.start + 40 + 7 * at, zones.bets.rows.start - 18)
        corners = cv2.boxPoints((middle, (33.0, 46.0), turned))
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), CARD)
    return cv2.blur(picture, (3, 3)).astype(np.uint8)


def is_card(zones: SeatZones, now: Picture) -> bool:
    """Whether what has come to lie there is taken for cards."""
    bets, cards = zones.bets, ZoneCards(zones, THRESHOLDS)
    felt = np.full((*zones.sector.shape, 3), FELT, np.uint8)
    levels = difference(now, felt)
    seen = ZoneFrame(bets.of(now), bets.of(felt), bets.of(felt), bets.of(levels))
    cards.note(seen, levels, np.zeros_like(levels), np.zeros_like(bets.zone))
    return bool(cards.mask.any())


@pytest.mark.parametrize("into_zone_px", [3, 6, 10, 16])
def test_a_card_that_juts_into_a_zone_from_the_board_is_a_card(
    all_zones: tuple[SeatZones, ...], into_zone_px: int
) -> None:
    assert is_card(all_zones[9], at_the_pots_side(all_zones[9], 0, into_zone_px))


def test_burn_cards_in_a_fan_are_cards(all_zones: tuple[SeatZones, ...]) -> None:
    assert is_card(all_zones[9], fan_at_the_pots_side(all_zones[9]))


@pytest.mark.parametrize("into_zone_px", [10, 13, 16])
@pytest.mark.parametrize("discs", [1, 2, 3])
def test_chips_on_the_pots_edge_of_a_zone_are_no_cards(
    all_zones: tuple[SeatZones, ...], discs: int, into_zone_px: int
) -> None:
    assert not is_card(all_zones[9], at_the_pots_side(all_zones[9], discs, into_zone_px))


@pytest.mark.parametrize(("down_px", "left_px", "up_px"), [(6, 2, 2), (4, 4, 3), (2, 2, 4)])
def test_cards_that_come_to_lie_at_a_bet_are_cards(zones: SeatZones, down_px: int, left_px: int, up_px: int) -> None:
    """Two cards askew, whose corner the chip only touches; its shadow is of its mask too."""
    bets, mm_per_px = zones.bets, zones.mm2_per_px**0.5
    felt = np.full((*zones.sector.shape, 3), FELT, np.uint8)
    top, left = bets.rows.start + 6, bets.columns.start + 40
    wide, long = (side / mm_per_px for side in (THRESHOLDS.card_width_mm, THRESHOLDS.card_length_mm))
    radius = THRESHOLDS.chip_diameter_mm / 2 / mm_per_px
    chip_at = (round(left + left_px - radius / 2), round(top + long + down_px))
    alone = felt.copy()
    cv2.circle(alone, chip_at, round(radius), CHIP, cv2.FILLED)
    now = felt.copy()
    for aside, up, turned in ((0.3 * wide, up_px, -4.0), (0.75 * wide, 0, 3.0)):
        corners = cv2.boxPoints(((left + 0.3 * wide + aside, top + long / 2 - up), (wide, long), turned))
        cv2.fillConvexPoly(now, np.round(corners).astype(np.int32), CARD)
    cv2.circle(now, chip_at, round(radius), CHIP, cv2.FILLED)
    now, alone = (cv2.blur(picture, (3, 3)).astype(np.uint8) for picture in (now, alone))
    settled = np.zeros_like(bets.zone)
    middle = (chip_at[0] - bets.columns.start, chip_at[1] - bets.rows.start)
    cv2.circle(settled, middle, round(radius) + 3, 255, cv2.FILLED)
    cards = ZoneCards(zones, THRESHOLDS)
    levels = smaller(difference(now, felt), difference(now, alone))
    seen = ZoneFrame(bets.of(now), bets.of(alone), bets.of(felt), bets.of(difference(now, alone)))
    cards.note(seen, levels, np.zeros_like(levels), settled)

    assert cards.show
