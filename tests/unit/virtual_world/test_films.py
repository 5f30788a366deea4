"""Films from scripts: what is filmed, its truth, the camera's faults, and the verb that writes them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.front_door import run
from betline.settings import load_chip_set, load_table
from tests.unit.virtual_world.worlds import world
from virtual_table.camera import Renderer, Room
from virtual_table.camera.flaws import FlawedCamera, Flaws
from virtual_table.films.film import START_S, Film
from virtual_table.films.film_script import EXAMPLE, script_of
from virtual_table.films.truth import Shot
from virtual_table.scripts.script import ScriptError
from virtual_table.table.world import World


def play(acts: str, head: str = "") -> tuple[Film, list[Shot]]:
    film = Film(script_of(f"{head}end_pause: 0.5\nacts:\n{acts}", "test"))
    return film, [Shot(shot.number, shot.t_s, shot.picture[::8, ::8].copy(), shot.seats) for shot in film.shots()]


def events(film: Film) -> list[tuple[int | None, str]]:
    return [(event.seat, event.event) for event in film.events]


def flawed(**flaws: float) -> FlawedCamera:
    return FlawedCamera(Flaws(**flaws), np.random.default_rng(3))  # type: ignore[arg-type]


GREY = np.full((720, 1280, 3), 100, np.uint8)


@pytest.mark.nightly
def test_a_string_is_noted_with_its_motions_and_seen_in_the_zone() -> None:
    film, shots = play("  - { act: push, seat: 5, chips: [1, 2], pause: 0 }\n")

    assert events(film).count((5, "chips_crossing")) == 2
    bets = [event for event in film.events if event.event == "bet_settled"]
    assert [(bet.seat, bet.motions, len(bet.uids)) for bet in bets] == [(5, 1, 1), (5, 2, 2)]
    assert not shots[0].seats
    assert shots[-1].seats[5].chips == 3
    assert 1195 * 1 <= shots[-1].seats[5].area_mm2 <= 1195 * 3
    with_hand = [shot.t_s for shot in shots if 5 in shot.seats and shot.seats[5].hands == ("seat-5",)]
    entered = [event.t_s for event in film.events if event.event == "hand_entered"]
    assert with_hand[0] == pytest.approx(entered[0], abs=1 / 30 + 0.005)


@pytest.mark.nightly
def test_an_act_after_one_that_does_not_go_begins_no_sooner_than_it_is_filmed() -> None:
    acts = (
        "  - { act: push, seat: 5, pause: 0 }\n"
        "  - { act: pull_back, seat: 8, chips: [1], pause: 1.5 }\n"
        "  - { act: push, seat: 3, pause: -0.4 }\n"
    )
    film = Film(script_of(f"end_pause: 0.5\nacts:\n{acts}", "test"), lenient=True)
    with_hand = [shot.t_s for shot in film.shots() if 3 in shot.seats and shot.seats[3].hands == ("seat-3",)]

    entered = [event.t_s for event in film.events if (event.seat, event.event) == (3, "hand_entered")]
    assert with_hand[0] == pytest.approx(entered[0], abs=1 / 30 + 0.005)


@pytest.mark.nightly
def test_each_swept_seat_is_noted_with_its_own_time() -> None:
    film, _ = play(
        "  - { act: push, seat: 3, chips: [2], pause: 0 }\n"
        "  - { act: push, seat: 4, chips: [1], at: 1.5 }\n"
        "  - { act: sweep }\n"
    )
    swept = [event for event in film.events if event.event == "pot_swept"]
    assert {event.seat: len(event.uids) for event in swept} == {3: 2, 4: 1}
    assert all(event.by_dealer for event in swept)
    assert swept[0].t_s < swept[1].t_s


@pytest.mark.nightly
def test_the_dealers_change_begins_when_the_first_chip_comes_and_a_returned_chip_amends_the_bet() -> None:
    film, shots = play(
        "  - { act: push, seat: 5, chips: [12], pause: 0 }\n  - { act: change, seat: 5 }\n"
        "  - { act: return, seat: 5, chips: [2] }\n"
    )
    changed, returned = [event for event in film.events if event.event == "bet_amended"]
    assert (changed.seat, changed.by_dealer, returned.seat, len(returned.uids)) == (5, True, 5, 2)
    held = [(shot.t_s, shot.seats[5].chips) for shot in shots if 5 in shot.seats and shot.t_s > changed.t_s - 0.5]
    first = next(t_s for t_s, chips in held if chips > 12)
    assert first == pytest.approx(changed.t_s, abs=1 / 30)
    assert "chips_retracted" not in {event.event for event in film.events}


@pytest.mark.nightly
def test_a_fake_and_a_reach_over_a_neighbour_move_no_chip() -> None:
    film, shots = play("  - { act: fake, seat: 4, pause: 0 }\n  - { act: reach, seat: 6, over: 7 }\n")

    assert events(film) == [(4, "hand_entered"), (4, "hand_left")]
    assert any(shot.seats[7].hands == ("seat-6",) for shot in shots if 7 in shot.seats)
    assert all(one.chips == 0 for shot in shots for one in shot.seats.values())
    assert [seat for seat, _, _ in film.unjudged] == [6]


@pytest.mark.nightly
def test_a_lamp_darkens_the_picture_and_a_bump_shifts_it() -> None:
    film, shots = play(
        "  - { act: lamp, gain: 0.6, over_s: 0.2, pause: 0 }\n  - { act: bump, mm: [60, 0], pause: 0.2 }\n"
        "  - { act: wait, pause: 0.2 }\n"
    )
    assert events(film) == [(None, "light_changed"), (None, "camera_moved")]
    assert shots[-1].picture.mean() == pytest.approx(0.6 * shots[0].picture.mean(), rel=0.06)
    dark = np.clip(shots[0].picture * 0.6, 0, 255)
    here = np.abs(shots[-1].picture - dark).mean()
    there = np.abs(shots[-1].picture[:, 4:] - dark[:, :-4]).mean()  # 60 mm are some 30 px, 4 of every eighth
    assert there < here


@pytest.mark.nightly
def test_a_small_change_of_the_light_may_be_reported_or_not() -> None:
    film, _ = play(
        "  - { act: lamp, gain: 0.88, over_s: 0.2, pause: 0 }\n  - { act: lamp, gain: 0.6, pause: 0.1 }\n"
        "  - { act: lamp, gain: 0.6, kelvin: 3000, pause: 0.1 }\n"
    )
    assert [event.judged for event in film.events] == [False, True, True]


@pytest.mark.nightly
def test_felt_sleeve_and_seed_are_those_of_the_script() -> None:
    acts = "  - { act: wait, pause: 0 }\n"
    _, plain = play(acts)
    _, blue = play(acts, 'felt: "#22456e"\n')
    _, again = play(acts)
    middle = (slice(40, 50), slice(40, 60))
    assert blue[0].picture[middle][..., 0].mean() > plain[0].picture[middle][..., 0].mean() + 30
    assert np.array_equal(plain[-1].picture, again[-1].picture)


@pytest.mark.nightly
def test_the_example_names_every_act_and_an_impossible_one_is_refused() -> None:
    named = {act.act for act in script_of(EXAMPLE, "example").acts}
    assert len(named) == 27
    for acts, said in (
        ("  - { act: push }\n", "needs a seat"),
        ("  - { act: reach, seat: 3 }\n", "needs over"),
        ("  - { act: leap, seat: 3 }\n", "leap"),
        ("  - { act: pull_back, seat: 3 }\n", "is impossible"),
        ("  - { act: push, seat: 3, chips: [900] }\n", "cannot push 900"),
    ):
        with pytest.raises(ScriptError, match=said):
            play(acts)


def test_a_flash_changes_some_thousand_pixels_of_one_frame() -> None:
    camera = flawed(flash_every=3)
    frames = [camera.taken(GREY) for _ in range(6)]
    changed = [int((np.abs(frame.astype(int) - 100).max(axis=2) > 25).sum()) for frame in frames]
    assert [count > 0 for count in changed] == [False, False, True, False, False, True]
    assert 3500 <= changed[2] <= 5100


def test_flicker_swings_the_rows_and_jpeg_and_drops_are_seen() -> None:
    rows = flawed(flicker=0.02).taken(GREY).mean(axis=(1, 2))
    assert (rows.min(), rows.max()) == (98, 102)
    grainy = np.repeat(np.random.default_rng(1).integers(90, 110, (720, 1280, 1), dtype=np.uint8), 3, axis=2)
    worse, better = (flawed(jpeg_quality=quality).taken(grainy) for quality in (50, 95))
    assert np.abs(worse.astype(int) - grainy).mean() > 1.5 * np.abs(better.astype(int) - grainy).mean() > 0
    camera = flawed(dropped=0.3)
    kept = [camera.taken(np.full_like(GREY, number))[0, 0, 0] == number for number in range(100)]
    assert kept[0]
    assert 55 <= sum(kept) <= 85


@pytest.mark.nightly
@pytest.mark.parametrize("suffix", [".mp4", ".avi"])
def test_the_verb_writes_a_film_and_its_truth(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, out, truth = tmp_path / "s.yaml", tmp_path / f"film{suffix}", tmp_path / "truth.jsonl"
    script.write_text("end_pause: 0.2\nacts:\n  - { act: fake, seat: 4, pause: 0 }\n", encoding="utf-8")

    assert run(["vision", "render", "--script", str(script), "-o", str(out), "--truth", str(truth)]) == 0

    lines = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    film = cv2.VideoCapture(str(out))
    frames = sum(1 for _ in iter(lambda: film.read()[0], False))
    assert frames == sum("frame" in line for line in lines)
    assert [line["event"] for line in lines if "event" in line] == ["hand_entered", "hand_left"]
    assert f"{frames} frames" in capsys.readouterr().out


def test_the_verb_refuses_what_it_cannot_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "s.yaml"
    script.write_text("acts:\n  - { act: push }\n", encoding="utf-8")

    for line, said in (
        (["--script", str(script)], "needs a seat"),
        (["--script", str(tmp_path / "none.yaml")], "cannot be read"),
        (["-o", str(tmp_path / "film.gif")], "must end in"),
    ):
        assert run(["vision", "render", *line]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.nightly
def test_a_head_leans_over_its_seats_rim_and_leaves_nothing_behind() -> None:
    acts = "  - { act: lean, seat: 5, over_s: 1.6, pause: 0 }\n"
    film, shots = play(acts)
    middle = round((START_S + 0.8) * film.fps)
    camera = film.table.cameras[0].pinhole()
    before, during, after = (shots[at].picture.astype(int) for at in (0, middle, round((START_S + 1.7) * film.fps)))
    changed = np.argwhere(np.abs(during - before).max(axis=2) > 25) * 8
    x, y = camera.project((*film.table.seat(5).rail_mm, 300.0))
    assert len(changed) > 40
    assert np.hypot(*(changed - (y, x)).T).max() < 220
    assert np.abs(after - before).max() < 25
    assert not film.events


@pytest.mark.nightly
def test_more_lamps_throw_more_shadows() -> None:
    bare, stacked = World(load_table(), load_chip_set("cash"), 1), world()

    def shaded(lamps: int) -> int:
        """Pixels that stacks made darker in every channel alike."""
        empty, full = (
            Renderer(made.table, made.chip_set, made.table.cameras[0], 1, None, Room(lamps))
            .clean_frame(made.scene(0.0))
            .astype(float)
            for made in (bare, stacked)
        )
        left = full / np.maximum(empty, 1.0)
        alike = left.max(axis=2) - left.min(axis=2) < 0.06
        return int((alike & (left.mean(axis=2) > 0.4) & (left.mean(axis=2) < 0.93)).sum())

    one, two, three = shaded(1), shaded(2), shaded(3)
    assert one < 0.85 * two
    assert two < three


@pytest.mark.nightly
def test_the_vignette_takes_light_from_the_corners_and_a_pattern_is_on_the_felt() -> None:
    acts = "  - { act: wait, pause: 0 }\n"
    (flat, *_), (dark, *_), (woven, *_) = (
        play(acts, f"room: {{ {room} }}\n")[1]
        for room in ("vignette: 0.0", "vignette: 0.5", "vignette: 0.0, patterned: true")
    )
    corner, middle = (slice(0, 3), slice(0, 3)), (slice(40, 50), slice(70, 90))
    assert dark.picture[corner].mean() == pytest.approx(0.5 * flat.picture[corner].mean(), rel=0.15)
    assert dark.picture[middle].mean() == pytest.approx(flat.picture[middle].mean(), rel=0.05)
    felt = (slice(25, 35), slice(50, 110))
    darker = flat.picture[felt].astype(int) - woven.picture[felt] > 8
    assert 0.02 < darker.mean() < 0.3
