"""Who may raise again (R-100 to R-106), fixed and spread limit, and caps on raises (R-120 to R-126)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import (
    STREETS,
    Action,
    ActionKind,
    BettingOptions,
    Hand,
    Illegal,
    Limit,
    Post,
    PostKind,
    Structure,
)
from table_controller.betting.structure import HeadsUpCap, ShortAllIn, ShortOpenAllIn
from tests.unit.betting.betting_helpers import CASH, LIMIT_20_40, TDA, call_and_range, no_limit, on_the_flop, played

CALL_OR_FOLD = {ActionKind.CALL, ActionKind.FOLD}
STUD = Structure(limit=Limit.FIXED_LIMIT, bets=(5, 5, 10, 10, 10), bring_in=2, streets=STREETS["stud"])
FULL = replace(CASH, short_all_in=ShortAllIn.FULL)


def test_r100_cumulative_short_all_ins_reopen_for_those_whom_they_face_in_full() -> None:
    stacks = {1: 5000, 2: 125, 3: 5000, 4: 200, 5: 5000}
    hand = played(on_the_flop(no_limit(50, 100), stacks, button=5), "bet 100", "all-in", "call", "all-in", "call")
    assert hand.next_seat == 1
    assert call_and_range(hand) == (100, 300, 5000)
    hand = played(hand, "call")
    assert hand.next_seat == 3
    assert hand.may == CALL_OR_FOLD
    reason = hand.why_not(ActionKind.RAISE)
    assert reason is not None
    assert reason[0] == "not-open"
    assert "TDA 47" in reason[1]


def test_r101_the_big_blind_has_not_acted_and_may_raise_a_short_all_in() -> None:
    hand = Hand.start(no_limit(2000, 4000), TDA, {1: 40000, 2: 60000, 3: 40000, 4: 40000, 5: 7500}, 5)
    hand = played(hand, "call", "fold", "all-in", "fold")
    assert call_and_range(hand) == (3500, 11500, 60000)


def test_r102_a_later_full_raise_reopens_for_everyone() -> None:
    hand = on_the_flop(no_limit(50, 100), {1: 5000, 2: 150, 3: 5000, 4: 5000}, button=4)
    hand = played(hand, "bet 100", "all-in", "call", "raise 250", "call")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (100, 350, 5000)


def test_r103_an_all_in_below_the_minimum_does_not_reopen_for_those_who_checked() -> None:
    hand = played(on_the_flop(no_limit(50, 100), {1: 5000, 2: 5000, 3: 60}, button=3), "check", "check", "all-in")
    assert call_and_range(hand) == (60, None, None)


def test_r104_full_bet_rule_20_then_30_all_in() -> None:
    hand = played(on_the_flop(LIMIT_20_40, {1: 500, 2: 30, 3: 500}, button=3, options=FULL), "bet 20", "all-in", "call")
    assert call_and_range(hand) == (10, None, None)


def test_r104_half_a_bet_is_a_raise_and_the_next_adds_a_full_bet_15_to_35() -> None:
    hand = played(on_the_flop(LIMIT_20_40, {1: 15, 2: 500, 3: 500}, button=3, options=CASH), "all-in")
    assert call_and_range(hand) == (15, 35, 35)


def test_r104_less_than_half_is_called_or_completed_5_to_20_and_completing_reopens() -> None:
    stacks = {1: 500, 2: 500, 3: 5, 4: 500}
    hand = played(on_the_flop(LIMIT_20_40, stacks, button=4, options=CASH), "check", "check", "all-in")
    assert hand.may == {ActionKind.CALL, ActionKind.COMPLETE, ActionKind.FOLD}
    assert call_and_range(hand) == (5, 20, 20)
    assert call_and_range(played(hand, "call")) == (5, None, None)
    completed = played(hand, "complete")
    assert completed.last_act is not None
    assert completed.last_act.kind is ActionKind.COMPLETE
    assert call_and_range(completed) == (20, 40, 40)


def test_r104_a_completion_reopens_to_those_who_called_the_short_all_in_under_the_full_bet_rule_too() -> None:
    hand = played(on_the_flop(LIMIT_20_40, {1: 15, 2: 500, 3: 500}, button=3, options=FULL), "all-in", "call")
    assert call_and_range(hand) == (15, 20, 20)
    assert call_and_range(played(hand, "complete")) == (5, 40, 40)


@pytest.mark.parametrize(("bring_in", "options"), [(2, FULL), (4, CASH), (4, FULL)])
def test_r123_a_completed_bring_in_reopens_to_those_who_called_it(bring_in: int, options: BettingOptions) -> None:
    structure = replace(STUD, bring_in=bring_in)
    hand = Hand.start(structure, options, dict.fromkeys(range(1, 5), 200), 4).bring_in(1)
    hand = played(hand, "call", "complete", "call", "call")
    assert hand.next_seat == 2
    assert call_and_range(hand) == (5 - bring_in, 10, 10)


def test_r104_short_all_ins_that_add_up_in_limit_reopen_only_to_those_whom_they_face_with_half_a_bet() -> None:
    stacks = {1: 500, 2: 26, 3: 500, 4: 33, 5: 500}
    hand = on_the_flop(LIMIT_20_40, stacks, button=5, options=CASH)
    hand = played(hand, "bet", "all-in", "call", "all-in", "call")
    assert call_and_range(hand) == (13, 53, 53)
    hand = played(hand, "call")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (7, None, None)


def test_r084_a_raise_to_the_minimum_over_a_short_opening_all_in_reopens_to_its_caller() -> None:
    options = replace(TDA, short_open_all_in=ShortOpenAllIn.TO_MINIMUM)
    hand = on_the_flop(no_limit(50, 100), {1: 20, 2: 5000, 3: 5000, 4: 100}, button=4, options=options)
    raised = played(hand, "all-in", "call", "raise 100")
    assert call_and_range(played(raised, "fold")) == (80, 200, 5000)
    all_in = played(hand, "all-in", "call", "call", "all-in")
    assert call_and_range(all_in) == (80, 200, 5000)


def test_r100_a_raise_too_small_that_nobody_noticed_does_not_reopen() -> None:
    hand = played(on_the_flop(no_limit(100, 200), dict.fromkeys(range(1, 4), 9000), button=3), "bet 600")
    hand = hand.act(Action(ActionKind.RAISE, 1000), accepted=True)
    assert call_and_range(hand) == (1000, 1600, 9000)
    assert call_and_range(played(hand, "call")) == (400, None, None)


def test_r105_nothing_is_completed_in_no_limit() -> None:
    hand = played(on_the_flop(no_limit(10, 20), {1: 5, 2: 500, 3: 500}, button=3), "all-in")
    with pytest.raises(Illegal, match="Make it a raise"):
        played(hand, "complete 20")


def test_r106_nobody_raises_against_players_who_are_all_in() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 500, 2: 10, 3: 30}, button=3), "bet 20", "all-in", "all-in")
    assert hand.next_seat == 1
    assert hand.may == CALL_OR_FOLD


def test_r106_the_chips_of_a_folded_hand_answer_no_raise() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 500, 2: 10, 3: 30, 4: 900}, button=4)
    hand = played(hand, "bet 20", "all-in", "all-in", "fold")
    assert hand.next_seat == 1
    assert hand.why_not(ActionKind.RAISE) == ("not-open", "Nobody else has chips left to call (R-106).")


def test_r120_fixed_limit_has_one_size_a_street() -> None:
    hand = Hand.start(LIMIT_20_40, CASH, {1: 900, 2: 900, 3: 900}, 3)
    assert call_and_range(hand) == (20, 40, 40)
    hand = played(hand, "call", "call", "check").deal("flop")
    assert call_and_range(hand) == (0, 20, 20)
    hand = played(hand, "check", "check", "check").deal("turn")
    assert call_and_range(hand) == (0, 40, 40)
    assert played(hand, "bet").bet(1) == 40


def test_r123_a_blind_below_the_minimum_is_called_or_completed_2_5_10() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, blinds=(1, 2), bets=(5, 5, 10, 10))
    hand = Hand.start(structure, CASH, {1: 500, 2: 500, 3: 500, 4: 500}, 4)
    assert call_and_range(hand) == (2, 5, 5)
    assert call_and_range(played(hand, "complete")) == (5, 10, 10)


@pytest.mark.parametrize(
    ("cap", "open_to_raise"),
    [
        (HeadsUpCap.ALWAYS, False),
        (HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP, False),
        (HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP, True),
    ],
)
def test_r121_three_raises_after_the_round_became_heads_up(cap: HeadsUpCap, open_to_raise: bool) -> None:
    options = BettingOptions(max_raises=3, heads_up_cap=cap)
    hand = on_the_flop(LIMIT_20_40, dict.fromkeys((1, 2, 3), 2000), button=3, options=options)
    hand = played(hand, "bet", "raise", "fold", "raise", "raise")
    assert (hand.raise_range is not None) is open_to_raise


def test_r121_a_fold_after_the_cap_does_not_uncap() -> None:
    options = BettingOptions(max_raises=3, heads_up_cap=HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP)
    hand = on_the_flop(LIMIT_20_40, dict.fromkeys((1, 2, 3), 2000), button=3, options=options)
    hand = played(hand, "bet", "raise", "raise", "raise", "fold")
    assert hand.next_seat == 3
    assert hand.may == CALL_OR_FOLD


def test_r121_two_players_beside_an_all_in_hand_are_heads_up_before_the_cap() -> None:
    options = BettingOptions(max_raises=3, heads_up_cap=HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP)
    hand = on_the_flop(LIMIT_20_40, {1: 2000, 2: 2000, 3: 40}, button=3, options=options)
    hand = played(hand, "bet", "raise", "all-in", "raise", "raise")
    assert call_and_range(hand) == (20, 100, 100)


def test_r121_no_cap_where_the_round_began_heads_up() -> None:
    hand = on_the_flop(LIMIT_20_40, dict.fromkeys((1, 2), 2000), button=2, options=CASH)
    hand = played(hand, "bet", *["raise"] * 8)
    assert hand.raise_range == (200, 200)


@pytest.mark.parametrize(("counts", "capped_at"), [(False, 100), (True, 80)])
def test_r122_a_straddle_counts_as_a_raise_where_the_house_says_so(counts: bool, capped_at: int) -> None:
    options = BettingOptions(max_raises=3, straddle_counts_as_raise=counts)
    posts = [Post(1, 10), Post(2, 20), Post(3, 40, PostKind.STRADDLE)]
    hand = Hand.start(LIMIT_20_40, options, dict.fromkeys(range(1, 6), 900), 5, posts)
    while hand.raise_range is not None:
        hand = played(hand, "raise")
    assert hand.level == capped_at


@pytest.mark.parametrize(("structure", "capped"), [(LIMIT_20_40, True), (no_limit(10, 20), False)])
def test_r122_straddles_that_count_may_cap_a_limit_round_before_anybody_acts(
    structure: Structure, capped: bool
) -> None:
    options = BettingOptions(max_raises=3, straddle_counts_as_raise=True)
    straddles = [Post(seat, 20 * (seat - 1), PostKind.STRADDLE) for seat in (3, 4, 5)]
    hand = Hand.start(structure, options, dict.fromkeys(range(1, 7), 900), 6, [Post(1, 10), Post(2, 20), *straddles])
    assert hand.to_call == 80
    assert (hand.raise_range is None) is capped


def test_r122_a_completion_is_not_one_of_the_raises() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, blinds=(1, 2), bets=(5, 5, 10, 10))
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 6), 900), 5)
    hand = played(hand, "complete", "raise", "raise", "raise")
    assert hand.level == 20
    assert hand.raise_range is None


def test_r125_a_spread_raise_is_at_least_the_bet_and_at_most_the_spread() -> None:
    structure = Structure(limit=Limit.SPREAD_LIMIT, blinds=(1,), spread=((1, 5), (1, 5), (1, 5), (1, 10)))
    hand = on_the_flop(structure, dict.fromkeys((1, 2, 3), 100), button=3, options=CASH)
    assert call_and_range(hand) == (0, 1, 5)
    assert call_and_range(played(hand, "bet 3")) == (3, 6, 8)
    river = on_the_flop(structure, dict.fromkeys((1, 2), 100), button=2, options=CASH, street="river")
    assert call_and_range(played(river, "bet 4")) == (4, 8, 14)


def test_r125_the_first_raise_is_at_least_the_big_blind_where_the_spread_begins_below_it() -> None:
    structure = Structure(limit=Limit.SPREAD_LIMIT, blinds=(2, 5), spread=((2, 100),))
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 5), 900), 4)
    assert call_and_range(hand) == (5, 10, 105)
    hand = played(hand, "call", "call", "call", "check").deal("flop")
    assert call_and_range(hand) == (0, 2, 100)


def test_r125_a_kill_in_spread_limit_is_the_bet_that_the_first_raise_equals() -> None:
    structure = Structure(limit=Limit.SPREAD_LIMIT, blinds=(2, 5), spread=((4, 200),))
    posts = [Post(1, 2), Post(2, 5), Post(4, 10, PostKind.LIVE, acts_last=True)]
    assert call_and_range(Hand.start(structure, CASH, dict.fromkeys(range(1, 6), 900), 5, posts)) == (10, 20, 210)


@pytest.mark.parametrize(("straddle", "least"), [(10, 15), (25, 45)])
def test_r125_a_straddle_in_spread_limit_is_raised_by_what_it_raised_at_least(straddle: int, least: int) -> None:
    structure = Structure(limit=Limit.SPREAD_LIMIT, blinds=(2, 5), spread=((2, 100),))
    posts = [Post(1, 2), Post(2, 5), Post(3, straddle, PostKind.STRADDLE)]
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 5), 900), 4, posts)
    assert call_and_range(hand) == (straddle, least, straddle + 100)


def test_r202_in_pot_limit_stud_the_poster_of_the_bring_in_may_raise_it_itself() -> None:
    structure = Structure(limit=Limit.POT_LIMIT, ante=1, bring_in=2, min_bet=5, streets=STREETS["stud"])
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 5), 200), 4).bring_in(1)
    assert hand.act(Action(ActionKind.RAISE, 8), 1).next_seat == 2
    with pytest.raises(Illegal, match="Wait for seat 2"):
        hand.act(Action(ActionKind.COMPLETE), 1)


def test_r202_a_bring_in_below_the_bet_is_completed_and_leaves_no_option() -> None:
    hand = Hand.start(STUD, CASH, dict.fromkeys(range(1, 5), 200), 4)
    assert hand.awaiting_bring_in
    with pytest.raises(Illegal, match="brings it in"):
        played(hand, "check")
    hand = hand.bring_in(2).bring_in(1)
    assert (hand.next_seat, hand.pot, hand.bet(1), hand.stack(2)) == (2, 2, 2, 200)
    assert call_and_range(hand) == (2, 5, 5)
    assert played(hand, "call", "call", "call").round_over


def test_r202_the_bring_in_may_be_completed_by_its_poster_until_another_acts() -> None:
    hand = Hand.start(STUD, CASH, dict.fromkeys(range(1, 5), 200), 4).bring_in(1)
    completed = hand.act(Action(ActionKind.COMPLETE), 1)
    assert (completed.bet(1), completed.next_seat) == (5, 2)
    with pytest.raises(Illegal) as refused:
        played(hand, "call").act(Action(ActionKind.COMPLETE), 1)
    assert refused.value.code == "not-your-turn"
