"""What is said at calibration where the camera will see badly."""

import numpy as np
import pytest

from betline.settings import TableSettings, load_table
from vision.calibration.calibration import Calibration, CalibrationError, calibrate
from vision.calibration.prospects import prospects
from vision.frame.zones import seat_zones
from vision.tuning.thresholds import Thresholds

TABLE = load_table()
GREEN = {seat.number: np.array((58.0, 92.0, 31.0)) for seat in TABLE.seats}


def looking(**camera: object) -> Calibration:
    return calibrate(TABLE.cameras[0].model_copy(update={"points": (), **camera}))


def said(calibration: Calibration, felt: dict[int, np.ndarray] | None = None, table: TableSettings = TABLE) -> str:
    return " ".join(prospects(table, calibration, felt or GREEN, Thresholds()))


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


def test_a_seat_outside_the_picture_is_a_sentence() -> None:
    with pytest.raises(CalibrationError, match=r"Seat \d+ lies outside the camera's picture: turn it or hang"):
        seat_zones(TABLE, looking(look_at_mm=(1500.0, 0.0)), Thresholds())
