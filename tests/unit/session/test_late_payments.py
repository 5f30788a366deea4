"""Chips that come when the betting of a round is over, and what a seat owes then."""

import pytest

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


def called_on_the_flop() -> Desk:
    """Seat 2 has bet 100 and seat 1 has called it, by their chips; the turn is not keyed yet."""
    desk = heads_up()
    desk.key("act", seat=1, action="call")
    desk.key("act", seat=2, action="check")
    desk.key("deal", street="flop")
    desk.play()
    desk.push(2, 100)
    desk.play()
    desk.push(1, 100)
    desk.play(12)
    assert desk.hand.next_seat is None
    return desk


@pytest.mark.parametrize("silent", ["", "pot", "seat-1"])
def test_words_after_the_bets_were_gathered_are_no_words_of_the_last_bet(silent: str) -> None:
    desk = called_on_the_flop()
    desk.readers.pop(silent, None)
    desk.lying["pot"] = {**desk.lying.pop("seat-1"), **desk.lying.pop("seat-2")}
    desk.play(40)
    before = desk.session.book

    reply = desk.key("says", seat=1, text="all in")

    assert (reply.ok, reply.code) == (False, "not-open")
    assert reply.sentence == "The betting round is over: deal the next street."
    assert desk.session.book == before
    desk.key("deal", street="turn")
    assert desk.hand.bet(1) == 0


def test_words_while_the_bets_lie_there_are_those_of_the_last_bet() -> None:
    desk = called_on_the_flop()
    desk.key("says", seat=1, text="all in")
    assert desk.hand.bet(1) == 690
