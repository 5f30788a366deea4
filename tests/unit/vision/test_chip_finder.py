"""Chips found in single pictures: real photos (tests/data/photos, MIT), and real chips pasted on real felt."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from vision.chip_photo.chip_finder import FoundChip, find_chips
from vision.cli import app
from vision.imaging.colours import colour_name
from vision.imaging.pictures import Picture

PHOTOS = Path(__file__).parents[2] / "data" / "photos"
FELT = np.array([[245, 205], [1030, 202], [1190, 760], [75, 755]], np.int32)
"""The felt in the photos of cards alone."""
SEEN_PX = 12.0
"""How far a chip may be told from where it lies."""

ABOVE = [
    (817, 193, "red"),
    (903, 294, "yellow"),
    (360, 358, "red"),
    (380, 446, "purple"),
    (822, 493, "purple"),
    (484, 617, "yellow"),
]
OBLIQUE = [
    (807, 197, "red"),
    (888, 282, "yellow"),
    (347, 289, "red"),
    (355, 365, "purple"),
    (806, 441, "purple"),
    (443, 529, "yellow"),
]


def photo(name: str) -> Picture:
    picture = cv2.imread(str(PHOTOS / f"{name}.png"))
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "chips"), [("surface1", ABOVE), ("surface3", OBLIQUE)])
def test_exactly_the_six_chips_of_a_photo_with_sixteen_cards_are_found(
    name: str, chips: list[tuple[int, int, str]]
) -> None:
    found = find_chips(photo(name))
    assert [(round(one.x), round(one.y), one.colour) for one in found] == [
        (pytest.approx(x, abs=SEEN_PX), pytest.approx(y, abs=SEEN_PX), colour) for x, y, colour in chips
    ]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["club1", "heart2"])
def test_no_card_is_a_chip(name: str) -> None:
    assert find_chips(photo(name)) == ()


@pytest.mark.nightly
@pytest.mark.parametrize("scale", [0.75, 1.6])
def test_the_size_of_the_picture_does_not_matter(scale: float) -> None:
    resized = np.asarray(cv2.resize(photo("surface1"), None, fx=scale, fy=scale), dtype=np.uint8)
    found = find_chips(resized)
    assert len(found) == len(ABOVE)
    for one, (x, y, _) in zip(found, ABOVE, strict=True):
        assert (one.x, one.y) == (pytest.approx(x * scale, abs=SEEN_PX), pytest.approx(y * scale, abs=SEEN_PX))


def test_a_picture_without_a_felt_has_no_chips() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    assert find_chips(noise) == ()
    assert find_chips(np.full((240, 320, 3), 255, np.uint8)) == ()


@dataclass(frozen=True)
class Pasted:
    x: float
    y: float
    radius: float


def pasted(rng: np.random.Generator) -> tuple[Picture, list[Pasted]]:
    """Real chips, turned and shrunk, on the free felt of a photo of cards; some touch; then light, noise and JPEG."""
    source = photo("surface1")
    chips = find_chips(source)
    board = photo(("club1", "heart2")[int(rng.integers(2))])
    felt = np.zeros(board.shape[:2], np.uint8)
    cv2.fillConvexPoly(felt, FELT, 1)
    free = cv2.erode(felt * (board.max(axis=2) < 110), np.ones((5, 5), np.uint8))
    bare = cv2.dilate(1 - free, np.ones((5, 5), np.uint8)) == 0
    truth: list[Pasted] = []
    wanted = int(rng.integers(1, 9))
    scale = float(rng.uniform(0.6, 1.1))
    while len(truth) < wanted:
        beside = truth[-1] if truth and rng.random() < 0.4 else None
        radius = 31.0 * scale * float(rng.uniform(0.95, 1.05))
        if beside is None:
            x, y = float(rng.uniform(200, 1050)), float(rng.uniform(230, 740))
        else:
            angle = float(rng.uniform(0, 2 * math.pi))
            reach = radius + beside.radius
            x, y = beside.x + reach * math.cos(angle), beside.y + reach * math.sin(angle)
        if _is_free(bare, x, y, radius + 5) and all(
            math.hypot(x - one.x, y - one.y) >= radius + one.radius - 1 for one in truth
        ):
            _paste(
                board, source, chips[int(rng.integers(len(chips)))], Pasted(x, y, radius), float(rng.uniform(0, 360))
            )
            truth.append(Pasted(x, y, radius))
    lit = board * float(rng.uniform(0.8, 1.2)) + rng.normal(0, float(rng.uniform(1, 6)), board.shape)
    _, jpeg = cv2.imencode(
        ".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))]
    )
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8), truth


def _is_free(free: np.ndarray, x: float, y: float, reach: float) -> bool:
    top, bottom, left, right = int(y - reach), int(y + reach), int(x - reach), int(x + reach)
    if top < 0 or left < 0 or bottom > free.shape[0] or right > free.shape[1]:
        return False
    return bool(free[top:bottom, left:right].all())


def _paste(board: Picture, source: Picture, chip: FoundChip, place: Pasted, angle: float) -> None:
    scale = place.radius / (chip.diameter / 2)
    turn = cv2.getRotationMatrix2D((chip.x, chip.y), angle, scale)
    turn[:, 2] += (place.x - chip.x, place.y - chip.y)
    moved = cv2.warpAffine(source, turn, (board.shape[1], board.shape[0]))
    disc = np.zeros(board.shape[:2], np.float32)
    cv2.circle(disc, (round(place.x), round(place.y)), round(place.radius), 1.0, cv2.FILLED)
    soft = cv2.GaussianBlur(disc, (3, 3), 0)[..., None]
    board[:] = (moved * soft + board * (1 - soft)).astype(np.uint8)


@pytest.mark.nightly
@pytest.mark.parametrize("pictures", [2, pytest.param(12, marks=pytest.mark.nightly)])
def test_real_chips_on_real_felt_under_noise_are_found_and_nothing_else(pictures: int) -> None:
    rng = np.random.default_rng(20261122)
    there = found_again = false = 0
    for _ in range(pictures):
        picture, truth = pasted(rng)
        found = list(find_chips(picture))
        for chip in truth:
            near = [one for one in found if math.hypot(one.x - chip.x, one.y - chip.y) <= chip.radius / 2]
            if near:
                found_again += 1
                found.remove(near[0])
        there += len(truth)
        false += len(found)
    assert false == 0
    assert found_again / there >= 0.97, f"{found_again} of {there}"


@pytest.mark.parametrize(
    ("lab", "name"),
    [
        ((40, 56, 33), "red"),
        ((60, 42, 8), "pink"),
        ((37, 10, -46), "blue"),
        ((57, -45, 28), "green"),
        ((35, 42, -40), "purple"),
        ((76, 5, 68), "yellow"),
        ((65, 40, 60), "orange"),
        ((35, 15, 25), "brown"),
        ((17, 1, -2), "black"),
        ((91, 0, 3), "white"),
        ((55, 2, 3), "grey"),
    ],
)
def test_a_colour_has_the_name_that_people_give_it(lab: tuple[int, int, int], name: str) -> None:
    assert colour_name(*lab) == name


@pytest.mark.nightly
def test_the_verb_prints_the_chips_as_json() -> None:
    result = CliRunner().invoke(app, ["chips", str(PHOTOS / "surface1.png"), "--json"])
    assert result.exit_code == 0
    chips = json.loads(result.stdout)
    assert len(chips) == 6
    assert set(chips[0]) == {"x", "y", "diameter", "colour"}


def test_a_file_that_is_no_picture_is_said_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_text("no picture")
    result = CliRunner().invoke(app, ["chips", str(broken)], standalone_mode=False)
    assert result.exception is not None
    assert "is no picture" in str(result.exception)
