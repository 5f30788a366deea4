"""What holds in every state of every hand, whatever is played."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.betting import Action, ActionKind, Hand, Illegal
from tests.nightly import examples
from tests.unit.betting.betting_helpers import chips
from tests.unit.betting.hand_strategies import WAGERS, ante_hands, blind_hands, draw_step, is_doubled


def check_state(hand: Hand, total: int) -> None:
    assert chips(hand) == total
    assert min(hand.stacks.values()) >= 0
    assert min(hand.bets.values()) >= 0
    assert hand.pot >= 0
    check_pots_now(hand)
    if hand.next_seat is None:
        if hand.betting_over and hand.in_hand:
            assert sum(pot.amount for pot in hand.pots) == hand.pot
            assert all(len(pot.seats) > 1 for pot in hand.pots)
            assert len({pot.seats for pot in hand.pots}) == len(hand.pots)
        return
    assert hand.next_seat in hand.in_hand - hand.all_in
    assert hand.to_call is not None
    assert 0 <= hand.to_call <= hand.stack(hand.next_seat)
    assert ActionKind.FOLD in hand.may
    assert (ActionKind.CHECK in hand.may) is (hand.to_call == 0)
    assert (ActionKind.CALL in hand.may) is (hand.to_call > 0)
    bounds = hand.raise_range
    assert (bounds is None) is not bool(hand.may & WAGERS)
    if bounds is not None:
        assert hand.level < bounds[0] <= bounds[1] <= hand.bet(hand.next_seat) + hand.stack(hand.next_seat)


def check_pots_now(hand: Hand) -> None:
    """The pots as they stand hold all of the middle; an all-in seat's are what it can win, one that can bet is in all.

    When the round is over they are the pots that wait for their winners.
    """
    pots = hand.pots_now
    if not hand.hand_over:
        assert sum(pot.amount for pot in pots) == hand.pot
        for seat, most in hand.can_win.items():
            won = sum(pot.amount for pot in pots if seat in pot.seats)
            assert won == (most if seat in hand.all_in else hand.pot)
    if hand.next_seat is None:
        assert pots == hand.pots


def refusal(hand: Hand, action: Action) -> str | None:
    try:
        hand.act(action)
    except Illegal as refused:
        return refused.code
    return None


def assert_refuses_what_is_not_open(hand: Hand) -> None:
    before = hand.state
    for kind in set(ActionKind) - hand.may - {ActionKind.ALL_IN}:
        reason = hand.why_not(kind)
        assert reason is not None
        assert refusal(hand, Action(kind, hand.level + 1)) == reason[0]
    if hand.raise_range is not None and hand.structure.unit == 1:
        least, most = hand.raise_range
        (kind,) = hand.may & WAGERS
        assert refusal(hand, Action(kind, least - 1)) == "below-minimum"
        assert refusal(hand, Action(kind, most + 1)) == "above-maximum"
    assert hand.state is before


def assert_takes_what_is_open(hand: Hand, draw: st.DrawFn) -> None:
    """Every action of `may` is accepted, a wager at any amount of its range and at none beside it."""
    for kind in hand.may - WAGERS:
        assert refusal(hand, Action(kind)) is None
    bounds, seat = hand.raise_range, hand.next_seat
    if bounds is None or seat is None or is_doubled(hand):
        return
    least, most = bounds
    (kind,) = hand.may & WAGERS
    exact = hand.structure.unit == 1
    for to in {least, most, draw(st.integers(least, most))}:
        act = hand.act(Action(kind, to)).last_act
        assert act is not None
        assert act.to == to or not exact
    everything = hand.bet(seat) + hand.stack(seat)
    for to in draw(st.lists(st.integers(0, everything + 9), max_size=3)):
        assert (refusal(hand, Action(kind, to)) is None) is (least <= to <= most) or not exact
    if hand.structure.cap is None:
        assert (refusal(hand, Action(ActionKind.ALL_IN)) is None) is (everything <= most)


def assert_nothing_shrinks_within_a_round(before: Hand, after: Hand) -> None:
    if before.street == after.street and before.next_seat is not None:
        assert after.level >= before.level
        assert after.last_raise >= before.last_raise
        assert after.acts == before.acts + 1
        assert after.has_acted >= before.has_acted
        assert after.in_hand <= before.in_hand


def assert_a_killed_bettor_takes_back_only_what_nobody_called(before: Hand, after: Hand) -> None:
    seat = after.aggressor
    if seat is None or after.aggressive_acts == before.aggressive_acts or after.hand_over:
        return
    killed = after.fold(seat).uncalled_back(seat, before)
    check_state(killed, chips(after))
    assert seat not in killed.in_hand
    assert killed.level == before.level or killed.next_seat is None


@settings(max_examples=examples(300), deadline=None, derandomize=True)
@given(st.one_of(blind_hands(), ante_hands()), st.data())
def test_chips_are_conserved_and_every_question_has_a_consistent_answer(first: Hand, data: st.DataObject) -> None:
    hand, total = first, chips(first)
    steps = []
    for _ in range(400):
        check_state(hand, total)
        if hand.hand_over:
            break
        if hand.next_seat is not None:
            assert_refuses_what_is_not_open(hand)
            assert_takes_what_is_open(hand, data.draw)
        step = draw_step(hand, data.draw)
        steps.append(step)
        before, hand = hand, step(hand)
        assert_nothing_shrinks_within_a_round(before, hand)
        assert_a_killed_bettor_takes_back_only_what_nobody_called(before, hand)
    assert hand.hand_over
    assert hand.pot == 0
    assert sum(hand.stacks.values()) == total
    again = first
    for step in steps:
        again = step(again)
    assert again == hand
