"""What holds in every state of every hand, whatever is played."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.betting import (
    STREETS,
    Action,
    ActionKind,
    BettingOptions,
    Hand,
    Illegal,
    Limit,
    Post,
    PostKind,
    Structure,
    standard_posts,
)
from table_controller.betting.structure import (
    AnteBy,
    HeadsUpCap,
    OddChip,
    PotLimitPreflop,
    ShortAllIn,
    ShortOpenAllIn,
    SmallBlind,
)
from tests.unit.betting.betting_helpers import chips

WAGERS = frozenset({ActionKind.BET, ActionKind.RAISE, ActionKind.COMPLETE})


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    limit = draw(st.sampled_from(Limit))
    blinds = draw(st.sampled_from([(1, 2), (2, 5), (5, 10), (5, 5, 10), (4,)]))
    seats = draw(st.lists(st.integers(1, 10), min_size=max(2, len(blinds)), max_size=7, unique=True))
    stacks = {seat: draw(st.integers(1, 120)) for seat in seats}
    button = draw(st.integers(1, 10))
    occupied = button in stacks
    structure = Structure(
        limit=limit,
        blinds=blinds,
        ante=draw(st.sampled_from([0, 0, 1, 7])),
        ante_by=draw(st.sampled_from(AnteBy if occupied else [AnteBy.EACH, AnteBy.BIG_BLIND])),
        bets=(10, 10, 20, 20) if limit is Limit.FIXED_LIMIT else (),
        spread=((1, 8),) if limit is Limit.SPREAD_LIMIT else (),
        unit=draw(st.sampled_from([1, 1, 5])),
        cap=draw(st.sampled_from([None, None, 40])),
        streets=STREETS["omaha"],
    )
    options = BettingOptions(
        short_all_in=draw(st.sampled_from(ShortAllIn)),
        short_open_all_in=draw(st.sampled_from(ShortOpenAllIn)),
        max_raises=draw(st.sampled_from([3, 4, None])),
        heads_up_cap=draw(st.sampled_from(HeadsUpCap)),
        pot_limit_preflop=draw(st.sampled_from(PotLimitPreflop)),
        pot_round_to=draw(st.sampled_from([None, 5])),
        small_blind=draw(st.sampled_from(SmallBlind)),
        odd_chip=draw(st.sampled_from(OddChip)),
    )
    posts = list(standard_posts(structure, options, seats, button))
    posted = {post.seat for post in posts}
    for seat in seats:
        if seat not in posted and draw(st.booleans()):
            kind = draw(st.sampled_from([PostKind.LIVE, PostKind.DEAD, PostKind.STRADDLE, PostKind.SLEEPER]))
            amount = 2 * max(blinds) if kind is PostKind.STRADDLE else max(blinds)
            posts.append(Post(seat, amount, kind, acts_last=kind is PostKind.STRADDLE and draw(st.booleans())))
            break
    return Hand.start(structure, options, stacks, button, posts)


def check_state(hand: Hand, total: int) -> None:
    assert chips(hand) == total
    assert min(hand.stacks.values()) >= 0
    assert min(hand.bets.values()) >= 0
    assert hand.pot >= 0
    if hand.next_seat is None:
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


def step(hand: Hand, draw: st.DrawFn) -> Hand:
    if hand.next_seat is None:
        if hand.betting_over:
            winners = [
                draw(st.lists(st.sampled_from(pot.seats), min_size=1, max_size=3, unique=True)) for pot in hand.pots
            ]
            return hand.award(winners)
        return hand.deal(hand.structure.streets[hand.structure.streets.index(hand.street) + 1])
    if draw(st.integers(0, 19)) == 0:
        return hand.fold(draw(st.sampled_from(sorted(hand.in_hand))))
    kind = draw(st.sampled_from(sorted(hand.may)))
    if kind in WAGERS and hand.raise_range is not None:
        least, most = hand.raise_range
        return hand.act(Action(kind, draw(st.sampled_from([least, most, draw(st.integers(least, most))]))))
    return hand.act(Action(kind))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_chips_are_conserved_and_every_question_has_a_consistent_answer(data: st.DataObject) -> None:
    hand = data.draw(hands())
    total = sum(hand.starting_stacks.values())
    for _ in range(400):
        check_state(hand, total)
        if hand.hand_over:
            break
        assert_refuses_what_is_not_open(hand)
        hand = step(hand, data.draw)
    assert hand.hand_over
    assert hand.pot == 0
    assert sum(hand.stacks.values()) == total
