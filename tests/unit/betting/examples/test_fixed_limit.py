"""Worked examples of the rule texts: fixed-limit sizes, the cap on raises, kill pots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import STREETS, ActionKind, BettingOptions, Hand, Limit, Post, PostKind, Structure
from table_controller.betting.structure import HeadsUpCap
from tests.unit.betting.betting_helpers import CASH, LIMIT_20_40, TDA, call_and_range, on_the_flop, played

DEEP = dict.fromkeys(range(1, 5), 3000)


def limit(small: int, *blinds: int) -> Structure:
    return Structure(limit=Limit.FIXED_LIMIT, blinds=blinds, bets=(small, small, 2 * small, 2 * small))


def sizes_street_by_street(hand: Hand) -> list[int | None]:
    sizes = []
    while True:
        while hand.next_seat is not None:
            hand = played(hand, "call" if hand.to_call else "check")
        if hand.betting_over:
            return sizes
        hand = hand.deal(hand.structure.streets[hand.structure.streets.index(hand.street) + 1])
        sizes.append(hand.min_raise_to)
        assert hand.min_raise_to == hand.max_raise_to


def test_wikipedia_3_6_bets_and_raises_3_before_and_on_the_flop_and_6_later() -> None:
    hand = Hand.start(limit(3, 1, 3), CASH, DEEP, 4)
    assert call_and_range(hand) == (3, 6, 6)
    assert sizes_street_by_street(hand) == [3, 6, 6]


def test_wikipedia_3_6_a_remaining_stake_of_2_is_bet_raised_or_called() -> None:
    bettor = on_the_flop(limit(3, 1, 3), {1: 2, 2: 500, 3: 500}, button=3, options=CASH)
    assert call_and_range(bettor) == (0, 2, 2)
    others = played(on_the_flop(limit(3, 1, 3), {1: 500, 2: 5, 3: 2}, button=3, options=CASH), "bet")
    assert call_and_range(others) == (3, 5, 5)
    assert call_and_range(played(others, "all-in")) == (2, None, None)


def test_wikipedia_20_40_is_bet_raised_and_re_raised_to_60_and_twice_that_later() -> None:
    for street, size in [("flop", 20), ("river", 40)]:
        hand = on_the_flop(LIMIT_20_40, DEEP, button=4, options=CASH, street=street)
        hand = played(hand, "bet", "raise", "raise")
        assert hand.level == 3 * size


def test_wikipedia_holdem_guide_40_80_raises_by_40_on_two_streets_and_by_80_on_two() -> None:
    hand = Hand.start(limit(40, 20, 40), CASH, DEEP, 4)
    assert call_and_range(hand) == (40, 80, 80)
    assert sizes_street_by_street(hand) == [40, 80, 80]


def test_wikipedia_alice_bets_dianne_raises_and_carol_calls_two_bets_cold() -> None:
    hand = on_the_flop(LIMIT_20_40, DEEP, button=3, options=CASH)
    hand = played(hand, "check", "bet", "raise", "call")
    assert hand.last_act is not None
    assert hand.last_act.added == 40


def test_barge_limit_100_200_the_small_bet_before_and_on_the_flop_and_the_large_one_later() -> None:
    hand = Hand.start(limit(100, 50, 100), TDA, DEEP, 4)
    assert call_and_range(hand) == (100, 200, 200)
    assert sizes_street_by_street(hand) == [100, 200, 200]


def test_barge_limit_california_lowball_the_small_bet_before_the_draw_and_the_large_one_after() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, blinds=(50, 100), bets=(100, 200), streets=STREETS["draw"])
    hand = Hand.start(structure, TDA, DEEP, 4)
    assert call_and_range(hand) == (100, 200, 200)
    assert sizes_street_by_street(hand) == [200]


def test_wikipedia_three_raises_5_10_15_20_and_no_more() -> None:
    hand = on_the_flop(limit(5, 2, 5), DEEP, button=4, options=CASH)
    hand = played(hand, "bet", "raise", "raise", "raise")
    assert hand.level == 20
    assert hand.may == {ActionKind.CALL, ActionKind.FOLD}


def test_wikipedia_20_40_60_80_b_and_c_may_only_call_two_bets_and_one() -> None:
    hand = on_the_flop(LIMIT_20_40, dict.fromkeys((1, 2, 3), 900), button=3, options=CASH)
    hand = played(hand, "bet", "raise", "raise", "raise")
    assert (hand.next_seat, *call_and_range(hand)) == (2, 40, None, None)
    hand = played(hand, "call")
    assert (hand.next_seat, *call_and_range(hand)) == (3, 20, None, None)


def test_wikipedia_two_who_began_the_round_raise_until_one_is_all_in() -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 310}, button=2, options=CASH)
    hand = played(hand, "bet", *["raise"] * 14)
    assert hand.level == 300
    assert hand.next_seat == 2
    assert call_and_range(hand) == (20, 310, 310)
    assert played(hand, "all-in", "call").betting_over


def test_wikipedia_two_who_alone_were_dealt_in_raise_without_a_cap_too() -> None:
    hand = played(Hand.start(LIMIT_20_40, CASH, {1: 900, 2: 900}, 2), *["raise"] * 6)
    assert call_and_range(hand) == (20, 160, 160)


def test_roberts_rules_betting_4_a_fold_after_the_cap_leaves_it_capped() -> None:
    options = BettingOptions(max_raises=3, heads_up_cap=HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP)
    hand = on_the_flop(LIMIT_20_40, dict.fromkeys((1, 2, 3), 2000), button=3, options=options)
    assert played(hand, "bet", "raise", "fold", "raise", "raise").min_raise_to == 100
    assert played(hand, "bet", "raise", "raise", "raise", "fold").min_raise_to is None


def test_tda_48_the_cap_holds_heads_up_until_the_event_is_down_to_two_players() -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 900, 2: 900}, button=2, options=TDA)
    hand = played(hand, "bet", "raise", "raise", "raise")
    assert call_and_range(played(hand, "raise")) == (20, None, None)
    last_two = hand.with_options(replace(TDA, heads_up_cap=HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP))
    assert call_and_range(played(last_two, "raise")) == (20, 120, 120)


def test_wsop_live_126_a_bet_and_four_raises_and_a_straddle_is_none_of_them() -> None:
    options = replace(CASH, max_raises=4)
    posts = [Post(1, 10), Post(2, 20), Post(3, 40, PostKind.STRADDLE)]
    hand = played(Hand.start(LIMIT_20_40, options, DEEP, 4, posts), *["raise"] * 4)
    assert (hand.level, hand.raise_range) == (120, None)


@pytest.mark.parametrize(
    ("blinds", "kill", "small"), [((10, 20), 40, 40), ((2, 4), 6, 6), ((2, 4), 8, 8)], ids=["20-40", "4-8 half", "4-8"]
)
def test_wikipedia_a_kill_blind_is_called_and_the_limits_grow_with_it(
    blinds: tuple[int, int], kill: int, small: int
) -> None:
    posts = [Post(1, blinds[0]), Post(2, blinds[1]), Post(4, kill, PostKind.LIVE, acts_last=True)]
    hand = Hand.start(limit(small, *blinds), CASH, dict.fromkeys(range(1, 6), 900), 5, posts)
    assert (hand.next_seat, *call_and_range(hand)) == (3, kill, kill + small, kill + small)
    hand = played(hand, "call", "fold", "fold", "call")
    assert (hand.next_seat, hand.to_call, hand.option) == (4, 0, True)
    assert sizes_street_by_street(hand) == [small, 2 * small, 2 * small]


def test_wikipedia_a_betting_unit_of_5_makes_every_bet_of_20_40_a_multiple_of_it() -> None:
    structure = Structure(limit=Limit.SPREAD_LIMIT, blinds=(10, 20), spread=((20, 40),), unit=5)
    hand = on_the_flop(structure, DEEP, button=4, options=CASH)
    assert played(hand, "bet 27").bet(1) == 25
    assert played(hand, "bet 28").bet(1) == 30
