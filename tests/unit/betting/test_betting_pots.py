"""Pots, returns and awards (R-260 to R-267)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.betting import (
    Action,
    ActionKind,
    Hand,
    Illegal,
    Parts,
    Payout,
    PayoutKind,
    Post,
    PostKind,
    Structure,
)
from table_controller.betting.structure import AnteBy, BigBlindAnteOrder, OddChip
from tests.unit.betting.betting_helpers import TDA, chips, no_limit, on_the_flop, played


def pots(hand: Hand) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, pot.seats) for pot in hand.pots]


def test_r260_three_levels_of_all_in_make_three_pots() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 100, 2: 50, 3: 25, 4: 100}, button=4)
    hand = played(hand, "bet 100", "all-in", "all-in", "call")
    assert pots(hand) == [(100, (1, 2, 3, 4)), (75, (1, 2, 4)), (100, (1, 4))]
    assert hand.betting_over


def test_r260_the_pots_of_this_moment_are_capped_by_every_all_in_while_the_others_may_still_match() -> None:
    hand = on_the_flop(no_limit(5, 10), {2: 500, 3: 500, 4: 60, 5: 500}, button=5, pot=76)
    hand = played(hand, "check", "bet 100", "all-in")
    assert [(pot.amount, pot.seats) for pot in hand.pots_now] == [(196, (2, 3, 4, 5)), (40, (2, 3, 5))]
    hand = played(hand, "fold")
    assert [(pot.amount, pot.seats) for pot in hand.pots_now] == [(196, (2, 3, 4)), (40, (2, 3))]


def test_r260_equal_all_ins_share_one_pot_and_folded_chips_stay_in_it() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 50, 2: 50, 3: 200, 4: 200}, button=4, pot=8)
    hand = played(hand, "bet 20", "all-in", "fold", "call", "call")
    assert pots(hand) == [(158, (1, 2, 4))]


def test_r261_the_uncalled_part_returns_with_the_act_that_ends_the_round() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 60, 2: 500}, button=1), "bet 100", "all-in")
    assert hand.round_over
    assert hand.bets == {1: 60, 2: 60}
    assert hand.stacks == {1: 0, 2: 440}
    assert hand.payouts == (Payout(2, 40, PayoutKind.UNCALLED),)


def test_r261_a_walk_returns_half_of_the_big_blind_and_pays_the_rest() -> None:
    hand = played(Hand.start(no_limit(1, 2), TDA, dict.fromkeys((1, 2, 3), 100), 3), "fold", "fold")
    assert hand.hand_over
    assert hand.stacks == {1: 99, 2: 101, 3: 100}
    assert [(payout.amount, payout.kind) for payout in hand.payouts] == [(1, PayoutKind.UNCALLED), (2, PayoutKind.POT)]
    assert hand.pots == ()


def test_r262_the_example_of_the_rule_text_main_pot_35_and_10_paid_at_once() -> None:
    """Alice is all-in for 7 of the big blind after an ante of 1; Carol's raise to 16 is folded to."""
    structure = replace(no_limit(4, 8), ante=1)
    stacks = dict.fromkeys(range(1, 11), 500) | {2: 8}
    hand = Hand.start(structure, TDA, stacks, 10)
    hand = played(hand, "call", "raise 16", *["fold"] * 7)
    assert hand.next_seat == 3
    hand = played(hand, "fold")
    assert pots(hand) == [(35, (2, 4))]
    assert sum(payout.amount for payout in hand.payouts if payout.seat == 4) == 10
    assert hand.stack(4) == 500 - 1 - 16 + 10


def test_r262_a_side_pot_that_the_last_but_one_of_its_players_leaves_is_paid_while_the_main_pot_waits() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 30, 2: 60, 3: 200, 4: 200}, button=4)
    hand = played(hand, "all-in", "all-in", "call", "call")
    assert pots(hand) == [(120, (1, 2, 3, 4)), (90, (2, 3, 4))]
    hand = played(hand.deal("turn"), "bet 50", "fold")
    assert pots(hand) == [(120, (1, 2, 3)), (90, (2, 3))]
    assert hand.betting_over
    assert hand.stack(3) == 140


def test_r263_a_fold_to_a_bet_for_the_side_pot_gives_up_the_main_pot() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 30, 2: 200, 3: 200}, button=3, pot=9)
    hand = played(hand, "all-in", "raise 80", "fold")
    assert pots(hand) == [(69, (1, 2))]
    with pytest.raises(Illegal, match="seat 3 cannot win pot 1"):
        hand.deal("turn").deal("river").award([[3]])


def test_r265_a_short_call_does_not_make_the_bet_smaller_for_the_others() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 500, 2: 30, 3: 500}, button=3), "bet 100", "call")
    assert (hand.to_call, hand.all_in, hand.level) == (100, {2}, 100)


def test_r268_run_twice_each_board_takes_half_of_every_pot_and_the_odd_unit_goes_to_the_first() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 25, 2: 48, 3: 48}, button=3)
    hand = played(hand, "all-in", "all-in", "call")
    assert pots(hand) == [(75, (1, 2, 3)), (46, (2, 3))]
    hand = hand.award([Parts(((1,), (3,))), Parts(((2,), (2, 3)))])
    assert hand.stacks == {1: 38, 2: 23 + 12, 3: 37 + 11}


def test_r240_what_is_forfeited_lies_in_the_pots_that_it_reaches() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 500, 2: 500, 3: 20}, button=3)
    hand = played(hand, "bet 100").forfeit(60)
    assert (hand.next_seat, hand.folded, hand.stack(2)) == (3, {2}, 440)
    hand = played(hand, "call")
    assert pots(hand) == [(60, (1, 3))]
    assert [(payout.seat, payout.amount) for payout in hand.payouts] == [(1, 40), (1, 80)]


def test_r240_no_more_than_the_call_is_forfeited() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 500, 2: 500}, button=2), "bet 100")
    with pytest.raises(Illegal) as refused:
        hand.forfeit(101)
    assert refused.value.code == "above-maximum"


def test_r074_a_counted_stack_is_bounded_by_what_the_cap_leaves_dead_posts_among_it() -> None:
    structure = replace(no_limit(1, 2), cap=60)
    posts = [Post(1, 1), Post(2, 2), Post(3, 2, PostKind.LIVE), Post(3, 1, PostKind.DEAD)]
    hand = Hand.start(structure, TDA, dict.fromkeys((1, 2, 3, 4), 200), 4, posts)
    assert hand.max_raise_to == 59
    assert hand.recounted(3, 150).max_raise_to == 59
    assert hand.recounted(3, 150).stack(3) == 150
    assert hand.recounted(3, 40).max_raise_to == 42
    assert hand.recounted(3, 40).starting_stacks[3] == 43


def test_r203_a_part_of_the_ante_wins_that_part_of_every_ante() -> None:
    structure = replace(no_limit(5, 10), ante=5)
    hand = Hand.start(structure, TDA, {1: 500, 2: 500, 3: 500, 4: 3, 5: 500, 6: 500}, 6)
    hand = played(hand, "call", "fold", "fold", "call", "check")
    assert pots(hand) == [(18, (1, 2, 3, 4)), (40, (1, 2, 3))]


@pytest.mark.parametrize(
    ("order", "blind", "ante"), [(BigBlindAnteOrder.BLIND_FIRST, 200, 50), (BigBlindAnteOrder.ANTE_FIRST, 50, 200)]
)
def test_r180_what_a_short_big_blind_pays_first_of_a_table_ante(
    order: BigBlindAnteOrder, blind: int, ante: int
) -> None:
    structure = replace(no_limit(100, 200), ante=200, ante_by=AnteBy.BIG_BLIND)
    options = replace(TDA, big_blind_ante_order=order)
    hand = Hand.start(structure, options, {1: 9000, 2: 250, 3: 9000}, 3)
    assert (hand.bet(2), hand.dead_money) == (blind, ante)
    assert hand.to_call == 200


def test_r180_the_button_pays_the_ante_of_the_table() -> None:
    structure = replace(no_limit(1, 2), ante=6, ante_by=AnteBy.BUTTON)
    hand = Hand.start(structure, TDA, dict.fromkeys((1, 2, 3), 100), 3)
    assert (hand.stack(3), hand.pot, hand.to_call) == (94, 9, 2)


def test_r183_a_short_blind_costs_the_others_the_full_blind() -> None:
    hand = Hand.start(no_limit(5, 10), TDA, {1: 500, 2: 3, 3: 500}, 3)
    assert (hand.to_call, hand.min_raise_to) == (10, 20)
    hand = played(hand, "call", "call")
    assert hand.round_over
    assert pots(hand) == [(9, (1, 2, 3)), (14, (1, 3))]


def test_r183_heads_up_nothing_more_is_owed_than_the_short_blind_can_win() -> None:
    hand = Hand.start(no_limit(5, 10), TDA, {1: 3, 2: 500}, 2)
    assert hand.betting_over
    assert hand.stacks == {1: 0, 2: 497}
    assert pots(hand) == [(6, (1, 2))]
    hand = Hand.start(no_limit(5, 10), TDA, {1: 7, 2: 500}, 2)
    assert (hand.next_seat, hand.to_call, hand.raise_range) == (2, 2, None)


def test_r193_a_dead_post_goes_to_the_main_pot_and_need_not_be_matched() -> None:
    posts = [Post(1, 1), Post(2, 2), Post(3, 2, PostKind.LIVE), Post(3, 1, PostKind.DEAD)]
    hand = Hand.start(no_limit(1, 2), TDA, dict.fromkeys((1, 2, 3, 4), 200), 4, posts)
    assert (hand.next_seat, hand.to_call, hand.option, hand.pot) == (3, 0, True, 6)
    hand = played(hand, "check", "fold", "call", "check")
    assert pots(hand) == [(7, (1, 2, 3))]


def test_r266_a_killed_bettor_leaves_what_was_called_and_takes_back_the_rest() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 500, 2: 50, 3: 80}, button=3)
    hand = played(hand, "bet 100", "all-in", "all-in").fold(1)
    assert pots(hand) == [(150, (2, 3))]
    assert hand.stacks == {1: 420, 2: 0, 3: 60}


def test_r307_a_carried_pot_is_dead_money_of_the_main_pot() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, {1: 100, 2: 100}, 2, carried=30)
    assert hand.pot == 33
    hand = played(hand, "call", "check")
    assert pots(hand) == [(34, (1, 2))]


def showdown(amount: int, paid: dict[int, int], folded: list[int], *, button: int, options: object = TDA) -> Hand:
    stacks = dict.fromkeys(paid, 1000)
    hand = Hand.resume(
        no_limit(1, 2),
        options,
        stacks,
        button,
        street="river",
        pot=amount,
        paid=paid,
        folded=folded,  # type: ignore[arg-type]
    )
    while hand.next_seat is not None:
        hand = played(hand, "check")
    return hand


def test_r264_odd_chips_go_one_each_clockwise_from_the_left_of_the_button() -> None:
    hand = showdown(101, {1: 33, 2: 2, 3: 33, 5: 33}, [2], button=5).award([[5, 3, 1]])
    assert hand.stacks == {1: 1034, 2: 1000, 3: 1034, 5: 1033}
    assert hand.hand_over


def test_r264_the_first_name_takes_the_odd_chip_where_the_high_card_rules() -> None:
    options = replace(TDA, odd_chip=OddChip.HIGH_CARD_SUIT)
    hand = showdown(101, {1: 34, 2: 34, 3: 33}, [3], button=3, options=options).award([[2, 1]])
    assert hand.stacks == {1: 1050, 2: 1051, 3: 1000}


def test_r264_high_and_low_split_first_and_are_quartered_then() -> None:
    hand = showdown(91, {1: 30, 2: 30, 3: 30, 4: 1}, [4], button=4).award([Parts(((1,), (1, 2)))])
    assert hand.stacks == {1: 1069, 2: 1022, 3: 1000, 4: 1000}


def test_r264_splits_go_down_to_the_betting_unit() -> None:
    structure = replace(no_limit(50, 100), unit=25)
    hand = Hand.resume(structure, TDA, {1: 1000, 2: 1000}, 2, street="river", pot=150)
    hand = played(hand, "check", "check").award([[1, 2]])
    assert hand.stacks == {1: 1075, 2: 1075}
    hand = Hand.resume(structure, TDA, {1: 1000, 2: 1000, 3: 0}, 2, street="river", pot=225)
    hand = played(hand, "check", "check").award([[1, 2, 3]])
    assert hand.stacks == {1: 1075, 2: 1075, 3: 75}
    hand = Hand.resume(structure, TDA, {1: 1000, 2: 1000}, 2, street="river", pot=175, paid={1: 100, 2: 75})
    assert played(hand, "check", "check").award([[1, 2]]).stacks == {1: 1100, 2: 1075}


def test_awards_name_winners_of_every_pot_among_those_who_can_win_it() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 100, 2: 50, 3: 100}, button=3)
    hand = played(hand, "bet 100", "all-in", "call")
    assert pots(hand) == [(150, (1, 2, 3)), (100, (1, 3))]
    for winners in ([[1]], [[1], [2]], [[1], []], [[1, 1], [1]], [[9], [1]]):
        with pytest.raises(Illegal) as refused:
            hand.award(winners)
        assert refused.value.code == "not-open"
    paid = hand.award([[2], [3]])
    assert paid.stacks == {1: 0, 2: 150, 3: 100}
    assert [(payout.seat, payout.pot) for payout in paid.payouts] == [(3, 1), (2, 0)]
    with pytest.raises(Illegal) as refused:
        paid.award([[2], [3]])
    assert refused.value.code == "too-late"


def test_an_award_waits_for_the_betting() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 100, 2: 100}, button=2, pot=10)
    for waiting in (hand, played(hand, "check", "check")):
        with pytest.raises(Illegal) as refused:
            waiting.award([[1]])
        assert refused.value.code == "action-pending"


def test_chips_are_conserved_through_a_hand_with_side_pots() -> None:
    structure: Structure = replace(no_limit(5, 10), ante=2)
    hand = Hand.start(structure, TDA, {1: 40, 2: 75, 3: 300, 4: 300}, 4)
    total = chips(hand)
    for act in ("raise 50", "call", "all-in", "all-in", "call", "call"):
        hand = played(hand, act)
        assert chips(hand) == total
    hand = hand.deal("flop").act(Action(ActionKind.BET, 60)).act(Action(ActionKind.FOLD))
    assert hand.betting_over
    assert chips(hand) == total
    assert chips(hand.award([[1], [2]])) == total
