"""Chips that lie on cards: real chips pasted on the cards of real photos (tests/data/photos, MIT), and cards alone."""

from __future__ import annotations

import functools
import math

import cv2
import numpy as np
import pytest

from tests.unit.vision.test_chip_finder import FELT, Pasted, photo
from vision.chip_photo.chip_finder import FoundChip, find_chips
from vision.imaging.pictures import Mask, Picture

BOARDS = ("club1", "heart2")
CUT = 0.94
"""Share of a chip's radius that is pasted: nothing of the felt around it comes along."""


@functools.cache
def cards(name: str) -> tuple[Mask, ...]:
    """The cards of a photo."""
    board = photo(name)
    felt = np.zeros(board.shape[:2], np.uint8)
    cv2.fillConvexPoly(felt, FELT, 1)
    pale = np.where(board.min(axis=2) > 150, np.uint8(255), np.uint8(0))
    pale = cv2.morphologyEx(pale, cv2.MORPH_CLOSE, np.ones((31, 31), np.uint8))
    pale = cv2.morphologyEx(pale, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(pale)
    found = [np.where(labels == number, np.uint8(1), np.uint8(0)) for number in range(1, count)]
    return tuple(
        mask
        for mask, area in zip(found, stats[1:, cv2.CC_STAT_AREA], strict=True)
        if 5000 < area < 16000 and felt[mask > 0].all()
    )


@functools.cache
def stock() -> tuple[FoundChip, ...]:
    return find_chips(photo("surface1"))


def paste(board: Picture, chip: FoundChip, place: Pasted, angle: float) -> None:
    turn = cv2.getRotationMatrix2D((chip.x, chip.y), angle, place.radius / (chip.diameter / 2 * CUT))
    turn[:, 2] += (place.x - chip.x, place.y - chip.y)
    moved = cv2.warpAffine(photo("surface1"), turn, (board.shape[1], board.shape[0]))
    disc = np.zeros(board.shape[:2], np.float32)
    cv2.circle(disc, (round(place.x), round(place.y)), round(place.radius), 1.0, cv2.FILLED, cv2.LINE_AA)
    soft = cv2.GaussianBlur(disc, (3, 3), 0)[..., None]
    board[:] = (moved * soft + board * (1 - soft)).astype(np.uint8)


def dealt(rng: np.random.Generator) -> tuple[Picture, list[Pasted]]:
    """Up to five chips, each at least by a twelfth of it on a card; none on another chip."""
    name = BOARDS[int(rng.integers(2))]
    board, wanted, size = photo(name), int(rng.integers(1, 6)), float(rng.uniform(0.85, 1.1))
    truth: list[Pasted] = []
    for _ in range(200):
        if len(truth) == wanted:
            break
        card = cards(name)[int(rng.integers(len(cards(name))))]
        radius = 29.0 * size * float(rng.uniform(0.95, 1.05))
        rows, columns = np.nonzero(cv2.dilate(card, np.ones((21, 21), np.uint8)))
        at = int(rng.integers(len(rows)))
        x, y = float(columns[at]), float(rows[at])
        disc = np.zeros_like(card)
        cv2.circle(disc, (round(x), round(y)), round(radius), 1, cv2.FILLED)
        lies_on = float((disc * card).sum() / disc.sum())
        if lies_on > 1 / 12 and all(math.hypot(x - one.x, y - one.y) > 2.1 * radius for one in truth):
            paste(board, stock()[int(rng.integers(len(stock())))], Pasted(x, y, radius), float(rng.uniform(0, 360)))
            truth.append(Pasted(x, y, radius))
    return noisy(board, rng), truth


def noisy(board: Picture, rng: np.random.Generator) -> Picture:
    lit = board * float(rng.uniform(0.8, 1.2)) + rng.normal(0, float(rng.uniform(1, 6)), board.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))]
    jpeg = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)


@pytest.mark.nightly
def test_real_chips_on_real_cards_are_found_and_no_card_is_a_chip() -> None:
    rng = np.random.default_rng(8)
    there = found_again = false = 0
    for _ in range(10):
        picture, truth = dealt(rng)
        found = list(find_chips(picture))
        for chip in truth:
            near = [one for one in found if math.hypot(one.x - chip.x, one.y - chip.y) <= chip.radius / 2]
            if near:
                found_again += 1
                found.remove(near[0])
        there += len(truth)
        false += len(found)
    assert false == 0
    assert there > 20
    assert found_again / there >= 0.9, f"{found_again} of {there}"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("scale", [0.6, 0.8])
def test_cards_alone_have_no_disc_also_where_they_are_small_and_the_picture_is_poor(name: str, scale: float) -> None:
    rng = np.random.default_rng(3)
    small = np.asarray(cv2.resize(photo(name), None, fx=scale, fy=0.85 * scale), dtype=np.uint8)
    assert find_chips(noisy(small, rng)) == ()
    assert find_chips(noisy(np.asarray(cv2.flip(small, 1), dtype=np.uint8), rng)) == ()


@pytest.mark.nightly
def test_a_chip_on_a_card_has_its_place_size_and_colour() -> None:
    board = photo("club1")
    rows, columns = np.nonzero(cards("club1")[7])
    place = Pasted(float(columns.mean()), float(rows.mean()), 29.0)
    red = next(chip for chip in stock() if chip.colour == "red")
    paste(board, red, place, 30.0)

    (found,) = find_chips(board)
    assert (found.x, found.y) == (pytest.approx(place.x, abs=4), pytest.approx(place.y, abs=4))
    assert found.diameter == pytest.approx(58, rel=0.2)
    assert found.colour == "red"
