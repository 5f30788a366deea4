"""Chips that come when the betting of a round is over, and what a seat owes then."""

from tests.unit.session.desk import Desk


def owes(desk: Desk) -> dict[int, int]:
    return {one.seat: one.owes for one in desk.session.table_state(1, 1, "").seats if one.owes}


def heads_up() -> Desk:
    desk = Desk()
    desk.begin({"1": 700, "2": 400}, {"limit": "no-limit", "blinds": [5, 10], "streets": "holdem"})
    return desk


def test_r_036_chips_that_come_when_call_has_ended_the_round_pay_what_was_owed() -> None:
    desk = heads_up()
    desk.key("act", seat=1, action="call")
    desk.key("act", seat=2, action="check")
    desk.key("deal", street="flop")
    desk.play()
    desk.key("act", seat=2, action="bet", to=100)
    desk.key("says", seat=1, text="call")
    assert owes(desk) == {1: 100}

    desk.push(1, 100)
    desk.play()

    assert owes(desk) == {}
    assert desk.key("deal", street="turn").sentence == "Done."


def test_a_part_that_nobody_called_is_owed_no_more() -> None:
    desk = heads_up()
    desk.key("says", seat=1, text="all in")
    assert owes(desk) == {1: 695}

    desk.key("says", seat=2, text="call")

    assert owes(desk) == {1: 395, 2: 390}
