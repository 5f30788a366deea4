"""Whose arm it is: the first place at the rail, handed on from frame to frame, and no further."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.unit.vision.scene import Painter
from vision.frame.gate import SCALE
from vision.frame.owners import DEALER, Owners
from vision.imaging.pictures import Mask, Picture
from vision.tuning.thresholds import Thresholds

SIZE = (1280 // SCALE, 720 // SCALE)
GAIN = np.ones(3)
Bar = tuple[tuple[float, float], tuple[float, float]]


@cache
def painter() -> Painter:
    return Painter()


def picture(*bars: Bar, wide: int = 9) -> Picture:
    """The gate's picture of grey felt with bright bars between points of the felt in mm, so many cells wide."""
    drawn = np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    for bar in bars:
        ends = np.round(painter().calibration.to_px(list(bar)) / SCALE).astype(int)
        cv2.line(drawn, tuple(map(int, ends[0])), tuple(map(int, ends[1])), (200, 200, 200), wide)
    return drawn


def followed(*frames: Picture) -> Owners:
    owners = Owners(painter().table, painter().calibration, SIZE, SCALE, Thresholds())
    before = picture()
    for frame in (before, *frames):
        moving: Mask = np.where(np.abs(frame.astype(int) - before).max(axis=2) > 0, np.uint8(255), np.uint8(0))
        owners.see(frame, moving, GAIN)
        before = frame
    return owners


def owner_at(owners: Owners, at: tuple[float, float]) -> int:
    x, y = painter().calibration.to_px([at])[0]
    return int(owners.cells[int(y) // SCALE, int(x) // SCALE])


def behind(seat: int, by_mm: float, aside_mm: float = 0.0) -> tuple[float, float]:
    """A point of a seat's rail, or behind it, on the lower side of the table where the dealer sits too."""
    x, y = painter().table.seat(seat).rail_mm
    return (x + aside_mm, y - by_mm)


def test_an_arm_keeps_the_owner_that_it_had_at_the_rail() -> None:
    dealer_x, dealer_y = painter().table.dealer_mm
    start, seat = (dealer_x, dealer_y - 100), behind(10, 60, -60)
    zone = painter().place(10, 0, 60)
    owners = followed(picture((start, (dealer_x, dealer_y + 100))), picture((start, zone)), picture((seat, zone)))

    assert owner_at(owners, zone) == DEALER


@pytest.mark.parametrize(("left", "owner"), [(2, 10), (9, DEALER)])
def test_what_is_left_of_an_arm_that_goes_hands_nothing_on_to_the_next(left: int, owner: int) -> None:
    dealer_x, dealer_y = painter().table.dealer_mm
    start, zone = (dealer_x, dealer_y - 100), painter().place(10, 0, 60)
    seat, edge = behind(10, 60), behind(10, 40)
    going = [picture((start, (dealer_x, dealer_y + 100))), picture((start, zone)), picture((seat, zone))]
    remains = picture((seat, edge), wide=left)
    assert owner_at(followed(*going, remains), seat) == DEALER

    assert owner_at(followed(*going, remains, picture((seat, zone))), zone) == owner


def test_arms_over_the_middle_are_counted_by_owner_without_what_lies_there() -> None:
    seat, pot = behind(10, 100), (300.0, 0.0)
    lies: Bar = ((-40.0, 0.0), (40.0, 0.0))
    within: Mask = np.full((SIZE[1], SIZE[0]), 255, np.uint8)
    reaching = picture((seat, behind(10, -60))), picture((seat, pot))

    assert followed(*reaching).arms_over(within)[10] > 60
    assert followed(*reaching, picture(lies)).arms_over(within)[10] == 0
