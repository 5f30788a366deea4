"""What a test expects is read and compared in the words of a case."""

import pytest

from betline.cases import compare
from betline.messages.common import Reply
from betline.messages.table import Announcement, PotView, Ruling, SeatState, TableState
from virtual_table.play.told import Told
from virtual_table.pytest_plugin.expecting import NotExpectable, read_wanted

RULING = Ruling(
    hand_no=1, act_no=2, street="flop", seat=3, ruling="raise", to=600, adds=600, cites=("TDA-43", "TDA-45"),
    alerts=("string-bet",), source="chips", sentence="Seat 3 raises to 600.",
)  # fmt: skip
STATE = TableState(
    version=4, journal_seq=9, journal_head="", phase="betting", hand_no=1, game="no-limit", street="flop", button=6,
    small_blind=1, big_blind=2, to_act=4, call=600, min_raise_to=1100, max_raise_to=10_000,
    may=("call", "raise", "fold"),
    seats=(
        SeatState(seat=3, stack=9400, bet=600, status="in", posts=(50,)),
        SeatState(seat=4, stack=10_000, status="in", held=True),
    ),
    substantial=True,
    pot=750, pots=(PotView(amount=150, seats=(4, 3)),), rulings=(),
)  # fmt: skip
SAID = Announcement(
    hand_no=1, act_no=2, seat=4, text="Seat 4: call 600", call=600, min_raise_to=1100, max_raise_to=10_000,
    wager="raise",
)  # fmt: skip
TOLD = Told(STATE, (RULING,), (), None, SAID, seat=3, counts=RULING, standing=frozenset({"reader-down"}))


def left(told: Told = TOLD, **wanted: object) -> list[str]:
    return [one.difference for one in compare(0, read_wanted(wanted), told.value)]


@pytest.mark.parametrize(
    "wanted",
    [
        {"ruling": "raise", "to": 600, "adds": 600, "owes": 0, "all_in": False, "returned": 0},
        {"cites": ["TDA-45"], "alerts": ("string-bet", "reader-down")},
        {"alerts": "reader-down"},
        {"next": 4, "call": 600, "min_raise_to": 1100, "max_raise_to": 10_000, "may": {"fold", "raise", "call"}},
        {"bets": {3: 600, 4: 0}, "stacks": {3: 9400}, "pot": 750, "street": "flop", "button": 6, "big_blind": 2},
        {"pots": [{"amount": 150, "seats": [3, 4]}], "round_over": False, "hand_over": False},
        {"announce": "Seat 4: call 600, raise 1100 to 10000"},
        {"held": [4], "posts": {3: [50], 4: []}, "substantial": True},
    ],
)
def test_what_the_bus_has_told_holds(wanted: dict[str, object]) -> None:
    assert left(**wanted) == []


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"ruling": "call", "to": 600}, ["ruling: expected call, got raise"]),
        ({"bets": {3: 600, 4: 600}}, ['bets: expected {"3": 600, "4": 600}, got {"3": 600, "4": 0}']),
        ({"cites": ["TDA-44"]}, ['cites: expected ["TDA-44"], got ["TDA-43", "TDA-45"]']),
        ({"alerts": "overbet"}, ['alerts: expected ["overbet"], got ["reader-down", "string-bet"]']),
        ({"next": None, "round_over": True}, ["next: expected null, got 4", "round_over: expected true, got false"]),
        ({"questions": "unreported"}, ['questions: expected ["unreported"], got []']),
        ({"announce": "call 500"}, ["announce: expected call 500, got Seat 4: call 600, raise 1100 to 10000"]),
        (
            {"pots": [{"amount": 100, "seats": [3]}]},
            ['pots: expected [{"amount": 100, "seats": [3]}], got [{"amount": 150, "seats": [3, 4]}]'],
        ),
        ({"held": [3], "substantial": False}, ["held: expected [3], got [4]", "substantial: expected false, got true"]),
    ],
)
def test_what_differs_is_named(wanted: dict[str, object], said: list[str]) -> None:
    assert left(**wanted) == said


def test_a_refused_key_is_an_illegal_act_by_its_code() -> None:
    reply = Reply(command_id="1", verb="act", ok=False, code="not-your-turn", sentence="It is seat 4's turn.")

    assert left(Told(STATE, reply=reply, seat=3), ruling="illegal", error="not-your") == []


def test_what_is_not_ruled_yet_is_no_ruling() -> None:
    assert left(Told(STATE, seat=3), ruling="none", to=0) == [
        "ruling: expected none, got null",
        "to: expected 0, got null",
    ]


def test_a_held_act_that_was_settled_binds_where_it_was_ruled_on() -> None:
    settled = Told(STATE, (RULING,), seat=3, held=frozenset({3}), counts=RULING)

    assert left(settled, binding=True) == []


def test_an_announcement_to_a_seat_that_acts_no_more_is_none() -> None:
    over = Told(STATE.model_copy(update={"to_act": None}), announced=SAID)

    assert left(over, announce="call") == ["announce: expected call, got "]


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({}, "expects nothing"),
        ({"rulling": "call"}, "ruling"),
        ({"ruling": "fold down"}, "ruling"),
        ({"to": "much"}, "to"),
    ],
)
def test_what_cannot_be_expected_is_refused_with_a_sentence(wanted: dict[str, object], sentence: str) -> None:
    with pytest.raises(NotExpectable, match=sentence):
        read_wanted(wanted)
