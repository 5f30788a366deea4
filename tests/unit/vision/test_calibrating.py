"""Calibration of rendered pictures of the printed sheets: lens, line, height, and what is refused or said."""

from functools import cache

import cv2
import numpy as np
import pytest

from betline.settings import TableSettings, load_chip_set, load_table
from tests.unit.vision.printed import HEIGHT, WIDTH, Eye, Picture, board_pictures, felt_with_markers
from vision.calibration.calibration import CalibrationError
from vision.calibration.felt_colours import felt_at_seats, weak_colours
from vision.calibration.lens import Lens, LensError, find_lens, most_rms_px, scaled
from vision.calibration.markers import find_markers
from vision.calibration.procedure import Corner, Found, calibrate_from, landmarks, parse_corner
from vision.frame.zones import seat_zones
from vision.tuning.thresholds import Thresholds

TABLE = load_table()
LINE = np.array(TABLE.felt.betting_line_mm)


@cache
def texture() -> tuple[Picture, float, float]:
    return felt_with_markers(TABLE)


@cache
def seen_by(eye: Eye, seed: int = 1) -> Picture:
    """A picture of the whole table; nobody draws in it."""
    felt, left, top = texture()
    return eye.photograph(felt, left, top, 2.0, seed)


def lens_like(eye: Eye) -> Lens:
    return Lens(WIDTH, HEIGHT, eye.focal_px, eye.focal_px, WIDTH / 2, HEIGHT / 2, eye.k1, eye.k2, 0.1)


def off_mm(found: Found, eye: Eye) -> float:
    """How far the worst corner of the betting line is from where it truly is."""
    return float(np.hypot(*(found.calibration.to_mm(eye.project(LINE)) - LINE).T).max())


@pytest.mark.nightly
def test_the_printed_board_gives_the_lens() -> None:
    eye = Eye(k1=-0.22)

    lens, used = find_lens(board_pictures(eye))

    assert used == 8
    assert lens.rms_px is not None
    assert lens.rms_px < 0.2
    assert lens.fx_px == pytest.approx(eye.focal_px, rel=0.005)
    assert (lens.cx_px, lens.cy_px) == pytest.approx((640, 360), abs=3)
    rim = np.array([(120.0, 80.0), (1160.0, 640.0), (640.0, 10.0)])
    truth = lens_like(eye)
    assert np.abs(lens.straight(rim) - truth.straight(rim)).max() < 3
    assert np.abs(truth.bent(truth.straight(rim)) - rim).max() < 1e-6


@pytest.mark.nightly
def test_too_few_views_of_the_board_are_refused() -> None:
    one = board_pictures(Eye(), 1)[0]
    with pytest.raises(LensError, match="in 1 views, 6 are needed"):
        find_lens([one, one, one, one, one, one, one])


@pytest.mark.nightly
def test_one_view_of_a_bent_board_is_left_out() -> None:
    eye = Eye(k1=-0.1)
    views = board_pictures(eye)
    clean, used = find_lens(views)
    bent = views[3]
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    bent = np.asarray(cv2.remap(bent, x + 5 * np.sin(x / 90), y + 5 * np.sin(y / 70), cv2.INTER_LINEAR), np.uint8)

    lens, kept = find_lens([*views[:3], bent, *views[4:]])

    assert kept == used - 1
    assert lens.rms_px is not None
    assert clean.rms_px is not None
    assert lens.rms_px < 2 * clean.rms_px
    assert lens.fx_px == pytest.approx(clean.fx_px, rel=0.01)


@pytest.mark.nightly
def test_the_error_that_is_allowed_grows_with_the_picture() -> None:
    assert [round(most_rms_px(width), 1) for width in (640, 1280, 3840)] == [1.0, 1.5, 4.6]
    blurred = [cv2.GaussianBlur(one, (0, 0), 1.5) for one in board_pictures(Eye())]
    shaken = []
    for seed, one in enumerate(blurred):
        field = np.random.default_rng(seed).normal(0, 1, (2, 9, 16)).astype(np.float32)
        dx, dy = (cv2.resize(3.0 * part, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC) for part in field)
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        shaken.append(np.asarray(cv2.remap(one, x + dx, y + dy, cv2.INTER_LINEAR), np.uint8))
    with pytest.raises(LensError, match=r"disagree .*1\.5 px is the most"):
        find_lens(shaken)


def test_another_board_is_named() -> None:
    other = cv2.aruco.CharucoBoard((5, 7), 30.0, 22.0, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    paper = other.generateImage((500, 700), marginSize=10)
    pictures = []
    for at in range(8):
        picture = np.full((HEIGHT, WIDTH), 120, np.uint8)
        turned = cv2.rotate(paper, cv2.ROTATE_90_CLOCKWISE) if at % 2 else paper
        high, wide = turned.shape
        left, top = 10 + 70 * at, 5 + 2 * at
        picture[top : top + high, left : left + wide] = turned[: HEIGHT - top, : WIDTH - left]
        pictures.append(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))

    with pytest.raises(LensError, match="another board than the printed one"):
        find_lens(pictures)


def test_a_lens_is_for_pictures_of_one_shape() -> None:
    lens = Lens(1920, 1080, 1200, 1200, 960, 540, -0.1)

    assert scaled(lens, 1280, 720).fx_px == pytest.approx(800)
    with pytest.raises(LensError, match="1920x1080"):
        scaled(lens, 640, 480)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("tilt", "y", "k1"),
    [
        (0.0, 0.0, 0.0),
        (20.0, 582.0, -0.25),
        *(
            pytest.param(*eye, marks=pytest.mark.nightly)
            for eye in [(0.0, 0.0, -0.25), (10.0, 282.0, -0.12), (20.0, 582.0, 0.0)]
        ),
    ],
)
def test_markers_give_the_line_and_the_cameras_place(tilt: float, y: float, k1: float) -> None:
    eye = Eye((30.0, y, 1600.0), tilt, k1=k1)

    found = calibrate_from([seen_by(eye)], TABLE, lens=lens_like(eye))

    assert found.fit.rms_mm is not None
    assert found.fit.rms_mm < 1.2
    assert off_mm(found, eye) < 1.5
    assert found.calibration.eye_mm == pytest.approx(eye.at_mm, abs=8)
    assert sorted(found.calibration.markers) == list(range(8))


@pytest.mark.nightly
def test_the_top_of_a_stack_lies_where_its_lean_says() -> None:
    eye = Eye((-40.0, 300.0, 1500.0), 12.0, k1=-0.1)
    found = calibrate_from([seen_by(eye)], TABLE, lens=lens_like(eye)).calibration
    feet = np.array([(800.0, -200.0), (-700.0, 250.0), (0.0, 300.0)])
    tops = eye.project(np.column_stack((feet, np.full(3, 66.0))))

    assert np.hypot(*(found.to_mm(tops) - feet - found.lean_mm(feet, 66.0)).T).max() < 2


@pytest.mark.nightly
def test_a_bent_line_is_refused_without_the_lens() -> None:
    with pytest.raises(CalibrationError, match="lens"):
        calibrate_from([seen_by(Eye(k1=-0.25))], TABLE)


@pytest.mark.nightly
def test_a_marker_may_lie_askew_and_one_in_a_wrong_place_is_named() -> None:
    eye = Eye()
    felt, left, top = felt_with_markers(TABLE, moved={3: (40.0, -25.0)}, turned_deg={0: 8.0, 5: 90.0, 6: -15.0})

    found = calibrate_from([eye.photograph(felt, left, top, 2.0, 3)], TABLE, lens=lens_like(eye))

    assert found.fit.strays == ("marker 3",)
    assert any("marker 3 does not lie where the table file says" in warning for warning in found.warnings)
    assert 3 not in found.calibration.markers
    assert off_mm(found, eye) < 1.5


@pytest.mark.nightly
def test_markers_of_another_size_are_told() -> None:
    smaller = TABLE.model_copy(
        update={"markers": tuple(marker.model_copy(update={"size_mm": 86.0}) for marker in TABLE.markers)}
    )

    found = calibrate_from([seen_by(Eye())], smaller, lens=lens_like(Eye()))

    assert any("92% as large" in warning for warning in found.warnings)
    assert off_mm(found, Eye()) < 1.5


@pytest.mark.nightly
def test_without_markers_corners_are_enough_and_four_have_no_error() -> None:
    eye = Eye((0.0, 100.0, 1600.0), 4.0)
    bare = seen_by(eye).copy()
    places = landmarks(TABLE)
    for number, corners in find_markers(bare).items():
        cv2.fillConvexPoly(bare, np.round(corners).astype(np.int32), (60, 90, 35 + number))

    def given(*names: str) -> list[Corner]:
        at = {name: eye.project([places[name]])[0].round() for name in names}
        return [Corner(name, places[name], (float(px[0]), float(px[1]))) for name, px in at.items()]

    four = calibrate_from([bare], TABLE, corners=given("line-1", "line-13", "line-14", "line-26"))
    more = calibrate_from([bare], TABLE, corners=given("line-1", "line-13", "line-14", "line-26", "line-7", "line-20"))

    assert four.fit.rms_mm is None
    assert any("by force" in warning for warning in four.warnings)
    assert more.fit.rms_mm is not None
    assert 0 < more.fit.rms_mm < 1.5
    assert off_mm(more, eye) < 3
    with pytest.raises(CalibrationError, match="no marker of the table"):
        calibrate_from([bare], TABLE)
    with pytest.raises(CalibrationError, match="four or more"):
        calibrate_from([bare], TABLE, corners=given("line-1", "line-13", "line-14"))


@pytest.mark.nightly
def test_three_markers_are_too_few() -> None:
    felt, left, top = felt_with_markers(TABLE, without=frozenset({0, 1, 2, 3, 4}))

    with pytest.raises(CalibrationError, match="3 of 8, 4 are needed"):
        calibrate_from([Eye().photograph(felt, left, top, 2.0, 1)], TABLE)


def test_a_measured_height_counts_and_one_that_cannot_be_is_told() -> None:
    eye = Eye()
    found = calibrate_from([seen_by(eye)], TABLE, lens=lens_like(eye), height_mm=1300.0, nadir_mm=(5.0, -50.0))

    assert found.calibration.eye_mm == (5.0, -50.0, 1300.0)
    assert any("1300 mm is far from the 1" in warning for warning in found.warnings)


def test_a_mirrored_picture_is_refused() -> None:
    eye = Eye()
    corners = [
        Corner(f"line-{at}", point, (WIDTH - float(px[0]), float(px[1])))
        for at, (point, px) in enumerate(zip(TABLE.felt.betting_line_mm, eye.project(LINE), strict=True), 1)
    ]
    grey = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)

    with pytest.raises(CalibrationError, match="mirrored"):
        calibrate_from([grey], TABLE, corners=corners)


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(CalibrationError, match="640x360"):
        calibrate_from([seen_by(Eye())[::2, ::2].copy()], TABLE)


def test_what_is_no_corner_is_refused() -> None:
    assert parse_corner("line-1=10,20.5", TABLE) == Corner("line-1", (620, -325), (10, 20.5))
    assert parse_corner("-5,7=1,2", TABLE).mm == (-5, 7)
    for text in ("line-1", "line-99=1,2", "line-1=1", "1,2,3=4,5", ""):
        with pytest.raises(CalibrationError, match="line-1=951,212"):
            parse_corner(text, TABLE)


def test_chips_of_the_felts_colour_are_weak_in_any_light() -> None:
    chips = load_chip_set("cash")
    green = TABLE.model_copy(update={"felt": TABLE.felt.model_copy(update={"colour": "#2f9a4f"})})
    dark = TABLE.model_copy(update={"felt": TABLE.felt.model_copy(update={"colour": "#202024"})})

    def weak(table: TableSettings, light: float) -> dict[str, str]:
        colour = np.array([int(table.felt.colour[at : at + 2], 16) for at in (5, 3, 1)], float) * light
        felt = {seat.number: colour for seat in table.seats}
        return {one.key: one.why for one in weak_colours(felt, table, chips, Thresholds())}

    assert weak(green, 1.0) == {"green-25": "cannot be told from the felt"}
    assert weak(green, 0.7) == {"green-25": "cannot be told from the felt"}
    assert weak(dark, 1.0) == {"black-100": "cannot be told from the felt"}
    assert weak(TABLE, 1.0) == {}


def test_the_felt_is_measured_in_each_seats_zone() -> None:
    eye = Eye()
    picture = seen_by(eye)
    found = calibrate_from([picture], TABLE, lens=lens_like(eye)).calibration

    colours = felt_at_seats(picture, TABLE, found)

    assert sorted(colours) == list(range(1, 11))
    assert all(np.abs(colour - (58, 92, 31)).max() < 6 for colour in colours.values())


@pytest.mark.nightly
def test_zones_follow_the_bent_line() -> None:
    eye = Eye(k1=-0.25)
    found = calibrate_from([seen_by(eye)], TABLE, lens=lens_like(eye)).calibration

    for zones, seat in zip(seat_zones(TABLE, found, Thresholds()), TABLE.seats, strict=True):
        middle = np.mean(seat.bet_zone_mm, axis=0)
        inside, behind = eye.project([middle, np.mean(seat.line_mm, axis=0) * 1.02]).round().astype(int)
        assert zones.zone[inside[1] - zones.y0, inside[0] - zones.x0]
        assert not zones.zone[behind[1] - zones.y0, behind[0] - zones.x0]


def test_beside_the_table_no_bet_is_looked_for_where_tall_stacks_lean() -> None:
    above, beside = Eye((0.0, 0.0, 1600.0)), Eye((0.0, 1300.0, 900.0), 52.0, focal_px=500.0)
    areas = []
    for eye in (above, beside):
        px = eye.project(LINE)
        corners = [Corner(f"line-{at}", tuple(mm), tuple(xy)) for at, (mm, xy) in enumerate(zip(LINE, px, strict=True))]
        grey = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
        found = calibrate_from([grey], TABLE, lens=lens_like(eye), corners=corners).calibration
        assert found.eye_mm == pytest.approx(eye.at_mm, abs=2)
        zones = {zone.seat: zone for zone in seat_zones(TABLE, found, Thresholds())}
        areas.append({seat: len(zones[seat].zone_at) * zones[seat].mm2_per_px for seat in (5, 1)})

    assert areas[1][5] < 0.9 * areas[0][5]
    assert areas[1][1] > 0.9 * areas[0][1]
