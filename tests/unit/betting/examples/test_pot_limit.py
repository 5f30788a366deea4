"""Worked examples of the rule texts: the pot-limit maximum, and the openings where cardrooms count differently."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import Hand, Illegal, Post, PotBet
from table_controller.betting.structure import PotLimitPreflop, PotLimitSmallBlind, ShortBlindPot, SmallBlind
from tests.unit.betting.betting_helpers import CASH, TDA, call_and_range, on_the_flop, played, pot_limit

DEEP = dict.fromkeys(range(1, 6), 20_000)


def table_1() -> Hand:
    """A pot of 20 from the first round, players A to D, blinds 2 and 5."""
    return on_the_flop(pot_limit(2, 5), dict.fromkeys(range(1, 5), 1000), button=4, pot=20)


def test_wikipedia_table_1_player_b_pots_over_a_bet_of_5_it_costs_35_and_makes_a_pot_of_60() -> None:
    hand = played(table_1(), "bet 5")
    assert call_and_range(hand) == (5, 10, 35)
    assert hand.pot == 25
    hand = played(hand, "raise 35")
    assert hand.last_act is not None
    assert (hand.last_act.added, hand.pot) == (35, 60)


def test_wikipedia_table_1_player_c_calls_and_player_d_pots_for_165_into_260() -> None:
    hand = played(table_1(), "bet 5", "raise 35", "call")
    assert hand.pot == 95
    assert hand.max_raise_to == 165
    assert played(hand, "raise 165").pot == 260


def test_wikipedia_the_formula_three_last_wagers_the_trail_and_the_starting_pot_make_165() -> None:
    hand = played(table_1(), "bet 5", "raise 35", "call")
    assert hand.pot_bet == PotBet(last_wager=35, trail=40, start=20, call=35, rounded=0, maximum=165)


def test_wikipedia_table_1_player_a_folds_two_call_130_more_and_520_lie_in_the_pot() -> None:
    hand = played(table_1(), "bet 5", "raise 35", "call", "raise 165", "fold")
    assert hand.to_call == 130
    hand = played(hand, "call")
    assert hand.to_call == 130
    hand = played(hand, "call")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(520, (2, 3, 4))]


def test_wikipedia_less_than_the_maximum_is_raised_as_long_as_it_equals_the_raise_before() -> None:
    hand = played(table_1(), "bet 5")
    assert played(hand, "raise 10").min_raise_to == 15
    with pytest.raises(Illegal) as refused:
        played(hand, "raise 9")
    assert refused.value.code == "below-minimum"


def test_wikipedia_holdem_guide_an_unraised_pot_of_1000_is_bet_with_1000_at_most() -> None:
    hand = on_the_flop(pot_limit(5, 10), {1: 9000, 2: 9000}, button=2, pot=1000)
    assert hand.max_raise_to == 1000


def test_wikipedia_holdem_guide_a_bet_of_200_into_800_is_raised_by_1200_with_1400_chips() -> None:
    hand = on_the_flop(pot_limit(5, 10), dict.fromkeys(range(1, 5), 9000), button=4, pot=800)
    hand = played(hand, "bet 200", "fold", "fold")
    assert hand.max_raise_to == 1400


def test_roberts_rules_pot_limit_a_bet_of_50_into_100_is_raised_by_200_to_250() -> None:
    hand = played(on_the_flop(pot_limit(5, 10), {1: 9000, 2: 9000}, button=1, pot=100), "bet 50")
    assert call_and_range(hand) == (50, 100, 250)


def test_roberts_rules_pot_limit_4_a_pot_of_80_counted_in_25s_is_a_pot_of_100() -> None:
    options = replace(CASH, pot_round_to=25)
    hand = on_the_flop(pot_limit(5, 10), {1: 900, 2: 900}, button=2, pot=80, options=options)
    assert hand.max_raise_to == 100


def test_wikipedia_true_pot_the_first_raise_is_seven_small_blinds_at_most() -> None:
    assert Hand.start(pot_limit(100, 200), TDA, DEEP, 5).max_raise_to == 7 * 100


def test_wikipedia_blinds_of_2_and_5_run_awry_and_an_assumed_call_makes_it_four_big_blinds() -> None:
    true_pot = replace(CASH, pot_limit_preflop=PotLimitPreflop.TRUE_POT)
    assert Hand.start(pot_limit(2, 5), true_pot, DEEP, 5).max_raise_to == 17
    hand = Hand.start(pot_limit(2, 5), CASH, DEEP, 5)
    assert hand.max_raise_to == 4 * 5
    folded = played(hand, "call", "fold", "fold", "fold")
    assert folded.max_raise_to == 5 + (5 + 5 + 5)


def test_roberts_rules_pot_limit_5_blinds_5_and_10_open_with_10_or_20_to_40_in_fives() -> None:
    hand = Hand.start(replace(pot_limit(5, 10), unit=5), CASH, DEEP, 5)
    assert call_and_range(hand) == (10, 20, 40)
    assert [played(hand, f"raise {to}").level for to in (20, 25, 30, 35, 40)] == [20, 25, 30, 35, 40]
    with pytest.raises(Illegal) as refused:
        played(hand, "raise 45")
    assert refused.value.code == "above-maximum"


def test_roberts_rules_pot_limit_5_later_players_count_the_5_as_10_until_the_big_blind_is_through() -> None:
    hand = played(Hand.start(pot_limit(5, 10), CASH, DEEP, 5), "raise 40")
    assert hand.max_raise_to == 40 + (10 + 10 + 40 + 40)
    hand = played(hand, "call", "fold", "fold")
    assert hand.next_seat == 2
    assert hand.max_raise_to == 40 + (10 + 10 + 40 + 40 + 30)
    hand = played(hand, "raise 140")
    assert hand.next_seat == 3
    assert hand.max_raise_to == 140 + (5 + 140 + 40 + 40 + 100)


@pytest.mark.parametrize(("option", "most"), [(PotLimitSmallBlind.AS_CALL, 30), (PotLimitSmallBlind.AS_POT, 35)])
def test_older_wikipedia_the_small_blind_folded_to_makes_it_three_big_blinds_or_the_small_one_more(
    option: PotLimitSmallBlind, most: int
) -> None:
    options = replace(TDA, pot_limit_small_blind=option)
    hand = Hand.start(pot_limit(5, 10), options, dict.fromkeys(range(1, 5), 900), 4)
    assert played(hand, "fold", "fold").max_raise_to == most


def test_wikipedia_a_dead_small_blind_of_10_pays_25_more_and_the_big_blind_checks_for_25() -> None:
    options = replace(TDA, small_blind=SmallBlind.DEAD)
    hand = Hand.start(pot_limit(10, 25), options, dict.fromkeys((1, 2, 3), 900), 3)
    hand = played(hand, "fold")
    assert hand.to_call == 25
    hand = played(hand, "call")
    assert 900 - hand.stack(1) == 35
    hand = played(hand, "check")
    assert (900 - hand.stack(2), hand.pot) == (25, 60)


def test_wikipedia_a_live_small_blind_of_10_completes_its_half_bet_for_15_or_folds_for_10() -> None:
    hand = played(Hand.start(pot_limit(10, 25), TDA, dict.fromkeys((1, 2, 3), 900), 3), "fold")
    assert hand.to_call == 15
    assert 900 - played(hand, "fold").stack(1) == 10


def test_tda_54_b_a_small_blind_on_an_empty_seat_leaves_the_first_pot_bet_at_700() -> None:
    hand = Hand.start(pot_limit(100, 200), TDA, dict.fromkeys((1, 3, 4, 5), 20_000), 1, [Post(3, 200)])
    assert (hand.next_seat, hand.max_raise_to) == (4, 700)


@pytest.mark.parametrize(("option", "most"), [(ShortBlindPot.FULL, 700), (ShortBlindPot.ACTUAL, 620)])
def test_tda_54_b_a_short_all_in_blind_changes_no_pot_bet_before_the_flop_but_it_does_after(
    option: ShortBlindPot, most: int
) -> None:
    options = replace(TDA, short_blind_pot=option)
    hand = Hand.start(pot_limit(100, 200), options, dict.fromkeys((1, 3, 4), 9000) | {2: 120}, 4)
    assert hand.max_raise_to == most
    hand = played(hand, "call", "fold", "call").deal("flop")
    assert hand.max_raise_to == 200 + 200 + 120


def test_barge_pot_limit_the_button_makes_it_400_to_700() -> None:
    hand = played(Hand.start(pot_limit(100, 200), TDA, DEEP, 5), "fold", "fold")
    assert call_and_range(hand) == (200, 400, 700)


def test_barge_pot_limit_the_cutoff_makes_it_500_and_the_button_pots_for_1800() -> None:
    hand = played(Hand.start(pot_limit(100, 200), TDA, DEEP, 5), "fold", "raise 500")
    assert hand.max_raise_to == 3 * 500 + 300 == 1800


def test_barge_pot_limit_a_short_all_in_does_not_reopen() -> None:
    hand = on_the_flop(pot_limit(100, 200), {1: 9000, 2: 500, 3: 9000}, button=3, pot=600)
    hand = played(hand, "bet 300", "all-in", "call")
    assert call_and_range(hand) == (200, None, None)
