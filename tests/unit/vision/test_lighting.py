"""What is said at calibration of light in which chips are missed."""

import numpy as np
import pytest

from betline.settings import load_chip_set, load_table
from vision.calibration.calibration import calibrate
from vision.calibration.felt_colours import felt_at_seats, felt_of_file, zone_of
from vision.calibration.lighting import lighting
from vision.imaging.pictures import Picture
from vision.tuning.thresholds import Thresholds

TABLE = load_table()
CHIPS = load_chip_set(TABLE.chip_set)
CALIBRATION = calibrate(TABLE.cameras[0])
SIZE = (TABLE.cameras[0].height_px, TABLE.cameras[0].width_px)


def felt(gain: float = 1.0) -> Picture:
    return np.broadcast_to(np.round(felt_of_file(TABLE) * gain).astype(np.uint8), (*SIZE, 3)).copy()


def said(*pictures: Picture) -> list[str]:
    seen = felt_at_seats(pictures[0], TABLE, CALIBRATION)
    return list(lighting(pictures, TABLE, CALIBRATION, seen, CHIPS, Thresholds()))


def test_nothing_is_said_of_good_light() -> None:
    assert said(*[felt()] * 6) == []


@pytest.mark.parametrize("seat", [3, 8])
def test_a_lamp_that_glares_on_a_bet_zone_is_named(seat: int) -> None:
    picture = felt()
    zone = zone_of(TABLE.seat(seat), SIZE, CALIBRATION)
    rows, columns = np.nonzero(zone)
    spot = np.hypot(rows - rows.mean(), columns - columns.mean()) < 10
    picture[rows[spot], columns[spot]] = 255

    assert [one.partition(":")[0] for one in said(picture)] == [f"A lamp glares on seat {seat}'s bet zone"]


def test_a_white_line_of_print_is_no_glare() -> None:
    picture = felt()
    rows, columns = np.nonzero(zone_of(TABLE.seat(3), SIZE, CALIBRATION))
    picture[round(rows.mean()), columns.min() : columns.min() + 30] = 255

    assert said(picture) == []


def test_chips_that_more_light_would_show_are_named() -> None:
    sentence = " ".join(said(felt(0.3)))

    assert sentence.startswith("The picture is dark at seats 1, 2, 3")
    assert "black-100" in sentence
    assert "would stand out from the felt" in sentence


@pytest.mark.one_in(2)
@pytest.mark.parametrize("deviation", [6.0, 30.0])
def test_noise_as_strong_as_a_chip_is_named(deviation: float) -> None:
    noise = np.random.default_rng(5)
    levels = deviation * noise.standard_normal((5, *SIZE, 3), np.float32)
    pictures = np.clip(felt() + levels, 0, 255).astype(np.uint8)

    assert any(one.startswith("The picture flickers") for one in said(*pictures)) is (deviation > 20)
