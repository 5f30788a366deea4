"""What the dealer settles beside the acts: each command, its refusal, and that a restart folds to the same."""

from dataclasses import replace
from typing import Any

import pytest

from tests.unit.session.desk import FOUR, GAME, Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}
STUD = {"limit": "fixed-limit", "streets": "stud", "blinds": [], "bets": [4, 4, 8, 8, 8], "bring_in": 2, "ante": 1}


def begun(seats: dict[str, int] = FOUR, game: dict[str, Any] = NO_LIMIT, *, out: bool = True, **house: Any) -> Desk:
    """A hand of a script at its beginning, with the cards out."""
    desk = Desk(terms(**house))
    desk.key("setup", game=game, seats=seats, button=1, house={"profile": "home", **house})
    if out:
        desk.key("cards-out")
    return desk


def idle(**house: Any) -> Desk:
    """Four players, the first hand over by folds."""
    desk = begun(**house)
    desk.key("rest-folds")
    return desk


def chips(desk: Desk) -> int:
    """All chips: stacks, what lies in the middle, and what has gone to the house."""
    table = desk.session.book.table
    assert table is not None
    state = table.state
    pot = 0 if state.hand is None or state.hand.hand_over else state.hand.pot
    carried = state.carried if state.hand is None else state.hand.carried if state.hand.hand_over else 0
    return sum(state.stacks.values()) + pot + carried + sum(state.house_money.values())


def folds_the_same(desk: Desk) -> bool:
    again = desk.restarted().called(desk.session.names)
    now = replace(desk.session, alerts=())  # of the last step: told once, and not after a restart
    return again.book == now.book and again.table_state(1, 1, "") == now.table_state(1, 1, "")


def refused(desk: Desk, verb: str, code: str, fragment: str, **args: Any) -> None:
    before = desk.session.book
    reply = desk.key(verb, **args)
    assert (reply.ok, reply.code) == (False, code)
    assert fragment in reply.sentence
    assert reply.sentence.endswith(".")
    assert desk.session.book is before


def test_the_key_for_a_check_or_fold_is_answered_with_what_it_was_ruled() -> None:
    desk = begun()
    assert desk.key("passive", seat=4).sentence == "Seat 4 folds."


# --- a hand that does not count


def test_r_204_the_blinds_chop_and_the_button_moves_on() -> None:
    desk = begun()
    refused(desk, "chop-blinds", "not-open", "still in the hand")
    for seat in (4, 1):
        desk.key("passive", seat=seat)
    assert "chop-blinds" not in desk.session.table_state(1, 1, "").closed

    reply = desk.key("chop-blinds")

    assert reply.sentence == "The blinds are chopped: each goes back to its seat."
    state = desk.session.table_state(1, 1, "")
    assert ([seat.stack for seat in state.seats[:4]], state.phase) == ([200] * 4, "idle")
    assert folds_the_same(desk)
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").button == 2


def test_r_204_a_house_that_does_not_chop_says_so_beforehand() -> None:
    desk = begun(chop_blinds=False)
    assert desk.session.table_state(1, 1, "").closed["chop-blinds"] == "This house does not chop blinds (R-204)."
    refused(desk, "chop-blinds", "not-open", "does not chop")


def test_r_190_a_button_that_stood_wrong_is_put_right_and_the_blinds_with_it() -> None:
    desk = begun()
    reply = desk.key("correct-button", seat=3)

    state = desk.session.table_state(1, 1, "")
    assert reply.sentence == "The button is before seat 3: post again."
    assert (state.button, state.small_blind, state.big_blind) == (3, 4, 1)
    assert folds_the_same(desk)
    desk.key("undo")
    assert desk.session.table_state(1, 1, "").button == 1


def test_r_190_after_substantial_action_the_button_stays() -> None:
    desk = begun()
    for seat in (4, 1, 2):
        desk.key("act", seat=seat, action="call")
    assert "substantial action" in desk.session.table_state(1, 1, "").closed["correct-button"]
    refused(desk, "correct-button", "too-late", "substantial action", seat=3)


def test_r_292_a_misdeal_gives_every_chip_back_and_is_dealt_again_as_it_was() -> None:
    desk = begun(game=GAME)
    desk.key("straddle", seat=4)
    desk.key("act", seat=1, action="call")
    reply = desk.key("misdeal")

    state = desk.session.table_state(1, 1, "")
    assert "the same hand again" in reply.sentence
    assert (state.phase, state.again, state.button, state.hand_no) == ("posting", True, 1, 2)
    assert [seat.stack + seat.bet for seat in state.seats[:4]] == [200] * 4
    assert sum(seat.bet for seat in state.seats) == state.pot == 3
    assert folds_the_same(desk)
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").hand_no == 2
    assert folds_the_same(desk)
    desk.key("act", seat=4, action="call")
    assert not desk.session.table_state(1, 1, "").again
    desk.key("undo", count=3)
    assert desk.session.table_state(1, 1, "").hand_no == 1
    assert folds_the_same(desk)


def test_r_292_a_misdeal_comes_too_late_after_substantial_action_a_fouled_deck_does_not() -> None:
    desk = begun()
    for seat in (4, 1, 2):
        desk.key("act", seat=seat, action="call")
    refused(desk, "misdeal", "too-late", "Play it on")
    assert "fouled-deck" not in desk.session.table_state(1, 1, "").closed

    assert desk.key("fouled-deck").ok

    assert [seat.stack + seat.bet for seat in desk.session.table_state(1, 1, "").seats[:4]] == [200] * 4
    assert folds_the_same(desk)


# --- disputes


def test_r_047_a_dead_hand_is_out_with_the_reason_told() -> None:
    desk = begun()
    desk.key("act", seat=4, action="call")
    reply = desk.key("kill-hand", seat=4, why="exposed and mixed with the muck")

    assert "exposed and mixed with the muck" in reply.sentence
    assert desk.session.table_state(1, 1, "").seats[3].status == "folded"
    assert desk.hand.pot == 5
    assert folds_the_same(desk)


def test_tda_65_an_uncalled_raise_of_a_dead_hand_is_due_back_once() -> None:
    desk = begun()
    desk.key("act", seat=4, action="raise", to=10)
    desk.key("kill-hand", seat=4, why="mucked by the dealer")

    seat = desk.session.table_state(1, 1, "").seats[3]
    assert desk.rulings[-1] == (4, "fold", 2)
    assert (seat.stack, seat.change_due) == (198, 8)
    assert folds_the_same(desk)


def test_r_288_a_clock_that_runs_out_folds_the_seat_to_act() -> None:
    desk = begun(clock_seconds=30)
    reply = desk.key("clock-expired")

    assert reply.ok
    assert desk.rulings == [(4, "fold", 0)]
    assert folds_the_same(desk)
    desk.key("rest-folds")
    refused(desk, "clock-expired", "not-open", "nobody is to act")


def test_r_074_a_count_of_a_stack_is_taken_into_the_books_and_told() -> None:
    desk = begun()
    assert desk.key("count", seat=4, stack=180).sentence == "Seat 4 has 180 behind, by count."

    assert desk.session.table_state(1, 1, "").seats[3].stack == 180
    assert "ledger-off" in desk.alerts
    assert folds_the_same(desk)


def test_r_074_a_count_of_a_bet_puts_the_record_right() -> None:
    desk = begun()
    desk.key("act", seat=4, action="raise", to=10)
    assert desk.key("count", seat=4, bet=12).ok

    assert desk.hand.bet(4) == 12
    assert folds_the_same(desk)


def at_showdown() -> Desk:
    desk = begun()
    for seat in (4, 1, 2):
        desk.key("act", seat=seat, action="call")
    desk.key("passive", seat=3)
    for _ in range(3):
        desk.key("deal")
        for seat in (2, 3, 4, 1):
            desk.key("passive", seat=seat)
    return desk


def test_r_049_the_last_award_is_taken_back_even_when_the_next_hand_has_begun() -> None:
    desk = at_showdown()
    refused(desk, "reopen-award", "too-late", "undo")
    desk.key("award", pots=[[2]])
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").hand_no == 2
    assert desk.key("reopen-award").sentence == "The award is taken back: award the pots again."

    state = desk.session.table_state(1, 1, "")
    assert (state.hand_no, state.phase, state.street, state.pot) == (1, "showdown", "river", 8)
    assert folds_the_same(desk)
    desk.key("award", pots=[[3]])
    assert desk.session.table_state(1, 1, "").seats[2].stack == 206
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").hand_no == 2
    assert folds_the_same(desk)


def test_a_reopened_award_is_undone_like_any_step() -> None:
    desk = at_showdown()
    desk.key("award", pots=[[2]])
    desk.key("reopen-award")
    desk.key("undo")

    state = desk.session.table_state(1, 1, "")
    assert (state.phase, state.seats[1].stack) == ("hand-over", 206)
    assert folds_the_same(desk)


def test_the_payout_plan_says_who_gets_what_and_what_the_house_takes() -> None:
    desk = begun(rake={"percent": 10}, kitty="lowest-chip")
    desk.key("act", seat=4, action="raise", to=20)
    desk.key("act", seat=1, action="call")
    desk.key("rest-folds")
    for seat in (2, 3):
        desk.key("passive", seat=seat)
    for _ in range(3):
        desk.key("deal")
        for seat in (4, 1):
            desk.key("passive", seat=seat)
    desk.key("award", pots=[[1, 4]])

    state = desk.session.table_state(1, 1, "")
    assert [(push.to, push.pot, push.amount) for push in state.payouts] == [
        ("rake", 0, 4), ("kitty", 0, 1), (4, 0, 19), (1, 0, 19),
    ]  # fmt: skip
    assert state.house_money == {"rake": 4, "kitty": 1}
    assert chips(desk) == 800


# --- money beside the bets


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ({"from": 4, "to": "tray", "amount": 5, "why": "tip"}, "5 from seat 4 to the tray (tip)."),
        ({"from": 4, "to": "kitty", "amount": 5, "why": "food"}, "5 from seat 4 to the kitty (food)."),
        ({"from": 4, "to": 2, "amount": 50}, "50 from seat 4 to seat 2."),
    ],
)
def test_r_298_chips_move_outside_betting(args: dict[str, Any], sentence: str) -> None:
    desk = idle()
    before = desk.session.table_state(1, 1, "").seats[3].stack
    total = chips(desk)
    reply = desk.key("move-chips", **args)

    assert reply.sentence == sentence
    assert desk.session.table_state(1, 1, "").seats[3].stack == before - args["amount"]
    assert chips(desk) == total
    assert folds_the_same(desk)


def test_r_280_chips_do_not_come_to_a_stack_in_a_hand_and_only_a_tip_leaves() -> None:
    desk = begun()
    refused(desk, "move-chips", "table-stakes", "tip", **{"from": "tray", "to": 4, "amount": 5})
    assert desk.key("move-chips", **{"from": 4, "to": "tray", "amount": 5, "why": "tip"}).ok
    assert desk.session.table_state(1, 1, "").house_money == {"tray": 5}


def test_r_298_money_behind_plays_when_it_is_told_before_the_hand() -> None:
    desk = begun()
    assert "table stakes" in desk.session.table_state(1, 1, "").closed["money-behind"]
    refused(desk, "money-behind", "table-stakes", "before a hand", seat=4, amount=100)
    desk.key("rest-folds")

    assert desk.key("money-behind", seat=4, amount=100).sentence == "Seat 4 plays 300, of it 100 behind."
    assert folds_the_same(desk)


def test_r_283_a_marker_is_given_at_open_stakes_only() -> None:
    desk = begun()
    assert (
        desk.session.table_state(1, 1, "").closed["borrow"]
        == "Call all-in or fold: no chips are borrowed at table stakes."
    )
    refused(desk, "borrow", "table-stakes", "table stakes", seat=4, amount=50, **{"from": "pot"})

    desk = begun(stakes="open")
    desk.key("passive", seat=4)
    assert desk.key("borrow", seat=1, amount=50, **{"from": 4}).sentence == "Seat 1 borrows 50 from seat 4."
    assert desk.key("borrow", seat=1, amount=30, **{"from": "pot"}).sentence == "Seat 1 borrows 30 from the pot."
    refused(desk, "borrow", "not-open", "does not accept", seat=1, amount=30, declined=[2], **{"from": "pot"})

    seats = desk.session.table_state(1, 1, "").seats
    assert (seats[0].stack, seats[0].borrowed, seats[3].stack) == (280, 80, 150)
    assert folds_the_same(desk)


def test_r_300_a_denomination_is_raced_off() -> None:
    desk = begun(seats={"1": 203, "2": 202, "3": 202, "4": 200})
    refused(desk, "color-up", "not-between-hands", "between hands", remove=1, wins=[1], to=5)
    desk.key("rest-folds")
    before = sum(desk.session.book.table.state.stacks.values())  # type: ignore[union-attr]
    odd = {seat: stack % 5 for seat, stack in desk.session.book.table.state.stacks.items()}  # type: ignore[union-attr]
    winners = [seat for seat in odd if odd[seat]][: sum(odd.values()) // 5]
    reply = desk.key("color-up", remove=1, wins=winners, to=5)

    assert reply.sentence.startswith("The 1s have left the table")
    assert all(stack % 5 == 0 for stack in desk.session.book.table.state.stacks.values())  # type: ignore[union-attr]
    assert chips(desk) == before
    assert folds_the_same(desk)


# --- who plays, and what


def test_r_200_the_dealer_gives_the_rock_to_its_first_holder_who_straddles_under_the_gun() -> None:
    desk = idle(rock=True)
    assert desk.key("take-rock", seat=4).sentence == "Seat 4 has the rock."
    desk.key("next-hand", button=1)
    assert desk.session.table_state(1, 1, "").seats[3].straddle == 4
    refused(desk, "take-rock", "not-between-hands", "between two hands", seat=2)
    assert folds_the_same(desk)


def test_r_127_the_dealer_says_who_kills_the_next_hand() -> None:
    desk = idle(kill="full")
    refused(desk, "kill-pot", "not-open", "nobody sits", seat=9)
    assert desk.key("kill-pot", seat=2).sentence == "Seat 2 kills the next hand."
    desk.key("next-hand", button=3)
    assert desk.session.table_state(1, 1, "").seats[1].bet == 4
    assert folds_the_same(desk)


def test_a_house_without_rock_or_kill_gives_neither() -> None:
    refused(idle(), "take-rock", "not-open", "no rock", seat=4)
    refused(idle(), "kill-pot", "not-open", "no kill pots", seat=4)


def test_r_294_a_penalty_is_given_and_lifted() -> None:
    desk = idle()
    assert desk.key("penalty", seat=4, hands=2).sentence == "Seat 4 is away for 2 hands."
    assert desk.session.table_state(1, 1, "").seats[3].penalty == 2
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").seats[3].status == "out"
    desk.key("rest-folds")
    assert desk.key("penalty", seat=4, hands=0).sentence == "Seat 4's penalty is lifted."
    refused(desk, "penalty", "not-open", "no penalty", seat=4, hands=0)
    assert folds_the_same(desk)


@pytest.mark.parametrize(
    ("args", "comes"), [({}, "posts"), ({"post": False}, "waits"), ({"buys_button": True}, "buys-button")]
)
def test_r_192_how_a_new_player_comes_in_is_chosen_and_told(args: dict[str, Any], comes: str) -> None:
    desk = idle(new_player="post")
    assert desk.key("sit-down", seat=5, stack=200, **args).ok

    assert desk.session.table_state(1, 1, "").seats[4].comes == comes
    assert folds_the_same(desk)


@pytest.mark.parametrize(
    ("args", "comes"), [({}, "posts"), ({"post": False}, "waits"), ({"buys_button": True}, "buys-button")]
)
def test_r_193_missed_blinds_are_told_and_how_the_player_comes_back(args: dict[str, Any], comes: str) -> None:
    desk = idle(missed_blinds="big-live-small-dead", absent_players="sit-out")
    desk.key("sit-out", seat=4)
    for _ in range(4):
        desk.key("next-hand")
        desk.key("rest-folds")
    seat = desk.session.table_state(1, 1, "").seats[3]
    assert (seat.away, seat.missed, seat.comes) == (True, (2, 1), "")

    assert desk.key("return", seat=4, **args).ok

    seat = desk.session.table_state(1, 1, "").seats[3]
    assert (seat.away, seat.missed, seat.comes) == (False, (2, 1), comes)
    assert folds_the_same(desk)


def test_r_303_a_bomb_pot_begins_on_the_flop_and_is_told_where_it_is_not_played() -> None:
    desk = idle(bomb_pot="none")
    assert "no bomb pots" in desk.session.table_state(1, 1, "").closed["bomb-pot"]
    refused(desk, "next-hand", "not-open", "bomb pot", bomb_pot=10)

    desk = idle(bomb_pot={"ante": 5, "button_moves": True})
    assert desk.key("next-hand", bomb_pot=0).ok

    state = desk.session.table_state(1, 1, "")
    assert (state.street, state.pot, state.button) == ("flop", 20, 2)
    assert folds_the_same(desk)


def test_r_202_in_stud_the_dealer_names_who_brings_it_in_and_who_opens() -> None:
    desk = begun(game=STUD, out=False)
    state = desk.session.table_state(1, 1, "")
    assert (state.bring_in_due, state.names_first, state.closed.get("bring-in")) == (True, True, None)
    assert state.bring_in_tie == "position"
    reply = desk.key("bring-in", seat=3)

    assert "bring-in" in reply.sentence
    state = desk.session.table_state(1, 1, "")
    assert (state.phase, state.to_act, state.seats[2].bet, state.bring_in_due) == ("betting", 4, 2, False)
    assert state.bring_in_tie is None
    for seat in (4, 1, 2):
        desk.key("act", seat=seat, action="call")
    if desk.session.table_state(1, 1, "").to_act == 3:
        desk.key("passive", seat=3)
    refused(desk, "deal", "not-open", "Name the seat that is first")
    assert desk.key("deal", first=2, open_pair=True).ok
    state = desk.session.table_state(1, 1, "")
    assert (state.to_act, state.max_raise_to) == (2, 8)
    assert "stands where it is" in state.closed["bring-in"]
    assert folds_the_same(desk)


def test_a_game_without_bring_in_says_so() -> None:
    desk = begun()
    assert desk.session.table_state(1, 1, "").closed["bring-in"] == "This game has no bring-in."
    refused(desk, "bring-in", "not-open", "no", seat=4)


def test_tda_48_the_cap_on_raises_goes_when_two_players_are_left() -> None:
    desk = begun(game={"limit": "fixed-limit", "blinds": [1, 2], "bets": [2, 2, 4, 4]})
    assert desk.key("last-two").sentence == "Two players are left: nothing caps the raises."
    assert folds_the_same(desk)


def test_before_a_table_is_set_up_every_command_of_it_is_closed() -> None:
    desk = Desk()
    closed = desk.session.table_state(1, 1, "").closed
    assert set(closed) >= {"chop-blinds", "straddle", "color-up", "bomb-pot"}
    for verb, args in (
        ("chop-blinds", {}),
        ("straddle", {"seat": 4}),
        ("clock-expired", {}),
        ("color-up", {"remove": 1}),
    ):
        refused(desk, verb, "no-table", "no table is set up yet", **args)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "verb",
    ["chop-blinds", "misdeal", "fouled-deck", "reopen-award", "kill-hand", "clock-expired", "color-up", "money-behind"],
)
def test_what_is_told_as_closed_is_refused_and_what_is_not_told_so_is_not(verb: str) -> None:
    args: dict[str, dict[str, Any]] = {
        "kill-hand": {"seat": 2},
        "color-up": {"remove": 1, "to": 100, "wins": [2]},
        "money-behind": {"seat": 2, "amount": 1},
    }
    for desk in (begun(), idle(), at_showdown()):
        closed = verb in desk.session.table_state(1, 1, "").closed
        reply = desk.key(verb, **args.get(verb, {}))
        assert reply.ok != closed, reply.sentence
