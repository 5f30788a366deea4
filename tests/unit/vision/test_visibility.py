"""What is told at calibration of chips that are missed: curves through measured points, and sentences with figures."""

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.settings import load_chip_set, load_table
from vision.calibration.felt_colours import weak_colours
from vision.calibration.visibility import Case, Measured, Point, measured, rising
from vision.tuning.thresholds import Thresholds

SHARES = st.lists(st.tuples(st.floats(0, 1), st.floats(1, 20)), min_size=1, max_size=12)


def point(levels: int, told: int, area: float, *, plain: bool = True) -> Point:
    return Point("green", "black-100", plain, levels, 10, told, area)


@given(SHARES)
def test_a_curve_never_falls_and_is_nearer_to_the_points_than_any_constant(points: list[tuple[float, float]]) -> None:
    values, weights = (np.array(part) for part in zip(*points, strict=True))

    curve = rising(list(values), list(weights))

    assert (np.diff(curve) >= 0).all()
    mean = (values * weights).sum() / weights.sum()
    assert (weights * (curve - values) ** 2).sum() <= (weights * (mean - values) ** 2).sum() + 1e-9


def test_points_that_rise_are_kept_and_others_are_joined_by_their_weights() -> None:
    assert list(rising([0.1, 0.5, 0.9], [1, 1, 1])) == [0.1, 0.5, 0.9]
    assert list(rising([0.0, 0.8, 0.4, 1.0], [1, 3, 1, 1])) == [0.0, pytest.approx(0.7), pytest.approx(0.7), 1.0]


def test_what_is_expected_lies_between_the_points_of_the_same_kind() -> None:
    found = Measured(
        "2026-11-22", (point(40, 10, 1.0), point(0, 0, 0.0), point(20, 5, 0.6), point(20, 10, 1.0, plain=False))
    )

    assert (found.expected(0, plain=True).missed_of_100, found.expected(0, plain=True).area) == (100, 0.0)
    halfway = found.expected(30, plain=True)
    assert (halfway.missed_of_100, halfway.area) == (25, pytest.approx(0.8))
    assert found.expected(200, plain=True).missed_of_100 == 0
    assert found.expected(0, plain=False).missed_of_100 == 0


def test_the_figures_that_come_with_the_program_are_whole() -> None:
    found = measured()

    assert datetime.date.fromisoformat(found.date).year >= 2026
    for plain in (False, True):
        points = [one for one in found.points if one.plain == plain]
        assert min(one.levels for one in points) < 15
        assert max(one.levels for one in points) > 100
        assert all(0 <= one.told <= one.chips and 0 <= one.area <= 1 for one in points)
    near, far = found.expected(0, plain=True), found.expected(150, plain=True)
    assert near.missed_of_100 > far.missed_of_100
    assert near.area < far.area


def test_each_limit_is_told_with_its_figure() -> None:
    names = ("card-told-as-bet", "phone-told-as-bet", "printed-felt-red-5-told", "printed-felt-black-100-told")
    names += ("overlap-25-counted-as-two", "overlap-50-counted-as-two", "taps-told")
    cases = tuple(Case(name, 40, number) for number, name in enumerate(names))

    said = " ".join(Measured("2026-11-22", (), cases).sentences())

    for figure in (
        "a card was in 0 of 40",
        "a phone in 1 of 40",
        "red chips were reported in 2 of 40",
        "black ones in 3 of 40",
    ):
        assert figure in said
    for figure in ("by a quarter in 36 of 40", "by half in 35 of 40", "6 of 40 were reported", "2026-11-22"):
        assert figure in said


def test_a_weak_colour_is_told_with_what_is_missed_of_it() -> None:
    table = load_table("casino-oval")
    dark = table.model_copy(update={"felt": table.felt.model_copy(update={"colour": "#2b2b30"})})
    felt = {seat.number: np.array([0x30, 0x2B, 0x2B], float) for seat in dark.seats}

    (weak,) = weak_colours(felt, dark, load_chip_set("cash"), Thresholds())

    expected = measured().expected(0, plain=True)
    assert weak.sentence().startswith("black-100 cannot be told from the felt (seat 1: 0 of 255). Without pale inlay")
    assert (
        f"{expected.area:.0%} of its area is seen, and {expected.missed_of_100} of 100 single chips" in weak.sentence()
    )
