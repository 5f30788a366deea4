"""Worked examples of the rule texts: blinds, options, straddles, sleepers, and who acts when."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import ActionKind, Hand, Limit, Post, PostKind, Structure, standard_posts
from table_controller.betting.structure import StraddleMinRaise, ThreeBlindFirst
from tests.unit.betting.betting_helpers import CASH, call_and_range, no_limit, on_the_flop, played

ALICE, DIANNE, CAROL, JOANE, ELLEN = range(1, 6)
"""Ellen has the button, Alice the small blind of 1, Dianne the big blind of 2."""
FIVE = dict.fromkeys(range(1, 6), 200)
LIMIT_2_4 = Structure(limit=Limit.FIXED_LIMIT, blinds=(1, 2), bets=(2, 2, 4, 4))


def with_straddle(*straddles: Post) -> Hand:
    return Hand.start(no_limit(1, 2), CASH, FIVE, ELLEN, [Post(ALICE, 1), Post(DIANNE, 2), *straddles])


def acted(hand: Hand, seat: int, act: str) -> Hand:
    assert hand.next_seat == seat
    return played(hand, act)


def test_wikipedia_2_4_the_third_from_the_dealer_begins_and_calls_2_raises_or_folds() -> None:
    hand = Hand.start(LIMIT_2_4, CASH, FIVE, 5)
    assert hand.next_seat == 3
    assert hand.may == {ActionKind.CALL, ActionKind.RAISE, ActionKind.FOLD}
    assert call_and_range(hand) == (2, 4, 4)


def test_wikipedia_2_4_the_small_blind_counts_its_1_and_the_big_blind_has_the_option_once() -> None:
    hand = played(Hand.start(LIMIT_2_4, CASH, FIVE, 5), "call", "fold", "call")
    assert (hand.next_seat, hand.to_call) == (1, 1)
    hand = played(hand, "call")
    assert (hand.next_seat, hand.option) == (2, True)
    assert hand.may == {ActionKind.CHECK, ActionKind.RAISE, ActionKind.FOLD}
    raised = played(hand, "raise", "call", "call", "call")
    assert raised.round_over
    assert played(hand, "check").round_over


def test_wikipedia_2_4_a_raise_takes_the_option_away() -> None:
    hand = played(Hand.start(LIMIT_2_4, CASH, FIVE, 5), "raise", "fold", "fold", "fold")
    assert hand.next_seat == 2
    assert not hand.option
    assert hand.to_call == 2


def test_wikipedia_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop_only() -> None:
    hand = Hand.start(no_limit(1, 2), CASH, {4: 100, 7: 100}, 7)
    assert (hand.bet(7), hand.bet(4), hand.next_seat) == (1, 2, 7)
    assert played(hand, "call", "check").deal("flop").next_seat == 4


def test_wikipedia_three_blinds_of_a_quarter_a_quarter_and_a_half_the_first_on_the_button() -> None:
    options = replace(CASH, three_blind_first=ThreeBlindFirst.ON_BUTTON)
    structure = Structure(limit=Limit.FIXED_LIMIT, blinds=(5, 5, 10), bets=(20, 20, 40, 40))
    posts = standard_posts(structure, options, FIVE, 5)
    assert [(post.seat, post.amount) for post in posts] == [(5, 5), (1, 5), (2, 10)]
    hand = Hand.start(structure, options, FIVE, 5)
    assert (hand.next_seat, *call_and_range(hand)) == (3, 10, 20, 20)


def test_wikipedia_a_checked_round_is_over_with_no_more_chips() -> None:
    hand = played(on_the_flop(no_limit(1, 2), FIVE, button=5, pot=50, options=CASH), *["check"] * 5)
    assert (hand.round_over, hand.pot) == (True, 50)


def test_wikipedia_who_has_checked_may_raise_later_in_the_round() -> None:
    hand = played(on_the_flop(no_limit(1, 2), FIVE, button=5, options=CASH), "check", "bet 10", "fold", "fold", "fold")
    assert (hand.next_seat, *call_and_range(hand)) == (1, 10, 20, 200)


def test_wikipedia_straddle_carol_straddles_has_the_last_option_and_raises_by_8() -> None:
    hand = with_straddle(Post(CAROL, 4, PostKind.STRADDLE))
    hand = acted(hand, JOANE, "fold")
    hand = acted(hand, ELLEN, "call")
    hand = acted(hand, ALICE, "fold")
    assert hand.to_call == 2
    hand = acted(hand, DIANNE, "call")
    assert hand.option
    hand = acted(hand, CAROL, "raise 12")
    hand = acted(hand, ELLEN, "fold")
    hand = acted(hand, DIANNE, "call")
    assert hand.round_over
    assert hand.pot == 1 + 4 + 12 + 12


def test_wikipedia_mississippi_straddle_on_the_button_the_small_blind_acts_first_and_the_button_last() -> None:
    hand = with_straddle(Post(ELLEN, 4, PostKind.STRADDLE))
    hand = acted(hand, ALICE, "fold")
    assert hand.to_call == 2
    hand = acted(hand, DIANNE, "call")
    hand = acted(hand, CAROL, "fold")
    hand = acted(hand, JOANE, "call")
    assert hand.option
    hand = acted(hand, ELLEN, "check")
    assert (hand.round_over, hand.pot) == (True, 13)


def test_wikipedia_a_live_50_on_the_button_of_10_25_is_called_first_by_the_small_blind() -> None:
    posts = [Post(1, 10), Post(2, 25), Post(5, 50, PostKind.STRADDLE)]
    hand = Hand.start(no_limit(10, 25), CASH, dict.fromkeys(range(1, 6), 3000), 5, posts)
    assert (hand.next_seat, *call_and_range(hand)) == (1, 40, 75, 3000)
    hand = played(hand, *["call"] * 4)
    assert (hand.next_seat, hand.option) == (5, True)


def test_wikipedia_the_common_variation_begins_left_of_the_big_blind_and_skips_the_straddle() -> None:
    hand = with_straddle(Post(ELLEN, 4, PostKind.STRADDLE, acts_last=True))
    for seat in (CAROL, JOANE, ALICE, DIANNE):
        hand = acted(hand, seat, "call")
    assert (hand.next_seat, hand.option) == (ELLEN, True)


def test_wikipedia_sleeper_joane_is_passed_over_until_carol_re_raises_to_12() -> None:
    hand = with_straddle(Post(JOANE, 4, PostKind.SLEEPER))
    assert hand.to_call == 4
    hand = acted(hand, CAROL, "call")
    hand = acted(hand, ELLEN, "call")
    hand = acted(hand, ALICE, "fold")
    assert hand.may == {ActionKind.CALL, ActionKind.RAISE, ActionKind.FOLD}
    assert hand.to_call == 2
    hand = acted(hand, DIANNE, "raise 8")
    hand = acted(hand, CAROL, "raise 12")
    assert hand.to_call == 8
    hand = acted(hand, JOANE, "call")
    hand = acted(hand, ELLEN, "call")
    hand = acted(hand, DIANNE, "call")
    assert (hand.round_over, hand.pot) == (True, 49)


def test_wikipedia_a_straddle_of_20_over_5_and_10_is_raised_to_30_and_need_not_be_doubled() -> None:
    posts = [Post(1, 5), Post(2, 10), Post(3, 20, PostKind.STRADDLE)]
    deep = dict.fromkeys(range(1, 6), 900)
    assert Hand.start(no_limit(5, 10), CASH, deep, 5, posts).min_raise_to == 30


def test_roberts_rules_no_limit_a_straddle_of_20_sets_a_new_minimum_and_is_raised_to_40() -> None:
    options = replace(CASH, straddle_min_raise=StraddleMinRaise.DOUBLE)
    posts = [Post(1, 5), Post(2, 10), Post(3, 20, PostKind.STRADDLE)]
    hand = Hand.start(no_limit(5, 10), options, dict.fromkeys(range(1, 6), 900), 5, posts)
    assert hand.min_raise_to == 40
    hand = played(hand, "call", "call", "fold", "fold", "check").deal("flop")
    assert hand.min_raise_to == 10


def test_wikipedia_both_missed_blinds_the_big_one_is_live_and_the_small_one_dead() -> None:
    hand = with_straddle(Post(JOANE, 2, PostKind.LIVE), Post(JOANE, 1, PostKind.DEAD))
    hand = acted(hand, CAROL, "raise 10")
    assert (hand.next_seat, hand.to_call, hand.stack(JOANE)) == (JOANE, 8, 197)


def test_wikipedia_a_new_players_post_checks_its_option_as_if_it_were_in_the_big_blind() -> None:
    hand = acted(with_straddle(Post(JOANE, 2, PostKind.LIVE)), CAROL, "call")
    assert (hand.next_seat, hand.option, hand.to_call) == (JOANE, True, 0)
    assert ActionKind.CHECK in hand.may
