"""The announcement to the player to act: the line of the case format, and the words that are spoken and shown."""

from __future__ import annotations

from typing import Any

import pytest

from table_controller.announce.phrases import Turn, announcement, spoken
from table_controller.announce.turn import turn_of
from tests.unit.rulings.tables import preflop, told


def turn(**changes: object) -> Turn:
    told = {"seat": 2, "call": 5, "least": 10, "most": 35, "wager": "raise", "option": False, "pot_bet": None}
    return Turn(**{**told, **changes})  # type: ignore[arg-type]


NO_WAGER = {"least": None, "most": None}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"pot_bet": 35}, "Seat 2: call 5, raise 10 to 35, pot 35"),
        ({}, "Seat 2: call 5, raise 10 to 35"),
        (NO_WAGER, "Seat 2: call 5"),
        ({**NO_WAGER, "why_no_wager": "the cap of 3 raises is reached"}, "Seat 2: call 5"),
        ({"call": 0, "wager": "bet"}, "Seat 2: check, bet 10 to 35"),
        ({"wager": "complete"}, "Seat 2: call 5, raise 10 to 35"),
        ({"call": 0, "option": True}, "Seat 2: option, raise 10 to 35"),
        ({"call": 0, **NO_WAGER}, "Seat 2: check"),
        ({"call": None}, "Seat 2: raise 10 to 35"),
        ({"in_the_middle": 25}, "Seat 2: call 5, raise 10 to 35, in the middle 25"),
    ],
)
def test_the_line_of_the_case_format_has_the_parts_that_apply(changes: dict[str, object], text: str) -> None:
    assert announcement(turn(**changes)) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"call": 300, "least": 600, "most": 9000}, "Seat 2: call 300, minimum raise to 600, maximum 9,000"),
        ({"least": 20, "most": 20}, "Seat 2: call 5, raise to 20"),
        ({"least": 20, "most": 20, "wager": "complete"}, "Seat 2: call 5, complete to 20"),
        ({"call": 0, "wager": "bet"}, "Seat 2: check, minimum bet 10, maximum 35"),
        ({"call": 0, "wager": "bet", "least": 20, "most": 20}, "Seat 2: check, bet 20"),
        ({"call": 0, "option": True}, "Seat 2: option, minimum raise to 10, maximum 35"),
        ({"call": None}, "Seat 2: minimum raise to 10, maximum 35"),
        ({"pot_bet": 35, "most_is_pot": True}, "Seat 2: call 5, minimum raise to 10, maximum 35, the pot"),
        ({"pot_bet": 35}, "Seat 2: call 5, minimum raise to 10, maximum 35"),
        ({"in_the_middle": 1250}, "Seat 2: call 5, minimum raise to 10, maximum 35, 1,250 in the middle"),
        ({**NO_WAGER, "all_in_to_call": True}, "Seat 2: call 5, all-in"),
        (
            {**NO_WAGER, "why_no_wager": "the cap of 3 raises is reached"},
            "Seat 2: call 5, no raise: the cap of 3 raises is reached",
        ),
    ],
)
def test_spoken_it_cannot_be_taken_for_a_raise_of_the_least_amount(changes: dict[str, object], text: str) -> None:
    assert spoken(turn(**changes)) == text


def said(game: dict[str, Any], seats: dict[int, int], *steps: dict[str, Any]) -> str:
    table = told(preflop(game=game, seats=seats, button=1), *steps)
    turn_now = turn_of(table.state)
    assert turn_now is not None
    return spoken(turn_now)


NO_LIMIT = {"limit": "no-limit", "blinds": (50, 100)}


def test_an_announcement_that_forbids_a_raise_says_why() -> None:
    short = {1: 9000, 2: 9000, 3: 350}
    steps = ({"seat": 1, "action": "raise", "to": 300}, {"seat": 2, "action": "call"}, {"seat": 3, "action": "all-in"})
    assert said(NO_LIMIT, short, *steps) == "Seat 1: call 50, no raise: 50 more is less than the full raise of 200"

    one_has_chips = ({"seat": 1, "action": "fold"}, {"seat": 2, "action": "raise", "to": 9000})
    assert said(NO_LIMIT, {1: 9000, 2: 9000, 3: 20000}, *one_has_chips) == (
        "Seat 3: call 8,900, no raise: nobody else has chips left to call"
    )

    checked = ({"seat": 1, "action": "raise", "to": 300}, {"seat": 2, "says": "check"})
    assert said(NO_LIMIT, {1: 9000, 2: 9000, 3: 9000}, *checked) == (
        "Seat 2: call 250, no raise: it checked facing a bet"
    )


def test_who_can_only_call_all_in_hears_no_reason() -> None:
    raised = {"seat": 1, "action": "raise", "to": 900}
    assert said(NO_LIMIT, {1: 9000, 2: 700, 3: 9000}, raised) == "Seat 2: call 650, all-in"


def test_after_a_bare_raise_no_call_is_offered() -> None:
    raises = ({"seat": 1, "action": "raise", "to": 300}, {"seat": 2, "says": "raise"})
    assert said(NO_LIMIT, {1: 9000, 2: 9000, 3: 9000}, *raises) == "Seat 2: minimum raise to 500, maximum 9,000"


def test_the_maximum_is_the_pot_where_the_stack_does_not_bound_it() -> None:
    game = {"limit": "pot-limit", "blinds": (5, 10)}
    assert said(game, {1: 900, 2: 900, 3: 900}).endswith(", the pot")
    assert said(game, {1: 30, 2: 900, 3: 900}) == "Seat 1: call 10, minimum raise to 20, maximum 30"
