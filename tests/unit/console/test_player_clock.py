"""The player's clock on the console: the key, the head line, the menu row, and the plain lines."""

import pytest

from betline.messages.table import PlayerClockState
from betline.steps import PlayerClock
from table_controller.console.drawing.lines import draw_header
from table_controller.console.intents import Refused, intent
from table_controller.console.levels import turn_line
from table_controller.console.plain.story import changes
from table_controller.console.typed import player_clock
from table_controller.console.view import view_of
from tests.unit.console.table import TABLE, showdown, state

NOW_MS = 1_000_000


def running(left_ms=30_000, **more):
    return state(player_clock=PlayerClockState(seat=4, ends_ms=NOW_MS + left_ms, stage="running", **more))


@pytest.mark.parametrize(
    ("number", "table", "wanted"),
    [
        (None, state(), PlayerClock(action="start")),
        (60, state(), PlayerClock(action="start", seconds=60)),
        (None, running(), PlayerClock(action="more")),
        (20, running(), PlayerClock(action="more", seconds=20)),
    ],
)
def test_the_key_starts_it_and_then_gives_more_time(number, table, wanted):
    assert intent("player-clock", number, table) == wanted


@pytest.mark.parametrize(("number", "table"), [(601, state()), (0, state()), (None, showdown((10, (1, 2))))])
def test_the_key_is_refused_where_no_clock_could_run(number, table):
    assert isinstance(intent("player-clock", number, table), Refused)


@pytest.mark.parametrize(
    ("table", "text", "tone"),
    [
        (running(), "seat 4 0:30", "plain"),
        (running(9_500), "seat 4 0:10", "warn"),
        (running(0), "seat 4 TIME UP", "warn"),
        (running(time_banks=2), "seat 4 0:30 +2", "plain"),
    ],
)
def test_the_head_line_has_the_time_that_is_left(table, text, tone):
    line = turn_line(table, NOW_MS)
    assert (line.text, line.tone) == (text, tone)
    assert text in draw_header(view_of(table, TABLE), None, 80, turn=line).text


def test_without_a_clock_there_is_no_line():
    assert turn_line(state(), NOW_MS) is None
    assert turn_line(None, NOW_MS) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("start", PlayerClock(action="start")),
        ("start 60", PlayerClock(action="start", seconds=60)),
        ("more 30", PlayerClock(action="more", seconds=30)),
        ("stop", PlayerClock(action="stop")),
    ],
)
def test_the_menu_takes_words(text, wanted):
    assert player_clock(text) == wanted


@pytest.mark.parametrize("text", ["", "go", "stop 3", "start 900", "more x"])
def test_words_that_are_no_clock_are_refused(text):
    assert isinstance(player_clock(text), Refused)


def test_the_plain_console_says_that_it_runs():
    assert changes(state(), running(), TABLE, NOW_MS) == ("The clock of seat 4 runs: 30 seconds.",)
