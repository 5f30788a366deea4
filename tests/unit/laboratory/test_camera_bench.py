"""The suite `camera`: the detector before the demo's pictures, what is on the bus against the truth."""

from __future__ import annotations

import pytest

from virtual_table.bench.camera import Sitting, Watched, play, report
from virtual_table.bench.scoring import Said


def watched(*heard: Said, wrong: int = 0) -> Watched:
    true = tuple(
        Said(seat, kind, 1000.0 * seat) for seat in range(1, 11) for kind in ("hand_entered", "chips_crossing")
    )
    return Watched(5, true, heard, 10, wrong, 0, 60.0, 1800)


def heard_of(seats: range, late_ms: float = 20.0) -> list[Said]:
    kinds = ("hand_entered", "chips_crossing")
    return [Said(seat, kind, 1000.0 * seat + late_ms, 1000.0 * seat + 90.0) for seat in seats for kind in kinds]


def test_figures_say_what_was_seen_missed_and_invented_and_whether_that_will_do() -> None:
    seen = report([watched(*heard_of(range(1, 11)))])
    assert [(one.what, one.measured, one.met) for one in seen.figures[:2]] == [
        ("chips: chips crossing", "10 of 10, 0 invented", True),
        ("hands: hand entered", "10 of 10, 0 invented", True),
    ]
    less = report([watched(*heard_of(range(1, 10)), Said(3, "pot_swept", 9.0), wrong=1)])
    assert [(one.measured, one.met) for one in less.figures[:2]] == [("9 of 10, 0 invented", False)] * 2
    assert less.figures[2].measured == "0 of 0, 1 invented"
    assert (less.figures[-1].measured, less.figures[-1].met) == ("1 of 10", False)


def test_what_went_wrong_is_named_with_its_sitting_and_time() -> None:
    found = report([watched(*heard_of(range(2, 11)), Said(3, "pot_swept", 9.0, conf=0.6))]).json
    assert found["errors"] == [
        {"seed": 5, "what": "invented", "event": "pot_swept", "seat": 3, "t_ms": 9, "conf": 0.6},
        {"seed": 5, "what": "missed", "event": "hand_entered", "seat": 1, "t_ms": 1000, "conf": 1.0},
        {"seed": 5, "what": "missed", "event": "chips_crossing", "seat": 1, "t_ms": 1000, "conf": 1.0},
    ]
    assert found["hand_seen_ms"] == {"p50": 90.0, "p95": 90.0}
    assert found["per_class"]["hand_entered"]["time_error_ms"] == {"p50": 20.0, "p95": 20.0}


@pytest.mark.nightly
def test_a_hand_is_ruled_as_meant_by_what_the_detector_tells_of_the_demos_pictures() -> None:
    seen = play(Sitting(7, 1))
    crossed = [one for one in seen.true if one.event == "chips_crossing"]
    assert crossed
    assert len([one for one in seen.heard if one.event == "chips_crossing"]) >= len(crossed)
    assert (seen.wrong, seen.acts > 0, seen.pictures > 300) == (0, True, True)
