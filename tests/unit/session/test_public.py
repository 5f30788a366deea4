"""What the public state tells of the pots: taking in, what each can win, the pot bet's reckoning, a passed-out hand."""

from typing import Any

import pytest

from betline.messages.table import TableState
from table_controller.session.hand_view import hand_view
from tests.unit.session.desk import Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2], "streets": "holdem"}
JACKS_OR_BETTER = {"limit": "pot-limit", "streets": "draw", "blinds": [], "ante": 5, "min_bet": 10}
THREE = {"1": 200, "2": 200, "3": 200}


def begun(seats: dict[str, int], game: dict[str, Any] = NO_LIMIT, **house: Any) -> Desk:
    desk = Desk(terms(**house))
    desk.key("setup", game=game, seats=seats, button=1, house={"profile": "tda", **house})
    desk.key("cards-out")
    return desk


def act(desk: Desk, *acts: tuple[int, str]) -> TableState:
    for seat, words in acts:
        action, _, to = words.partition(" ")
        assert desk.key("act", seat=seat, action=action, to=int(to) if to else None).ok
    return desk.session.table_state(1, 1, "")


def pulls(state: TableState) -> list[tuple[int, int, int | None]]:
    return [(pull.seat, pull.amount, pull.pot) for pull in state.pulls]


def can_win(state: TableState) -> dict[int, int]:
    return {seat.seat: seat.can_win for seat in state.seats if seat.can_win is not None}


def test_r_305_four_all_in_for_less_and_less_are_taken_into_three_pots() -> None:
    desk = begun({"1": 100, "2": 50, "3": 25, "4": 300})
    during = act(desk, (4, "all-in"), (1, "all-in"))
    assert during.pulls == ()
    assert can_win(during) == {1: 203, 2: 4, 3: 7, 4: 403}

    state = act(desk, (2, "all-in"), (3, "all-in"))

    assert pulls(state) == [
        (2, 25, 0), (2, 25, 1), (3, 25, 0), (4, 25, 0), (4, 25, 1), (4, 50, 2), (4, 200, None),
        (1, 25, 0), (1, 25, 1), (1, 50, 2),
    ]  # fmt: skip
    assert [pot.amount for pot in state.pots] == [100, 75, 100]
    assert can_win(state) == {1: 275, 2: 175, 3: 100, 4: 275}
    assert (state.phase, state.won, state.first_next) == ("showdown", (), None)


def test_tda_47_the_state_says_why_a_seat_may_not_raise_with_the_rule() -> None:
    desk = begun({"1": 200, "2": 200, "3": 50, "4": 200})
    state = act(desk, (4, "raise 40"), (1, "call"), (2, "call"), (3, "all-in"))
    assert state.why_no_raise == "10 more is less than the full raise of 38 (TDA 47)."
    assert act(desk, (4, "fold"), (1, "fold"), (2, "call")).why_no_raise == ""


def test_r_262_a_side_pot_that_one_seat_alone_can_win_is_told_as_its_own() -> None:
    desk = begun({"1": 200, "2": 200, "3": 30, "4": 200})
    state = act(desk, (4, "raise 50"), (1, "raise 100"), (2, "fold"), (3, "all-in"), (4, "fold"))

    assert pulls(state)[-3:] == [(1, 30, 0), (1, 20, 1), (1, 50, None)]
    assert [(pot.amount, pot.seats) for pot in state.pots] == [(91, (1, 3))]
    assert [(pot.amount, pot.seats) for pot in state.won] == [(40, (1,))]
    desk.key("award", pots=[[3]])
    assert desk.session.table_state(1, 1, "").won == ()


def test_a_hand_that_all_folded_is_its_winners_and_nobody_can_win_any_more() -> None:
    desk = begun({"1": 200, "2": 200, "3": 200, "4": 200})
    state = act(desk, (4, "raise 50"), (1, "fold"), (2, "fold"), (3, "fold"))

    assert pulls(state) == [(2, 1, 0), (3, 2, 0), (4, 2, 0), (4, 48, None)]
    assert [(pot.amount, pot.seats) for pot in state.won] == [(5, (4,))]
    assert can_win(state) == {}


def test_r_002_who_opens_the_next_street_is_told() -> None:
    state = act(begun(THREE), (1, "call"), (2, "fold"), (3, "check"))
    assert (state.phase, state.first_next) == ("round-over", 3)


def test_of_a_table_without_a_hand_nothing_of_pots_is_told() -> None:
    state = Desk().session.table_state(1, 1, "")
    assert (state.pulls, state.won, state.carried, state.first_next) == ((), (), 0, None)
    assert can_win(state) == {}


def test_r_158_what_rounding_adds_to_the_pot_bet_is_told() -> None:
    omaha = {"limit": "pot-limit", "blinds": [5, 10], "streets": "omaha"}
    count = begun(THREE, omaha, pot_round_to=25).session.table_state(1, 1, "").pot_count
    assert count is not None
    assert (count.last_wager, count.trail, count.start, count.rounded, count.maximum) == (10, 5, 0, 0, 35)
    count = act(begun(THREE, omaha, pot_round_to=25), (1, "call")).pot_count
    assert count is not None
    assert (3 * count.last_wager + count.trail + count.start, count.rounded, count.maximum) == (40, 20, 60)


@pytest.mark.parametrize("pot", ["full", "actual"])
def test_r_157_a_short_big_blind_in_pot_limit_can_be_told(pot: str) -> None:
    omaha = {"limit": "pot-limit", "blinds": [5, 10], "streets": "omaha"}
    count = begun({**THREE, "3": 3}, omaha, short_blind_pot=pot).session.table_state(1, 1, "").pot_count
    assert count is not None
    assert count.trail == 5 + 3 - 10
    assert count.maximum == 3 * 10 + count.trail + count.start


def test_r_307_a_hand_that_nobody_opens_is_passed_out_by_key_and_can_be_taken_back() -> None:
    desk = begun(THREE, JACKS_OR_BETTER)
    refused = desk.key("pass-out")
    assert (refused.code, refused.sentence) == ("action-pending", "Passing out must wait: seat 2 is to act.")
    over = act(desk, (2, "check"), (3, "check"), (1, "check"))
    assert (over.phase, over.carried, over.first_next) == ("round-over", 0, 2)

    assert desk.key("pass-out").sentence == "Passed out: 15 lie in the next hand's pot."
    state = desk.session.table_state(1, 1, "")
    assert (state.phase, state.pot, state.carried) == ("hand-over", 0, 15)
    desk.restart()
    assert desk.session.table_state(1, 1, "").carried == 15

    desk.key("undo")
    assert desk.session.table_state(1, 1, "").phase == "round-over"
    desk.key("pass-out")
    desk.key("next-hand")
    following = desk.session.table_state(1, 1, "")
    assert (following.pot, following.carried, can_win(following)) == (30, 0, {1: 30, 2: 30, 3: 30})


def test_r_307_what_somebody_has_opened_is_not_passed_out() -> None:
    desk = begun(THREE, JACKS_OR_BETTER)
    act(desk, (2, "bet 10"), (3, "call"), (1, "fold"))
    refused = desk.key("pass-out")
    assert refused.code == "not-open"
    assert refused.sentence == "Play it on: only a hand that nobody has opened on its first street is passed out."


def test_without_a_table_nothing_is_passed_out() -> None:
    assert Desk().key("pass-out").code == "no-table"


@pytest.mark.parametrize(
    ("limit", "pot_count", "pot_announcement", "size"),
    [
        ("no-limit", "always", "always", ", 3 in the middle"),
        ("no-limit", "always", "on-request", ""),
        ("no-limit", "pot-limit-only", "always", ""),
        ("pot-limit", "pot-limit-only", "always", ", 3 in the middle"),
        ("pot-limit", "pot-limit-only", "on-request", ""),
    ],
)
def test_r_160_the_size_of_the_pot_is_told_where_it_may_be_counted_and_the_house_tells_it_unasked(
    limit: str, pot_count: str, pot_announcement: str, size: str
) -> None:
    desk = begun(THREE, {**NO_LIMIT, "limit": limit}, pot_count=pot_count, pot_announcement=pot_announcement)
    told = desk.session.table_state(1, 1, "").announcement

    most = "7, the pot" if limit == "pot-limit" else "200"
    assert told == f"Seat 1: call 2, minimum raise to 4, maximum {most}{size}"


def test_sensing_knows_what_the_pot_and_all_players_have_by_the_books() -> None:
    desk = Desk()
    desk.begin()
    assert (hand_view(desk.session.book).pot, hand_view(desk.session.book).in_play) == (3, 800)
    desk.key("act", seat=4, action="raise", to=6)
    assert (hand_view(desk.session.book).pot, hand_view(desk.session.book).in_play) == (9, 800)
    desk.key("rest-folds")
    assert (hand_view(desk.session.book).pot, hand_view(desk.session.book).in_play) == (0, 800)


def test_r_260_in_mid_round_the_pots_hold_the_bets_on_the_felt_capped_by_the_all_in() -> None:
    state = act(
        begun({"1": 100, "2": 50, "3": 25, "4": 300}), (4, "raise 40"), (1, "call"), (2, "all-in"), (3, "all-in")
    )
    assert state.phase == "betting"
    assert [(pot.amount, pot.seats) for pot in state.pots_now] == [
        (100, (1, 2, 3, 4)), (55, (1, 2, 4)),
    ]  # fmt: skip
    assert sum(pot.amount for pot in state.pots_now) == state.pot


def test_when_nobody_can_bet_any_more_the_streets_to_come_are_named() -> None:
    desk = Desk()
    desk.begin(game={"limit": "no-limit", "blinds": [1, 2]}, seats={"1": 50, "2": 50, "3": 50})
    for seat in (1, 2, 3):
        assert desk.session.table_state(1, 1, "").to_come == ()
        assert desk.key("act", seat=seat, action="all-in").ok
    assert desk.session.table_state(1, 1, "").to_come == ("flop", "turn", "river")
    assert desk.key("award", pots=[[1]]).ok
    assert desk.session.table_state(1, 1, "").to_come == ()
