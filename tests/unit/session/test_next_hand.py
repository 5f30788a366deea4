"""New settings and a named button go into the next hand, and what earlier hands left behind stays."""

from __future__ import annotations

from tests.unit.session.desk import FOUR, GAME, Desk, terms


def test_new_house_rules_keep_missed_blinds_and_a_restart_folds_the_same() -> None:
    desk = Desk()
    for seat in (1, 2, 3, 4):
        desk.key("sit-down", seat=seat, stack=100)
    desk.key("next-hand")
    desk.key("rest-folds")
    desk.key("sit-out", seat=4)
    for _ in range(3):
        desk.key("next-hand")
        desk.key("rest-folds")
    assert desk.session.book.table is not None
    missed = desk.session.book.table.state.players[4].missed
    desk.terms = terms(kill="full", kill_trigger={"wins": 3})
    desk.restart()

    assert desk.key("next-hand", button=2).ok

    state = desk.session.book.table.state
    assert missed
    assert (state.house, state.players[4].missed) == (desk.terms.house, missed)
    assert state.placed is not None
    assert state.placed.button == 2
    assert desk.restarted().book.table == desk.session.book.table


def test_when_a_hand_begins_the_rulings_of_the_last_one_go_and_undo_brings_them_back() -> None:
    desk = Desk()
    desk.key("setup", game=GAME, seats=FOUR, button=1)
    desk.key("cards-out")
    desk.key("rest-folds")
    before = desk.session.table_state(1, 1, "").rulings
    assert [one.sentence for one in before] == ["Seat 4 folds.", "Seat 1 folds.", "Seat 2 folds."]
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").rulings == ()
    assert desk.restarted().table_state(1, 1, "").rulings == ()
    desk.key("undo")
    assert desk.session.table_state(1, 1, "").rulings == before
