"""Players sit down without a word too many: the starting stack, several seats at once, the name later."""

from typing import Any

import pytest

from tests.unit.session.desk import Desk, terms
from tests.unit.session.test_between import folds_the_same, refused


def stacks(desk: Desk) -> dict[int, int]:
    return {seat.seat: seat.stack for seat in desk.session.table_state(1, 1, "").seats if seat.status != "empty"}


def test_without_a_stack_a_player_sits_down_with_the_starting_stack() -> None:
    desk = Desk(terms(buy_in="none"))
    assert desk.key("sit-down", seat=3).sentence == "Seat 3 sits down with 200."
    assert stacks(desk) == {3: 200}
    assert folds_the_same(desk)


@pytest.mark.parametrize(("buy_in", "stack"), [([10, 40], 80), ([200, 300], 400), ("none", 200)])
def test_r_281_the_starting_stack_keeps_to_the_buy_in_of_the_house(buy_in: Any, stack: int) -> None:
    desk = Desk(terms(buy_in=buy_in))
    desk.key("sit-down", seat=3)
    assert stacks(desk) == {3: stack}


def test_six_players_sit_down_by_one_command_and_u_takes_all_of_them_back() -> None:
    desk = Desk(terms(buy_in="none"))
    assert desk.key("sit-down", seat=2, stack=500).ok
    reply = desk.key("seat-players", seats=[1, 2, 3, 4])
    assert reply.sentence == "Seats 1, 3, 4 sit down with 200."
    assert stacks(desk) == {1: 200, 2: 500, 3: 200, 4: 200}
    assert folds_the_same(desk)
    desk.key("undo-key")
    assert stacks(desk) == {2: 500}


def test_where_one_of_several_seats_is_not_there_nobody_sits_down() -> None:
    desk = Desk()
    desk.key("sit-down", seat=1)
    refused(desk, "seat-players", "bad-arguments", "no seat 9", seats=[2, 9])
    refused(desk, "seat-players", "not-open", "an empty seat", seats=[1])
    assert list(stacks(desk)) == [1]


def test_a_player_who_sat_down_without_a_name_is_named_later() -> None:
    desk = Desk()
    desk.key("seat-players", seats=[1, 2])
    assert desk.key("name-player", seat=1, player="Ann").sentence == "Seat 1 is Ann."
    desk.key("name-player", seat=2, player="Bob")
    assert [seat.name for seat in desk.session.table_state(1, 1, "").seats][:2] == ["Ann", "Bob"]
    assert desk.restarted().book == desk.session.book
    assert desk.key("name-player", seat=2).sentence == "Seat 2 has no name."
    assert desk.key("name-player", seat=2, player="Ann").sentence == "Seat 2 is Ann (2)."


def test_r_282_who_is_named_later_brings_back_what_was_taken_away() -> None:
    desk = Desk(terms(buy_in="none", lockout_minutes=60))
    desk.key("seat-players", seats=[1, 2, 3])
    desk.key("name-player", seat=1, player="Ann")
    desk.key("leave", seat=1)
    refused(desk, "sit-down", "buy-in-range", "200 left the table", seat=1, stack=100, player="Ann")
