"""The pots in words: the reckoning of the pot bet, and how the bets of a round are taken in."""

import pytest

from betline.messages.table import PotLimitCount, PotView, PullView, PushView, SeatState
from table_controller.console.pots import Taking, paying_out, pot_lines, pot_names, reckoning, taking_in
from tests.unit.console.table import showdown, state, three_pots

OVER = {"phase": "round-over", "to_act": None}


def pulls(*moved):
    return tuple(PullView(seat=seat, amount=amount, pot=pot) for seat, amount, pot in moved)


def counted(*, pot_bet=None, **count):
    plain = {"last_wager": 0, "trail": 0, "start": 0, "call": 0, "maximum": 0}
    made = PotLimitCount(**{**plain, **count})
    return reckoning(state(pot_count=made, pot_bet=made.maximum if pot_bet is None else pot_bet))


def test_pots_are_named():
    assert [pot_names(count) for count in (0, 1, 2, 3)] == [
        ("main",), ("main",), ("main", "side"), ("main", "side 1", "side 2"),
    ]  # fmt: skip


# --- the pot bet


def test_r_150_the_pot_bet_is_three_times_the_wager_the_trail_and_what_lay_there():
    count = {"last_wager": 880, "trail": 765, "start": 520, "call": 880, "maximum": 3925}
    assert counted(**count) == ("3×880", "+ 765", "+ 520")


def test_a_part_that_is_nothing_is_left_out_and_a_single_figure_needs_no_sum():
    assert counted(last_wager=1200, start=2400, maximum=6000) == ("3×1,200", "+ 2,400")
    assert counted(start=520, maximum=520) == ()
    assert reckoning(state()) == ()


def test_r_158_rounding_is_shown():
    assert counted(last_wager=15, trail=5, start=30, rounded=20, maximum=100) == (
        "3×15", "+ 5", "+ 30", "+ 20 rounded up",
    )  # fmt: skip
    assert counted(start=80, rounded=20, maximum=100) == ("80", "+ 20 rounded up")


def test_the_whole_sum_is_told_where_the_seat_cannot_make_it_that():
    assert counted(last_wager=880, start=520, maximum=3160, pot_bet=2000) == ("3×880", "+ 520", "= 3,160")


def test_r_157_a_short_blind_leaves_less_there_than_the_bet_to_match():
    assert counted(last_wager=10, trail=-2, start=12, maximum=40) == ("3×10", "+ 10")
    assert counted(last_wager=10, trail=-2, maximum=28) == ("3×10", "− 2")


# --- taking in the bets


def test_r_305_the_main_pot_comes_first_then_the_side_pots_then_what_goes_back():
    assert taking_in(three_pots()) == (
        Taking("main", "25 each from 1, 2, 3 and 4"),
        Taking("side 1", "25 each from 1, 2 and 4"),
        Taking("side 2", "50 each from 1 and 4"),
        Taking("back", "200 to 4"),
    )


def test_with_one_pot_and_nothing_back_nothing_is_told():
    one = showdown((60, (1, 2))).model_copy(update={"pulls": pulls((1, 30, 0), (2, 30, 0))})
    assert taking_in(one) == ()
    assert taking_in(state()) == ()


def test_with_one_pot_what_goes_back_is_told():
    one = showdown((60, (1, 2))).model_copy(update={"pulls": pulls((1, 30, 0), (2, 30, 0), (2, 20, None))})
    assert taking_in(one) == (Taking("main", "30 each from 1 and 2"), Taking("back", "20 to 2"))


def test_unequal_parts_of_one_pot_are_told_by_amount():
    folded = showdown((70, (1, 2)), (40, (1, 3))).model_copy(
        update={"pulls": pulls((1, 30, 0), (4, 10, 0), (2, 30, 0), (1, 20, 1), (3, 20, 1))}
    )
    assert taking_in(folded)[0] == Taking("main", "30 each from 1 and 2 · 10 from 4")


def test_a_pot_that_nothing_is_added_to_is_left_out():
    later = showdown((90, (1, 2, 3)), (60, (1, 3))).model_copy(update={"pulls": pulls((1, 30, 1), (3, 30, 1))})
    assert taking_in(later) == (Taking("side", "30 each from 1 and 3"),)


def test_r_262_a_pot_that_one_seat_alone_can_win_is_its_own():
    won = (PotView(amount=40, seats=(1,)),)
    alone = showdown((91, (1, 3))).model_copy(
        update={"pulls": pulls((3, 30, 0), (4, 30, 0), (4, 20, 1), (1, 30, 0), (1, 20, 1), (1, 50, None)), "won": won}
    )
    assert taking_in(alone) == (
        Taking("main", "30 each from 3, 4 and 1"),
        Taking("side", "20 each from 4 and 1, all to 1"),
        Taking("back", "50 to 1"),
    )
    assert pot_lines(alone) == ()
    before = showdown((91, (1, 3))).model_copy(update={"won": won})
    assert taking_in(before) == (Taking("side", "40 to 1"),)


def test_after_a_hand_that_was_folded_out_what_was_not_called_goes_back():
    seats = (SeatState(seat=3, stack=0, status="folded"), SeatState(seat=4, stack=200, status="in"))
    fold_out = state(
        **{**OVER, "phase": "hand-over"}, seats=seats, won=(PotView(amount=4, seats=(4,)),),
        pulls=pulls((3, 2, 0), (4, 2, 0), (4, 48, None)),
    )  # fmt: skip
    assert taking_in(fold_out) == (Taking("main", "2 each from 3 and 4, all to 4"), Taking("back", "48 to 4"))


def test_once_the_pots_were_awarded_nothing_is_left_to_take_in():
    assert taking_in(three_pots().model_copy(update={"phase": "hand-over"})) != ()
    both = tuple(SeatState(seat=seat, stack=100, status="in") for seat in (1, 4))
    assert taking_in(three_pots().model_copy(update={"phase": "hand-over", "seats": both})) == ()


@pytest.mark.parametrize("phase", ["round-over", "showdown"])
def test_the_plan_is_there_whenever_the_round_is_over(phase):
    assert taking_in(three_pots().model_copy(update={"phase": phase})) != ()
    assert taking_in(three_pots().model_copy(update={"phase": phase, "to_act": 1})) == ()


def test_r_305_what_the_readers_have_seen_done_has_a_tick():
    taken = tuple(
        PullView(seat=seat, amount=amount, pot=pot, done=done)
        for seat, amount, pot, done in ((2, 30, 0, True), (3, 30, 0, False), (3, 20, None, True))
    )
    assert taking_in(state(**OVER, pulls=taken)) == (
        Taking("main", "30 each from 2 ✓ and 3"),
        Taking("back", "20 to 3 ✓"),
    )
    pushed = (PushView(to=2, pot=1, amount=40, done=True), PushView(to="rake", pot=0, amount=5))
    assert paying_out(state(payouts=pushed)) == (Taking("side", "40 to 2 ✓"), Taking("main", "5 rake"))
