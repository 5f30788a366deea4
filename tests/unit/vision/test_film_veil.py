"""What a film shows of people: nothing beyond the rail, nothing sharp but the felt, and no head over it."""

import cv2
import numpy as np
import pytest

from betline.settings import load_table
from tests.unit.vision.scene import Arm, Chip, Painter, Scene
from vision.film.veil import LEARN, LEARN_EVERY_NS, Veil, widened
from vision.imaging.pictures import Picture


@pytest.fixture
def painter() -> Painter:
    return Painter()


def learnt(painter: Painter) -> Veil:
    """A veil that has seen the empty table."""
    veil = Veil(painter.table, painter.calibration)
    for at in range(LEARN):
        veil.over(painter.paint(Scene()), at * LEARN_EVERY_NS)
    assert veil.ready
    return veil


def later(veil: Veil, picture: Picture) -> Picture:
    return veil.over(picture, LEARN * LEARN_EVERY_NS + 1)


def inside(painter: Painter, polygon: tuple[tuple[float, float], ...]) -> np.ndarray:
    mask = np.zeros(painter.paint(Scene()).shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(painter.calibration.outline_px(polygon)).astype(np.int32)], 255)
    return mask > 0


def checks(shape: tuple[int, ...], square_px: int = 6) -> Picture:
    """A pattern of small squares, as full of detail as a face: (H, W, 3) uint8."""
    y, x = np.indices(shape[:2])
    return np.repeat((((x // square_px + y // square_px) % 2) * 255).astype(np.uint8)[:, :, None], 3, axis=2)


def sharpness(picture: Picture, where: np.ndarray) -> float:
    """How much neighbours differ there."""
    levels = picture[:, :, 1].astype(np.float32)
    return float(np.abs(np.diff(levels, axis=1))[where[:, 1:] & where[:, :-1]].mean())


def test_nothing_beyond_the_rail_is_in_the_picture(painter: Painter) -> None:
    veil = learnt(painter)
    picture = painter.paint(Scene())
    felt = painter.table.felt
    room = ~inside(painter, widened(felt.outline_mm, felt.rail_width_mm + 4))
    picture[room] = checks(picture.shape)[room]
    assert room.any()

    assert later(veil, picture)[room].max() == 0


def test_a_pattern_over_the_rail_cannot_be_recovered(painter: Painter) -> None:
    veil = learnt(painter)
    picture = painter.paint(Scene())
    felt = painter.table.felt
    rail = inside(painter, widened(felt.outline_mm, felt.rail_width_mm - 4)) & ~inside(
        painter, widened(felt.outline_mm, 4)
    )
    rng = np.random.default_rng(3)
    secrets = [rng.random(picture.shape[:2]) < 0.5 for _ in range(2)]
    shown = []
    for secret in secrets:  # bits of 4 px, each 8 mm: an eye is three of them
        bits = np.kron(secret[::4, ::4], np.ones((4, 4), bool))[: picture.shape[0], : picture.shape[1]]
        one = picture.copy()
        one[rail] = np.where(bits, 255, 0).astype(np.uint8)[rail][:, None]
        shown.append(later(veil, one))

    assert sharpness(one, rail) > 30
    assert sharpness(shown[0], rail) < 12
    blocks = np.unique(shown[0][rail].reshape(-1, 3), axis=0)
    assert len(blocks) < rail.sum() / 80


def test_before_the_felt_is_known_nothing_at_all_is_sharp(painter: Painter) -> None:
    veil = Veil(painter.table, painter.calibration)
    picture = checks(painter.paint(Scene()).shape)

    assert sharpness(veil.over(picture, 0), inside(painter, painter.table.felt.outline_mm)) < 12


@pytest.mark.parametrize("seat", [1, 3, 6, 9])
def test_a_head_over_the_felt_is_coarse(painter: Painter, seat: int) -> None:
    """A head 190 mm across, its features in squares of 6 px, from behind the rail to 120 mm onto the felt."""
    veil = learnt(painter)
    picture = painter.paint(Scene())
    place = painter.table.seat(seat)
    rail, inward = np.array(place.rail_mm), np.array(place.cards_mm) - np.array(place.rail_mm)
    inward = inward / np.hypot(*inward)
    head = np.zeros(picture.shape[:2], np.uint8)
    px_per_mm = painter.calibration.mm2_per_px(place.cards_mm) ** -0.5
    ends = painter.calibration.to_px([tuple(rail - 200 * inward), tuple(rail + 110 * inward)])
    cv2.line(head, *(tuple(int(v) for v in end) for end in ends), 255, round(190 * px_per_mm))
    face = head > 0
    picture[face] = checks(picture.shape)[face]
    over_felt = face & inside(painter, painter.table.felt.outline_mm)
    assert over_felt.sum() > 500

    shown = later(veil, picture)

    assert veil.hidden_px >= over_felt.sum() * 0.98
    assert sharpness(picture, over_felt) > 30
    assert sharpness(shown, over_felt) < 12


def test_hands_chips_and_cards_on_the_felt_are_as_the_camera_saw_them(painter: Painter) -> None:
    veil = learnt(painter)
    place = painter.table.seat(3)
    bet = tuple(np.mean(place.bet_zone_mm, axis=0))
    chips = [Chip((bet[0] + dx, bet[1])) for dx in (0.0, 45.0)]
    picture = painter.paint(Scene(chips=chips, arms=[Arm(place.rail_mm, (bet[0], bet[1]))]))
    felt = inside(painter, painter.table.felt.outline_mm)
    felt = cv2.erode(felt.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0

    shown = later(veil, picture)

    assert veil.hidden_px == 0
    assert np.array_equal(shown[felt], picture[felt])


@pytest.mark.nightly
def test_a_head_that_stays_is_not_learnt_as_felt(painter: Painter) -> None:
    veil = learnt(painter)
    place = painter.table.seat(3)
    arm = Arm(place.rail_mm, place.cards_mm, width_mm=260)
    now_ns = LEARN * LEARN_EVERY_NS
    for at in range(150):
        veil.over(painter.paint(Scene(arms=[arm])), now_ns + at * LEARN_EVERY_NS)

    assert veil.hidden_px > 0


def test_an_outline_is_widened_on_all_sides() -> None:
    square = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))

    assert set(widened(square, 10.0)) == {(-10.0, -10.0), (110.0, -10.0), (110.0, 110.0), (-10.0, 110.0)}
    assert set(widened(tuple(reversed(square)), 10.0)) == set(widened(square, 10.0))


def test_every_shipped_table_is_within_its_veil() -> None:
    for name in ("casino-oval", "home-six"):
        felt = load_table(name).felt
        wide = np.array(widened(felt.outline_mm, felt.rail_width_mm), np.float32)
        assert all(cv2.pointPolygonTest(wide, (float(x), float(y)), True) > 0 for x, y in felt.outline_mm)
