"""A phone in a bet zone is no bet: what a slab is by its numbers, and what the seat's machine makes of one."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.unit.vision.scene import Painter, Scene
from tests.unit.vision.test_seat_watch import CHIP, QUIET, lay, names, own_hand, play, still
from vision.frame.zones import SeatZones, seat_zones
from vision.imaging.pictures import Mask, Picture
from vision.seats.slab import slab_mm2
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
PHONE_MM2 = 9000.0


@cache
def painter() -> Painter:
    return Painter()


@cache
def zones() -> SeatZones:
    return seat_zones(painter().table, painter().calibration, THRESHOLDS)[4]


def slab(wide_mm: float, long_mm: float, *, speckled: bool, speckle: int = 230) -> tuple[SeatZones, Mask, Picture]:
    """A rectangle in seat 5's zone: its mask as wide as the seat's eye has it, and the picture."""
    x, y = painter().place(5, 0, 75)
    corners = [(x + i * long_mm / 2, y + j * wide_mm / 2) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    px = np.round(painter().calibration.to_px(corners)).astype(np.int32)
    picture, mask = painter().paint(Scene()), np.zeros((720, 1280), np.uint8)
    cv2.fillConvexPoly(picture, px, (30, 30, 30))
    if speckled:
        for at in range(int(px[:, 0].min()), int(px[:, 0].max()), 9):
            cv2.circle(picture, (at, int(px[:, 1].mean())), 4, (speckle, speckle, speckle), cv2.FILLED)
    cv2.fillConvexPoly(mask, px, 255)
    wide: Mask = np.asarray(cv2.dilate(mask, np.ones((9, 9), np.uint8)), dtype=np.uint8)
    return zones(), zones().bets.of(zones().crop(wide)), picture


def test_a_smooth_slab_has_an_area_and_nothing_has_none() -> None:
    seat, lying, picture = slab(74, 150, speckled=False)

    covered_mm2 = cv2.countNonZero(lying) * seat.bets.mm2_per_px
    assert slab_mm2(seat, lying, picture, THRESHOLDS) == pytest.approx(covered_mm2)
    assert slab_mm2(seat, np.zeros_like(lying), picture, THRESHOLDS) == 0.0


@pytest.mark.parametrize(("wide_mm", "long_mm", "speckled"), [(80, 160, True), (63, 88, False), (40, 150, False)])
def test_stacks_cards_and_rows_are_no_slabs(wide_mm: float, long_mm: float, speckled: bool) -> None:
    assert slab_mm2(*slab(wide_mm, long_mm, speckled=speckled), THRESHOLDS) == 0.0


def test_the_thresholds_say_what_a_phone_is_like() -> None:
    cards = slab(63, 88, speckled=False)
    phone = slab(74, 150, speckled=False)

    assert slab_mm2(*phone, THRESHOLDS) > 0
    assert slab_mm2(*cards, replace(THRESHOLDS, slab_least_long_mm=80.0)) > 0
    for other in ({"slab_least_wide_mm": 90.0}, {"slab_most_wide_mm": 60.0}, {"slab_most_long_mm": 130.0}):
        assert slab_mm2(*phone, replace(THRESHOLDS, **other)) == 0.0
    dull = slab(80, 160, speckled=True, speckle=70)
    assert slab_mm2(*dull, THRESHOLDS) == 0.0
    assert slab_mm2(*dull, replace(THRESHOLDS, slab_levels=40.0)) > 0


# --- what the seat's machine makes of it ------------------------------------------------------------------------------

LAID = [still(0)] * 5 + [own_hand()] * 12 + [still(6, 6)] * QUIET
TAKEN = [own_hand()] * 12 + [still(0, 6)] * QUIET


def test_a_phone_that_a_hand_lays_down_is_one_strange_thing_and_no_bet() -> None:
    state, events = play(LAID, slab=PHONE_MM2)

    assert names(events) == ["hand_entered", "hand_left", "unknown_object"]
    assert (events[2].area_mm2, events[2].footprints, events[2].motions) == (PHONE_MM2, 0, 0)
    entered, left, laid = (event.t_first_ns for event in events)
    assert entered < laid <= (entered + left) // 2
    assert state.settled.slab


def test_a_phone_that_goes_is_no_bet_taken_back_and_chips_after_it_are_a_bet_again() -> None:
    with_phone, _ = play(LAID, slab=PHONE_MM2)
    bare, events = play(TAKEN, with_phone)

    assert names(events) == ["hand_entered", "hand_left"]
    assert not bare.settled.slab
    assert names(play(LAID, bare)[1])[-2:] == ["chips_crossing", "bet_settled"]


def test_a_zone_is_not_searched_for_slabs_while_nothing_is_said_of_chips() -> None:
    def searched() -> float:
        raise AssertionError

    assert names(play([still(1)] * 5 + [own_hand()] * 9 + [still(1)] * QUIET, lay(CHIP), search=searched)[1]) == [
        "hand_entered",
        "hand_left",
    ]
    with pytest.raises(AssertionError):
        play(LAID, search=searched)
