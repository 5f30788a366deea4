"""Before the next hand a seat that has nothing left, or less than the big blind, is asked to buy chips."""

from dataclasses import replace
from typing import Any

import pytest

from betline.messages.table import Question
from tests.unit.session.desk import Desk, terms
from tests.unit.session.test_between import begun, folds_the_same, refused
from tests.unit.session.test_evening import LEVELS


def busted(first: int = 50, **house: Any) -> Desk:
    """Seat 1 had `first` and lost it to seat 2; seat 3 folded."""
    desk = begun({"1": first, "2": 500, "3": 300}, **house)
    desk.key("act", seat=1, action="all-in")
    desk.key("act", seat=2, action="call")
    desk.key("passive", seat=3)
    desk.key("award", pots=[[2]])
    return desk


def asked(desk: Desk) -> Question:
    (question,) = desk.session.table_state(1, 1, "").questions
    return question


def seat(desk: Desk, number: int) -> Any:
    return next(one for one in desk.session.table_state(1, 1, "").seats if one.seat == number)


def test_r_306_a_busted_seat_is_asked_to_rebuy_before_the_next_hand() -> None:
    desk = busted()
    assert asked(desk).sentence == "Seat 1 has nothing left: rebuy 200, or another amount with B?"
    assert asked(desk).choices == ("rebuy:200", "leaves", "sits-out")
    assert desk.key("answer", question=asked(desk).id, choice="rebuy:200").ok
    assert seat(desk, 1).stack == 200
    assert desk.session.table_state(1, 1, "").questions == ()
    assert folds_the_same(desk)
    desk.key("next-hand")
    assert seat(desk, 1).status == "in"


@pytest.mark.parametrize(("choice", "status", "away"), [("leaves", "empty", False), ("sits-out", "out", True)])
def test_a_busted_seat_leaves_or_sits_out_by_one_key(choice: str, status: str, away: bool) -> None:
    desk = busted()
    assert desk.key("answer", question=asked(desk).id, choice=choice).ok
    assert desk.session.table_state(1, 1, "").questions == ()
    desk.key("next-hand")
    assert (seat(desk, 1).status, seat(desk, 1).away) == (status, away)


@pytest.mark.parametrize(("buy_in", "amount"), [([10, 40], 80), ([150, 200], 300), ("none", 200)])
def test_r_281_the_rebuy_keeps_to_the_buy_in_of_the_house(buy_in: Any, amount: int) -> None:
    assert asked(busted(buy_in=buy_in)).choices[0] == f"rebuy:{amount}"


def test_a_seat_with_less_than_the_big_blind_is_asked_once_and_may_play_on() -> None:
    desk = begun({"1": 51, "2": 50, "3": 300})
    desk.key("act", seat=1, action="raise", to=50)
    desk.key("act", seat=2, action="call")
    desk.key("passive", seat=3)
    for _ in range(3):
        desk.key("deal")
    desk.key("award", pots=[[2]])
    assert asked(desk).sentence == "Seat 1 has 1 left, less than the big blind: add 199, or another amount with B?"
    assert (
        desk.key("answer", question=asked(desk).id, choice="plays-on").sentence == "Seat 1 plays on with what it has."
    )
    assert desk.session.table_state(1, 1, "").questions == ()
    assert folds_the_same(desk)
    desk.key("next-hand")
    assert seat(desk, 1).status in ("in", "all-in")


def test_a_hand_that_begins_without_an_answer_says_who_is_left_out() -> None:
    desk = busted()
    desk.key("next-hand")
    said = [alert.sentence for alert in desk.session.alerts]
    assert said == ["Sell seat 1 chips with 1 E A: nobody answered, and it is not dealt in."]


@pytest.mark.parametrize(("levels", "choices"), [(0, None), (1, ("rebuy:200", "leaves"))])
def test_r_306_in_a_tournament_chips_are_sold_in_the_levels_that_the_house_names(levels: int, choices: Any) -> None:
    desk = busted(form="tournament", rebuy_levels=levels, buy_in="none", stakes="table")
    found = desk.session.table_state(1, 1, "").questions
    assert (found[0].choices if found else None) == choices


def test_another_amount_is_keyed_and_an_answer_that_is_no_more_open_is_refused() -> None:
    desk = busted()
    question = asked(desk).id
    desk.key("rebuy", seat=1, amount=120)
    assert seat(desk, 1).stack == 120
    refused(desk, "answer", "no-question", "answered or withdrawn", question=question, choice="leaves")


def in_level(level: int, **house: Any) -> Desk:
    """A tournament of three levels, before its first hand of that one; seat 1 has nothing left."""
    rules = terms(**{"form": "tournament", "stakes": "table", "buy_in": "none", **house})
    desk = Desk(replace(rules, table=rules.table.model_copy(update={"levels": LEVELS})))
    for number in (1, 2, 3):
        desk.key("sit-down", seat=number, stack=100)
    desk.key("count", seat=1, stack=0)
    desk.key("clock", action="set", level=level)
    return desk


@pytest.mark.parametrize(("level", "sold"), [(1, True), (2, True), (3, False)])
def test_r_281_a_tournament_sells_chips_up_to_a_level_and_refuses_them_afterwards(level: int, sold: bool) -> None:
    desk = in_level(level, rebuy_levels=2)
    if sold:
        assert desk.key("rebuy", seat=1, amount=100).ok
    else:
        told = "Seat 1 is out: chips were sold up to level 2, and this is level 3 (R-281)."
        refused(desk, "rebuy", "too-late", told, seat=1, amount=100)
    assert seat(desk, 1).stack == (100 if sold else 0)


def test_r_281_a_tournament_without_rebuys_refuses_them_and_the_floor_may_bring_chips_all_the_same() -> None:
    desk = in_level(1, rebuy_levels=0)
    refused(desk, "rebuy", "too-late", "Seat 1 is out: this tournament sells no chips (R-281).", seat=1, amount=100)
    refused(desk, "rebuy", "too-late", "The floor may move chips from the tray all the same.", seat=1, amount=100)
    assert desk.key("move-chips", **{"from": "tray"}, to=1, amount=100, why="floor").ok
    assert seat(desk, 1).stack == 100


def test_r_281_a_cash_game_sells_chips_in_every_level() -> None:
    desk = in_level(3, form="cash", rebuy_levels=0)
    assert desk.key("rebuy", seat=1, amount=100).ok
