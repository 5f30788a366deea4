"""Which antenna a chip was put on: after a base line, through missed reads and neighbours, one chip after the other."""

import random

import pytest

from betline.setup.antennas import ROUNDS, Heard, Hunt
from betline.setup.sections.readers import Spot

SPOTS = tuple(Spot(port, antenna) for port in ("usb:A", "usb:B") for antenna in (1, 2, 3))
CHIP = "E004015306A22D70"


def rounds(hunt: Hunt, lying: dict[Spot, set[str]], count: int = ROUNDS, missed: float = 0.0, seed: int = 1) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        for spot in SPOTS:
            heard = frozenset(uid for uid in lying.get(spot, ()) if chance.random() >= missed)
            hunt.hear(Heard(spot, heard))


def test_nothing_is_said_before_all_antennas_were_listened_to() -> None:
    hunt = Hunt(SPOTS)
    rounds(hunt, {}, ROUNDS - 1)
    assert "wait" in hunt.verdict({}).sentence
    rounds(hunt, {}, 1)
    assert hunt.verdict({}).sentence.startswith("Ready")


@pytest.mark.parametrize("spot", SPOTS)
def test_the_antenna_where_a_chip_comes_is_found(spot: Spot) -> None:
    hunt = Hunt(SPOTS)
    rounds(hunt, {SPOTS[0]: {"E0AA"}})
    rounds(hunt, {SPOTS[0]: {"E0AA"}, spot: {CHIP} | ({"E0AA"} if spot == SPOTS[0] else set())})
    assert hunt.verdict({}).spot == spot


def test_a_chip_that_moves_on_names_the_next_antenna_and_one_put_back_the_same() -> None:
    hunt = Hunt(SPOTS)
    rounds(hunt, {})
    for spot in (SPOTS[2], SPOTS[4]):
        rounds(hunt, {spot: {CHIP}})
        assert hunt.verdict({}).spot == spot
        hunt.ask()
        rounds(hunt, {spot: {CHIP}})
        assert hunt.verdict({}).spot is None
    rounds(hunt, {})
    rounds(hunt, {SPOTS[4]: {CHIP}})
    assert hunt.verdict({}).spot == SPOTS[4]


def test_a_chip_that_two_antennas_hear_names_both_and_takes_neither() -> None:
    hunt = Hunt(SPOTS)
    rounds(hunt, {})
    rounds(hunt, {SPOTS[0]: {CHIP}, SPOTS[1]: {CHIP}})
    verdict = hunt.verdict({})
    assert verdict.spot is None
    assert "usb:A antenna 1 and usb:A antenna 2" in verdict.sentence


def test_an_antenna_that_is_known_already_is_refused_by_its_place() -> None:
    hunt = Hunt(SPOTS)
    rounds(hunt, {})
    rounds(hunt, {SPOTS[0]: {CHIP}})
    verdict = hunt.verdict({str(SPOTS[0]): "under seat 2"})
    assert verdict.spot is None
    assert "under seat 2 already" in verdict.sentence


@pytest.mark.parametrize("seed", range(20))
def test_a_neighbours_stray_reads_and_missed_reads_name_no_wrong_antenna(seed: int) -> None:
    hunt, chance = Hunt(SPOTS), random.Random(seed)
    rounds(hunt, {})
    for number in range(60):
        stray = {SPOTS[0]: {CHIP}} if chance.random() < 0.1 else {}
        rounds(hunt, {**stray, SPOTS[5]: {"E0BB"}}, 1, missed=0.15, seed=seed * 100 + number)
        assert hunt.verdict({}).spot in (None, SPOTS[5])


@pytest.mark.parametrize("seed", range(30))
def test_chips_that_lay_there_and_are_read_badly_do_not_hide_the_one_that_comes(seed: int) -> None:
    there = {SPOTS[0]: {"E0AA"}, SPOTS[1]: {"E0AB"}, SPOTS[2]: {"E0AC"}}
    hunt = Hunt(SPOTS)
    rounds(hunt, there, missed=0.2, seed=seed)
    found = set()
    for number in range(40):
        rounds(hunt, {**there, SPOTS[5]: {CHIP}}, 1, missed=0.2, seed=seed * 1000 + number)
        found.add(hunt.verdict({}).spot)
    assert found == {None, SPOTS[5]}
