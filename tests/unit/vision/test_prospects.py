"""What is said at calibration where the camera will see badly."""

import cv2
import numpy as np
import pytest

from betline.settings import load_table
from vision.calibration.calibration import Calibration, CalibrationError, calibrate
from vision.calibration.felt_colours import rail_at_seats
from vision.calibration.prospects import prospects
from vision.frame.zones import seat_zones
from vision.tuning.thresholds import Thresholds

TABLE = load_table()
GREEN = {seat.number: np.array((58.0, 92.0, 31.0)) for seat in TABLE.seats}


def looking(**camera: object) -> Calibration:
    return calibrate(TABLE.cameras[0].model_copy(update={"points": (), **camera}))


def said(
    calibration: Calibration, felt: dict[int, np.ndarray] | None = None, rail: dict[int, np.ndarray] | None = None
) -> str:
    return " ".join(prospects(TABLE, calibration, felt or GREEN, rail or {}, Thresholds()))


def low() -> Calibration:
    """A camera that hangs low, with a wide lens: it sees every stack from the side."""
    camera = TABLE.cameras[0]
    x, y, _ = camera.position_mm
    return looking(position_mm=(x, y, 1050.0), focal_px=camera.focal_px * 1050.0 / 1600.0)


def test_nothing_is_said_of_a_table_that_is_seen_well() -> None:
    assert said(low()) == ""


def test_seats_at_which_one_chip_more_on_a_stack_hardly_shows_are_named() -> None:
    assert said(looking()).startswith("The camera looks down steeply at seats 1, 5, 6, 10: one chip put on a stack")


def test_a_seat_at_the_edge_of_the_picture_is_named() -> None:
    turned = looking(look_at_mm=(420.0, 0.0))

    assert "of seat " in said(turned)
    assert "turn the camera, or hang it higher" in said(turned)


def test_chips_of_too_few_pixels_are_named_with_what_to_do() -> None:
    far = looking(width_px=480, height_px=270, focal_px=TABLE.cameras[0].focal_px * 480 / 1280)

    assert "pixels wide, 15 are needed: set the camera to a higher resolution" in said(far)


def test_felt_on_which_no_black_sleeve_is_seen_is_named() -> None:
    dark = {**GREEN, 3: np.array((30.0, 28.0, 29.0)), 4: np.array((25.0, 25.0, 25.0))}

    assert said(low(), dark).startswith("The felt at seats 3, 4 is so dark that a black sleeve")


def test_a_rail_before_which_no_black_sleeve_is_seen_is_named() -> None:
    rail = {1: np.array((23.0, 36.0, 59.0)), 2: np.array((23.0, 22.0, 24.0))}

    assert said(low(), rail=rail).startswith("The rail at seat 2 is so dark that a black sleeve cannot be told from it")
    assert said(low(), rail={1: rail[1]}) == ""


def test_the_rails_colour_is_taken_from_the_middle_of_the_rail_at_each_seat() -> None:
    seen = looking()
    picture = np.full((seen.height_px, seen.width_px, 3), 90, np.uint8)
    felt, outer = (np.array(TABLE.felt.outline_mm) * grown for grown in (1.0, 1.2))
    for outline, level in ((outer, 30), (felt, 90)):
        cv2.fillPoly(picture, [np.round(seen.outline_px(list(map(tuple, outline)))).astype(np.int32)], [level] * 3)

    assert {tuple(colour) for colour in rail_at_seats(picture, TABLE, seen).values()} == {(30.0, 30.0, 30.0)}


def test_a_seat_outside_the_picture_is_a_sentence() -> None:
    with pytest.raises(CalibrationError, match=r"Seat \d+ lies outside the camera's picture: turn it or hang"):
        seat_zones(TABLE, looking(look_at_mm=(1500.0, 0.0)), Thresholds())
