"""The measurement of what the camera misses, on few chips."""

import pytest

from betline.settings import load_chip_set
from virtual_table.bench.visibility import CHIP_SETS, all_chips, lines, of_felt
from vision.calibration.visibility import Case, Measured, Point


@pytest.mark.nightly
def test_a_plain_black_chip_is_lost_on_black_felt_and_told_on_green() -> None:
    (lost,) = of_felt("black", "#26262a", 1, ("black-100",), plain=True)
    (told,) = of_felt("green", "#1f5c3a", 1, ("white-1",), plain=True)

    assert lost.chips == told.chips == 10
    assert lost.levels < 15
    assert told.levels > 100
    assert lost.told <= 2
    assert told.told >= 9
    assert lost.area < 0.3
    assert told.area > 0.8


@pytest.mark.nightly
def test_inlay_and_edge_spots_of_a_black_chip_are_seen_on_black_felt() -> None:
    (marked,) = of_felt("black", "#26262a", 1, ("black-100",))

    assert marked.told >= 8


def test_every_shipped_colour_is_measured_once() -> None:
    colours = [chip.colour for chip in all_chips().chips]

    assert len(set(colours)) == len(colours)
    for name in (*CHIP_SETS, "home", "tournament"):
        assert {chip.colour for chip in load_chip_set(name).chips} <= set(colours)


def test_the_table_has_a_row_a_chip_and_a_line_a_case() -> None:
    points = tuple(
        Point(felt=felt, chip="red-5", plain=False, levels=110, chips=10, told=10, area=0.97)
        for felt in ("green", "blue")
    )

    head, _, row, _, _, case = lines(Measured("2026-11-22", points, (Case("taps-told", 20, 15),)))

    assert head == "| chip | green | blue |"
    assert row.startswith("| red-5 | 10 of 10, ")
    assert case == "taps-told: 15 of 20"
