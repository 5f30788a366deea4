"""The clock of the levels: what it shows at a moment, and that no adjustment loses or makes time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.settings import Level
from table_controller.betting import Illegal
from table_controller.levels import LevelClock, Mark, periods_of

MINUTE = 60_000
LEVELS = (Level(minutes=20), Level(minutes=15, break_minutes=10), Level(minutes=30))
PERIODS = periods_of(LEVELS)


def clock():
    return LevelClock.of(PERIODS)


def shown(a_clock, now_ms):
    reading = a_clock.at(now_ms)
    return reading.level, reading.in_break, reading.left_ms


def test_a_clock_stands_before_the_first_level_until_it_is_started():
    assert shown(clock(), 10**12) == (1, False, 20 * MINUTE)
    assert not clock().at(0).running
    assert clock().ends_ms(0) is None


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        (0, (1, False, 20)),
        (19, (1, False, 1)),
        (20, (2, False, 15)),
        (35, (2, True, 10)),
        (44, (2, True, 1)),
        (45, (3, False, 30)),
        (75, (3, False, 0)),
        (500, (3, False, 0)),
    ],
)
def test_levels_and_breaks_follow_one_another_and_the_last_level_stays(minutes, expected):
    level, in_break, left = shown(clock().started(1000), 1000 + minutes * MINUTE)
    assert (level, in_break, left / MINUTE) == expected


def test_a_hand_that_begins_in_a_break_has_the_level_after_it():
    going = clock().started(0)
    assert [going.at(minute * MINUTE).in_force for minute in (34, 35, 45)] == [2, 3, 3]
    assert [going.at(minute * MINUTE).next_level for minute in (0, 35, 45)] == [2, 3, None]


def test_the_end_of_a_period_is_known_beforehand():
    going = clock().started(5)
    assert [going.ends_ms(period) for period in range(4)] == [5 + minute * MINUTE for minute in (20, 35, 45, 75)]


def test_the_next_break_is_counted_from_the_end_of_the_period_that_runs():
    assert [clock().to_break_ms(period) for period in range(len(PERIODS))] == [15 * MINUTE, 0, None, None]


def test_next_and_back_go_to_the_beginning_of_a_level_and_past_breaks():
    going = clock().started(0)
    assert shown(going.next(5 * MINUTE), 5 * MINUTE) == (2, False, 15 * MINUTE)
    in_the_break = 40 * MINUTE
    assert shown(going.next(in_the_break), in_the_break) == (3, False, 30 * MINUTE)
    assert shown(going.back(in_the_break), in_the_break) == (2, False, 15 * MINUTE)
    assert shown(going.back(21 * MINUTE), 21 * MINUTE) == (1, False, 20 * MINUTE)


def test_the_staff_sets_a_level_or_the_time_left_and_the_clock_goes_on_or_stands_as_before():
    assert shown(clock().set_to(0, level=3, left_ms=90_000), 10**9) == (3, False, 90_000)
    going = clock().started(0).set_to(MINUTE, left_ms=3 * MINUTE)
    assert shown(going, 2 * MINUTE) == (1, False, 2 * MINUTE)
    assert shown(going.set_to(MINUTE, level=2, left_ms=0), MINUTE) == (2, True, 10 * MINUTE)


@pytest.mark.parametrize(
    ("adjust", "sentence"),
    [
        (lambda one: one.started(0).started(1), "running already"),
        (lambda one: one.paused(0), "not running"),
        (lambda one: one.back(0), "level 1 is the first"),
        (lambda one: one.set_to(0, 3).next(0), "level 3 is the last"),
        (lambda one: one.set_to(0, 4), "Name a level from 1 to 3: there is no level 4"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(adjust, sentence):
    with pytest.raises(Illegal, match=sentence) as refused:
        adjust(clock())
    assert refused.value.code == "not-open"


def test_a_wall_clock_that_is_set_back_does_not_turn_the_level_back():
    going = clock().started(MINUTE).next(2 * MINUTE)
    assert shown(going, 0) == (2, False, 15 * MINUTE)


def test_a_mark_of_a_longer_file_stands_at_the_end_of_the_last_level():
    assert shown(LevelClock.of(PERIODS, Mark(9, 5 * MINUTE, 0)), 0) == (3, False, 0)


def left_in_all(a_clock, now_ms):
    reading = a_clock.at(now_ms)
    return reading.left_ms + sum(one.length_ms for one in PERIODS[reading.period + 1 :])


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20 * MINUTE)), max_size=30))
def test_pauses_lose_no_time_and_make_none(steps):
    """What is left of the whole evening falls by the time that the clock went, and by nothing else."""
    now, went, a_clock = 0, 0, clock()
    for goes, milliseconds in steps:
        running = a_clock.at(now).running
        if goes is not running:
            a_clock = a_clock.started(now) if goes else a_clock.paused(now)
        now += milliseconds
        went += milliseconds if goes else 0
        assert left_in_all(a_clock, now) == max(0, 75 * MINUTE - went)


@given(st.integers(0, 80 * MINUTE), st.integers(0, 80 * MINUTE))
def test_a_clock_shows_the_same_however_often_it_was_looked_at_and_marked(early, late):
    early, late = sorted((early, late))
    going = clock().started(0)
    marked = going.paused(early).started(early)
    assert marked.at(late) == going.at(late)


@given(st.integers(0, 80 * MINUTE))
def test_the_time_left_ends_when_the_period_is_said_to_end(now):
    going = clock().started(0)
    reading = going.at(now)
    if reading.left_ms:
        assert going.ends_ms(reading.period) == now + reading.left_ms
