"""Trials: the same number is the same trial, its story can be told, and the bench can fail."""

from dataclasses import replace
from inspect import signature
from typing import Any

import pytest

from table_controller.sensing import Thresholds
from virtual_table.bench import sensing
from virtual_table.bench.sensing_report import report
from virtual_table.laboratory.story import tell
from virtual_table.laboratory.trial import ADVERSITIES, HASTY, Plan, plan_of, run

NO_PATIENCE = Thresholds(present_hits=1, present_share=0.01, settled_share=0.0, settle_rounds=1, owner_margin=0.0)
CALM = Plan(1, "home-six", "readers", 0.05, 0.01, frozenset(), HASTY, quick=True)


class NoBar:
    def at(self, done: int, total: int, what: str) -> None:
        assert 0 <= done <= total


def test_the_same_number_is_the_same_trial() -> None:
    plan = plan_of(5)

    first, again = run(plan, acts=12)[1], run(plan_of(5), acts=12)[1]

    assert first == again
    assert plan_of(6) != plan


def test_trials_differ_in_mode_noise_and_trouble() -> None:
    plans = [plan_of(seed) for seed in range(300)]

    assert {plan.mode for plan in plans} == {"readers+camera", "readers", "camera"}
    assert {plan.missed for plan in plans} == {0.05, 0.1, 0.15, 0.2}
    assert {plan.neighbour for plan in plans} == {0.01, 0.05, 0.15}
    assert set().union(*(plan.adversities for plan in plans)) == set(ADVERSITIES)
    assert any(not plan.adversities for plan in plans)


def test_sensing_without_patience_is_found_to_be_wrong() -> None:
    plan = replace(CALM, seed=2, missed=0.2, neighbour=0.15)

    careful, hasty = run(plan, acts=8)[1], run(plan, NO_PATIENCE, acts=8)[1]
    found: Any = report([hasty]).json

    assert careful.wrongs == ()
    assert [wrong.kind for _, wrong in hasty.wrongs] == ["ruling"]
    assert (found["wrong"], found["wrong_ones"][0]["hand"]) == (1, hasty.hands + 1)


def test_the_story_of_a_hand_has_acts_readings_and_rulings() -> None:
    outcome, lines = tell(CALM, 1)

    story = "\n".join(lines)
    assert outcome.hands == 1
    assert all(word in story for word in ("PLAYER", "reader  seat-", "RULING", "KEY     next-hand"))


def test_the_suite_counts_by_mode_and_noise_and_names_every_wrong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensing, "POLICIES", sensing.POLICIES[:1])

    found: Any = sensing.measure(NoBar(), acts=1, seed=3).json  # type: ignore[arg-type]

    contract = {"acts", "wrong", "asked", "inferred_wrong", "rest_to_ruling_ms", "ready_to_ruling_ms"}
    assert contract | {"by_mode", "by_noise", "wrong_ones"} <= set(found)
    assert found["acts"] == sum(counts["acts"] for counts in found["by_mode"].values())
    assert found["acts"] == sum(counts["acts"] for counts in found["by_noise"].values())
    assert all(contract <= set(counts) for counts in found["by_mode"].values())


def test_the_default_run_is_of_held_out_trials() -> None:
    assert signature(sensing.measure).parameters["seed"].default == sensing.HELD_OUT
