"""Worked examples of the rule texts: all-ins, side pots, antes and blinds of short stacks, odd chips."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import STREETS, Hand, Limit, Parts, PayoutKind, Structure
from table_controller.betting.structure import AnteBy, BigBlindAnteOrder, OddChip
from tests.unit.betting.betting_helpers import CASH, LIMIT_20_40, TDA, no_limit, on_the_flop, played


def pots(hand: Hand) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, pot.seats) for pot in hand.pots]


def run_out(hand: Hand) -> Hand:
    while hand.street != hand.structure.streets[-1]:
        hand = hand.deal(hand.structure.streets[hand.structure.streets.index(hand.street) + 1])
    return hand


def twenty_ten_thirty() -> Hand:
    """A opens for 20, B calls all-in for 10, C is all-in for 30."""
    hand = on_the_flop(no_limit(1, 2), {1: 500, 2: 10, 3: 30}, button=3, options=CASH)
    return played(hand, "bet 20", "all-in", "all-in")


def test_wikipedia_10_more_to_player_a_who_calls_and_makes_no_further_bets_this_hand() -> None:
    hand = twenty_ten_thirty()
    assert (hand.to_call, hand.raise_range) == (10, None)
    hand = played(hand, "call")
    assert hand.betting_over
    assert run_out(hand).next_seat is None


def test_wikipedia_30_in_the_main_pot_for_three_and_40_in_the_side_pot_for_a_and_c() -> None:
    assert pots(played(twenty_ten_thirty(), "call")) == [(30, (1, 2, 3)), (40, (1, 3))]


def test_wikipedia_b_wins_the_main_pot_a_the_side_pot_and_c_must_buy_again() -> None:
    hand = run_out(played(twenty_ten_thirty(), "call")).award([[2], [1]])
    assert hand.stacks == {1: 470 + 40, 2: 30, 3: 0}
    assert [(payout.seat, payout.pot) for payout in hand.payouts] == [(1, 1), (2, 0)]


def test_wikipedia_against_one_all_in_player_the_other_takes_the_overage_back() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 500, 2: 80}, button=2, pot=20, options=CASH)
    hand = played(hand, "bet 200", "all-in")
    assert hand.stack(1) == 420
    assert pots(hand) == [(180, (1, 2))]


def older_twenty_and_five() -> Hand:
    """The first player opens for 20, the next is all-in for 5, the third calls 20."""
    hand = on_the_flop(no_limit(1, 2), {1: 500, 2: 5, 3: 500}, button=3, options=CASH)
    return played(hand, "bet 20", "all-in")


def test_older_wikipedia_the_third_player_still_faces_20_although_the_second_put_in_5() -> None:
    assert older_twenty_and_five().to_call == 20


def test_older_wikipedia_5_of_each_make_the_main_pot_and_15_apiece_the_side_pot() -> None:
    hand = played(older_twenty_and_five(), "call")
    assert pots(hand) == [(15, (1, 2, 3)), (30, (1, 3))]


def test_older_wikipedia_further_bets_go_into_the_side_pot_while_the_all_in_player_holds_on() -> None:
    hand = played(older_twenty_and_five(), "call").deal("turn")
    hand = played(hand, "bet 40", "call")
    assert pots(hand) == [(15, (1, 2, 3)), (110, (1, 3))]


def test_older_wikipedia_who_folds_on_a_later_round_loses_the_main_pot_too() -> None:
    hand = played(older_twenty_and_five(), "call").deal("turn")
    hand = played(hand, "bet 40", "fold")
    assert pots(hand) == [(15, (1, 2))]
    assert hand.stack(1) == 480 + 30


def alice_in_the_big_blind_with_8() -> Hand:
    """Ten players, ante 1, blinds 4 and 8: Alice, seat 2, has 1 for the ante and 7 of the big blind."""
    structure = replace(no_limit(4, 8), ante=1)
    return Hand.start(structure, TDA, dict.fromkeys(range(1, 11), 500) | {2: 8}, 10)


def test_wikipedia_alice_pays_the_ante_first_and_is_all_in_with_7_of_the_big_blind() -> None:
    hand = alice_in_the_big_blind_with_8()
    assert (hand.bet(2), hand.stack(2), hand.contributions[2]) == (7, 0, 8)
    assert hand.to_call == 8
    assert hand.min_raise_to == 16


def test_wikipedia_the_main_pot_of_alice_is_35_and_carol_takes_10_when_dianne_folds() -> None:
    hand = played(alice_in_the_big_blind_with_8(), "call", "raise 16", *["fold"] * 7)
    assert hand.next_seat == 3
    before = hand.stack(4)
    hand = played(hand, "fold")
    assert pots(hand) == [(35, (2, 4))]
    assert hand.stack(4) - before == 10
    assert run_out(hand).award([[2]]).stack(2) == 35


def test_wikipedia_all_in_for_part_of_the_ante_wins_that_part_of_every_ante_and_no_blinds() -> None:
    structure = replace(no_limit(5, 10), ante=5)
    hand = Hand.start(structure, TDA, {1: 500, 2: 500, 3: 500, 4: 3}, 4)
    hand = played(hand, "call", "call", "check")
    assert pots(hand) == [(4 * 3, (1, 2, 3, 4)), (3 * 2 + 3 * 10, (1, 2, 3))]


def test_wikipedia_all_in_for_exactly_the_ante_wins_the_antes_alone() -> None:
    structure = replace(no_limit(5, 10), ante=5)
    hand = Hand.start(structure, TDA, {1: 500, 2: 500, 3: 500, 4: 5}, 4)
    hand = played(hand, "call", "call", "check")
    assert pots(hand) == [(4 * 5, (1, 2, 3, 4)), (3 * 10, (1, 2, 3))]


def test_wikipedia_one_pays_six_times_the_ante_for_the_table_and_nobody_owes_more_for_it() -> None:
    structure = replace(no_limit(5, 10), ante=6, ante_by=AnteBy.BUTTON)
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 7), 500), 6)
    assert (hand.stack(6), hand.pot, hand.to_call) == (494, 21, 10)


def test_barge_big_blind_ante_18000_pay_the_ante_of_10000_first_and_8000_of_the_blind() -> None:
    structure = replace(no_limit(5000, 10_000), ante=10_000, ante_by=AnteBy.BIG_BLIND)
    options = replace(TDA, big_blind_ante_order=BigBlindAnteOrder.ANTE_FIRST)
    hand = Hand.start(structure, options, {1: 90_000, 2: 18_000, 3: 90_000}, 3)
    assert (hand.dead_money, hand.bet(2), hand.to_call) == (10_000, 8000, 10_000)


def test_barge_big_blind_ante_8000_all_go_into_the_ante_and_8000_is_all_that_they_can_win() -> None:
    structure = replace(no_limit(5000, 10_000), ante=10_000, ante_by=AnteBy.BIG_BLIND)
    options = replace(TDA, big_blind_ante_order=BigBlindAnteOrder.ANTE_FIRST)
    hand = Hand.start(structure, options, {1: 90_000, 2: 8000, 3: 90_000}, 3)
    assert (hand.dead_money, hand.bet(2), hand.to_call) == (8000, 0, 10_000)
    hand = played(hand, "call", "call")
    assert pots(hand) == [(8000, (1, 2, 3)), (20_000, (1, 3))]


def test_tda_rp_11_blind_first_18000_pay_the_blind_of_10000_and_8000_of_the_ante() -> None:
    structure = replace(no_limit(5000, 10_000), ante=10_000, ante_by=AnteBy.BIG_BLIND)
    hand = Hand.start(structure, TDA, {1: 90_000, 2: 18_000, 3: 90_000}, 3)
    assert (hand.dead_money, hand.bet(2), hand.to_call) == (8000, 10_000, 10_000)


def split_pot(amount: int, *, options: object = TDA) -> Hand:
    """A pot on the river that seats 3 and 6 have made with one chip of a folder; the button is seat 8."""
    paid = {1: amount % 2, 3: amount // 2, 6: amount // 2, 8: 0}
    hand = Hand.resume(
        no_limit(1, 2),
        options,  # type: ignore[arg-type]
        dict.fromkeys(paid, 1000),
        8,
        street="river",
        pot=amount,
        paid=paid,
        folded=[1, 8],
    )
    return played(hand, "check", "check")


def test_tda_20_a_the_odd_chip_of_101_goes_to_the_first_winner_left_of_the_button() -> None:
    assert split_pot(101).award([[6, 3]]).stacks == {1: 1000, 3: 1051, 6: 1050, 8: 1000}


def test_tda_20_b_in_stud_the_high_card_by_suit_that_is_named_first_takes_it() -> None:
    options = replace(TDA, odd_chip=OddChip.HIGH_CARD_SUIT)
    assert split_pot(101, options=options).award([[6, 3]]).stacks == {1: 1000, 3: 1050, 6: 1051, 8: 1000}


def test_tda_20_c_the_high_half_takes_the_odd_chip_of_high_and_low() -> None:
    assert split_pot(101).award([Parts(((6,), (3,)))]).stacks == {1: 1000, 3: 1050, 6: 1051, 8: 1000}


def test_tda_21_each_side_pot_is_split_by_itself() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 25, 2: 50, 3: 50, 4: 1}, button=4, pot=0)
    hand = played(hand, "bet 25", "raise 50", "call", "fold")
    assert pots(hand) == [(75, (1, 2, 3)), (50, (2, 3))]
    assert run_out(hand).award([[1, 2], [2, 3]]).stacks == {1: 38, 2: 37 + 25, 3: 25, 4: 1}


def test_wikipedia_a_bet_that_nobody_calls_wins_the_pot_and_comes_back() -> None:
    hand = on_the_flop(no_limit(1, 2), dict.fromkeys((1, 2, 3), 500), button=3, pot=30, options=CASH)
    hand = played(hand, "bet 20", "fold", "fold")
    assert [(payout.amount, payout.kind) for payout in hand.payouts] == [
        (20, PayoutKind.UNCALLED),
        (30, PayoutKind.POT),
    ]


def test_wikipedia_all_in_or_alone_against_all_ins_no_more_betting_takes_place_on_any_street() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, bets=(5, 5, 10, 10, 10), bring_in=2, streets=STREETS["stud"])
    hand = Hand.start(structure, CASH, {1: 5, 2: 90, 3: 4}, 3).bring_in(1)
    hand = played(hand, "complete", "all-in", "call")
    for street in STREETS["stud"][1:]:
        assert hand.betting_over
        hand = hand.deal(street)
    assert pots(hand) == [(12, (1, 2, 3)), (2, (1, 2))]


def test_older_wikipedia_the_side_pot_is_awarded_before_the_main_pot() -> None:
    hand = played(older_twenty_and_five(), "call")
    hand = played(hand.deal("turn"), "check", "check")
    hand = played(hand.deal("river"), "check", "check").award([[2], [3]])
    assert [(payout.seat, payout.amount) for payout in hand.payouts] == [(3, 30), (2, 15)]


def test_wikipedia_20_40_a_player_with_less_than_the_bet_calls_for_what_there_is() -> None:
    hand = on_the_flop(LIMIT_20_40, {1: 500, 2: 12, 3: 500}, button=3, options=CASH)
    hand = played(hand, "bet")
    assert hand.to_call == 12
    hand = played(hand, "call")
    assert (hand.to_call, hand.all_in) == (20, {2})
