"""Who asks in the middle of a hand to leave or to change seats: remembered, shown, done when the hand is over."""

from typing import Any

from table_controller.accounts.ledger import ledger_of
from tests.unit.journal.stories import recorded
from tests.unit.session.desk import Desk
from tests.unit.session.test_between import begun, chips, folds_the_same, refused


def seat(desk: Desk, number: int) -> Any:
    return next(one for one in desk.session.table_state(1, 1, "").seats if one.seat == number)


def test_a_leave_in_mid_hand_is_remembered_shown_and_done_before_the_next_hand() -> None:
    desk = begun()
    assert desk.key("leave", seat=3).sentence == "Seat 3 leaves after the hand. U takes it back."
    assert (seat(desk, 3).leaves, seat(desk, 3).status) == (True, "in")
    refused(desk, "leave", "not-open", "already", seat=3)
    assert folds_the_same(desk)

    desk.key("rest-folds")
    desk.key("next-hand")

    assert seat(desk, 3).status == "empty"
    assert chips(desk) == 800 - 201
    assert folds_the_same(desk)


def test_u_takes_back_that_a_player_leaves() -> None:
    desk = begun()
    desk.key("leave", seat=3)
    assert desk.key("undo-key").sentence == "Took back: seat 3 leaves."
    assert not seat(desk, 3).leaves


def test_a_player_who_was_to_leave_may_stay() -> None:
    desk = begun()
    desk.key("leave", seat=3)
    desk.key("passive", seat=4)
    assert desk.key("keep-seat", seat=3).sentence == "Seat 3 stays."
    desk.key("rest-folds")
    desk.key("next-hand")
    assert seat(desk, 3).status == "in"


def test_between_hands_a_player_leaves_at_once_with_its_stack() -> None:
    desk = begun()
    desk.key("rest-folds")
    assert desk.key("leave", seat=1).sentence == "Seat 1 leaves with 200."
    assert seat(desk, 1).status == "empty"


def test_a_seat_change_takes_name_stack_and_account_along() -> None:
    desk = Desk()
    for number, name in ((1, "Ann"), (2, "Bob"), (3, "Cleo")):
        desk.key("sit-down", seat=number, stack=200, player=name)
    desk.key("next-hand")
    desk.key("cards-out")
    assert desk.key("change-seat", seat=1, to=5).sentence == "Seat 1 moves to seat 5 after the hand. U takes it back."
    assert seat(desk, 1).moves_to == 5
    desk.key("rest-folds")
    won = seat(desk, 1).stack
    desk.key("next-hand")

    assert (seat(desk, 1).status, seat(desk, 5).name) == ("empty", "Ann")
    assert seat(desk, 5).stack + seat(desk, 5).bet == won
    assert desk.restarted().book == desk.session.book
    ledger = ledger_of(recorded(desk.entries))
    ann = ledger.accounts[desk.session.book.seated[5]]
    assert (ann.bought, ann.result, [stay.seat for stay in ann.stays]) == (200, won - 200, [5])
    assert sum(account.result for account in ledger.accounts.values()) == 0


def test_between_hands_the_answer_says_what_a_seat_change_costs() -> None:
    desk = begun({str(number): 200 for number in range(1, 6)})
    desk.key("rest-folds")  # the blinds were seats 2 and 3: seat 4 is due the big blind, then seat 5
    assert desk.key("change-seat", seat=5, to=6).sentence == "Seat 5 moves to seat 6."
    desk.key("undo-key")
    reply = desk.key("change-seat", seat=4, to=6)
    assert reply.sentence == "Seat 4 moves to seat 6 and posts 2, for the big blind is 1 hand farther off."
    assert seat(desk, 6).comes == "posts"
    desk.key("undo-key")
    reply = desk.key("change-seat", seat=4, to=6, post=False)
    assert reply.sentence == "Seat 4 moves to seat 6 and waits 1 hand: the big blind is farther off."
    assert (seat(desk, 6).comes, seat(desk, 6).waits_hands) == ("waits", 1)
    desk.key("next-hand")
    assert (seat(desk, 6).status, seat(desk, 6).waits_hands) == ("out", 0)
    assert folds_the_same(desk)
    desk.key("cards-out")
    desk.key("rest-folds")
    desk.key("next-hand")
    assert (seat(desk, 6).status, desk.session.table_state(1, 1, "").big_blind) == ("in", 6)


def test_a_seat_that_is_not_there_is_refused() -> None:
    refused(begun(), "change-seat", "bad-arguments", "no seat 9", seat=3, to=9)


def test_who_leaves_after_the_last_hand_of_the_evening_has_been_paid_out() -> None:
    desk = begun()
    desk.key("leave", seat=3)
    desk.key("rest-folds")
    accounts = ledger_of(recorded(desk.entries)).accounts.values()
    assert [(one.cashed_out, one.on_table) for one in accounts if one.cashed_out] == [(201, 0)]


def test_an_award_that_is_taken_back_brings_the_leaver_back_in_the_ledger_too() -> None:
    desk = begun({"1": 200, "2": 200, "3": 200})
    desk.key("leave", seat=1)
    desk.key("act", seat=1, action="call")
    desk.key("act", seat=2, action="call")
    desk.key("act", seat=3, action="check")
    for street in ("flop", "turn", "river"):
        desk.key("deal", street=street)
        for number in (2, 3, 1):
            desk.key("passive", seat=number)
    desk.key("award", pots=[[2]])
    desk.key("next-hand")
    assert seat(desk, 1).status == "empty"
    assert desk.key("reopen-award").ok
    assert (seat(desk, 1).status, seat(desk, 1).leaves) == ("in", True)
    desk.key("award", pots=[[1]])
    desk.key("next-hand")
    ledger = ledger_of(recorded(desk.entries))
    assert sorted(one.cashed_out for one in ledger.accounts.values()) == [0, 0, 204]
    assert sum(one.result for one in ledger.accounts.values()) == 0
