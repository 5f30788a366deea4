"""The five layouts, as drawn: what stands where at each size, and what is left out."""

import pytest

from betline import topics
from betline.messages.recall import Recalled, RecalledHand
from betline.messages.table import SensorState
from betline.topics import topic
from table_controller.console.differences import LASTS_S, Differences
from table_controller.console.digits import DOUBLE_HEIGHT, double
from table_controller.console.drawing.lines import draw_header, draw_rulings
from table_controller.console.layout import layout_of
from table_controller.console.sample import sample_state
from table_controller.console.view import Line, RulingLine, view_of
from tests.unit.console.table import TABLE, playing, state

SIZES = {"small": (80, 24), "medium": (100, 30), "touch": (106, 33), "wide": (120, 40), "large": (200, 50)}


def sensors(**conditions):
    return tuple(SensorState(name=name.replace("_", "-"), state=now) for name, now in conditions.items())


def with_felt(seat, reads, **changes):
    base = state(**changes)
    seats = tuple(one.model_copy(update={"on_felt": reads}) if one.seat == seat else one for one in base.seats)
    return base.model_copy(update={"seats": seats})


@pytest.mark.parametrize("layout", SIZES)
def test_each_size_has_its_layout(layout):
    assert layout_of(*SIZES[layout]) == layout


@pytest.mark.parametrize(
    ("size", "layout"), [((40, 10), "small"), ((300, 24), "medium"), ((80, 60), "touch"), ((179, 60), "wide")]
)
def test_sizes_between_get_the_layout_that_they_have_room_for(size, layout):
    assert layout_of(*size) == layout


@pytest.mark.parametrize("layout", ["wide", "large"])
async def test_of_the_sensors_only_those_that_are_not_well_are_shown(layout):
    mixed = sensors(reader_1="online", reader_2="offline", overhead="stale")
    async with playing(state(sensors=mixed), size=SIZES[layout]) as table:
        assert "✖ reader-2 offline" in table.text
        assert "◐ overhead stale" in table.text
        assert "reader-1" not in table.text
        await table.tells(state(version=2, sensors=sensors(reader_1="online")))
        assert "reader-" not in table.text


@pytest.mark.one_in(5)
@pytest.mark.parametrize("layout", SIZES)
async def test_every_act_of_this_hand_is_in_sight(layout):
    async with playing(sample_state(TABLE), size=SIZES[layout]) as table:
        for act in ("6 call 645", "5 fold", "4 raise to 880", "3 bet 120"):
            assert table.text.count(act) == 1, act


@pytest.mark.one_in(5)
@pytest.mark.parametrize("layout", SIZES)
async def test_no_pot_is_listed_twice(layout):
    async with playing(sample_state(TABLE), size=SIZES[layout]) as table:
        assert table.text.count("main 400: 3 4 6 7 10") == 1


async def test_a_large_screen_has_digits_of_double_size_in_a_panel_of_seventy_columns():
    async with playing(sample_state(TABLE), size=SIZES["large"]) as table:
        rows = table.text.splitlines()
        for amount in ("880", "1,640", "3,925"):
            assert all(any(digits in row[130:] for row in rows) for digits in double(amount)), amount
        assert table.app.screen.query_one("#panel").size.width == 70


async def test_a_large_screen_has_the_last_five_hands_and_asks_for_them_as_hands_end():
    async with playing(state(), size=SIZES["large"]) as table:
        assert table.asked == [("recall", {"hands": 5})]
        asked = table.commands[-1].body.id
        for number, hand in enumerate((1, 2), 1):
            body = RecalledHand(
                hand=hand, began="2026-11-23 08:27:00.000", button=1, seats={"3": 200}, pot=hand * 100,
                winners={"3": hand * 100}, acts=(),
            )  # fmt: skip
            table.controller.publish(
                topic(topics.RECALL, asked), Recalled(command_id=asked, number=number, of=2, hand=body)
            )
        await table.draws()
        assert table.text.index("pot 200: seat 3 won 200") < table.text.index("pot 100: seat 3 won 100")
        await table.answers()
        assert "✓ recall" not in table.text
        await table.tells(state(version=2))
        assert len(table.asked) == 1
        await table.tells(state(version=3, phase="hand-over", to_act=None))
        assert len(table.asked) == 2


async def test_a_smaller_screen_asks_for_no_hands():
    async with playing(state(), size=SIZES["wide"]) as table:
        assert table.asked == []


@pytest.mark.parametrize("layout", ["touch", "wide", "large"])
async def test_where_there_is_room_the_keys_are_three_rows_high(layout):
    async with playing(state(), size=SIZES[layout]) as table:
        keys = table.app.screen.query_one("#keys")
        assert keys.size.height == 3
        _, height = SIZES[layout]
        assert keys.region.bottom == height
        assert "C call" in table.text.splitlines()[-2]


def test_a_short_head_keeps_hand_street_level_and_connection():
    view = view_of(sample_state(TABLE), TABLE)
    head = draw_header(view, None, 80, Line("", "L12 1:04:42 paused")).text
    for words in ("PLO 5/10", "hand 214", "FLOP", "L12 1:04:42 paused", "● live", "◐ sensors 12/13"):
        assert words in head


def test_in_one_row_the_acts_stand_side_by_side_with_what_must_still_move():
    acts = (
        RulingLine("6 call 645", (), ("ALL-IN",), "R-087", "Why."),
        RulingLine("4 raise to 880", ("returned 120",), (), "", ""),
        RulingLine("3 bet 120", (), ("inferred",), "", ""),
    )
    assert draw_rulings(acts, 80, 1).text == "› 6 call 645 ALL-IN · 4 raise to 880 returned 120 · 3 bet 120"


def test_digits_of_double_size_are_told_apart():
    drawn = [double(digit) for digit in "0123456789"]
    assert len(set(drawn)) == 10
    assert all(len(rows) == DOUBLE_HEIGHT and {len(row) for row in rows} == {6} for rows in drawn)


# --- antenna and books -----------------------------------------------------------------------------------------------


def test_a_difference_passes_for_a_moment_and_then_lasts():
    differing = Differences().shown(with_felt(2, 7), 10.0)
    assert differing.passing(10.0 + LASTS_S - 0.01) == {2}
    assert differing.passing(10.0 + LASTS_S) == frozenset()
    assert differing.shown(with_felt(2, 9), 11.0).passing(10.0 + LASTS_S) == frozenset()
    assert differing.shown(state(), 11.0) == Differences()


def test_an_act_of_the_seat_begins_the_moment_anew():
    before = Differences().shown(with_felt(4, 7), 10.0)
    acted = with_felt(4, 7)
    seats = tuple(one.model_copy(update={"bet": 10}) if one.seat == 4 else one for one in acted.seats)
    assert before.shown(acted.model_copy(update={"seats": seats}), 20.0).passing(21.0) == {4}


async def test_what_the_antenna_reads_is_said_only_once_it_lasts():
    async with playing(state()) as table:
        await table.tells(with_felt(4, 30, version=2))
        assert "≠" not in table.text
        table.clock.now_s += LASTS_S
        table.app._tick()
        await table.pilot.pause()
        assert "≠ reads 30" in table.text
        await table.tells(state(version=3))
        assert "≠" not in table.text
