"""Random acts in random states: rulings are legal for the engine, conserve chips, know no order of chips in a push."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from betline.settings import GameSettings, load_house_rules
from betline.steps import (
    Act,
    Award,
    ClockExpired,
    CorrectBet,
    CorrectRecord,
    Deal,
    FloorDecision,
    FloorRuling,
    KillHand,
    NextHand,
    Override,
    ReopenAward,
    Step,
    Straddle,
    TableSetup,
    Undo,
    parse_step,
    step_to_mapping,
)
from table_controller.rulings import RulingKind, Table
from tests.nightly import examples

GAMES = (
    GameSettings(limit="no-limit", blinds=(1, 2)),
    GameSettings(limit="no-limit", blinds=(50, 100), ante=10, unit=5),
    GameSettings(limit="pot-limit", blinds=(5, 10), streets="omaha"),
    GameSettings(limit="fixed-limit", blinds=(1, 2), bets=(2, 2, 4, 4)),
    GameSettings(limit="spread-limit", blinds=(1, 2), spread=(2, 10)),
)
PROFILES = ("tda", "cash", "home")
WORDS = (
    "call", "raise", "check", "fold", "all in", "pot", "raise to forty", "raise by 30", "fifteen", "five",
    "bet", "complete", "I call and raise ten", "make it 1,200", "250", "banana", "two hundred",
)  # fmt: skip
CHIPS = (1, 5, 25, 100, 500)

chips = st.lists(st.sampled_from(CHIPS), min_size=1, max_size=5).map(tuple)
acts = st.builds(
    Act,
    seat=st.integers(1, 4),
    motions=st.lists(chips, max_size=2).map(tuple),
    says=st.none() | st.sampled_from(WORDS),
    first=st.sampled_from(("says", "chips", "both")),
    takes_back=st.just(()) | st.lists(st.sampled_from((1, 5)), min_size=1, max_size=2).map(tuple),
    carries_back=st.just(()) | chips,
)
gestures = st.builds(Act, seat=st.integers(1, 4), gesture=st.sampled_from(("tap", "muck")))
keyed = st.builds(Act, seat=st.integers(1, 4), action=st.sampled_from(("check", "fold"))) | st.builds(
    Act,
    seat=st.integers(1, 4),
    action=st.sampled_from(("call", "bet", "raise", "complete", "all-in")),
    to=st.none() | st.integers(1, 400),
)
decisions = st.builds(FloorDecision, ruling=st.sampled_from(("call", "fold", "withdraw", "check", "live", "dead")))
streets = st.sampled_from(("preflop", "flop", "turn", "river"))
corrections = (
    st.builds(CorrectBet, seat=st.integers(1, 4), to=st.integers(1, 400))
    | st.builds(CorrectRecord, street=streets, seat=st.integers(1, 4), to=st.integers(0, 400))
    | st.builds(
        Override,
        seat=st.integers(1, 4),
        ruling=st.sampled_from(get_args(FloorRuling)),
        by=st.just("p-1"),
        why=st.just("as it was"),
        to=st.none() | st.integers(1, 400),
        street=st.none() | streets,
    )
)
rest = (
    st.builds(ClockExpired, seat=st.integers(1, 4))
    | st.builds(Undo)
    | st.builds(KillHand, seat=st.integers(1, 4), why=st.just("fouled"))
    | st.builds(ReopenAward)
    | st.builds(
        Straddle,
        seat=st.integers(1, 4),
        to=st.sampled_from((4, 8, 10, 20, 40)),
        kind=st.sampled_from(("live", "mississippi", "sleeper")),
    )
)


@st.composite
def setups(draw: st.DrawFn) -> TableSetup:
    return TableSetup(
        game=draw(st.sampled_from(GAMES)),
        house=load_house_rules(draw(st.sampled_from(PROFILES))),
        seats={seat: draw(st.integers(120, 3000)) for seat in range(1, draw(st.integers(2, 4)) + 1)},
        button=1,
    )


def fitting(table: Table, step: Step) -> Step | None:
    """The act as it could happen: nobody pushes more than it has, or takes back more than lies there."""
    if not isinstance(step, Act) or step.action or step.gesture:
        return step
    hand = table.state.hand
    if hand is None or step.seat not in hand.seats or not (step.motions or step.says or step.takes_back):
        return None
    if sum(step.takes_back) > hand.bet(step.seat) - table.state.standing.taken_back:
        step = replace(step, takes_back=())
    if sum(step.pushed) + sum(step.carries_back) > hand.stack(step.seat):
        step = replace(step, motions=(), carries_back=())
    return step if step.motions or step.says or step.takes_back else None


def told(table: Table, step: Step) -> Table:
    """One step, and what must be true of every step."""
    hand = table.state.hand
    outcome = table.apply(step)
    after = outcome.table
    ruling = outcome.ruling
    assert sum(after.state.stacks.values()) + (after.state.hand.pot if after.state.hand else 0) == total(table)
    assert min(after.state.stacks.values()) >= 0
    assert parse_step(step_to_mapping(step)) == parse_step(step_to_mapping(step))
    if outcome.error is not None:
        assert outcome.table is table
        assert ruling is not None
        assert ruling.ruling is RulingKind.ILLEGAL
        return table
    if isinstance(step, Act) and ruling is not None and hand is not None:
        pushed = sum(step.pushed)
        assert 0 <= ruling.returned <= pushed
        assert ruling.sentence
        bounds = table.state.raise_range
        if ruling.ruling in (RulingKind.BET, RulingKind.RAISE, RulingKind.COMPLETE):
            assert bounds is not None
            assert bounds[0] <= ruling.to <= bounds[1]
            assert step.seat == hand.next_seat
        if ruling.ruling in (RulingKind.CHECK, RulingKind.CALL):
            assert ruling.to == hand.bet(step.seat) + (hand.to_call or 0)
        if ruling.ruling in (RulingKind.BET, RulingKind.RAISE, RulingKind.CALL) and step.action is None:
            lies = hand.bet(step.seat) - sum(step.takes_back) - table.state.standing.taken_back
            assert lies + pushed - ruling.returned + ruling.owes == ruling.to
        if ruling.ruling is RulingKind.NONE:
            assert after.state.next_seat == table.state.next_seat
    return after


def total(table: Table) -> int:
    state = table.state
    return sum(state.stacks.values()) + (state.hand.pot if state.hand else 0)


def dealt(table: Table) -> Table:
    """What the dealer does by itself: streets, awards, the next hand."""
    hand = table.state.hand
    assert hand is not None
    if table.state.floor is not None or not hand.round_over:
        return table
    if hand.hand_over:
        after = table.apply(NextHand())
        return after.table
    if hand.betting_over:
        pots = tuple(((pot.seats[0],),) for pot in hand.pots)
        return told(table, Award(pots=pots))
    streets = table.state.structure.streets
    return told(table, Deal(street=streets[streets.index(hand.street) + 1]))


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(setup=setups(), data=st.data())
def test_every_ruling_is_legal_and_conserves_chips(setup: TableSetup, data: st.DataObject) -> None:
    table = Table.begin(setup)
    for _ in range(25):
        table = dealt(table)
        step = data.draw(st.one_of(acts, acts, gestures, keyed, decisions, rest))
        turn = table.state.next_seat
        if isinstance(step, Act) and turn is not None and data.draw(st.integers(0, 3)):
            step = replace(step, seat=turn)
        possible = fitting(table, step)
        if possible is not None:
            table = told(table, possible)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(setup=setups(), data=st.data())
def test_corrections_and_overrides_conserve_chips_and_undo_takes_them_back(
    setup: TableSetup, data: st.DataObject
) -> None:
    table = Table.begin(setup)
    for _ in range(20):
        table = dealt(table)
        step = data.draw(st.one_of(acts, keyed, decisions, corrections, corrections))
        turn = table.state.next_seat
        if isinstance(step, Act) and turn is not None and data.draw(st.integers(0, 4)):
            step = replace(step, seat=turn)
        possible = fitting(table, step)
        if possible is None:
            continue
        after = told(table, possible)
        if isinstance(step, CorrectBet | CorrectRecord | Override) and after is not table:
            outcome = table.apply(step)
            assert after.apply(Undo(count=1)).table.state == table.state
            assert all(one.was != one.now and one.was.seat == one.now.seat for one in outcome.otherwise)
            assert all(amount for amount in outcome.moves.values())
        table = after


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(setup=setups(), act=acts, opening=st.integers(0, 200), data=st.data())
def test_the_order_of_chips_within_a_motion_means_nothing(
    setup: TableSetup, act: Act, opening: int, data: st.DataObject
) -> None:
    table = Table.begin(setup)
    turn = table.state.next_seat
    assert turn is not None
    if opening:
        table = table.apply(Act(seat=turn, action="raise", to=opening)).table
        turn = table.state.next_seat or turn
    possible = fitting(table, replace(act, seat=turn))
    if not isinstance(possible, Act):
        return
    shuffled = replace(possible, motions=tuple(tuple(data.draw(st.permutations(m))) for m in possible.motions))

    one, other = table.apply(possible), table.apply(shuffled)

    assert one.ruling == other.ruling
    assert one.error == other.error
    assert one.table.state.stacks == other.table.state.stacks
