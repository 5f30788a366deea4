"""No-limit and pot-limit sizes (R-080 to R-087, R-150 to R-160), with the worked examples of the rule texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import Action, ActionKind, Hand, Illegal, Limit, Post, PostKind, PotBet, Structure
from table_controller.betting.structure import (
    PotBelowMinimum,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortBlindPot,
    ShortOpenAllIn,
    SmallBlind,
    StraddleMinRaise,
    ThreeBlindFirst,
)
from tests.unit.betting.betting_helpers import CASH, TDA, call_and_range, no_limit, on_the_flop, played, pot_limit

DEEP = dict.fromkeys(range(1, 6), 20_000)


def test_r081_a_raise_is_at_least_the_largest_raise_before_it_5_12_19() -> None:
    hand = on_the_flop(replace(no_limit(1, 2), min_bet=5), {1: 200, 2: 200, 3: 200}, button=3)
    hand = played(hand, "bet 5", "raise 12")
    assert hand.last_raise == 7
    assert hand.min_raise_to == 19


def test_r080_the_least_bet_is_the_big_blind_on_every_street() -> None:
    hand = on_the_flop(no_limit(5, 10), {1: 500, 2: 500}, button=2, street="river")
    assert call_and_range(hand) == (0, 10, 500)


@pytest.mark.parametrize(("all_in", "least"), [(150, 250), (140, 240)])
def test_r082_a_short_all_in_before_the_flop_adds_to_the_bet_but_not_to_the_raise(all_in: int, least: int) -> None:
    hand = Hand.start(no_limit(50, 100), TDA, {1: 5000, 2: 5000, 3: all_in, 4: 5000}, 4)
    hand = played(hand, "all-in")
    assert call_and_range(hand) == (all_in, least, 5000)


def test_r083_and_r087_a_stack_below_the_minimum_goes_all_in_and_none_bets_more_than_it_has() -> None:
    hand = on_the_flop(no_limit(50, 100), {1: 60, 2: 5000, 3: 130}, button=3)
    assert call_and_range(hand) == (0, 60, 60)
    hand = played(hand, "check", "bet 100")
    assert call_and_range(hand) == (100, 130, 130)
    with pytest.raises(Illegal, match="at most 130, the whole stack"):
        played(hand, "raise 131")


def test_r085_raises_in_pot_limit_have_no_number_whatever_the_cap_of_the_house() -> None:
    hand = on_the_flop(pot_limit(1, 2), {1: 9000, 2: 9000, 3: 9000}, button=3, pot=9)
    hand = played(hand, "bet 2", *[f"raise {2 * number}" for number in range(2, 12)])
    assert hand.min_raise_to == 24


@pytest.mark.parametrize(("option", "least"), [(ShortOpenAllIn.ADD_MINIMUM, 120), (ShortOpenAllIn.TO_MINIMUM, 100)])
def test_r084_over_an_opening_all_in_of_20_with_minimum_100(option: ShortOpenAllIn, least: int) -> None:
    options = replace(TDA, short_open_all_in=option)
    hand = on_the_flop(no_limit(50, 100), {1: 20, 2: 5000, 3: 5000}, button=3, options=options)
    assert call_and_range(played(hand, "all-in")) == (20, least, 5000)


def test_r086_the_least_raise_starts_anew_on_each_street() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 500, 2: 500}, button=2), "bet 50", "raise 150", "call")
    assert call_and_range(hand.deal("turn")) == (0, 2, 350)


def test_r072_an_amount_between_units_goes_to_the_nearest_a_tie_down() -> None:
    structure = replace(no_limit(10, 20), unit=10)
    hand = on_the_flop(structure, {1: 505, 2: 505}, button=2)
    assert played(hand, "bet 34").bet(1) == 30
    assert played(hand, "bet 35").bet(1) == 30
    assert played(hand, "bet 36").bet(1) == 40
    assert played(hand, "all-in").bet(1) == 505
    assert played(hand, "bet 505").bet(1) == 505


def test_r072_with_units_of_2_an_odd_amount_goes_down_and_an_odd_least_raise_up() -> None:
    hand = on_the_flop(replace(no_limit(10, 20), unit=2), {1: 505, 2: 61, 3: 505}, button=3)
    assert played(hand, "bet 35").bet(1) == 34
    hand = played(hand, "bet 34", "all-in")
    assert call_and_range(hand) == (61, 96, 505)


def test_r150_table_1_of_the_rule_text_20_in_the_pot_5_35_call_165_makes_520() -> None:
    hand = on_the_flop(pot_limit(2, 5), dict.fromkeys(range(1, 5), 1000), button=4, pot=20)
    assert call_and_range(hand) == (0, 5, 20)
    hand = played(hand, "bet 5")
    assert call_and_range(hand) == (5, 10, 35)
    hand = played(hand, "raise 35", "call")
    assert call_and_range(hand) == (35, 65, 165)
    assert hand.pot_bet == PotBet(last_wager=35, trail=40, start=20, call=35, rounded=0, maximum=165)
    hand = played(hand, "raise 165", "fold", "call", "call")
    assert hand.pot == 520
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(520, (2, 3, 4))]


def test_r150_the_raisers_own_chips_count_once() -> None:
    hand = played(on_the_flop(pot_limit(1, 2), {1: 900, 2: 900}, button=1, pot=10), "bet 10", "raise 40")
    assert call_and_range(hand) == (30, 70, 130)


def test_r155_seven_small_blinds_where_the_small_blind_is_half_of_the_big_one() -> None:
    hand = Hand.start(pot_limit(100, 200), TDA, DEEP, 5)
    assert hand.max_raise_to == 700


@pytest.mark.parametrize(
    ("blinds", "option", "most"),
    [
        ((2, 5), PotLimitPreflop.TRUE_POT, 17),
        ((2, 5), PotLimitPreflop.ASSUMED_CALL, 20),
        ((10, 20), PotLimitPreflop.ASSUMED_CALL, 80),
    ],
)
def test_r155_the_first_raise_with_true_pot_and_with_assumed_call(
    blinds: tuple[int, int], option: PotLimitPreflop, most: int
) -> None:
    assert Hand.start(pot_limit(*blinds), replace(CASH, pot_limit_preflop=option), DEEP, 5).max_raise_to == most


def test_r155_a_folded_small_blind_is_still_assumed_to_call_until_the_big_blind_has_acted() -> None:
    hand = played(Hand.start(pot_limit(2, 5), CASH, DEEP, 5), "call", "fold", "fold", "fold")
    assert hand.max_raise_to == 5 + 15
    hand = played(hand, "raise 20")
    assert hand.next_seat == 3
    assert hand.pot_bet is not None
    assert hand.pot_bet.maximum == 20 + (27 + 15)


def test_r155_nothing_is_assumed_once_the_big_blind_has_folded() -> None:
    hand = played(
        Hand.start(pot_limit(5, 10), CASH, dict.fromkeys(range(1, 5), 900), 4), "raise 30", "raise 80", "fold"
    )
    assert hand.max_raise_to == 80 + (5 + 10 + 30 + 80) + 70 + 5
    hand = played(hand, "fold")
    assert hand.next_seat == 3
    assert hand.max_raise_to == 80 + (5 + 10 + 30 + 80) + 50


def test_r155_nothing_is_assumed_once_the_action_has_gone_past_a_big_blind_that_is_all_in() -> None:
    hand = Hand.start(pot_limit(5, 10), CASH, {1: 900, 2: 10, 3: 900, 4: 900}, 4)
    hand = played(hand, "raise 30", "raise 80", "fold")
    assert hand.next_seat == 3
    assert hand.max_raise_to == 80 + (5 + 10 + 30 + 80) + 50


@pytest.mark.parametrize(("option", "most"), [(ShortBlindPot.FULL, 40), (ShortBlindPot.ACTUAL, 33)])
def test_r155_a_short_small_blind_is_assumed_to_call_once_and_not_twice(option: ShortBlindPot, most: int) -> None:
    options = replace(CASH, short_blind_pot=option)
    assert Hand.start(pot_limit(5, 10), options, {1: 3, 2: 900, 3: 900, 4: 900}, 4).max_raise_to == most


@pytest.mark.parametrize(("option", "most"), [(ShortBlindPot.FULL, 40), (ShortBlindPot.ACTUAL, 30)])
def test_r155_a_small_blind_that_nobody_posts_is_assumed_to_call_where_it_counts_in_full(
    option: ShortBlindPot, most: int
) -> None:
    options = replace(CASH, short_blind_pot=option)
    hand = Hand.start(pot_limit(5, 10), options, dict.fromkeys(range(1, 5), 900), 1, [Post(3, 10)])
    assert hand.max_raise_to == most


def test_r155_every_smaller_blind_is_assumed_to_call() -> None:
    assert Hand.start(pot_limit(5, 5, 10), CASH, DEEP, 5).max_raise_to == 10 + 4 * 10


def test_r157_heads_up_the_blind_that_is_not_due_is_not_missing() -> None:
    hand = Hand.start(pot_limit(5, 5, 10), TDA, {1: 900, 2: 900}, 2)
    assert hand.max_raise_to == 30


@pytest.mark.parametrize(("option", "most"), [(PotLimitSmallBlind.AS_CALL, 30), (PotLimitSmallBlind.AS_POT, 35)])
def test_r156_the_two_maxima_of_a_small_blind_that_all_have_folded_to(option: PotLimitSmallBlind, most: int) -> None:
    options = replace(TDA, pot_limit_small_blind=option)
    hand = played(Hand.start(pot_limit(5, 10), options, {1: 900, 2: 900, 3: 900}, 3), "fold")
    assert hand.max_raise_to == most


@pytest.mark.parametrize(("option", "most"), [(PotLimitSmallBlind.AS_CALL, 35), (PotLimitSmallBlind.AS_POT, 40)])
def test_r156_the_two_maxima_of_the_second_of_three_blinds_that_all_have_folded_to(
    option: PotLimitSmallBlind, most: int
) -> None:
    options = replace(TDA, pot_limit_small_blind=option)
    hand = Hand.start(pot_limit(5, 5, 10), options, dict.fromkeys(range(1, 5), 900), 4)
    hand = played(hand, "fold", "fold")
    assert hand.in_hand == {2, 3}
    assert (hand.next_seat, hand.max_raise_to) == (2, most)


def test_r156_the_blind_on_the_button_has_the_small_blinds_maximum_too() -> None:
    options = replace(TDA, pot_limit_small_blind=PotLimitSmallBlind.AS_POT, three_blind_first=ThreeBlindFirst.ON_BUTTON)
    hand = Hand.start(pot_limit(5, 5, 10), options, dict.fromkeys(range(1, 5), 900), 4)
    hand = played(hand.fold(1), "fold")
    assert hand.in_hand == {2, 4}
    assert (hand.next_seat, hand.max_raise_to) == (4, 40)


@pytest.mark.parametrize(("round_to", "rounded", "most"), [(None, 0, 20), (25, 10, 30)])
def test_r155_what_is_assumed_to_call_stands_in_the_reckoning_as_if_it_lay_in_the_pot(
    round_to: int | None, rounded: int, most: int
) -> None:
    hand = Hand.start(pot_limit(2, 5), replace(CASH, pot_round_to=round_to), DEEP, 5)
    assert hand.pot_bet == PotBet(last_wager=5, trail=2, start=3, call=5, rounded=rounded, maximum=most)


def test_r156_a_dead_small_blind_pays_the_whole_call() -> None:
    options = replace(TDA, small_blind=SmallBlind.DEAD)
    hand = played(Hand.start(pot_limit(10, 25), options, {1: 900, 2: 900, 3: 900}, 3), "fold", "call")
    assert hand.stack(1) == 900 - 35
    assert hand.dead_money == 10
    assert hand.pot == 60


@pytest.mark.parametrize(("option", "most"), [(ShortBlindPot.FULL, 700), (ShortBlindPot.ACTUAL, 600)])
def test_r157_a_missing_small_blind_in_the_pot_before_the_flop(option: ShortBlindPot, most: int) -> None:
    options = replace(TDA, short_blind_pot=option)
    hand = Hand.start(pot_limit(100, 200), options, DEEP, 1, [Post(3, 200)])
    assert hand.max_raise_to == most


def test_r158_the_pot_is_rounded_up_to_the_unit_of_the_house() -> None:
    options = replace(CASH, pot_round_to=25)
    hand = on_the_flop(pot_limit(5, 10), dict.fromkeys(range(1, 6), 900), button=5, pot=85, options=options)
    assert hand.max_raise_to == 100
    assert hand.pot_bet is not None
    assert hand.pot_bet.rounded == 15


def test_r151_a_pot_below_the_minimum_bet() -> None:
    structure, stacks = pot_limit(1, 2), {1: 900, 2: 900, 3: 900}
    small = {"street": "flop", "pot": 1, "paid": {3: 1}, "folded": [3]}
    assert Hand.resume(structure, TDA, stacks, 3, **small).raise_range == (2, 2)  # type: ignore[arg-type]
    no_bet = replace(TDA, pot_below_minimum=PotBelowMinimum.NO_BET)
    hand = Hand.resume(structure, no_bet, stacks, 3, **small)  # type: ignore[arg-type]
    assert hand.raise_range is None
    assert hand.may == {ActionKind.CHECK, ActionKind.FOLD}


@pytest.mark.parametrize(("option", "least"), [(StraddleMinRaise.INCREMENT, 30), (StraddleMinRaise.DOUBLE, 40)])
def test_r196_the_least_raise_over_a_straddle_of_20(option: StraddleMinRaise, least: int) -> None:
    options = replace(CASH, straddle_min_raise=option)
    posts = [Post(1, 5), Post(2, 10), Post(3, 20, PostKind.STRADDLE)]
    hand = Hand.start(no_limit(5, 10), options, dict.fromkeys(range(1, 6), 2000), 5, posts)
    assert hand.next_seat == 4
    assert call_and_range(hand) == (20, least, 2000)


def test_below_minimum_and_above_maximum_are_refused_by_code() -> None:
    hand = played(on_the_flop(pot_limit(2, 5), {1: 1000, 2: 1000}, button=2, pot=20), "bet 5")
    for to, code in [(9, "below-minimum"), (36, "above-maximum"), (2000, "above-maximum")]:
        with pytest.raises(Illegal) as refused:
            hand.act(Action(ActionKind.RAISE, to))
        assert refused.value.code == code


def test_an_all_in_larger_than_the_pot_is_refused_in_pot_limit() -> None:
    hand = on_the_flop(pot_limit(2, 5), {1: 1000, 2: 1000}, button=2, pot=20)
    with pytest.raises(Illegal, match="at most 20"):
        played(hand, "all-in")


def test_an_accepted_raise_below_the_minimum_stands_and_is_no_full_raise() -> None:
    hand = played(on_the_flop(no_limit(100, 200), dict.fromkeys(range(1, 4), 9000), button=3), "bet 600")
    hand = hand.act(Action(ActionKind.RAISE, 1000), accepted=True)
    assert (hand.bet(2), hand.last_raise, hand.min_raise_to) == (1000, 600, 1600)


def test_r126_a_cap_bounds_what_a_seat_may_put_in_during_the_hand() -> None:
    structure = Structure(limit=Limit.NO_LIMIT, blinds=(1, 2), cap=60)
    hand = on_the_flop(structure, dict.fromkeys((1, 2, 3), 500), button=3)
    hand = played(hand, "bet 2", "raise 10", "raise 60")
    assert hand.all_in == {3}
    assert call_and_range(hand) == (58, None, None)
    hand = played(hand, "call", "call")
    assert hand.betting_over
    assert hand.pot == 180
    assert hand.stacks == {1: 440, 2: 440, 3: 440}
