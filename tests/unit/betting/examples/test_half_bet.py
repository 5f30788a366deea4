"""Worked examples of the rule texts: incomplete bets in limit games, under the half-bet and the full-bet rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import ActionKind, BettingOptions, Hand, Limit, Structure
from table_controller.betting.structure import ShortAllIn
from tests.unit.betting.betting_helpers import CASH, LIMIT_20_40, call_and_range, on_the_flop, played

HALF = replace(CASH, short_all_in=ShortAllIn.HALF)
FULL = replace(CASH, short_all_in=ShortAllIn.FULL)
LIMIT_400 = Structure(limit=Limit.FIXED_LIMIT, blinds=(200, 400), bets=(400, 400, 800, 800))


@pytest.mark.parametrize(("options", "bounds"), [(HALF, (10, 50, 50)), (FULL, (10, None, None))])
def test_wikipedia_20_then_30_all_in_is_a_genuine_raise_under_the_half_bet_rule_only(
    options: BettingOptions, bounds: tuple[int, int | None, int | None]
) -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 30, 3: 500}, button=3, options=options)
    assert call_and_range(played(hand, "bet", "all-in", "call")) == bounds


def test_wikipedia_a_re_raise_over_30_and_its_call_make_a_side_pot() -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 30, 3: 500}, button=3, options=HALF)
    hand = played(hand, "bet", "all-in", "call", "raise", "call")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(90, (1, 2, 3)), (40, (1, 3))]


def carol_all_in_for_5() -> Hand:
    """Alice 1 and Dianne 2 check, Carol 3 is all-in for 5 of 20, and Joane 4 is to act."""
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 500, 3: 5, 4: 500}, button=4, options=HALF)
    return played(hand, "check", "check", "all-in")


def test_wikipedia_joane_may_fold_call_5_or_complete_to_20() -> None:
    hand = carol_all_in_for_5()
    assert hand.may == {ActionKind.FOLD, ActionKind.CALL, ActionKind.COMPLETE}
    assert call_and_range(hand) == (5, 20, 20)


def test_wikipedia_joane_calls_and_neither_alice_nor_dianne_may_raise() -> None:
    hand = played(carol_all_in_for_5(), "call")
    assert call_and_range(hand) == (5, None, None)
    assert call_and_range(played(hand, "call")) == (5, None, None)
    assert call_and_range(played(hand, "fold")) == (5, None, None)


def test_wikipedia_joane_completes_and_both_may_raise() -> None:
    hand = played(carol_all_in_for_5(), "complete")
    assert call_and_range(hand) == (20, 40, 40)
    assert call_and_range(played(hand, "call")) == (20, 40, 40)


def test_roberts_rules_betting_6_an_all_in_of_15_on_a_20_round_is_raised_to_35() -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 15, 2: 500, 3: 500}, button=3, options=HALF)
    hand = played(hand, "all-in")
    assert call_and_range(hand) == (15, 35, 35)
    assert hand.wager_kind is ActionKind.RAISE


def test_roberts_rules_betting_6_all_ins_too_small_alone_reopen_when_they_add_up_to_half_a_bet() -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 26, 3: 33, 4: 500}, button=4, options=HALF)
    assert call_and_range(played(hand, "bet", "all-in", "all-in", "call")) == (13, 53, 53)
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 24, 3: 29, 4: 500}, button=4, options=HALF)
    assert call_and_range(played(hand, "bet", "all-in", "all-in", "call")) == (9, None, None)


def test_barge_limit_an_all_in_of_100_of_400_is_called_or_completed_to_400() -> None:
    hand = on_the_flop(LIMIT_400, {1: 100, 2: 5000, 3: 5000}, button=3, options=HALF)
    hand = played(hand, "all-in")
    assert call_and_range(hand) == (100, 400, 400)
    assert hand.wager_kind is ActionKind.COMPLETE


def test_barge_limit_an_all_in_of_300_of_400_is_raised_to_700() -> None:
    hand = on_the_flop(LIMIT_400, {1: 300, 2: 5000, 3: 5000}, button=3, options=HALF)
    assert call_and_range(played(hand, "all-in")) == (300, 700, 700)


def test_wikipedia_a_blind_of_2_below_the_minimum_of_5_is_called_completed_to_5_and_raised_to_10() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, blinds=(1, 2), bets=(5, 5, 10, 10))
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 6), 500), 5)
    assert hand.may == {ActionKind.CALL, ActionKind.COMPLETE, ActionKind.FOLD}
    assert call_and_range(hand) == (2, 5, 5)
    assert call_and_range(played(hand, "call")) == (2, 5, 5)
    hand = played(hand, "complete")
    assert call_and_range(hand) == (5, 10, 10)
    assert ActionKind.RAISE in hand.may


def test_wikipedia_a_call_of_the_blind_of_2_is_reopened_by_the_completion_to_5() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, blinds=(1, 2), bets=(5, 5, 10, 10))
    for options in (HALF, FULL):
        hand = Hand.start(structure, options, dict.fromkeys(range(1, 6), 500), 5)
        hand = played(hand, "call", "complete", "fold", "fold", "fold")
        assert hand.next_seat == 3
        assert call_and_range(hand) == (3, 10, 10)
