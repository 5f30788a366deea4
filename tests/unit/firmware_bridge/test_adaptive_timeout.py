"""How long an answer is awaited."""

from __future__ import annotations

import pytest

from firmware_bridge.adaptive_timeout import FLOOR_MS, AdaptiveTimeout


def test_before_the_first_whole_round_it_is_the_family_that_limits() -> None:
    assert AdaptiveTimeout().within(5000.0) == 5000.0
    assert AdaptiveTimeout().doubled() == AdaptiveTimeout()


@pytest.mark.parametrize(("slowest_ms", "awaited_ms"), [(20.0, FLOOR_MS), (300.0, 1200.0), (900.0, 2500.0)])
def test_after_many_rounds_it_is_four_times_the_slowest_answer_between_floor_and_limit(
    slowest_ms: float, awaited_ms: float
) -> None:
    patience = AdaptiveTimeout()
    for _ in range(100):
        patience = patience.after_round(slowest_ms)
    assert patience.within(2500.0) == pytest.approx(awaited_ms)


def test_silence_doubles_it() -> None:
    patience = AdaptiveTimeout(1000.0)
    assert patience.doubled().within(9000.0) == 2000.0
    assert patience.doubled().doubled().within(3000.0) == 3000.0


def test_no_answer_is_awaited_for_less_than_the_reader_was_told_to_read() -> None:
    learned = AdaptiveTimeout(100.0)
    assert learned.within(9000.0, on_air_ms=3000.0) == 3000.0 + FLOOR_MS
    assert learned.within(3500.0, on_air_ms=3000.0) == 3500.0
