"""Trials: the same number is the same trial, its story can be told, and the bench can fail."""

from dataclasses import replace
from inspect import signature
from types import SimpleNamespace
from typing import Any

import pytest

from betline.messages.table import Alert, Ruling
from betline.settings import parse
from table_controller.sensing import Thresholds
from virtual_table.bench import sensing
from virtual_table.bench.sensing_report import Policy, report, report_of_waits
from virtual_table.faults.plan import TablePlan
from virtual_table.laboratory.story import tell
from virtual_table.laboratory.trial import (
    ADVERSITIES,
    ANTES,
    BOMB_POTS,
    DEAD,
    HASTY,
    OCCASIONS,
    TOYS,
    Mode,
    Outcome,
    Plan,
    inferred_wrong,
    plan_of,
    run,
)

NO_PATIENCE = Thresholds(present_hits=1, present_share=0.01, settled_share=0.0, settle_rounds=1, owner_margin=0.0)
CALM = Plan(1, "home-six", "readers", 0.05, 0.01, frozenset(), HASTY, quick=True)


class NoBar:
    def at(self, done: int, total: int, what: str) -> None:
        assert 0 <= done <= total


@pytest.mark.nightly
def test_the_same_number_is_the_same_trial() -> None:
    plan = plan_of(5)

    first, again = run(plan, acts=6)[1], run(plan_of(5), acts=6)[1]

    assert first == again
    assert plan_of(6) != plan


@pytest.mark.nightly
def test_faults_happen_besides_in_a_trial_and_what_it_has_no_sensor_for_does_not() -> None:
    down = {"what": "unplug", "on": "reader-3", "at_s": 2.0, "for_s": 3.0}
    faults = parse(TablePlan, {"events": [down, {"what": "camera-black", "at_s": 2.0}]}, "plan")

    usual, struck = run(CALM, acts=4)[0], run(CALM, None, faults, acts=4)[0]

    codes = [{told.body.code for told in lab.messages if isinstance(told.body, Alert)} for lab in (usual, struck)]
    assert "reader-down" not in codes[0]
    assert "reader-down" in codes[1]
    assert "camera-down" not in codes[1]


def test_trials_differ_in_mode_noise_and_trouble() -> None:
    plans = [plan_of(seed) for seed in range(300)]

    assert {plan.mode for plan in plans} == {"readers+camera", "readers", "camera"}
    assert {plan.missed for plan in plans} == {0.05, 0.1, 0.15, 0.2}
    assert {plan.neighbour for plan in plans} == {0.01, 0.05, 0.15}
    assert set().union(*(plan.adversities for plan in plans)) == set(ADVERSITIES)
    assert any(not plan.adversities for plan in plans)


def test_occasions_are_drawn_apart_so_that_a_trial_without_them_is_what_it_was() -> None:
    for seed in range(40):
        plan, none, all_four = plan_of(seed), plan_of(seed, 0.0), plan_of(seed, 1.0)

        assert not none.adversities & set(OCCASIONS)
        assert plan.adversities - set(OCCASIONS) == none.adversities
        assert replace(plan, adversities=frozenset()) == replace(all_four, adversities=frozenset())
        assert all_four.adversities >= set(OCCASIONS) or not none.adversities


@pytest.mark.parametrize(
    ("occasion", "mode", "seed", "acts", "counted"),
    [
        (ANTES, "readers", 4, 8, ("antes_late",)),
        (TOYS, "readers", 3, 16, ("toys",)),
        pytest.param(ANTES, "readers+camera", 5, 30, ("antes_late",), marks=pytest.mark.nightly),
        pytest.param(TOYS, "readers+camera", 3, 40, ("toys",), marks=pytest.mark.nightly),
        pytest.param(BOMB_POTS, "readers", 2, 40, ("bomb_pots",), marks=pytest.mark.nightly),
        pytest.param(DEAD, "readers+camera", 22, 60, ("dead_posts",), marks=pytest.mark.nightly),
    ],
)
def test_each_occasion_comes_about_and_is_ruled_as_meant(
    occasion: str, mode: Mode, seed: int, acts: int, counted: tuple[str, ...]
) -> None:
    plan = replace(CALM, seed=seed, table="casino-oval", mode=mode, adversities=frozenset((occasion,)))

    outcome = run(plan, acts=acts)[1]
    found: Any = report([outcome]).json

    assert (outcome.wrongs, outcome.inferred_wrong) == ((), 0)
    assert all(found["played"][name] > 0 for name in counted)


def test_waits_are_compared_where_readers_miss_or_overhear_much() -> None:
    hard = [plan_of(seed) for seed in range(200) if sensing.is_hard(seed)]

    assert {(plan.missed, plan.neighbour) for plan in hard} == {(0.15, 0.01), (0.2, 0.01), (0.05, 0.15)}
    assert "camera" not in {plan.mode for plan in hard}


@pytest.mark.nightly
def test_each_wait_is_counted_in_all_and_by_noise() -> None:
    noises = (0.15, 0.01), (0.2, 0.01)
    outcomes = [run(replace(CALM, missed=missed, neighbour=near), acts=4)[1] for missed, near in noises]

    made = report_of_waits([Policy("short", outcomes[:1]), Policy("long", outcomes)])
    found: Any = made.json["by_wait"]

    acts = [outcome.acts for outcome in outcomes]
    assert (found["short"]["acts"], found["long"]["acts"]) == (acts[0], sum(acts))
    assert found["short"]["by_noise"].keys() == {outcomes[0].plan.noise}
    assert [found["long"]["by_noise"][outcome.plan.noise]["acts"] for outcome in outcomes] == acts


@pytest.mark.nightly
def test_sensing_without_patience_is_found_to_be_wrong_in_a_third_of_the_trials() -> None:
    plans = [replace(CALM, seed=seed, missed=0.2, neighbour=0.15) for seed in range(2, 8)]

    careful = [run(plan, acts=6)[1] for plan in plans]
    hasty = [run(plan, NO_PATIENCE, acts=20)[1] for plan in plans]
    found: Any = report(hasty).json

    assert [outcome.wrongs for outcome in careful] == [()] * len(plans)
    spoiled = [outcome for outcome in hasty if outcome.wrongs]
    assert len(spoiled) >= len(plans) / 3
    assert "ruling" in {wrong.kind for outcome in spoiled for _, wrong in outcome.wrongs}
    assert found["wrong"] == len(spoiled)
    assert [(one["seed"], one["hand"]) for one in found["wrong_ones"]] == [
        (outcome.plan.seed, outcome.hands + 1) for outcome in spoiled
    ]


def with_false_mucks(share: float) -> list[Outcome]:
    """The same trials with a camera that takes so many of the hands that leave for mucks."""
    return [
        run(replace(CALM, seed=seed, mode="readers+camera", false_mucks=share), acts=10)[1]
        for seed in range(3000, 3004)
    ]


@pytest.mark.nightly
def test_folds_that_are_inferred_of_false_mucks_are_counted_by_their_share() -> None:
    played = with_false_mucks(0.9)
    wrong = [replace(one, inferred_folds=one.inferred_folds + 2, inferred_wrong=1) for one in played]
    by_share = {0.0: with_false_mucks(0.0), 0.9: wrong}
    found: Any = report(by_share[0.0], mucks=by_share).json
    none, nearly_all = found["by_false_mucks"]["0%"], found["by_false_mucks"]["90%"]

    assert sum(one.inferred_wrong for one in played) == 0, "a muck that was contradicted has lost its credit"
    assert (none["wrong"], none["inferred_wrong"]) == (0, 0)
    assert nearly_all["inferred_wrong"] == len(wrong)
    assert nearly_all["inferred_folds"] == sum(one.inferred_folds for one in wrong)
    figures = {figure.what: figure.met for figure in report(by_share[0.0], mucks=by_share).figures}
    assert figures["inferred with 0% false mucks"] is True
    assert figures["inferred with 90% false mucks"] is False


@pytest.mark.parametrize(("did", "wrong"), [("fold", 0), ("call", 1), (None, 1)])
def test_a_fold_that_was_inferred_is_held_against_what_its_seat_has_done(did: str | None, wrong: int) -> None:
    ruling = Ruling(
        hand_no=1, act_no=1, street="flop", seat=3, ruling="fold", source="inferred", sentence="Seat 3 folds."
    )
    performed = [] if did is None else [(4.0, SimpleNamespace(kind=did, seat=3))]
    lab: Any = SimpleNamespace(
        messages=[SimpleNamespace(body=ruling, at_s=5.0)], report=SimpleNamespace(performed=performed)
    )
    assert inferred_wrong(lab) == wrong


@pytest.mark.nightly
def test_the_bench_plays_its_trials_with_a_camera_where_it_asks_for_false_mucks() -> None:
    alone = next(seed for seed in range(3000, 3100) if plan_of(seed).mode == "readers")

    assert sensing.play(sensing.Task(alone, "", None, 1, 0.1)).plan == replace(
        plan_of(alone), mode="readers+camera", false_mucks=0.1
    )
    assert sensing.play(sensing.Task(alone, "", None, 1)).plan == plan_of(alone)


@pytest.mark.nightly
def test_the_story_of_a_hand_has_acts_readings_and_rulings() -> None:
    outcome, lines = tell(CALM, 1)

    story = "\n".join(lines)
    assert outcome.hands == 1
    assert all(word in story for word in ("PLAYER", "reader  seat-", "RULING", "KEY     next-hand"))


@pytest.mark.nightly
def test_the_suite_counts_by_mode_and_noise_and_names_every_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensing, "POLICIES", sensing.POLICIES[:1])
    monkeypatch.setattr(sensing, "FALSE_MUCKS", (0.3,))

    found: Any = sensing.measure(NoBar(), acts=1, seed=3).json  # type: ignore[arg-type]

    contract = {"acts", "wrong", "asked", "inferred_wrong", "rest_to_ruling_ms", "ready_to_ruling_ms"}
    assert contract | {"by_mode", "by_noise", "wrong_ones"} <= set(found)
    assert found["acts"] == sum(counts["acts"] for counts in found["by_mode"].values())
    assert found["acts"] == sum(counts["acts"] for counts in found["by_noise"].values())
    assert all(contract <= set(counts) for counts in found["by_mode"].values())
    assert {"inferred_folds", "inferred_wrong"} <= set(found["by_false_mucks"]["30%"])


def test_the_default_run_is_of_held_out_trials() -> None:
    assert signature(sensing.measure).parameters["seed"].default == sensing.HELD_OUT
