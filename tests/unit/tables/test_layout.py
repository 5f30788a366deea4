"""Every form is laid out so that nothing overlaps or leaves the felt, or it is said why it cannot be."""

import itertools
import json

import pytest

from betline.layout import FORMS, Form, FormName, LayoutError, lay_out
from betline.settings import TableSettings, load_table
from betline.settings.shape import Shape, laid_out
from betline.tables.check import findings

SIZES = ((2100.0, 1050.0), (2400.0, 1200.0), (1720.0, 960.0), (3000.0, 1200.0), (1500.0, 800.0))


def shaped(shape: Shape) -> TableSettings:
    home = load_table("home-six").model_dump(mode="json", exclude={"felt", "seats", "readers", "cameras", "markers"})
    return TableSettings.model_validate_json(json.dumps({**home, **laid_out(shape)}))


@pytest.mark.nightly
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dealer", [True, False])
def test_a_table_that_can_be_laid_out_has_nothing_wrong(form: FormName, dealer: bool) -> None:
    sizes = [(1250.0, 1250.0), (1400.0, 1400.0)] if form == "round" else SIZES
    laid = 0
    for size, seats in itertools.product(sizes, range(2, 11)):
        shape = Shape(form=form, size_mm=size, seats=seats, dealer=dealer, readers="feig", camera="usb:0")
        try:
            lay_out(shape.felt_form(), seats, dealer=dealer)
        except LayoutError:
            continue
        assert findings(shaped(shape)) == (), (size, seats)
        laid += 1
    assert laid >= len(sizes) * 3


def test_seats_run_clockwise_from_the_dealers_left_and_the_dealer_has_a_place_of_his_own() -> None:
    places = lay_out(Form("oval", 2100, 1050), 8)
    first, last = places.seats[0].bet_zone_mm, places.seats[-1].bet_zone_mm

    assert max(x for x, _ in first) < -170 < 170 < min(x for x, _ in last)
    assert places.dealer_mm == (0.0, -525.0)


def test_without_a_dealer_the_seats_sit_further_round() -> None:
    with_dealer = lay_out(Form("oval", 2100, 1150), 9).seats[0].rail_mm
    without = lay_out(Form("oval", 2100, 1150), 9, dealer=False).seats[0].rail_mm

    assert abs(without[0]) < abs(with_dealer[0])


def test_seats_that_do_not_fit_are_refused_with_the_number_that_does() -> None:
    with pytest.raises(
        LayoutError, match=r"10 seats do not fit on a felt of 1500 x 800 mm; [5-9] do, or take a larger felt"
    ):
        lay_out(Form("oval", 1500, 800), 10)


def test_a_felt_too_shallow_for_bets_and_pot_is_refused_with_the_depth_that_it_needs() -> None:
    with pytest.raises(LayoutError, match=r"600 mm deep .* must be (\d+) mm deep") as refused:
        lay_out(Form("oval", 1500, 600), 4)
    needed = int(str(refused.value).rsplit(" ", 3)[1])

    assert lay_out(Form("oval", 1500, needed), 4).seats


def test_a_felt_deeper_than_wide_is_refused() -> None:
    with pytest.raises(LayoutError, match="longer side first"):
        lay_out(Form("rectangle", 900, 1800), 4)


def test_inches_and_the_size_over_the_rail_come_to_the_felt_inside_it() -> None:
    inches = Shape(form="oval", size_in=(84.0, 42.0), seats=8).felt_form()
    over = Shape(form="oval", size_mm=(2340.0, 1290.0), seats=8, over_rail=True).felt_form()

    assert (inches.width_mm, inches.depth_mm) == pytest.approx((2133.6, 1066.8))
    assert (over.width_mm, over.depth_mm) == (2100.0, 1050.0)


def test_a_kidney_is_dented_on_the_dealers_side_only() -> None:
    kidney, oval = Form("kidney", 2100, 1050).ring(), Form("oval", 2100, 1050).ring()

    assert kidney.at(0)[1] > oval.at(0)[1] + 100
    assert max(y for _, y in kidney.corners) == max(y for _, y in oval.corners)


def test_the_betting_line_of_a_racetrack_lies_where_its_track_ends() -> None:
    places = lay_out(Form("racetrack", 2200, 1100), 8, line_inset_mm=180)

    assert min(y for _, y in places.line_mm) == pytest.approx(-550 + 180)


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_the_camera_hangs_so_that_a_chip_is_wide_enough_in_its_picture(seats: int) -> None:
    for width, depth in ((1720.0, 960.0), (3000.0, 1200.0)):
        camera = lay_out(Form("oval", width, depth), seats).camera

        assert 39.0 * camera.focal_px / camera.position_mm[2] >= 18.0
