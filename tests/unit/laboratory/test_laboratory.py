"""The laboratory plays the same evening for the same seed, and no chip is lost in it."""

from collections import Counter

import pytest

from betline.messages.table import Alert, Ruling
from betline.settings import TableSettings, load_table
from virtual_table.laboratory.laboratory import Conditions, Laboratory, without_camera, without_readers
from virtual_table.play.habits import Habits
from virtual_table.table.player_motions import swap_for_recent

TABLES = {
    "readers and camera": load_table("home-six"),
    "readers alone": without_camera(load_table("home-six")),
    "camera alone": without_readers(load_table("home-six")),
}


def story(lab: Laboratory) -> list[str]:
    return [f"{told.at_s:.6f} {told.body!r}" for told in lab.messages]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mode", TABLES)
def test_a_hand_is_played_as_meant(mode: str) -> None:
    lab = Laboratory(TABLES[mode], seed=7)

    report = lab.play(2)

    assert (report.hands, report.wrong, report.faults) == (2, 0, [])
    assert report.acts == len({(r.hand_no, r.act_no) for r in rulings(lab) if r.ruling != "post"})


def rulings(lab: Laboratory) -> list[Ruling]:
    return [told.body for told in lab.messages if isinstance(told.body, Ruling)]


@pytest.mark.nightly
def test_the_same_seed_is_the_same_evening_and_another_is_another() -> None:
    table = load_table("home-six")
    one, again, other = (Laboratory(table, seed) for seed in (3, 3, 4))
    for lab in (one, again, other):
        lab.play(1)

    assert story(one) == story(again)
    assert story(one) != story(other)


@pytest.mark.parametrize(
    ("table", "hands"), [("home-six", 1), pytest.param("casino-oval", 3, marks=pytest.mark.nightly)]
)
def test_no_chip_is_lost_or_made(table: str, hands: int) -> None:
    lab = Laboratory(table, seed=11)
    before = {chip.uid: chip for chip in lab.world.chips()}

    lab.play(hands)

    after = {chip.uid: chip for chip in lab.world.chips()}
    assert before.items() <= after.items()
    assert len(lab.world.chips()) == len(after)


@pytest.mark.nightly
def test_players_who_swap_chips_lose_none() -> None:
    lab = Laboratory("home-six", 13, Conditions(habits=Habits(trades=1.0, keeps_stacks=True)))
    seats = [seat.number for seat in lab.table.seats]
    owners = {chip.uid: seat for seat in seats for chip in lab.world.stack(seat)}
    before = Counter(chip.key for seat in seats for chip in lab.world.stack(seat))

    swapped = swap_for_recent(lab.world, 2, lab.world.stack(2)[-3:], lab.agenda.now_s())

    assert all(owners[chip.uid] != 2 and chip in lab.world.stack(2) for chip in swapped)
    assert Counter(chip.key for seat in seats for chip in lab.world.stack(seat)) == before
    assert lab.play(1).acts > 0


def test_a_dead_reader_is_told_and_comes_back() -> None:
    lab = Laboratory("home-six", 2)
    bridge = lab.bridge
    assert bridge is not None

    bridge.fail("reader-3")
    lab.let(4.0)
    bridge.recover("reader-3")
    lab.let(2.0)

    alerts = [
        (a.code, a.active) for told in lab.messages if isinstance(a := told.body, Alert) and "reader-3" in a.sentence
    ]
    assert alerts[0] == ("reader-down", True)
    assert alerts[-1] == ("reader-down", False)


def test_a_covered_camera_is_told_and_comes_back() -> None:
    lab = Laboratory("home-six", 2)
    camera = lab.camera
    assert camera is not None

    camera.cover()
    lab.let(3.0)
    camera.uncover()
    lab.let(1.0)

    alerts = [
        (a.code, a.active) for told in lab.messages if isinstance(a := told.body, Alert) and a.code == "camera-down"
    ]
    assert (alerts[0], alerts[-1]) == (("camera-down", True), ("camera-down", False))


@pytest.mark.nightly
def test_noise_changes_what_the_readers_hear_and_nothing_that_people_mean() -> None:
    table: TableSettings = load_table("home-six")
    quiet = Laboratory(table, 5, Conditions(missed=0.0, neighbour=0.0))
    noisy = Laboratory(table, 5, Conditions(missed=0.15, neighbour=0.05))
    for lab in (quiet, noisy):
        lab.play(1)

    assert [(r.seat, r.ruling, r.to) for r in rulings(quiet)] == [(r.seat, r.ruling, r.to) for r in rulings(noisy)]
    assert story(quiet) != story(noisy)


@pytest.mark.nightly
def test_a_controller_that_was_killed_goes_on_from_what_it_had_journalled() -> None:
    lab = Laboratory("home-six", seed=9)
    lab.play(1)
    before = lab.controller.state()

    lab.controller.kill()
    lab.let(2.0)
    lab.controller.start()
    lab.let(2.0)

    after = lab.controller.state()
    assert (after.hand_no, after.phase, after.seats) == (before.hand_no, before.phase, before.seats)
    assert lab.play(1).faults == []
