"""What lies in a zone by its differences from the felt: areas that do not depend on colours."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from betline.settings import load_table
from vision.calibration.calibration import calibrate
from vision.frame import blobs
from vision.frame.zones import BetCrop, SeatZones, line_frame, seat_zones
from vision.imaging.pictures import Mask, grown
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
MM2_PER_PX = 4.0
RADIUS_PX = THRESHOLDS.chip_diameter_mm / 2 / MM2_PER_PX**0.5
SIZE = 60


def zone() -> BetCrop:
    whole: Mask = np.full((SIZE, SIZE), 255, np.uint8)
    window = slice(0, SIZE)
    return BetCrop(window, window, whole, np.arange(SIZE * SIZE), np.full((SIZE, SIZE), 50, np.float32), MM2_PER_PX)


def disc(level: int, spot: int | None = None, turned: int = 0, aside_px: float = 0.0) -> Mask:
    """Differences of a chip, or of two of which one stands out, blurred as the eye blurs them; ``spot`` is the level
    of six spots, turned by so many degrees."""
    fine = 16
    drawn = np.zeros((SIZE * fine, SIZE * fine), np.uint8)
    middle = SIZE * fine // 2
    radius = round(RADIUS_PX * fine)
    for at in (middle, middle + round(aside_px * fine)):
        cv2.circle(drawn, (at, middle), radius, level, cv2.FILLED)
        for start in range(turned, 360 + turned, 60) if spot is not None else ():
            cv2.ellipse(drawn, (at, middle), (radius, radius), 0, start, start + 24, spot or 0, cv2.FILLED)
    small = cv2.resize(drawn, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (5, 5), 0), dtype=np.uint8)


def area_chips(levels: Mask) -> float:
    found = blobs.objects(levels, zone().zone, THRESHOLDS)
    return blobs.lying(found, levels, zone(), THRESHOLDS).area_mm2 / THRESHOLDS.chip_mm2


@pytest.mark.parametrize("level", [40, 70, 120, 220])
def test_a_chip_is_as_large_whatever_its_colour(level: int) -> None:
    assert area_chips(disc(level)) == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("spot", [60, 90, 200])
def test_how_a_chip_is_turned_does_not_change_its_area(spot: int) -> None:
    areas = [area_chips(disc(120, spot, turned)) for turned in range(0, 60, 10)]

    assert max(areas) - min(areas) < 0.02


def test_a_top_chip_that_leans_a_millimetre_further_out_makes_the_area_larger() -> None:
    leaning = [area_chips(disc(120, aside_px=aside_mm / MM2_PER_PX**0.5)) for aside_mm in (0.0, 0.9, 1.8, 2.7)]

    assert all(0.015 < more - less < 0.045 for less, more in pairwise(leaning))


def test_a_hole_of_the_felts_colour_within_a_chip_belongs_to_it() -> None:
    levels = disc(120)
    cv2.circle(levels, (SIZE // 2, SIZE // 2), 3, 0, cv2.FILLED)

    assert area_chips(levels) == pytest.approx(area_chips(disc(120)), abs=0.01)


def levels_of_cards(zones: SeatZones, *, ragged: bool) -> Mask:
    """Differences of two cards in a seat's zone, the one half over the other, perhaps with noise at their edges."""
    levels = np.zeros_like(zones.sector)
    top, left = zones.bets.rows.start + 8, zones.bets.columns.start + 8
    levels[top : top + 44, left : left + 47] = 120
    if ragged:
        for at in range(2, 40, 12):
            levels[top + at : top + at + 6, left : left + 7] = levels[top : top + 7, left + at : left + at + 6] = 0
    return levels


def seen_as_cards(zones: SeatZones, levels: Mask, known: Mask) -> Mask:
    found = blobs.objects(levels, zones.sector, THRESHOLDS)
    return blobs.cards(found, levels, np.zeros_like(levels), known, np.zeros_like(known), zones, THRESHOLDS)


def test_known_cards_are_cards_though_noise_makes_their_outline_ragged_and_chips_beside_them_are_none() -> None:
    table = load_table()
    zones = seat_zones(table, calibrate(table.cameras[0]), THRESHOLDS)[4]
    nothing = np.zeros_like(zones.bets.zone)
    cards, ragged = levels_of_cards(zones, ragged=False), levels_of_cards(zones, ragged=True)
    known = grown(zones.bets.of(seen_as_cards(zones, cards, nothing)))

    assert known.any()
    assert not seen_as_cards(zones, ragged, nothing).any()
    assert seen_as_cards(zones, ragged, known).any()
    cv2.circle(ragged, (zones.bets.columns.start + 60, zones.bets.rows.start + 30), 10, 120, cv2.FILLED)
    assert not seen_as_cards(zones, ragged, known).any()


@pytest.mark.parametrize(("radius_px", "level", "are_cards"), [(6, 30, True), (10, 120, False)])
def test_cards_are_known_beside_a_line_that_shimmers_and_not_together_with_a_chip(
    radius_px: int, level: int, are_cards: bool
) -> None:
    table = load_table()
    zones = seat_zones(table, calibrate(table.cameras[0]), THRESHOLDS)[4]
    levels = levels_of_cards(zones, ragged=False)
    beside = zones.bets.columns.start + 16, zones.bets.rows.start + 54
    cv2.circle(levels, beside, radius_px, level, cv2.FILLED)
    levels = np.maximum(levels, levels_of_cards(zones, ragged=False))

    assert bool(seen_as_cards(zones, levels, np.zeros_like(zones.bets.zone)).any()) is are_cards


def sector_with(*shapes: tuple[tuple[float, float], float], seat: int = 5) -> tuple[SeatZones, Mask]:
    """A seat's zones and differences of discs: middles in mm along and beyond its line, and radii in mm."""
    table = load_table()
    calibration = calibrate(table.cameras[0])
    zones = seat_zones(table, calibration, THRESHOLDS)[seat - 1]
    levels = np.zeros_like(zones.sector)
    frame = line_frame(table.seat(seat))
    for (along, beyond), radius in shapes:
        x, y = calibration.to_px([frame.at(along, beyond)])[0] - (zones.x0, zones.y0)
        cv2.circle(levels, (round(x), round(y)), round(radius / zones.mm2_per_px**0.5), 120, cv2.FILLED)
    return zones, levels


def arms_seen(zones: SeatZones, levels: Mask) -> blobs.Arms:
    return blobs.arms(blobs.objects(levels, zones.sector, THRESHOLDS), zones, THRESHOLDS, moving=True, zone_moves=True)


FIST = [((0.0, -40.0 - 20 * step), 42.0) for step in range(5)]


@pytest.mark.parametrize(("beyond", "broad"), [(-25.0, False), (45.0, True)])
def test_chips_at_the_fingers_of_a_hand_behind_the_line_are_no_broad_hand(beyond: float, broad: bool) -> None:
    chips = [((0.0, beyond + 30), 19.5), ((14.0, beyond + 55), 19.5)]
    fist = [((along, at + beyond + 20), radius) for (along, at), radius in FIST]
    zones, levels = sector_with(*fist, *chips)
    arms = arms_seen(zones, levels)

    assert arms.at_line
    assert arms.is_broad(zones, THRESHOLDS) is broad


def test_chips_that_fly_together_are_no_hand() -> None:
    flying = [((along, beyond), 19.5) for beyond in (20.0, 55.0) for along in (-35.0, 0.0, 35.0)]
    hand = [((0.0, 45.0), 48.0), ((0.0, 10.0), 45.0)]

    assert not arms_seen(*sector_with(*flying)).loose
    assert arms_seen(*sector_with(*hand)).loose


@pytest.mark.parametrize("wide_px", [1, 3])
def test_a_hand_is_not_cut_where_the_drawn_line_passes_through_its_colour(wide_px: int) -> None:
    zones, levels = sector_with(*FIST, ((0.0, 10.0), 42.0), ((0.0, 45.0), 42.0))
    outer = zones.line_edges.copy()
    outer[np.asarray(cv2.erode(zones.line_edges, np.ones((2 * wide_px + 1,) * 2, np.uint8))) > 0] = 0
    cut = np.where(outer > 0, np.uint8(0), levels)
    whole = blobs.joined_over_line(cut, cut, zones, THRESHOLDS)

    assert blobs.objects(cut, zones.sector, THRESHOLDS).real.sum() > 1
    assert blobs.objects(whole, zones.sector, THRESHOLDS).real.sum() == 1


def test_two_chips_before_and_behind_the_line_stay_two() -> None:
    zones, levels = sector_with(((0.0, -30.0), 19.5), ((0.0, 30.0), 19.5))
    joined = blobs.joined_over_line(levels, levels, zones, THRESHOLDS)

    assert blobs.objects(joined, zones.sector, THRESHOLDS).real.sum() == 2
