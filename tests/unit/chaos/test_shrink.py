"""Shrinking, with breakages that are known: what is left is what it takes, and no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import pytest

from betline.settings.load import parse
from virtual_table.chaos.case import ChaosCase, People
from virtual_table.chaos.draw import draw
from virtual_table.chaos.play import Broken
from virtual_table.chaos.shrink import shrink, simpler
from virtual_table.laboratory.trial import ADVERSITIES, DYING, POOR, RESTARTS

BROKEN = Broken("ruling", 1, 30.0, 3, "It was ruled otherwise.")


def least(case: ChaosCase, breaks: Callable[[ChaosCase], bool]) -> ChaosCase:
    def first_broken(candidates: Sequence[ChaosCase]) -> tuple[int, Broken] | None:
        for number, candidate in enumerate(candidates):
            candidate.settings()
            if breaks(candidate):
                return number, BROKEN
        return None

    return shrink(case, BROKEN, first_broken)[0]


def case_with(*events: dict[str, object], **others: object) -> ChaosCase:
    data = {"seed": 1, "hands": 3, "eyes": 1.0, "hurry": True, "people": ["toying", "arms"], **others}
    data["faults"] = {"reading": {"missed": 0.1, "neighbour": 0.01}, "events": list(events)}
    return parse(ChaosCase, data, "case")


NOISE = (
    {"what": "latency", "at_s": 3.21, "for_s": 4.0, "latency_ms": 100.0},
    {"what": "camera-black", "at_s": 7.0, "for_s": 2.0},
    {"what": "unplug", "on": "any", "per_minute": 2.0, "for_s": 2.0},
)


def test_one_event_of_many_is_left_and_it_is_short_and_at_a_round_time() -> None:
    kill = {"what": "kill", "on": "controller", "at_s": 12.34, "for_s": 3.7}

    found = least(case_with(*NOISE, kill), lambda case: any(one.what == "kill" for one in case.faults.events))

    [event] = found.faults.events
    assert (event.what, event.on, event.at_s) == ("kill", "controller", 12.0)
    assert event.lasts_s <= 1.0
    assert (found.hands, found.eyes, found.hurry, found.sensors) == (1, 0.0, False, "readers")
    assert found.people == ()
    assert found.faults.reading.model_dump(exclude_unset=True) == {}


def test_a_habit_of_people_that_it_takes_is_left() -> None:
    assert least(case_with(*NOISE), lambda case: "arms" in case.people).people == ("arms",)


def test_two_events_that_it_takes_together_are_both_left() -> None:
    def breaks(case: ChaosCase) -> bool:
        return {"latency", "unplug"} <= {one.what for one in case.faults.events}

    assert sorted(one.what for one in least(case_with(*NOISE), breaks).faults.events) == ["latency", "unplug"]


def test_random_events_become_the_single_one_that_it_was() -> None:
    def breaks(case: ChaosCase) -> bool:
        coming = case.faults.occurrences(case.settings(), case.seed)
        return any("reader-3" in one.on for one, _ in zip(coming, range(50), strict=False) if one.at_s < BROKEN.at_s)

    seed = next(seed for seed in range(50) if breaks(case_with(*NOISE, seed=seed)))
    [event] = least(case_with(*NOISE, seed=seed), breaks).faults.events

    assert (event.what, event.on, event.per_minute) == ("unplug", "reader-3", None)
    assert event.at_s is not None


def test_what_breaks_by_itself_needs_no_event() -> None:
    assert least(case_with(*NOISE), lambda _: True).faults.events == ()


def test_noise_that_it_takes_is_left_at_about_the_least() -> None:
    found = least(case_with(*NOISE), lambda case: case.faults.reading.missed >= 0.03)

    assert found.faults.reading.model_dump(exclude_unset=True) == {"missed": 0.03}


def test_an_unbroken_case_stays_what_it_is() -> None:
    case = case_with(*NOISE)

    assert least(case, lambda _: False) == case


@pytest.mark.parametrize("seed", range(40))
def test_every_drawn_case_fits_its_table_and_so_does_everything_simpler(seed: int) -> None:
    case = draw(seed)
    case.settings()
    for candidate in simpler(case, BROKEN):
        candidate.settings()
        assert candidate.as_toml() != case.as_toml()


def test_the_same_number_is_the_same_case() -> None:
    assert draw(5) == draw(5) != draw(6)
    assert draw(5, "casino-oval").table == "casino-oval"
    kinds = {event.what for seed in range(200) for event in draw(seed).faults.events}
    assert {"unplug", "kill", "disk-full", "camera-moved", "clock-step", "broker-away"} <= kinds


def test_what_people_do_is_what_trials_know_of_them() -> None:
    assert set(get_args(People)) == set(ADVERSITIES) - {RESTARTS, DYING, POOR}
