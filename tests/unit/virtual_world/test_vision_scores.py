"""The scoring of a camera's events, the held-out scenes, and the suite that measures with them."""

from __future__ import annotations

import itertools
from itertools import chain
from typing import get_args

import numpy as np
import pytest

from betline.messages.devices import LineEventType, SeatEventType
from betline.settings import load_chip_set, load_table
from virtual_table.bench import scoring, vision
from virtual_table.bench.calibration_error import imperfect_calibration, off_mm
from virtual_table.bench.scoring import Said, Score
from virtual_table.films import habits, held_out
from virtual_table.films.film_script import ActName, HabitName
from virtual_table.table.people import SLEEVES
from vision.calibration.calibration import calibrate


def said(seat: int | None, event: str, t_ms: float, motions: int = 0, conf: float = 0.95) -> Said:
    return Said(seat, event, t_ms, t_ms + 300, motions, conf)


def test_events_are_matched_one_to_one_by_seat_type_and_time() -> None:
    true = [said(3, "bet_settled", 1000), said(3, "bet_settled", 1200), said(4, "hand_left", 50)]
    reported = [
        said(3, "bet_settled", 1190),
        said(3, "bet_settled", 900),
        said(5, "hand_left", 60),
        said(3, "bet_settled", 5000),
    ]

    found = scoring.match(true, reported)

    assert [(pair.true.t_ms, pair.off_ms) for pair in found.pairs] == [(1000, -100), (1200, -10)]
    assert found.missed == (true[2],)
    assert found.invented == (reported[2], reported[3])
    assert scoring.wrong_seats([found]) == 1
    assert scoring.match(true, reported, 50).pairs == ((true[1], reported[0]),)


def test_the_total_leaves_out_suspects_and_the_picture_but_counts_what_never_happens() -> None:
    true = [said(1, "bet_settled", 0), said(2, "tap_suspect", 0), said(None, "light_changed", 0)]
    reported = [said(1, "bet_settled", 20), said(9, "zone_occluded", 20), said(None, "light_changed", 900)]

    classes = scoring.by_class([scoring.match(true, reported)])

    assert classes == {
        "bet_settled": Score(1, 0, 0),
        "tap_suspect": Score(0, 1, 0),
        "light_changed": Score(1, 0, 0),
        "zone_occluded": Score(0, 0, 1),
    }
    assert scoring.total(classes) == Score(1, 0, 1)
    assert (scoring.total(classes).precision, scoring.total(classes).recall) == (0.5, 1.0)


def test_wilson_is_that_of_the_books_and_quantiles_are_of_the_values() -> None:
    assert scoring.wilson(200, 200) == pytest.approx((0.981, 1.0), abs=0.0005)
    assert scoring.wilson(8, 10) == pytest.approx((0.490, 0.943), abs=0.0005)
    assert scoring.wilson(0, 0) == (0.0, 1.0)
    assert [scoring.quantile([4, 1, 3, 2], share) for share in (0.0, 0.5, 0.95)] == [1, 2, 4]
    assert scoring.quantile([], 0.5) is None


def test_motions_hands_that_graze_and_confidences_are_counted() -> None:
    true = [said(1, "bet_settled", 0, 1), said(2, "bet_settled", 0, 2), said(3, "bet_settled", 0, 1)]
    reported = [said(1, "bet_settled", 9, 1), said(2, "bet_settled", 9, 1, 0.6), said(7, "hand_entered", 500)]
    scene = scoring.match(true, reported)

    assert scoring.motions_exact([scene]) == (1, 3)
    assert scoring.judged(true, reported, [(7, 400, 600)]) == (tuple(true), tuple(reported[:2]))
    assert scoring.judged(true, reported, [(7, 600, 900), (1, 0, 900)]) == (tuple(true), tuple(reported))
    assert scoring.reliability([scene])["0.9"] == pytest.approx({"events": 2, "conf": 0.95, "right": 0.5})


def test_what_may_be_reported_or_not_is_neither_missed_nor_invented() -> None:
    graze = said(4, "hand_entered", 1000)._replace(judged=False)
    true = [graze, said(4, "hand_entered", 5000), graze._replace(t_ms=9000)]
    reported = [said(4, "hand_entered", 1300), said(4, "hand_entered", 5100), said(4, "hand_entered", 7000)]

    assert scoring.judged(true, reported) == ((true[1],), (reported[1], reported[2]))


def test_what_is_held_out_is_used_nowhere_else() -> None:
    shipped = [load_table(name) for name in ("casino-oval", "home-six", "tournament")]
    sets = [load_chip_set(name) for name in ("cash", "tournament", "home", "high-stakes")]
    assert not {table.felt.colour for table in shipped} & set(held_out.FELTS)
    assert held_out.SLEEVE not in SLEEVES
    ours = {chip.colour for name in held_out.CHIP_SETS for chip in held_out.chip_set(name).chips}
    assert not ours & {chip.colour for chips in sets for chip in chips.chips}
    assert len(held_out.FELTS) == len(held_out.CHIP_SETS) == 2


def test_scenes_of_habits_have_a_ground_to_tune_on_and_another_to_score_on() -> None:
    ours, theirs = habits.TRAINING, habits.HELD_OUT
    assert ours.photos != theirs.photos
    assert not {felt for felt, _, _ in ours.looks} & {felt for felt, _, _ in theirs.looks}
    acts = set()
    for kind, scene in habits.KINDS.items():
        there, here = scene(600, theirs), scene(0, ours)
        assert there.seed >= held_out.SEED > here.seed, kind
        assert (there.room.photos, here.room.photos) == ("held_out", "training")
        acts |= {act.act for number in range(4) for act in scene(number, ours).acts}
    assert acts >= set(get_args(HabitName))


def test_rounds_have_every_act_of_seats_and_dealer_and_differ() -> None:
    scripts = [held_out.round_of_play(number) for number in range(12)]
    assert all(script.seed >= held_out.SEED for script in scripts)
    acts = {act.act for act in scripts[0].acts}
    assert acts >= {"push", "fake", "reach", "tap", "muck", "pull_back", "change", "return", "sweep", "pay", "clear"}
    assert all(a.acts != b.acts for a, b in itertools.pairwise(scripts))
    looks = {(s.felt, s.sleeve, held_out.CHIP_SETS[n // 2 % 2]) for n, s in enumerate(scripts)}
    assert len(looks) == 8
    assert any(act.pause < 0 for script in scripts for act in script.acts)


def test_six_rounds_in_a_row_have_every_act_of_hands_and_the_kinds_differ_in_what_they_are_called_for() -> None:
    acts = {act.act for number in range(6) for act in held_out.round_of_play(number).acts}
    # Board cards are laid in no held-out scene: the figures of these are compared from one version to the next.
    assert acts == set(get_args(ActName)) - {"lamp", "flash", "bump", "wait", "board"}
    places = {act.where for number in range(6) for act in held_out.round_of_play(number).acts if act.act == "phone"}
    assert places == {"zone", "felt", "rail"}
    plain, woven = held_out.street(500), held_out.patterned(500)
    assert (plain.room.patterned, woven.room.patterned) == (False, True)
    assert plain.acts == woven.acts
    still = held_out.stillness(300, 60.0)
    assert (still.camera.flash_every, still.camera.drift, still.room.kelvin_drift) == (101, 0.04, 100.0)
    for script in (plain, still, held_out.lamps(101), held_out.bump(200)):
        assert script.camera.exposure_ms >= 4
        assert script.camera.readout_ms >= 8
        assert 2700 <= script.room.kelvin <= 5600


def test_every_event_of_the_camera_is_in_one_group_of_the_scores() -> None:
    groups = (scoring.LINE_EVENTS, scoring.SUSPECTS, scoring.OF_THE_PICTURE, ("zone_occluded", "view_lost"))
    assert sorted(chain.from_iterable(groups)) == sorted(get_args(LineEventType))
    at_seats = {*scoring.LINE_EVENTS, *scoring.SUSPECTS} - {"board_dealt"}
    assert set(get_args(SeatEventType)) - {"zone_occluded"} == at_seats


@pytest.mark.parametrize("seed", range(8))
def test_a_calibration_that_is_askew_is_off_by_what_is_still_accepted(seed: int) -> None:
    table = load_table()
    made, true = imperfect_calibration(table, seed), calibrate(table.cameras[0])
    assert 0.99 <= off_mm(made, true, np.array(table.felt.betting_line_mm)) <= 3.01
    assert 0 < abs(made.lens.k1) <= 0.004
    assert made.id != true.id
    assert np.hypot(*np.subtract(made.eye_mm[:2], true.eye_mm[:2])) < 60
    assert imperfect_calibration(table, seed).id == made.id


def test_the_worst_of_several_is_that_with_the_smallest_share() -> None:
    scores = {"good": Score(9, 0, 1), "bad": Score(9, 6, 0), "fair": Score(9, 1, 3)}
    assert scoring.worst(scores) == "bad"
    assert scoring.worst(scores | {"never true": Score(0, 0, 2)}) == "never true"
    assert scoring.worst({}) is None


@pytest.mark.nightly
def test_a_scene_is_played_before_the_detector_and_reported() -> None:
    played = vision.play(vision.Task("still", 300, 3.0))
    assert played.quiet_ms > 2500
    assert {one.event for one in played.true} >= {"hand_entered", "hand_left", "chips_crossing", "bet_settled"}
    assert {one.event for one in played.reported} >= {"hand_entered", "hand_left", "chips_crossing", "bet_settled"}
    blind = played._replace(reported=(), false_in_quiet=0)
    cost = {
        "frames": 30,
        "frame_ms": {"p50": 4.0, "p99": 40.0},
        "wall_ms": {"p50": 5.0, "p99": 50.0},
        "detector_ms": {"p50": 1.0, "p99": 9.0},
        "core_share": 0.2,
        "rss_mb": 90.0,
        "mog2_ratio": 4.0,
        "mog2_frame_ms": 20.0,
    }

    seen, unseen = vision.report([played], cost), vision.report([blind], cost)

    habit = vision.report([played, played._replace(kind="tossing", number=600)], cost).json
    assert habit["total"] == seen.json["total"]
    assert habit["habits"]["by_scene"]["tossing"]["total"] == seen.json["total"]
    assert habit["habits"]["per_class"]["bet_settled"]["right"] > 0
    keys = {"frame_ms", "core_share", "mog2_ratio", "precision", "recall", "time_error_ms", "false_events_per_hour"}
    assert keys <= set(seen.json)
    assert seen.json["recall"] > 0.5
    assert (unseen.json["recall"], unseen.json["precision"]) == (0.0, None)
    assert unseen.json["worst"]["scene"] == "still"
    assert unseen.json["worst"]["class"] in unseen.json["per_class"]
    met = {figure.what: figure.met for figure in unseen.figures}
    assert met["recall"] is False
    assert met["false events in stillness"] is None
    noisy = {figure.what: figure.met for figure in vision.report([played._replace(false_in_quiet=1)], cost).figures}
    assert noisy["false events in stillness"] is False
    assert met["a frame with its decoding, p99"] is False
    assert met["MOG2 on the whole picture, times the detector"] is True
