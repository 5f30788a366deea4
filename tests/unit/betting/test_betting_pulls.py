"""Taking in the bets of a round (R-305), what each can win of them, and hands that nobody wins (R-307)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.betting import STREETS, Hand, Illegal, Limit, Payout, PayoutKind, Pull, Structure
from tests.nightly import examples
from tests.unit.betting.betting_helpers import TDA, chips, no_limit, on_the_flop, played
from tests.unit.betting.hand_strategies import blind_hands, draw_step

JACKS_OR_BETTER = Structure(limit=Limit.POT_LIMIT, ante=5, min_bet=10, streets=STREETS["draw"])


def test_r305_three_bets_go_into_three_pots_and_the_excess_back() -> None:
    hand = played(
        on_the_flop(no_limit(1, 2), {1: 100, 2: 50, 3: 25, 4: 300}, button=4), "check", "check", "bet 25", "all-in",
        "all-in", "all-in",
    )  # fmt: skip
    assert hand.pulls == (
        Pull(1, 25, 0), Pull(1, 25, 1), Pull(1, 50, 2),
        Pull(2, 25, 0), Pull(2, 25, 1),
        Pull(3, 25, 0),
        Pull(4, 25, 0), Pull(4, 25, 1), Pull(4, 50, 2), Pull(4, 200, None),
    )  # fmt: skip
    assert hand.payouts == (Payout(4, 200, PayoutKind.UNCALLED),)


def test_r305_the_plan_starts_where_the_rounds_before_have_left_the_pots() -> None:
    flop = played(on_the_flop(no_limit(1, 2), {1: 100, 2: 20, 3: 100}, button=3), "bet 20", "call", "call")
    turn = played(flop.deal("turn"), "bet 30", "call")
    assert flop.pulls == (Pull(1, 20, 0), Pull(2, 20, 0), Pull(3, 20, 0))
    assert turn.pulls == (Pull(1, 30, 1), Pull(3, 30, 1))


def test_r305_folded_chips_lie_in_the_pots_that_they_reached() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 100, 2: 30, 3: 100, 4: 100}, button=4),
                  "bet 50", "all-in", "call", "raise 100", "fold", "call")  # fmt: skip
    assert hand.pulls == (
        Pull(1, 30, 0), Pull(1, 20, 1),
        Pull(2, 30, 0),
        Pull(3, 30, 0), Pull(3, 70, 1),
        Pull(4, 30, 0), Pull(4, 70, 1),
    )  # fmt: skip


def test_r305_a_hand_folded_to_one_seat_is_taken_in_whole() -> None:
    hand = played(Hand.start(no_limit(1, 2), TDA, dict.fromkeys((1, 2, 3), 100), 3), "fold", "fold")
    assert hand.hand_over
    assert hand.pulls == (Pull(1, 1, 0), Pull(2, 1, 0), Pull(2, 1, None))


def test_r305_there_is_no_plan_while_somebody_is_to_act() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 100, 2: 100}, button=2), "bet 20")
    assert hand.pulls == ()
    over = played(hand, "call")
    assert len(over.pulls) == 2
    assert over.deal("turn").pulls == ()


@settings(max_examples=examples(150), deadline=None, derandomize=True)
@given(st.data())
def test_r305_the_plan_holds_every_chip_of_the_bets_and_fills_the_pots(data: st.DataObject) -> None:
    hand = data.draw(blind_hands())
    while not hand.hand_over:
        before = hand
        hand = draw_step(hand, data.draw)(hand)
        if not hand.round_over or before.round_over or (hand.last_act and hand.last_act.kind == "fold"):
            continue
        lay = Counter(before.bets)
        if hand.last_act is not None:
            lay[hand.last_act.seat] += hand.last_act.added
        pulled: Counter[int] = Counter()
        pots: Counter[int | None] = Counter()
        for pull in hand.pulls:
            pulled[pull.seat] += pull.amount
            pots[pull.pot] += pull.amount
        assert pulled == +lay
        here = {number: pot.amount for number, pot in enumerate(hand.pots)}
        earlier = sum(before.contributions.values()) - sum(before.bets.values()) + hand.dead_money
        paid = sum(payout.amount for payout in hand.payouts[len(before.payouts) :] if payout.kind == "pot")
        assert all(pots[number] <= amount for number, amount in here.items())
        assert sum(pots.values()) - pots[None] + earlier == sum(here.values()) + paid


def test_r260_an_all_in_seat_can_win_no_more_of_the_others_than_it_has_put_in() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 100, 2: 25, 3: 300}, button=3, pot=30), "bet 60", "all-in")
    assert hand.can_win == {1: 115, 2: 80, 3: 30}
    hand = played(hand, "raise 120", "all-in")
    assert hand.can_win == {1: 30 + 25 + 100 + 100, 2: 30 + 75, 3: 255}


def test_dead_money_is_anybodys_and_a_folded_seat_can_win_nothing() -> None:
    structure = replace(no_limit(1, 2), ante=0)
    hand = Hand.start(structure, TDA, {1: 100, 2: 100, 3: 100}, 3, carried=40)
    assert hand.can_win == {1: 40 + 2, 2: 43, 3: 40}
    assert set(played(hand, "fold").can_win) == {1, 2}


def test_r002_who_opens_the_next_street_is_known_before_it_is_dealt() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, {1: 100, 2: 100, 3: 100}, 3)
    assert hand.first_next_street == 1
    hand = played(hand, "call", "fold", "check")
    assert hand.first_next_street == 2 == hand.deal("flop").next_seat


def test_nobody_opens_the_next_street_when_at_most_one_has_chips_or_none_is_left() -> None:
    river = on_the_flop(no_limit(1, 2), {1: 100, 2: 100}, button=2, street="river")
    assert river.first_next_street is None
    assert played(on_the_flop(no_limit(1, 2), {1: 100, 2: 30}, button=2), "bet 40", "all-in").first_next_street is None


def test_r003_the_dealer_names_the_opener_in_stud() -> None:
    stud = Structure(limit=Limit.FIXED_LIMIT, ante=1, bring_in=2, bets=(5, 5, 10, 10, 10), streets=STREETS["stud"])
    assert Hand.start(stud, TDA, {1: 100, 2: 100}, 2).bring_in(1).first_next_street is None


def test_r307_a_hand_that_all_pass_carries_its_antes_to_the_next() -> None:
    stacks = {1: 100, 2: 100, 3: 100}
    hand = played(Hand.start(JACKS_OR_BETTER, TDA, stacks, 3), "check", "check", "check").pass_out()
    assert hand.hand_over
    assert hand.betting_over
    assert (hand.pot, hand.pots, hand.carried, hand.payouts) == (0, (), 15, ())
    following = Hand.start(JACKS_OR_BETTER, TDA, hand.stacks, 1, carried=hand.carried)
    assert following.pot == 30
    assert chips(following) == sum(stacks.values())
    assert following.max_raise_to == 30
    won = played(following, "bet 30", "fold", "fold")
    assert won.stack(2) == 90 + 30


def test_r307_what_somebody_has_opened_is_never_passed_out() -> None:
    hand = Hand.start(JACKS_OR_BETTER, TDA, {1: 100, 2: 100, 3: 100}, 3)
    with pytest.raises(Illegal, match="seat 1 is to act") as early:
        hand.pass_out()
    opened = played(hand, "check", "bet 10", "call", "call")
    with pytest.raises(Illegal, match="nobody has opened") as bet:
        opened.pass_out()
    drawn = played(hand, "check", "check", "check").deal("postdraw")
    with pytest.raises(Illegal, match="nobody has opened") as late:
        played(drawn, "check", "check", "check").pass_out()
    passed = played(hand, "check", "check", "check").pass_out()
    with pytest.raises(Illegal) as over:
        passed.pass_out()
    assert [refused.value.code for refused in (early, bet, late, over)] == [
        "action-pending", "not-open", "not-open", "too-late",
    ]  # fmt: skip


def test_r307_a_game_with_blinds_is_opened_by_them() -> None:
    hand = played(Hand.start(no_limit(1, 2), TDA, {1: 100, 2: 100, 3: 100}, 3), "call", "call", "check")
    with pytest.raises(Illegal, match="nobody has opened"):
        hand.pass_out()
