"""Knocks at the line, from how much of a hand is seen there."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.seats.taps import FRAMES, MAX_TOUCHES, Tap, tapped
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
FRAME_NS = 33_333_333
KNOCKS = [0.37, 0.48, 0.51, 0.36, 0.01, 0.0, 0.15, 0.5, 0.52, 0.55, 0.46, 0.19]
"""Chip areas of a hand that knocks twice, as the virtual camera saw one."""


def reach(chips: Sequence[float]) -> tuple[tuple[int, float], ...]:
    return tuple((frame * FRAME_NS, area * THRESHOLDS.chip_mm2) for frame, area in enumerate(chips))


def test_two_knocks_are_a_tap_that_began_with_the_first_touch() -> None:
    assert tapped(reach(KNOCKS), THRESHOLDS) == Tap(2 * FRAME_NS, 2, 0.6)


def test_a_hand_that_rests_at_the_line_is_no_tap() -> None:
    assert tapped(reach([0.1, 0.4, *[0.5, 0.48] * 8, 0.3, 0.0]), THRESHOLDS) is None


def test_one_knock_alone_is_not_told() -> None:
    assert tapped(reach([0.2, 0.5, 0.5, 0.2, 0.0, 0.0]), THRESHOLDS) is None


def test_a_knocking_hand_that_is_overlooked_for_two_frames_has_not_been_lifted() -> None:
    flickering = [0.48, 0.51, 0.48, 0.34, 0.2, 0.3, 0.0, 0.0, 0.5, 0.51, 0.2]
    told = tapped(reach(flickering), THRESHOLDS)

    assert told == Tap(FRAME_NS, 2, 0.6)
    assert tapped(reach([0.4, 1.0, 1.1, 1.1, 0.0, 1.1, 1.0, 0.4]), THRESHOLDS) is None


def test_a_hand_that_reaches_far_over_the_line_does_something_else() -> None:
    assert tapped(reach([area * 10 for area in KNOCKS]), THRESHOLDS) is None


def test_two_visits_a_second_apart_are_no_tap() -> None:
    assert tapped(reach([0.2, 0.5, 0.2, *[0.0] * 30, 0.2, 0.5, 0.2]), THRESHOLDS) is None


@pytest.mark.parametrize(
    "other", [{"tap_least_gap_ms": 300}, {"tap_most_gap_ms": 150}, {"tap_dip_share": 0.3}, {"tap_reach_chips": 0.5}]
)
def test_what_a_tap_is_like_is_said_by_the_thresholds(other: dict[str, float]) -> None:
    shallow = [0.37, 0.48, 0.51, 0.36, 0.25, 0.3, 0.4, 0.5, 0.52, 0.55, 0.46, 0.19]

    assert tapped(reach(shallow), THRESHOLDS) is not None
    assert tapped(reach(shallow), replace(THRESHOLDS, **other)) is None


def test_no_hand_is_no_tap() -> None:
    assert tapped((), THRESHOLDS) is None


@given(st.lists(st.floats(0, 5), max_size=FRAMES))
def test_whatever_is_seen_a_tap_has_two_to_four_touches_within_what_was_seen(chips: list[float]) -> None:
    told = tapped(reach(chips), THRESHOLDS)

    if told is not None:
        assert 2 <= told.touches <= MAX_TOUCHES
        assert 0 <= told.t_first_ns < len(chips) * FRAME_NS
