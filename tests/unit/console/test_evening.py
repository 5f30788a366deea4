"""The line of level, time and game: what it says, and that it goes with the console's own clock."""

import pytest

from betline.messages.table import LevelState, RotationState
from table_controller.console import app as app_module
from table_controller.console.levels import evening_line, level_line, players_left
from tests.unit.console.table import playing, state

NOW_MS = 1_000_000
THIRD = {
    "number": 3, "stakes": "100/200 ante 200", "next_number": 4, "next_stakes": "150/300", "started": True,
    "ends_ms": NOW_MS + 760_000, "left_ms": None,
}  # fmt: skip
STANDING = {"ends_ms": None, "left_ms": 760_000}
GAMES = {"game": "Omaha", "next_game": "Stud", "games": ("Omaha", "Stud")}


def at_level(**changes):
    return state(level=LevelState(**{**THIRD, **changes}))


def in_turn(**changes):
    return state(rotation=RotationState(**{**GAMES, **changes}))


@pytest.mark.parametrize(
    ("changes", "text", "tone"),
    [
        ({}, "Level 3  100/200 ante 200  12:40 left  next 150/300", "plain"),
        ({"colour_up": 25}, "Level 3  100/200 ante 200  12:40 left  next 150/300  colour up the 25s", "plain"),
        ({"ends_ms": NOW_MS + 3_700_001}, "Level 3  100/200 ante 200  1:01:41 left  next 150/300", "plain"),
        ({"ends_ms": NOW_MS + 59_001}, "Level 3  100/200 ante 200  1:00 left  next 150/300", "warn"),
        ({"ends_ms": NOW_MS - 300}, "Level 3  100/200 ante 200  0:00 left  next 150/300", "warn"),
        (STANDING, "Level 3  100/200 ante 200  Paused, 12:40 left  next 150/300", "warn"),
        (
            {**STANDING, "started": False},
            "Level 3  100/200 ante 200  12:40, the clock is not started  next 150/300",
            "plain",
        ),
        ({"next_number": None, "next_stakes": ""}, "Level 3  100/200 ante 200  12:40 left", "plain"),
        ({"next_number": None, "ends_ms": NOW_MS}, "Level 3  100/200 ante 200  time is up", "warn"),
        ({"in_break": True, "ends_ms": NOW_MS + 250_000}, "Break 4:10  then level 4  150/300", "plain"),
        ({"in_break": True, **STANDING}, "Break, paused 12:40  then level 4  150/300", "warn"),
    ],
)
def test_the_level_in_one_line(changes, text, tone):
    line = evening_line(at_level(**changes), NOW_MS)
    assert (line.text, line.tone) == (text, tone)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "Omaha, then Stud"),
        ({"hands_left": 3}, "Omaha, Stud after 3 more hands"),
        ({"hands_left": 1}, "Omaha, Stud after 1 more hand"),
        ({"hands_left": 0}, "Omaha, next hand Stud"),
        ({"next_game": ""}, "Omaha, the dealer chooses"),
        ({"chosen": True}, "Omaha, next hand Stud"),
    ],
)
def test_the_game_and_what_follows_it(changes, text):
    assert evening_line(in_turn(**changes), NOW_MS).text == text


def test_level_and_game_stand_side_by_side():
    both = at_level().model_copy(update={"rotation": RotationState(**GAMES)})
    assert evening_line(both, NOW_MS).text.endswith("next 150/300 · Omaha, then Stud")


def test_a_table_with_neither_has_no_line():
    assert evening_line(state(), NOW_MS) is None
    assert evening_line(None, NOW_MS) is None


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", [(106, 33), (120, 40), (200, 50)])
async def test_the_line_stands_under_the_header_and_is_no_row_where_there_is_nothing_to_say(size):
    async with playing(state(), size=size) as table:
        before = table.text
        await table.tells(at_level())
        assert "12:40 left  next 150/300" in table.text.splitlines()[1]
        await table.tells(state())
        assert table.text == before


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_a_low_screen_has_the_level_in_its_head_and_the_rest_where_nothing_else_is_said(size):
    async with playing(at_level(colour_up=25), size=size) as table:
        head, below, *_, answers, _keys = table.text.splitlines()
        assert "hand 3 · PRE-FLOP · L3 12:40" in head
        assert "next 150/300" not in below
        assert "Level 3  100/200 ante 200  12:40 left  next 150/300  colour up the 25s" in answers
        await table.press("j")
        assert "next 150/300" not in table.text
        assert "L3 12:40" in table.text


@pytest.mark.parametrize(
    ("changes", "text", "tone"),
    [
        ({}, "L3 12:40", "plain"),
        ({"ends_ms": NOW_MS + 59_001}, "L3 1:00", "warn"),
        (STANDING, "L3 12:40 paused", "warn"),
        ({**STANDING, "started": False}, "L3 12:40 not started", "plain"),
        ({"in_break": True, "ends_ms": NOW_MS + 250_000}, "break 4:10", "plain"),
    ],
)
def test_the_level_in_the_head(changes, text, tone):
    line = level_line(at_level(**changes), NOW_MS)
    assert (line.text, line.tone) == (text, tone)


def test_a_table_without_levels_has_no_level_in_its_head_and_counts_nobody():
    assert level_line(state(), NOW_MS) is None
    assert level_line(None, NOW_MS) is None
    assert players_left(state()) == ""


async def test_a_large_screen_counts_who_is_left():
    async with playing(at_level(), size=(200, 50)) as table:
        assert "4 players left, 1,000 on the average" in table.text.splitlines()[1]


async def test_the_time_goes_on_by_the_consoles_own_clock_without_a_message():
    async with playing(at_level()) as table:
        assert "12:40 left" in table.text
        table.clock.wall_ms = lambda: NOW_MS + 100_000
        await table.pilot.pause(2 * app_module.TICK_S)
        assert "11:00 left" in table.text
