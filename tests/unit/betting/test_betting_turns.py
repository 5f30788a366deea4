"""Whose turn it is where somebody acts last, sleeps, or is alone with chips (R-001 to R-010, R-195 to R-202)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import Hand, Post, PostKind
from table_controller.betting.state import ACTS_LAST, NOBODY, NOT_ACTED, SLEEPS
from table_controller.betting.turns import matching, next_to_act
from tests.unit.betting.betting_helpers import CASH, LIMIT_20_40, TDA, no_limit, on_the_flop, played

FIVE = dict.fromkeys(range(1, 6), 3000)


def turns(hand: Hand) -> list[int]:
    """Who acts until the round is over, where nobody raises."""
    order = []
    while hand.next_seat is not None:
        order.append(hand.next_seat)
        hand = played(hand, "call" if hand.to_call else "check")
    return order


def test_r199_a_sleeper_that_matches_the_bet_does_not_hold_up_the_seat_that_acts_last() -> None:
    posts = [
        Post(1, 200),
        Post(2, 400),
        Post(4, 800, PostKind.SLEEPER),
        Post(5, 800, PostKind.STRADDLE, acts_last=True),
    ]
    assert turns(Hand.start(no_limit(200, 400), CASH, FIVE, 5, posts)) == [3, 1, 2, 5]


def test_r199_a_sleeper_that_is_short_of_the_bet_acts_before_the_seat_that_acts_last() -> None:
    posts = [Post(1, 10), Post(2, 25), Post(4, 50, PostKind.SLEEPER), Post(5, 100, PostKind.STRADDLE, acts_last=True)]
    hand = Hand.start(no_limit(10, 25), CASH, FIVE, 5, posts)
    assert turns(hand) == [3, 4, 1, 2, 5]
    behind_it = [
        Post(2, 10),
        Post(3, 25),
        Post(1, 50, PostKind.SLEEPER),
        Post(5, 100, PostKind.STRADDLE, acts_last=True),
    ]
    assert turns(Hand.start(no_limit(10, 25), CASH, FIVE, 1, behind_it)) == [4, 1, 2, 3, 5]


def test_r198_who_has_acted_once_and_is_raised_waits_for_the_seat_that_acts_last() -> None:
    posts = [Post(1, 10), Post(2, 25), Post(5, 50, PostKind.STRADDLE, acts_last=True)]
    hand = Hand.start(no_limit(10, 25), CASH, FIVE, 5, posts)
    assert turns(played(hand, "call", "raise 150")) == [1, 2, 5, 3]


@pytest.mark.parametrize("checked_at", [0, 20])
def test_r198_whatever_the_bet_was_when_a_seat_acted_it_has_acted(checked_at: int) -> None:
    assert next_to_act(0, 0b111, 0b111, 50, (20, 50, 50), (checked_at, 50, ACTS_LAST), 2) == 2


def test_r128_a_kill_in_the_small_blind_may_act_last() -> None:
    posts = [Post(1, 40, acts_last=True), Post(2, 20)]
    structure = replace(LIMIT_20_40, bets=(40, 40, 80, 80))
    assert turns(Hand.start(structure, CASH, FIVE, 5, posts)) == [3, 4, 5, 2, 1]


def test_r128_a_kill_no_larger_than_the_blind_leaves_the_big_blind_its_option_first() -> None:
    posts = [Post(1, 10), Post(2, 20), Post(4, 20, PostKind.LIVE, acts_last=True)]
    assert turns(Hand.start(LIMIT_20_40, CASH, FIVE, 5, posts)) == [3, 5, 1, 2, 4]


@pytest.mark.parametrize(("memory", "wager", "turn"), [(NOT_ACTED, 100, 1), (SLEEPS, 50, 1), (SLEEPS, 100, 2)])
def test_r198_the_seat_that_acts_last_waits_for_the_one_seat_that_still_must_act(
    memory: int, wager: int, turn: int
) -> None:
    assert next_to_act(0, 0b111, 0b111, 100, (100, wager, 100), (100, memory, ACTS_LAST), 2) == turn


def test_r128_a_kill_that_is_all_in_has_no_option() -> None:
    posts = [Post(1, 10), Post(2, 20), Post(4, 40, PostKind.LIVE, acts_last=True)]
    structure = replace(LIMIT_20_40, bets=(40, 40, 80, 80))
    assert turns(Hand.start(structure, CASH, FIVE | {4: 40}, 5, posts)) == [3, 5, 1, 2]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_r074_a_seat_whose_chips_turn_out_to_be_none_is_all_in_and_passed_over(seat: int) -> None:
    hand = on_the_flop(no_limit(10, 20), dict.fromkeys((1, 2, 3), 500), button=3, pot=30).recounted(seat, 0)
    assert hand.all_in == {seat}
    assert turns(hand) == [other for other in (1, 2, 3) if other != seat]


@pytest.mark.parametrize("last", range(1, 6))
def test_r005_the_turn_passes_clockwise_over_folded_and_all_in_hands_wherever_they_sit(last: int) -> None:
    seats = [(last + step) % 5 + 1 for step in range(5)]
    stacks = FIVE | {seats[1]: 20}
    hand = on_the_flop(no_limit(10, 20), stacks, button=last)
    hand = played(hand, "bet 20", "call", "fold", "call")
    assert hand.next_seat == seats[4]
    assert turns(played(hand, "raise 60")) == [seats[0], seats[3]]


@pytest.mark.parametrize("alone", range(3))
@pytest.mark.parametrize(("short", "acts"), [(99, False), (100, False), (101, True)])
def test_r008_alone_with_chips_a_player_acts_only_against_a_larger_bet(alone: int, short: int, acts: bool) -> None:
    wagers = [100 if position == alone else short for position in range(3)]
    turn = next_to_act(0, 1 << alone, 0b111, max(wagers), tuple(wagers), (NOT_ACTED,) * 3)
    assert turn == (alone if acts else NOBODY)


def test_r008_nobody_acts_where_nobody_has_chips() -> None:
    assert next_to_act(0, 0, 0b11, 10, (4, 10), (NOT_ACTED, NOT_ACTED)) == NOBODY


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("able", range(16))
def test_r001_the_first_able_position_clockwise_that_has_not_acted_or_owes_acts(start: int, able: int) -> None:
    """All sets of four positions: 0 and 2 have acted and owe, 1 has acted and does not, 3 has not acted."""
    wagers, acted = (300, 700, 300, 700), (300, 700, 300, NOT_ACTED)
    waiting = [p % 4 for p in range(start, start + 4) if able >> p % 4 & 1 and p % 4 != 1]
    if able in (0, 1 << 1, 1 << 3):
        waiting = []
    assert next_to_act(start, able, 0b1111, 700, wagers, acted) == (waiting[0] if waiting else NOBODY)


def test_r199_a_sleeper_is_passed_over_until_it_is_short_of_the_bet() -> None:
    assert next_to_act(1, 0b11, 0b11, 500, (500, 500), (500, SLEEPS)) == NOBODY
    assert next_to_act(1, 0b11, 0b11, 700, (700, 500), (700, SLEEPS)) == 1


@pytest.mark.parametrize("position", range(4))
def test_r183_the_bet_to_match_is_the_level_while_another_can_call_it(position: int) -> None:
    others = 0b1111 & ~(1 << position)
    wagers = (300, 500, 700, 0)
    for able in range(16):
        largest = max(wagers[p] for p in range(4) if others >> p & 1)
        assert matching(position, able, 0b1111, 1000, wagers) == (1000 if able & others else largest)


@pytest.mark.parametrize("live", [0b0011, 0b0101, 0b0111, 0b1001, 0b1011, 0b1101, 0b1111])
@pytest.mark.parametrize("aggressor", [NOBODY, 1, 2, 3])
def test_r183_a_folded_bet_is_owed_unless_it_was_the_last_raise(live: int, aggressor: int) -> None:
    wagers = (0, 300, 500, 700)
    owed = max(wagers[p] for p in (1, 2, 3) if p != aggressor or live >> p & 1)
    assert matching(0, 0b0001, live, 900, wagers, aggressor) == owed


def test_r260_the_all_ins_win_nothing_above_their_own_bets_of_a_raise_that_was_called_and_killed() -> None:
    stacks = {1: 50, 2: 50, 3: 500, 4: 500, 5: 500}
    hand = on_the_flop(no_limit(5, 10), stacks, button=5, options=TDA)
    hand = played(hand, "bet 50", "all-in", "raise 100", "call").fold(3).fold(4)
    assert (hand.next_seat, hand.to_call) == (5, 100)
    hand = played(hand, "call")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(250, (1, 2, 5))]
    assert hand.stacks[5] == 550


def test_r183_a_killed_big_blind_is_owed_in_full_by_the_last_seat_with_chips() -> None:
    hand = Hand.start(no_limit(50, 100), TDA, {1: 5000, 2: 5000, 3: 60}, 3)
    hand = played(hand, "all-in").fold(2)
    assert (hand.next_seat, hand.to_call, hand.min_raise_to) == (1, 50, None)
    hand = played(hand, "call")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(180, (1, 3))]
    assert hand.stacks == {1: 4980, 2: 4900, 3: 0}


def test_r047_a_dead_bet_that_nobody_called_is_not_owed() -> None:
    hand = on_the_flop(no_limit(5, 10), {1: 500, 2: 50, 3: 500}, button=3, options=TDA)
    hand = played(hand, "bet 100", "all-in").fold(1)
    assert (hand.next_seat, hand.to_call) == (3, 50)
    hand = played(hand, "call")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(150, (2, 3))]
    assert hand.stacks[1] == 450
