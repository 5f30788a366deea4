"""The floor rules otherwise on an act: lists and digits, and what is not in a list is typed."""

import pytest

from betline import topics
from betline.messages.recall import Recalled, RecalledAct, RecalledHand
from betline.messages.table import Ruling
from betline.settings import FloorSettings
from betline.steps import Override
from betline.topics import topic
from table_controller.console.evidence import beside
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
        assert table.done == [
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
        assert table.done == []


def test_where_staff_sign_in_nobody_is_asked_who_decides():
    step = Overruling.begun(state(rulings=ACTS), FLOOR, signs="Kim").chosen(1)
    assert isinstance(step, Overruling)
    decided = step.chosen(2)
    assert isinstance(decided, Overruling)
    assert decided.asked == "why"
    assert decided.chosen(2) == Override(seat=5, ruling="call", street="flop", by="Kim", why="string bet")


def test_rules_and_evidence_stand_beside_the_act():
    ruled = ruling(2, 5, "calls 10").model_copy(update={"cites": ("TDA-45", "R-100")})
    act = RecalledAct(
        seq=17, at="2026-01-02 20:15:01.250", text="Seat 5 calls 10.", source="chips", by="Bob (dealer)",
        rulings=(ruled,), evidence=("20:15:00.900  Antenna of seat 5: 10 (tags E004)",), pictures=("c-1", "c-2"),
    )  # fmt: skip
    hand = RecalledHand(hand=3, began="2026-01-02 20:15:00", button=1, seats={}, pot=0, winners=None, acts=(act,))
    lines = beside(ruled, (hand,))

    assert lines[0] == "Ruled: Seat 5 calls 10: put out the exact call (TDA 45)."
    assert lines[1].startswith("TDA 45: Several chips are a call")
    assert lines[2].startswith("R-100: ")
    assert lines[3:] == (
        "20:15:01.250  Journal: entry 17, chips, by Bob (dealer)",
        "20:15:00.900  Antenna of seat 5: 10 (tags E004)",
        "Picture: betline vision ring show c-2",
    )
    assert beside(ruled.model_copy(update={"act_no": 9}), (hand,)) == lines[:3]


async def test_the_dialog_asks_the_journal_and_shows_rules_and_evidence_of_the_act_that_was_chosen():
    ruled = ruling(2, 5, "calls 10").model_copy(update={"cites": ("TDA-45",)})
    async with playing(state(rulings=(ruled,))) as table:
        await table.press("y")
        (asked,) = [one for one in table.commands if one.topic.name == "recall"]
        await table.press("1")
        assert "TDA 45: Several chips are a call" in table.text
        act = RecalledAct(
            seq=17, at="2026-01-02 20:15:01.250", text="Seat 5 calls 10.", source="chips", rulings=(ruled,),
            evidence=("20:15:00.900  Antenna of seat 5: 10",),
        )  # fmt: skip
        hand = RecalledHand(hand=3, began="2026-01-02 20:15:00", button=1, seats={}, pot=0, winners=None, acts=(act,))
        told = Recalled(command_id=asked.body.id, number=1, of=1, hand=hand)
        table.controller.publish(topic(topics.RECALL, asked.body.id), told)
        await table.draws()
        await table.press(*["down"] * 9)
        assert "Antenna of seat 5: 10" in table.text
        assert "What is it?" in table.text


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_keys_stay_in_sight_however_much_evidence_there_is(size):
    ruled = ruling(2, 5, "calls 10").model_copy(update={"cites": ("TDA-45", "TDA-44", "TDA-43", "TDA-51", "R-100")})
    async with playing(state(rulings=(ruled,)), size=size) as table:
        await table.press("y", "1")
        await table.draws()
        assert "0  reopened" in table.text
        assert "Esc: back" in table.text
        assert "Ruled: Seat 5 calls 10" in table.text
        await table.press(*["down"] * 30)
        await table.draws()
        assert "R-100: A player who has acted" in table.text
        assert "Esc: back" in table.text
