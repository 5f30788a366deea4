"""The books and the keys against what lies before a seat: asked before it rules anything (R-042, R-074)."""

from typing import Any

import pytest

from betline.messages.table import Alert, Question
from tests.unit.session.desk import Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [5, 10], "streets": "holdem"}


def begun(stack: int = 500, **more: Any) -> Desk:
    """Blinds of 5 and 10 on the felt; seat 4, with so much, is to act."""
    desk = Desk(terms(implied_passive="ask"))
    desk.key("setup", game=NO_LIMIT, seats={"1": 900, "2": 900, "3": 900, "4": stack}, button=1, **more)
    desk.push(2, 5)
    desk.push(3, 5, 5)
    desk.play(8)
    desk.key("cards-out")
    return desk


def questions(desk: Desk) -> list[Question]:
    return list(desk.session.table_state(1, 1, "").questions)


def answer(desk: Desk, choice: str) -> None:
    [question] = questions(desk)
    reply = desk.key("answer", question=question.id, choice=choice)
    assert reply.ok, reply.sentence


def ledger_off(desk: Desk) -> list[str]:
    return [one.sentence for one in desk.heard(Alert) if one.code == "ledger-off" and one.active]


# --- more than the books say


def test_chips_beyond_the_booked_stack_are_asked_about_before_the_next_price() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)

    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("count", 4, ("130", "100"))
    assert question.sentence == "Count seat 4: the books say 100, 130 lie there."
    assert desk.rulings == []
    assert desk.announced.startswith("Seat 4:")


def test_the_count_takes_what_lies_there_and_the_next_seat_is_told_so() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    answer(desk, "130")

    assert desk.rulings == [(4, "raise", 130)]
    assert desk.hand.stack(4) == 0
    assert desk.announced.startswith("Seat 1: call 130")
    assert questions(desk) == []


def test_the_dealer_may_say_that_the_books_are_right() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    answer(desk, "100")

    assert desk.rulings == [(4, "raise", 100)]
    assert desk.announced.startswith("Seat 1: call 100")
    [seat] = [one for one in desk.session.table_state(1, 1, "").seats if one.seat == 4]
    assert seat.change_due == 30


def test_a_count_by_hand_lets_the_chips_act() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    assert desk.key("count", seat=4, stack=330).ok

    assert desk.rulings == [(4, "raise", 130)]
    assert desk.hand.stack(4) == 200
    assert questions(desk) == []


def test_while_a_count_is_asked_for_nobody_elses_chips_act() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    desk.push(1, 100, 25, 5)
    desk.play(80)
    assert desk.rulings == []
    assert [one.kind for one in questions(desk)] == ["count"]

    answer(desk, "130")
    desk.play(4)
    assert desk.rulings == [(4, "raise", 130), (1, "call", 130)]


def test_what_hasty_players_put_out_during_a_count_is_ruled_in_turn_after_it() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    desk.push(2, 100, 25)
    desk.play(8)
    desk.push(1, 100, 25, 5)
    desk.play(60)
    assert desk.rulings == []

    answer(desk, "130")
    desk.play(8)
    assert desk.rulings == [(4, "raise", 130), (1, "call", 130), (2, "call", 130)]
    assert questions(desk) == []


def test_the_question_survives_a_restart() -> None:
    desk = begun(stack=100)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    desk.restart()
    answer(desk, "130")
    assert desk.rulings == [(4, "raise", 130)]
    assert desk.restarted().book == desk.session.book


def test_the_last_chips_are_no_question_where_the_books_are_right() -> None:
    desk = begun(stack=130)
    desk.push(4, 100, 25, 5)
    desk.play(12)
    assert desk.rulings == [(4, "raise", 130)]
    assert questions(desk) == []


def test_a_keyed_all_in_of_less_than_lies_there_is_counted() -> None:
    desk = begun(stack=100)
    desk.key("act", seat=4, action="all-in")
    desk.push(4, 100, 25, 5)
    desk.play(14)
    [question] = questions(desk)
    assert question.sentence == "Count seat 4: the books say 100, 130 lie there."
    answer(desk, "130")

    assert desk.announced.startswith("Seat 1: call 130")
    assert desk.hand.bet(4) == 130
    [seat] = [one for one in desk.session.table_state(1, 1, "").seats if one.seat == 4]
    assert (seat.change_due, seat.owes, seat.status) == (0, 0, "all-in")


# --- an all-in of less


@pytest.mark.parametrize("how", ["keyed", "said"])
def test_an_all_in_of_which_less_lies_there_is_counted_before_anybody_else_acts(how: str) -> None:
    desk = begun(stack=500)
    if how == "keyed":
        desk.key("act", seat=4, action="all-in")
    else:
        desk.key("says", seat=4, text="all-in")
    desk.push(4, 100, 100, 100)
    desk.push(1, 500)
    desk.play(60)
    [question] = questions(desk)
    assert (question.kind, question.choices) == ("count", ("300", "500"))
    assert question.sentence == "Count seat 4: 300 or 500?"
    assert {seat for seat, *_ in desk.rulings} == {4}

    answer(desk, "300")
    assert desk.hand.bet(4) == 300
    assert desk.hand.stack(4) == 0
    desk.play(4)
    assert desk.rulings[-1] == (1, "call", 300)


def heads_up_all_in(chips: tuple[int, ...], stack: int = 900) -> Desk:
    """Seat 4 is all-in for its stack, seat 3 calls all-in by a key that ends the betting, and puts out these chips."""
    desk = begun(stack=stack)
    desk.push(4, *[100] * (stack // 100))
    desk.play(14)
    desk.key("act", seat=1, action="fold")
    desk.key("act", seat=2, action="fold")
    desk.key("act", seat=3, action="all-in" if stack == 900 else "call")
    assert desk.hand.next_seat is None
    desk.push(3, *chips)
    desk.play(60)
    return desk


def test_r074_a_keyed_all_in_that_ends_the_betting_is_counted_where_its_chips_are_less() -> None:
    desk = heads_up_all_in((100,) * 7 + (25, 25, 25, 5, 5, 5))
    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("count", 3, ("800", "900"))

    answer(desk, "800")
    assert desk.hand.bet(3) == 800
    assert questions(desk) == []


def test_r042_a_keyed_call_that_ends_the_betting_is_told_where_its_chips_are_less() -> None:
    desk = heads_up_all_in((100,) * 7, stack=800)
    assert ledger_off(desk) == ["Seat 3: put 90 more in, or undo the key: 800 was keyed and stands, 710 lies there."]
    assert questions(desk) == []
    desk.push(3, 25, 25, 25, 5, 5, 5)
    desk.play(30)
    assert not [one for one in desk.session.table_state(1, 1, "").alerts if one.code == "ledger-off"]


def test_an_all_in_said_with_its_chips_is_counted_where_they_are_less() -> None:
    desk = begun(stack=500)
    desk.push(4, 100, 100, 100)
    desk.play(4)
    desk.key("says", seat=4, text="all-in")
    assert desk.rulings == []
    desk.play(14)
    question = next(one for one in questions(desk) if one.kind == "count")
    assert question.choices == ("300", "500")
    assert desk.key("answer", question=question.id, choice="300").ok
    assert desk.announced.startswith("Seat 1: call 300")
    assert questions(desk) == []


def test_an_all_in_that_comes_in_several_pushes_is_not_asked_about() -> None:
    desk = begun(stack=500)
    desk.key("act", seat=4, action="all-in")
    for _ in range(5):
        desk.push(4, 100)
        desk.play(18)
        assert questions(desk) == []
    desk.push(1, 500)
    desk.play(12)
    assert desk.rulings == [(4, "raise", 500), (1, "call", 500)]


def test_an_all_in_whose_chips_nobody_reads_holds_the_table_for_three_seconds_only() -> None:
    desk = begun(stack=500)
    desk.key("act", seat=4, action="all-in")
    desk.push(1, 500)
    desk.play(20)
    assert desk.rulings == [(4, "raise", 500)]
    desk.play(30)
    assert desk.rulings == [(4, "raise", 500), (1, "call", 500)]


def test_the_dealer_counts_the_whole_all_in_and_it_stands() -> None:
    desk = begun(stack=500)
    desk.key("act", seat=4, action="all-in")
    desk.push(4, 100, 100, 100)
    desk.play(50)
    answer(desk, "500")
    assert desk.hand.bet(4) == 500
    desk.play(40)
    assert questions(desk) == []


# --- a key and the felt


def keyed_call(*chips: int) -> Desk:
    desk = begun()
    desk.key("act", seat=4, action="call")
    desk.push(4, *chips)
    desk.play(10)
    return desk


def test_a_keyed_call_and_30_on_the_felt_are_asked_about() -> None:
    desk = keyed_call(25, 5)
    [question] = questions(desk)
    assert (question.kind, question.choices) == ("key-or-felt", ("raise-to-30", "keep-the-key"))
    assert question.sentence == "Seat 4: you keyed call 10; 30 lie there: raise to 30? U takes the key back."
    assert desk.rulings == [(4, "call", 10)]
    assert ledger_off(desk) == []


def test_the_felt_rules_where_the_dealer_says_so() -> None:
    desk = keyed_call(25, 5)
    answer(desk, "raise-to-30")
    assert desk.rulings[-1] == (4, "raise", 30)
    assert desk.announced.startswith("Seat 1: call 30")
    [seat] = [one for one in desk.session.table_state(1, 1, "").seats if one.seat == 4]
    assert (seat.change_due, seat.owes) == (0, 0)
    desk.play(80)
    assert questions(desk) == []
    assert ledger_off(desk) == []


def test_nobody_is_asked_any_more_once_what_lies_there_is_what_was_keyed() -> None:
    desk = begun()
    desk.key("act", seat=4, action="call")
    too_much, *_ = desk.push(4, 25, 5, 5)
    desk.play(10)
    assert [one.kind for one in questions(desk)] == ["key-or-felt"]
    del desk.lying["seat-4"][too_much]
    desk.play(10)
    assert questions(desk) == []
    assert desk.rulings == [(4, "call", 10)]
    desk.push(1, 5, 5)
    desk.play(10)
    assert desk.rulings[1:] == [(1, "call", 10)]
    desk.play(60)
    assert ledger_off(desk) == []


def test_nobody_is_asked_any_more_once_the_rest_of_a_keyed_raise_is_there() -> None:
    desk = begun()
    desk.key("act", seat=4, action="raise", to=50)
    desk.push(4, 25, 5)
    desk.play(40)
    assert [one.kind for one in questions(desk)] == ["key-or-felt"]
    desk.push(4, 5, 5, 5, 5)
    desk.play(10)
    assert questions(desk) == []
    assert desk.rulings == [(4, "raise", 50)]


def test_after_three_seconds_the_key_stands_and_what_lies_there_is_said() -> None:
    desk = keyed_call(25, 5)
    desk.play(60)
    assert questions(desk) == []
    assert desk.rulings == [(4, "call", 10)]
    assert ledger_off(desk) == ["Seat 4: give 20 back, or U: the key stands for 10, 30 lie there."]


def test_meanwhile_the_next_seats_chips_wait() -> None:
    desk = keyed_call(25, 5)
    desk.push(1, 5, 5)
    desk.play(20)
    assert desk.rulings == [(4, "call", 10)]
    desk.play(60)
    assert desk.rulings == [(4, "call", 10), (1, "call", 10)]


def test_u_takes_the_key_back_and_the_question_with_it() -> None:
    desk = keyed_call(25, 5)
    assert desk.key("undo").ok
    assert questions(desk) == []
    assert desk.hand.next_seat == 4


def test_the_next_seats_key_settles_it_aloud() -> None:
    desk = keyed_call(25, 5)
    assert desk.key("act", seat=1, action="fold").ok
    assert questions(desk) == []
    assert len(ledger_off(desk)) == 1


def test_a_keyed_raise_of_which_less_lies_there_is_asked_about() -> None:
    desk = begun()
    desk.key("act", seat=4, action="raise", to=40)
    desk.push(4, 25, 5)
    desk.play(45)
    [question] = questions(desk)
    assert question.choices == ("raise-to-30", "keep-the-key")
    answer(desk, "raise-to-30")
    assert desk.announced.startswith("Seat 1: call 30")


def test_the_key_stands_against_less_and_says_what_is_missing() -> None:
    desk = begun()
    desk.key("act", seat=4, action="raise", to=40)
    desk.push(4, 25, 5)
    desk.play(45)
    desk.play(50)
    assert questions(desk) == []
    assert ledger_off(desk)[-1] == "Seat 4: put 10 more in, or U: the key stands for 40, 30 lie there."


@pytest.mark.parametrize("chips", [(25,), (10,), (5, 5)])
def test_chips_that_the_rules_call_the_same_are_no_question(chips: tuple[int, ...]) -> None:
    desk = keyed_call(*chips)
    assert questions(desk) == []


def test_an_open_question_about_a_key_survives_a_restart_and_lapses() -> None:
    desk = keyed_call(25, 5)
    desk.restart()
    assert [one.kind for one in questions(desk)] == ["key-or-felt"]
    desk.play(60)
    assert questions(desk) == []
    assert len(ledger_off(desk)) == 1
