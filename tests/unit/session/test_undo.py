"""U takes back what the last key did, whole, and names it; what was taken back can be put back (R-049)."""

from __future__ import annotations

import pytest

from tests.unit.session.desk import Desk

NO_LIMIT = {"limit": "no-limit", "blinds": [5, 10]}
SIX = {str(seat): 500 for seat in range(1, 7)}


@pytest.fixture
def desk() -> Desk:
    """Six players, no sensor heard of; the blinds are seats 2 and 3, seat 4 is to act."""
    desk = Desk()
    desk.key("setup", game=NO_LIMIT, seats=SIX, button=1)
    desk.key("cards-out")
    return desk


def undo(desk: Desk) -> str:
    reply = desk.key("undo-key")
    assert reply.ok, reply.sentence
    return reply.sentence


def redo(desk: Desk) -> str:
    reply = desk.key("redo")
    assert reply.ok, reply.sentence
    return reply.sentence


def test_what_one_key_folded_is_taken_back_by_one_key_and_named(desk: Desk) -> None:
    desk.key("act", seat=4, action="raise", to=40)
    before = desk.hand
    desk.key("rest-folds")
    assert undo(desk) == "Took back: seats 5, 6, 1, 2 and 3 fold."
    assert desk.hand == before
    assert desk.hand.next_seat == 5


def test_seats_that_a_jump_passed_are_all_to_act_again(desk: Desk) -> None:
    desk.key("jump", seat=1)
    assert undo(desk) == "Took back: seats 4, 5 and 6 fold."
    assert desk.hand.next_seat == 4


def test_each_key_is_taken_back_by_itself(desk: Desk) -> None:
    desk.key("act", seat=4, action="call")
    desk.key("act", seat=5, action="raise", to=30)
    assert undo(desk) == "Took back: seat 5 raises to 30."
    assert undo(desk) == "Took back: seat 4 calls 10."
    assert desk.hand.next_seat == 4


def test_chips_that_were_ruled_on_after_a_key_are_taken_back_without_it() -> None:
    desk = Desk()
    desk.begin(game=NO_LIMIT, seats={"1": 500, "2": 500, "3": 500, "4": 500})
    desk.key("act", seat=4, action="fold")
    desk.push(1, 5, 5)
    desk.play()
    assert desk.hand.next_seat == 2
    assert undo(desk) == "Took back: seat 1 calls 10."
    assert desk.hand.next_seat == 1
    assert undo(desk) == "Took back: seat 4 folds."


def test_what_was_taken_back_is_put_back_whole(desk: Desk) -> None:
    desk.key("act", seat=4, action="raise", to=40)
    desk.key("rest-folds")
    after = desk.hand
    undo(desk)
    undo(desk)
    assert redo(desk) == "Put back: seat 4 raises to 40."
    assert redo(desk) == "Put back: seats 5, 6, 1, 2 and 3 fold."
    assert desk.hand == after
    assert undo(desk) == "Took back: seats 5, 6, 1, 2 and 3 fold."


def test_the_same_act_keyed_again_leaves_the_rest_to_be_put_back(desk: Desk) -> None:
    desk.key("act", seat=4, action="call")
    desk.key("act", seat=5, action="call")
    undo(desk)
    undo(desk)
    desk.key("act", seat=4, action="call")
    assert redo(desk) == "Put back: seat 5 calls 10."


def test_after_another_act_nothing_can_be_put_back(desk: Desk) -> None:
    desk.key("act", seat=4, action="call")
    undo(desk)
    desk.key("act", seat=4, action="fold")
    before = desk.session.book
    reply = desk.key("redo")
    assert (reply.ok, reply.code) == (False, "nothing-taken-back")
    assert desk.session.book.table is before.table


def test_a_hand_that_was_begun_too_early_is_taken_back_and_named(desk: Desk) -> None:
    desk.key("act", seat=4, action="raise", to=40)
    desk.key("rest-folds")
    over = desk.session.book
    desk.key("next-hand")
    assert undo(desk) == "Took back: the beginning of hand 2."
    assert desk.session.book.table == over.table
    assert redo(desk) == "Put back: the beginning of hand 2."
    assert desk.session.book.hand_no == 2


def test_cards_that_were_keyed_out_too_early_are_taken_back_before_the_hand_is() -> None:
    desk = Desk()
    desk.key("setup", game=NO_LIMIT, seats=SIX, button=1)
    desk.key("cards-out")
    assert undo(desk) == "Took back: the cards are out. Straddles and blinds are open again."
    assert desk.session.table_state(1, 1, "").phase == "posting"
    assert desk.key("straddle", seat=4).ok
    assert desk.key("cards-out").ok
    assert desk.session.table_state(1, 1, "").phase == "betting"


def test_what_can_be_put_back_is_known_after_a_restart(desk: Desk) -> None:
    desk.key("act", seat=4, action="raise", to=40)
    desk.key("rest-folds")
    undo(desk)
    desk.restart()
    assert redo(desk) == "Put back: seats 5, 6, 1, 2 and 3 fold."
    desk.restart()
    assert undo(desk) == "Took back: seats 5, 6, 1, 2 and 3 fold."


def test_where_nothing_is_left_the_refusal_says_so() -> None:
    desk = Desk()
    desk.key("setup", game=NO_LIMIT, seats=SIX, button=1)
    reply = desk.key("undo-key")
    assert (reply.ok, reply.code) == (False, "too-late")


def test_a_key_that_was_no_act_is_not_mistaken_for_the_act_before_it(desk: Desk) -> None:
    desk.key("act", seat=4, action="call")
    desk.key("dealer", name="Ann")
    before = desk.hand
    reply = desk.key("undo-key")
    assert (reply.ok, reply.code) == (False, "not-undone")
    assert reply.sentence == (
        "Key it anew: the last key named who deals, which U does not take back. 1 U takes back: seat 4 calls 10."
    )
    assert desk.hand == before
    assert desk.key("undo", count=1).ok
    assert desk.hand.next_seat == 4
