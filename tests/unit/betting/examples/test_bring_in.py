"""Worked examples of the rule texts: bring-ins, completions, open pairs, pot-limit stud."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import STREETS, Action, ActionKind, Hand, Limit, Structure
from table_controller.betting.structure import BringInEqual
from tests.unit.betting.betting_helpers import CASH, TDA, call_and_range, played

RAISE = Action(ActionKind.RAISE)
COMPLETE = Action(ActionKind.COMPLETE)


def stud(bring_in: int, small: int, ante: int = 0) -> Structure:
    bets = (small, small, 2 * small, 2 * small, 2 * small)
    return Structure(limit=Limit.FIXED_LIMIT, ante=ante, bring_in=bring_in, bets=bets, streets=STREETS["stud"])


def test_wikipedia_a_bring_in_of_2_is_called_or_raised_to_5_and_then_to_10() -> None:
    hand = Hand.start(stud(2, 5), CASH, dict.fromkeys(range(1, 5), 200), 4).bring_in(1)
    assert hand.may == {ActionKind.CALL, ActionKind.COMPLETE, ActionKind.FOLD}
    assert call_and_range(hand) == (2, 5, 5)
    hand = played(hand, "complete")
    assert call_and_range(hand) == (5, 10, 10)
    assert ActionKind.RAISE in hand.may


def test_wikipedia_the_player_forced_to_bring_it_in_may_make_a_normal_bet() -> None:
    hand = Hand.start(stud(2, 5), CASH, dict.fromkeys(range(1, 5), 200), 4).bring_in(1).act(COMPLETE, 1)
    assert hand.bet(1) == 5
    assert (hand.next_seat, *call_and_range(hand)) == (2, 5, 10, 10)


def test_wikipedia_a_bring_in_equal_to_the_bet_comes_in_for_a_raise_or_has_the_option() -> None:
    stacks = dict.fromkeys(range(1, 5), 200)
    may_raise = Hand.start(stud(5, 5), replace(CASH, bring_in_equal=BringInEqual.MAY_RAISE), stacks, 4).bring_in(1)
    assert may_raise.act(RAISE, 1).bet(1) == 10
    assert played(may_raise, "call", "call", "call").round_over
    live = Hand.start(stud(5, 5), CASH, stacks, 4).bring_in(1)
    live = played(live, "call", "call", "call")
    assert (live.next_seat, live.option, *call_and_range(live)) == (1, True, 0, 10, 10)


def test_wsop_live_219_a_bring_in_of_15_is_completed_to_30_and_that_is_none_of_the_raises() -> None:
    hand = Hand.start(stud(15, 30), CASH, dict.fromkeys(range(1, 6), 900), 5).bring_in(1)
    assert call_and_range(hand) == (15, 30, 30)
    hand = played(hand, "complete", "raise", "raise", "raise")
    assert (hand.level, hand.raise_range) == (120, None)


def test_barge_limit_razz_200_400_brings_in_75_completes_to_200_and_bets_400_from_fifth_street() -> None:
    hand = Hand.start(stud(75, 200, ante=50), TDA, dict.fromkeys(range(1, 9), 9000), 8).bring_in(3)
    assert (hand.pot, *call_and_range(hand)) == (475, 75, 200, 200)
    hand = played(hand, *["fold"] * 6, "call").deal("fourth", 2)
    sizes = [hand.min_raise_to]
    for street in ("fifth", "sixth", "seventh"):
        hand = played(hand, "check", "check").deal(street, 2)
        sizes.append(hand.min_raise_to)
    assert sizes == [200, 400, 400, 400]


def test_barge_pot_limit_london_lowball_950_in_the_pot_makes_it_300_to_1250_and_then_2900() -> None:
    structure = Structure(limit=Limit.POT_LIMIT, ante=100, bring_in=150, min_bet=150, streets=STREETS["stud"])
    hand = Hand.start(structure, TDA, dict.fromkeys(range(1, 9), 20_000), 8).bring_in(1)
    assert hand.pot == 950
    assert call_and_range(hand) == (150, 300, 1250)
    hand = played(hand, "raise 650")
    assert hand.max_raise_to == 2900


def test_roberts_rules_stud_7_an_open_pair_in_5_10_bets_either_and_raises_either_until_one_raises_10() -> None:
    hand = Hand.resume(stud(2, 5), CASH, dict.fromkeys(range(1, 5), 300), 4, street="third", pot=8, first=1)
    hand = played(hand, *["check"] * 4).deal("fourth", 1, doubled=True)
    assert call_and_range(hand) == (0, 5, 10)
    assert call_and_range(played(hand, "bet 10")) == (10, 20, 20)
    hand = played(hand, "bet 5")
    assert call_and_range(hand) == (5, 10, 15)
    assert call_and_range(played(hand, "raise 10")) == (10, 15, 20)
    assert call_and_range(played(hand, "raise 15")) == (15, 25, 25)


def test_tda_rp_10_e_a_bring_in_short_or_absent_leaves_the_next_seat_the_whole_bring_in_to_call() -> None:
    hand = Hand.start(stud(5, 10, ante=1), TDA, {1: 4, 2: 200, 3: 200}, 3).bring_in(1)
    assert (hand.bet(1), hand.next_seat, *call_and_range(hand)) == (3, 2, 5, 10, 10)
    hand = Hand.start(stud(5, 10, ante=1), TDA, {1: 1, 2: 200, 3: 200}, 3).bring_in(1)
    assert (hand.bet(1), hand.next_seat, *call_and_range(hand)) == (0, 2, 5, 10, 10)
