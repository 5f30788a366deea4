"""Chips that lie there before the cards are keyed out: the dealer says whether they are an act (R-043)."""

import pytest

from betline.messages.table import Alert, Question
from tests.unit.session.desk import Desk, terms

GAME = {"limit": "no-limit", "blinds": [5, 10], "streets": "holdem"}


def posting(profile: str = "cash", **house: object) -> Desk:
    """A hand with its blinds of 5 and 10 on the felt and its cards not keyed out; seat 4 is to act first."""
    desk = Desk(terms())
    rules = {"profile": profile, "straddle_positions": "utg", "implied_passive": "ask", **house}
    desk.key("setup", game=GAME, seats=dict.fromkeys("12345", 900), button=1, house=rules)
    desk.push(2, 5)
    desk.push(3, 5, 5)
    desk.play(8)
    return desk


def questions(desk: Desk) -> list[Question]:
    return list(desk.session.table_state(1, 1, "").questions)


def answer(desk: Desk, choice: str) -> None:
    reply = desk.key("answer", question=questions(desk)[0].id, choice=choice)
    assert reply.ok, reply.sentence


@pytest.fixture
def raised() -> Desk:
    """Seat 4's raise to 30 lies there when the cards are keyed out."""
    desk = posting()
    desk.push(4, 25, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.play(2)
    return desk


def test_a_raise_before_the_cards_are_keyed_out_is_asked_about(raised: Desk) -> None:
    [question] = questions(raised)
    assert (question.kind, question.seat) == ("before-cards", 4)
    assert question.choices == ("raise", "straddle", "no-bet")
    assert question.sentence == "Seat 4's 30: raise, straddle or take back?"
    assert raised.rulings == []


def test_it_is_a_raise_where_the_dealer_says_so(raised: Desk) -> None:
    answer(raised, "raise")
    raised.play(4)
    assert raised.rulings == [(4, "raise", 30)]
    assert raised.announced.startswith("Seat 5: call 30")
    raised.push(5, 25, 5)
    raised.play(8)
    assert raised.rulings[-1] == (5, "call", 30)


def test_it_is_the_least_straddle_and_the_rest_goes_back(raised: Desk) -> None:
    answer(raised, "straddle")
    raised.play(4)
    assert raised.hand.bet(4) == 20
    [seat] = [one for one in raised.session.table_state(1, 1, "").seats if one.seat == 4]
    assert (seat.straddle, seat.change_due) == (20, 10)
    assert raised.announced.startswith("Seat 5: call 20")
    assert questions(raised) == []
    raised.push(5, 10, 10)
    raised.play(12)
    assert raised.rulings == [(4, "post", 20), (5, "call", 20)]


def test_it_is_taken_back_and_the_hand_goes_on(raised: Desk) -> None:
    answer(raised, "no-bet")
    raised.lying["seat-4"].clear()
    raised.play(12)
    raised.push(4, 10)
    raised.play(8)
    assert raised.rulings == [(4, "call", 10)]
    assert questions(raised) == []


def test_until_it_is_answered_later_chips_wait_and_nobody_is_taken_to_have_folded(raised: Desk) -> None:
    raised.push(5, 25, 5)
    raised.play(90)
    assert raised.rulings == []
    assert [one.kind for one in questions(raised)] == ["before-cards"]
    answer(raised, "raise")
    raised.play(12)
    assert raised.rulings == [(4, "raise", 30), (5, "call", 30)]


def test_a_key_for_the_seat_settles_it(raised: Desk) -> None:
    assert raised.key("act", seat=4, action="raise", to=30).ok
    raised.play(60)
    assert raised.rulings == [(4, "raise", 30)]
    assert questions(raised) == []
    assert not [one for one in raised.heard(Alert) if one.code == "ledger-off"]


def test_the_question_survives_a_restart(raised: Desk) -> None:
    raised.restart()
    raised.play(4)
    answer(raised, "raise")
    raised.play(4)
    assert raised.rulings == [(4, "raise", 30)]


def test_a_call_before_the_cards_is_asked_about_as_a_call() -> None:
    desk = posting()
    desk.push(4, 10)
    desk.play(8)
    desk.key("cards-out")
    desk.play(2)
    assert questions(desk)[0].sentence == "Seat 4's 10: call or take back?"
    answer(desk, "call")
    desk.play(4)
    assert desk.rulings == [(4, "call", 10)]


def test_a_straddle_of_the_least_size_follows_the_house() -> None:
    desk = posting()
    desk.push(4, 10, 10)
    desk.play(8)
    desk.key("cards-out")
    desk.play(8)
    assert questions(desk) == []
    assert desk.hand.bet(4) == 20
    assert desk.announced.startswith("Seat 5: call 20")


def test_a_house_without_straddles_asks_about_its_size_too() -> None:
    desk = posting(straddle_positions="none")
    desk.push(4, 10, 10)
    desk.play(8)
    desk.key("cards-out")
    desk.play(2)
    assert questions(desk)[0].choices == ("raise", "no-bet")
    answer(desk, "raise")
    desk.play(4)
    assert desk.rulings == [(4, "raise", 20)]


def test_two_seats_that_were_early_are_asked_about_one_after_the_other() -> None:
    desk = posting()
    desk.push(4, 25, 5)
    desk.push(5, 25, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.play(2)
    assert [one.seat for one in questions(desk)] == [4, 5]
    answer(desk, "raise")
    desk.play(2)
    assert questions(desk)[0].choices == ("call", "no-bet")
    answer(desk, "call")
    desk.play(4)
    assert desk.rulings == [(4, "raise", 30), (5, "call", 30)]


def test_a_blind_that_wants_change_is_no_act() -> None:
    desk = Desk(terms())
    desk.key("setup", game=GAME, seats=dict.fromkeys("12345", 900), button=1, house={"profile": "cash"})
    desk.push(2, 5)
    desk.push(3, 25)
    desk.play(8)
    desk.key("cards-out")
    desk.play(8)
    assert questions(desk) == []


def test_antes_that_lie_with_the_blinds_are_no_act() -> None:
    desk = Desk(terms())
    game = {**GAME, "ante": 1}
    desk.key("setup", game=game, seats=dict.fromkeys("12345", 900), button=1, house={"profile": "cash"})
    for seat in (1, 4, 5):
        desk.push(seat, 1)
    desk.push(2, 1, 5)
    desk.push(3, 1, 5, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.play(8)
    assert questions(desk) == []
