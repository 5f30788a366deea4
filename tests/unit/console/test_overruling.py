"""The floor rules otherwise on an act: lists and digits, and what is not in a list is typed."""

import pytest

from betline.messages.table import Ruling
from betline.settings import FloorSettings
from betline.steps import Override
from table_controller.console.intents import Refused
from table_controller.console.overruling import Overruling
from table_controller.console.screens.table import TableScreen
from tests.unit.console.table import playing, state

FLOOR = FloorSettings(people=("Ann Lee", "Bo"))


def ruling(act_no, seat, what, hand_no=3, street="preflop"):
    return Ruling(
        hand_no=hand_no, act_no=act_no, street=street, seat=seat, ruling="call", source="chips",
        sentence=f"Seat {seat} {what}: put out the exact call (TDA 45).",
    )  # fmt: skip


ACTS = (
    ruling(9, 8, "folds", hand_no=2),
    ruling(1, 4, "calls 10"),
    ruling(2, 5, "calls 10"),
    ruling(3, 4, "calls 40"),
    ruling(4, 5, "calls 20", street="flop"),
)


def begun():
    return Overruling.begun(state(rulings=ACTS), FLOOR)


def said(*answers):
    step = begun()
    for one in answers:
        step = step.chosen(one) if isinstance(one, int) else step.typed(one)
    return step


def test_each_seats_last_act_on_a_street_of_this_hand_is_listed_newest_first():
    assert begun().rows == ("flop: Seat 5 calls 20", "preflop: Seat 4 calls 40", "preflop: Seat 5 calls 10")


def test_r_291_four_digits_and_a_total_rule_otherwise():
    decided = said(2, 4, "600", 1, 2)
    assert decided == Override(seat=4, ruling="raise", to=600, street="preflop", by="Ann Lee", why="string bet")


def test_what_is_in_no_list_is_typed():
    decided = said(1, 2, "Cleo", "he was behind the pillar")
    assert decided == Override(seat=5, ruling="call", street="flop", by="Cleo", why="he was behind the pillar")


def test_a_total_is_asked_for_only_where_the_ruling_has_one():
    assert said(1, 3).asked == "to"
    assert said(1, 6).asked == "by"


@pytest.mark.parametrize(
    ("answers", "typed", "refused"),
    [
        ((), "call", "Press the digit of an entry."),
        ((1, 4), "much", "Type the total of the round in digits."),
        ((1, 4), "0", "Type the total of the round in digits."),
        ((1, 2), "", "Type who decides."),
        ((1, 2, 1), "", "Type the reason: it stands in the journal."),
    ],
)
def test_what_is_missing_is_asked_for_in_words(answers, typed, refused):
    assert said(*answers).typed(typed) == Refused(refused)


def test_a_digit_beyond_the_list_says_where_it_ends():
    assert begun().chosen(9) == Refused("The list ends at 3.")
    empty = Overruling.begun(state(), FLOOR)
    assert empty.chosen(1) == Refused("No act of this hand to rule on.")


def test_each_step_can_be_taken_back():
    step, asked = said(2, 4, "600", 1), []
    while step is not None:
        asked.append(step.asked)
        step = step.back()
    assert asked == ["why", "by", "to", "ruling", "act"]


async def test_by_digits_at_the_console():
    async with playing(state(rulings=ACTS)) as table:
        await table.press("y", "2", "2", *"Ann", "enter", "2")
        assert table.asked == [
            ("override", {"seat": 4, "ruling": "call", "street": "preflop", "by": "Ann", "why": "string bet"}),
        ]  # fmt: skip
        await table.answers()
        assert isinstance(table.app.screen, TableScreen)


async def test_escape_goes_a_step_back_and_then_out():
    async with playing(state(rulings=ACTS)) as table:
        await table.press("y", "2")
        assert "Seat 4, preflop · What is it?" in table.text
        await table.press("escape")
        assert "The floor: which act?" in table.text
        await table.press("escape")
        assert isinstance(table.app.screen, TableScreen)
        assert table.asked == []
