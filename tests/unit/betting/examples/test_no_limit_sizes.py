"""Worked examples of the rule texts: how small a bet or raise may be in no-limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import Action, ActionKind, Hand, Illegal
from table_controller.betting.structure import ShortOpenAllIn
from tests.unit.betting.betting_helpers import CASH, TDA, call_and_range, no_limit, on_the_flop, played

DEEP = dict.fromkeys(range(1, 6), 20_000)


def test_wikipedia_a_bet_of_5_is_raised_by_5_and_a_raise_of_7_by_7() -> None:
    hand = played(on_the_flop(replace(no_limit(1, 2), min_bet=5), DEEP, button=5), "bet 5")
    assert hand.min_raise_to == 10
    with pytest.raises(Illegal) as refused:
        played(hand, "raise 7")
    assert refused.value.code == "below-minimum"
    assert played(hand, "raise 12").min_raise_to == 19


def test_wikipedia_a_raise_of_2_over_5_is_legal_as_the_whole_remaining_stake() -> None:
    hand = on_the_flop(replace(no_limit(1, 2), min_bet=5), {1: 500, 2: 7, 3: 500}, button=3)
    hand = played(hand, "bet 5")
    assert call_and_range(hand) == (5, 7, 7)
    hand = hand.act(Action(ActionKind.RAISE, 7))
    assert hand.last_act is not None
    assert (hand.last_act.to, hand.last_act.all_in) == (7, True)


def test_wikipedia_1_more_over_a_bet_of_50_is_a_nuisance_and_no_raise() -> None:
    hand = played(on_the_flop(no_limit(1, 2), DEEP, button=5), "bet 50")
    with pytest.raises(Illegal, match="at least 100"):
        played(hand, "raise 51")


def test_wikipedia_holdem_guide_the_first_raise_is_anything_from_the_big_blind_to_all_chips() -> None:
    hand = Hand.start(no_limit(5, 10), CASH, {1: 500, 2: 500, 3: 340}, 3)
    assert call_and_range(hand) == (10, 20, 340)


def test_wikipedia_raises_have_no_number_in_no_limit() -> None:
    hand = on_the_flop(no_limit(1, 2), DEEP, button=5)
    hand = played(hand, "bet 10", *[f"raise {10 * number}" for number in range(2, 15)])
    assert hand.min_raise_to == 150


def test_rgp_faq_a_raise_from_10_to_50_is_a_raise_of_40_and_the_next_makes_it_90() -> None:
    hand = Hand.start(no_limit(5, 10), CASH, DEEP, 5)
    assert hand.min_raise_to == 20
    assert played(hand, "raise 50").min_raise_to == 90


def test_tda_43_example_1_600_then_1600_then_3600_then_at_least_5600() -> None:
    hand = on_the_flop(no_limit(100, 200), DEEP, button=5)
    assert played(hand, "bet 600", "raise 1600").min_raise_to == 2600
    assert played(hand, "bet 600", "raise 1600", "raise 3600").min_raise_to == 5600


def test_tda_43_example_2_a_first_all_in_of_150_over_the_blind_of_100_is_raised_to_250() -> None:
    hand = Hand.start(no_limit(50, 100), TDA, {1: 5000, 2: 5000, 3: 150, 4: 5000}, 4)
    assert call_and_range(played(hand, "all-in")) == (150, 250, 5000)


def test_tda_43_example_3_a_bet_of_300_raised_to_1000_is_raised_to_1700_and_not_to_2000() -> None:
    hand = on_the_flop(no_limit(100, 200), DEEP, button=5, street="turn")
    assert played(hand, "bet 300", "raise 1000").min_raise_to == 1700


def test_tda_43_example_4_a_125_then_200_then_500_is_raised_to_800() -> None:
    hand = Hand.start(no_limit(25, 50), TDA, DEEP, 5)
    hand = played(hand, "raise 125")
    assert hand.min_raise_to == 200
    assert played(hand, "raise 200", "raise 500").min_raise_to == 800


def test_tda_43_example_4_b_500_at_once_and_two_callers_is_raised_to_950() -> None:
    hand = Hand.start(no_limit(25, 50), TDA, DEEP, 5)
    assert played(hand, "raise 500", "call", "call").min_raise_to == 950


def test_tda_director_an_all_in_of_325_over_200_is_raised_to_525_and_not_to_425() -> None:
    hand = Hand.start(no_limit(100, 200), TDA, {1: 5000, 2: 5000, 3: 325, 4: 5000}, 4)
    hand = played(hand, "all-in")
    assert hand.min_raise_to == 525
    with pytest.raises(Illegal) as refused:
        played(hand, "raise 425")
    assert refused.value.code == "below-minimum"


@pytest.mark.parametrize(("option", "least"), [(ShortOpenAllIn.ADD_MINIMUM, 120), (ShortOpenAllIn.TO_MINIMUM, 100)])
def test_roberts_rules_no_limit_2_an_opening_all_in_of_20_where_100_is_the_minimum(
    option: ShortOpenAllIn, least: int
) -> None:
    options = replace(CASH, short_open_all_in=option)
    hand = on_the_flop(no_limit(50, 100), {1: 20, 2: 5000, 3: 5000}, button=3, options=options)
    assert played(hand, "all-in").min_raise_to == least


def test_roberts_rules_no_limit_4_over_a_bet_of_100_and_an_all_in_of_140_a_raise_makes_it_240() -> None:
    hand = on_the_flop(no_limit(50, 100), {1: 5000, 2: 140, 3: 5000}, button=3, options=CASH)
    hand = played(hand, "bet 100", "all-in")
    assert call_and_range(hand) == (140, 240, 5000)
    assert ActionKind.COMPLETE not in hand.may


def test_barge_no_limit_400_is_the_first_raise_then_500_then_800_or_1200() -> None:
    hand = Hand.start(no_limit(100, 200), TDA, dict.fromkeys((1, 2, 3), 10_000), 3)
    assert call_and_range(hand) == (200, 400, 10_000)
    hand = played(hand, "raise 500")
    assert call_and_range(hand) == (400, 800, 10_000)
    hand = played(hand, "raise 1200")
    assert call_and_range(hand) == (1000, 1900, 10_000)
    hand = played(hand, "fold")
    assert call_and_range(hand) == (700, 1900, 10_000)
    assert played(hand, "call").round_over


def test_wikipedia_a_cap_of_60_two_ten_sixty_and_the_winner_takes_180() -> None:
    structure = replace(no_limit(1, 2), cap=60)
    hand = on_the_flop(structure, dict.fromkeys((1, 2, 3), 500), button=3, options=CASH)
    hand = played(hand, "bet 2", "raise 10")
    assert hand.max_raise_to == 60
    hand = played(hand, "raise 60")
    assert call_and_range(hand) == (58, None, None)
    hand = played(hand, "call")
    assert call_and_range(hand) == (50, None, None)
    hand = played(hand, "call")
    assert hand.betting_over
    assert hand.award([[2]]).stack(2) == 440 + 180
