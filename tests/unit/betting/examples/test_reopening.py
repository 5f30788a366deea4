"""Worked examples of the rule texts: who may raise again after a short all-in in big-bet games."""

from __future__ import annotations

from table_controller.betting import ActionKind, Hand
from tests.unit.betting.betting_helpers import CASH, TDA, call_and_range, no_limit, on_the_flop, played

FIVE = {1: 5000, 2: 125, 3: 5000, 4: 200, 5: 5000}
"""A to E of TDA 47, example 1: B has 125 and D 200."""


def tda_47_example_1() -> Hand:
    hand = on_the_flop(no_limit(50, 100), FIVE, button=5)
    return played(hand, "bet 100", "all-in", "call", "all-in", "call")


def test_tda_47_example_1_all_ins_of_25_and_75_more_add_up_to_a_raise_for_the_opener() -> None:
    hand = tda_47_example_1()
    assert hand.next_seat == 1
    assert call_and_range(hand) == (100, 300, 5000)


def test_tda_47_example_1_a_75_more_does_not_reopen_to_the_caller_of_125() -> None:
    hand = played(tda_47_example_1(), "call")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (75, None, None)
    assert hand.may == {ActionKind.CALL, ActionKind.FOLD}


def test_tda_47_example_1_b_a_raise_to_300_reopens_to_the_caller_of_125() -> None:
    hand = played(tda_47_example_1(), "raise 300", "fold")
    assert hand.next_seat == 5
    hand = played(tda_47_example_1(), "raise 300")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (175, 400, 5000)


def test_tda_47_example_2_three_short_all_ins_over_300_leave_the_raise_at_300() -> None:
    stacks = {1: 5000, 2: 500, 3: 650, 4: 800, 5: 5000, 6: 5000}
    hand = on_the_flop(no_limit(50, 100), stacks, button=6)
    hand = played(hand, "bet 300", "all-in", "all-in", "all-in")
    assert call_and_range(hand) == (800, 1100, 5000)
    hand = played(hand, "call", "fold")
    assert hand.next_seat == 1
    assert call_and_range(hand) == (500, 1100, 5000)


def tda_47_example_3() -> Hand:
    """The blinds are 2000 and 4000: A calls, B folds, C is all-in for 7500, the small blind folds."""
    stacks = {1: 40_000, 2: 60_000, 3: 40_000, 4: 40_000, 5: 7500}
    return played(Hand.start(no_limit(2000, 4000), TDA, stacks, 5), "call", "fold", "all-in", "fold")


def test_tda_47_example_3_a_the_big_blind_has_all_options_and_the_limper_calls_or_folds() -> None:
    hand = tda_47_example_3()
    assert call_and_range(hand) == (3500, 11_500, 60_000)
    hand = played(hand, "call")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (3500, None, None)


def test_tda_47_example_3_b_a_raise_of_the_big_blind_to_11500_reopens_to_the_limper() -> None:
    hand = played(tda_47_example_3(), "raise 11500")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (7500, 15_500, 40_000)


def test_tda_forum_1500_then_4500_then_5000_all_in_leaves_the_first_raiser_its_raise() -> None:
    stacks = {1: 9000, 2: 9000, 3: 20_000, 4: 20_000, 5: 9000, 6: 5000}
    hand = Hand.start(no_limit(300, 600), TDA, stacks, 6)
    hand = played(hand, "raise 1500", "raise 4500", "fold", "all-in", "fold", "fold")
    assert hand.next_seat == 3
    assert call_and_range(hand) == (3500, 8000, 20_000)
    hand = played(hand, "call")
    assert hand.next_seat == 4
    assert call_and_range(hand) == (500, None, None)


def roberts_rules_no_limit_5() -> Hand:
    """A bets 100, B raises to 200, C is all-in for less than 300."""
    hand = on_the_flop(no_limit(50, 100), {1: 5000, 2: 5000, 3: 275}, button=3, options=CASH)
    return played(hand, "bet 100", "raise 200", "all-in")


def test_roberts_rules_no_limit_5_the_first_bettor_was_raised_in_full_and_may_raise() -> None:
    assert call_and_range(roberts_rules_no_limit_5()) == (175, 375, 5000)


def test_roberts_rules_no_limit_5_the_raiser_was_not_raised_in_full_and_may_not() -> None:
    hand = played(roberts_rules_no_limit_5(), "call")
    assert hand.next_seat == 2
    assert call_and_range(hand) == (75, None, None)


def test_wikipedia_full_bet_rule_20_then_30_all_in_is_a_call_with_some_extra_money() -> None:
    hand = on_the_flop(no_limit(10, 20), {1: 500, 2: 30, 3: 500}, button=3, options=CASH)
    hand = played(hand, "bet 20", "all-in", "call")
    assert call_and_range(hand) == (10, None, None)
    assert played(hand, "call").round_over


def test_tda_47_a_big_blind_all_in_for_less_than_the_raise_reopens_to_nobody() -> None:
    """Blinds 100 and 200: the button makes it 500, the small blind calls, the big blind is all-in for 750."""
    hand = Hand.start(no_limit(100, 200), TDA, {1: 5000, 2: 750, 3: 5000}, 3)
    hand = played(hand, "raise 500", "call", "all-in")
    assert call_and_range(hand) == (250, None, None)
    hand = played(hand, "call")
    assert call_and_range(hand) == (250, None, None)
