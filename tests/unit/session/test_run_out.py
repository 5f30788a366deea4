"""The rest of the board when nobody can bet any more: who turns the cards up, street by street, once or more often."""

import pytest

from tests.unit.session.desk import Desk
from tests.unit.session.test_between import begun, folds_the_same, refused

TWO = {"1": 50, "2": 80}


def all_in(**house: object) -> Desk:
    """Heads-up, both in for 50; seat 1 is on the button."""
    desk = begun(TWO, **house)
    desk.key("act", seat=1, action="all-in")
    desk.key("act", seat=2, action="call")
    return desk


def guide(desk: Desk) -> tuple[object, ...]:
    state = desk.session.table_state(1, 1, "")
    return state.to_come, state.runs, state.board, state.turn_up, state.must_turn_up


@pytest.mark.parametrize(("option", "must"), [("required", True), ("optional", False)])
def test_r_008_the_cards_are_turned_up_before_the_next_street_and_then_no_more(option: str, must: bool) -> None:
    desk = all_in(all_in_hands_open=option)
    assert guide(desk) == (("flop", "turn", "river"), 1, 1, (1, 2), must)
    desk.key("deal")
    assert guide(desk) == (("turn", "river"), 1, 1, (), False)
    desk.key("deal")
    desk.key("deal")
    assert guide(desk) == ((), 1, 1, (), False)


def test_r_268_run_twice_each_board_is_dealt_and_u_takes_every_street_back() -> None:
    desk = all_in(run_it=2)
    desk.key("deal")
    assert desk.session.table_state(1, 1, "").may_run == 2
    assert desk.key("run-it", times=2).sentence == "It is run 2 times: deal board 1 first."
    assert folds_the_same(desk)
    seen = []
    for _ in range(4):
        seen.append((desk.session.table_state(1, 1, "").board, desk.session.table_state(1, 1, "").to_come[0]))
        assert desk.key("deal").ok
        assert folds_the_same(desk)
    assert seen == [(1, "turn"), (1, "river"), (2, "turn"), (2, "river")]
    desk.key("undo-key")
    assert guide(desk)[:3] == (("river",), 2, 2)
    desk.key("deal")
    refused(desk, "deal", "too-late", "All boards are out")
    refused(desk, "award", "not-open", "each board", pots=[[1]])

    desk.key("award", pots=[{"parts": [[1], [2]]}])

    assert [seat.stack for seat in desk.session.table_state(1, 1, "").seats[:2]] == [50, 80]
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").runs == 1
    assert folds_the_same(desk)


def test_r_268_the_menu_says_beforehand_why_it_is_run_once() -> None:
    assert "once" in all_in(run_it=1).session.table_state(1, 1, "").closed["run-it"]
    assert "nobody can bet" in begun(TWO, run_it=2).session.table_state(1, 1, "").closed["run-it"]
    assert "run-it" not in all_in(run_it=2).session.table_state(1, 1, "").closed
    refused(all_in(run_it=2), "run-it", "not-open", "2 times at most", times=3)


def test_r_268_a_misdeal_or_the_next_hand_forgets_the_runs() -> None:
    desk = all_in(run_it=3)
    desk.key("run-it", times=3)
    desk.key("fouled-deck")
    assert desk.session.table_state(1, 1, "").runs == 1
