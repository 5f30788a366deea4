"""What pot, tray and stack zones should hold by the books, against what lies there (R-073)."""

from dataclasses import replace

import pytest

from table_controller.sensing import SensingState, Setup, audit
from table_controller.sensing.audit import Drift, Till
from tests.unit.sensing.felt import Antenna, Chip, Felt


def at_ease(middle: int = 0, seed: int = 1) -> Felt:
    """A flop with so much in the middle, in chips of 5."""
    felt = Felt(seed)
    felt.put("pot", felt.chips([5] * (middle // 5)))
    felt.put("tray", felt.chips([100] * 20))
    felt.run(2500)
    felt.begin(pot=middle)
    felt.run(4000)
    return felt


def bets_are_in(felt: Felt, seats: tuple[int, ...] = (1, 2)) -> dict[int, list[Chip]]:
    """These seats bet 20 each, and the round is over; the books follow."""
    chips = {}
    for seat in seats:
        chips[seat] = felt.push(seat, [10, 10])
        felt.run(2500)
        felt.tell(pot=felt.hand.pot + 20)
    felt.tell(phase="round-over", to_act=None, order=())
    return chips


def gather(felt: Felt, seat: int, chips: list[Chip], into: str = "pot") -> None:
    felt.take(f"seat-{seat}", chips)
    felt.put(into, chips)


def pot_drift(felt: Felt) -> Drift | None:
    return audit.pot(felt.sensing, felt.now_ns)


@pytest.mark.parametrize("seed", range(5))
def test_bets_in_front_and_in_the_pot_make_what_the_books_say(seed: int) -> None:
    felt = at_ease(40, seed)
    drifts = set()
    chips = bets_are_in(felt)
    for seat in (1, 2):
        gather(felt, seat, chips[seat])
        for _ in range(40):
            felt.run(100)
            drifts.add(pot_drift(felt))

    assert drifts == {None}
    assert felt.sensing.zones["pot"].value == 80


def test_a_pot_short_of_chips_that_were_gathered_is_off_by_them() -> None:
    felt = at_ease(40)
    chips = bets_are_in(felt)
    gather(felt, 1, chips[1])
    felt.take("seat-2", chips[2])
    felt.put("pot", chips[2][:1])
    felt.run(5000)

    assert pot_drift(felt) == Drift("pot", 80, 80, 70)


def test_chips_added_to_the_pot_are_over() -> None:
    felt = at_ease(40)
    felt.put("pot", felt.chips([25]))
    felt.run(5000)

    drift = pot_drift(felt)
    assert drift is not None
    assert (drift.over, drift.short) == (25, 0)


def test_a_keyed_bet_whose_chips_nobody_saw_may_lie_in_the_pot_or_not() -> None:
    felt = at_ease(40)
    felt.book(1, bet=30, keyed=30)
    felt.tell(pot=70)
    felt.run(4000)
    assert pot_drift(felt) is None

    felt.put("pot", felt.chips([10, 10, 10]))
    felt.run(5000)
    assert pot_drift(felt) is None
    felt.put("pot", felt.chips([10]))
    felt.run(5000)
    assert pot_drift(felt) == Drift("pot", 40, 70, 80)


def test_a_seat_without_a_reader_leaves_the_pot_open_by_its_bet() -> None:
    felt = at_ease(40)
    felt.antennas["seat-1"].dead = True
    felt.run(2000)
    felt.book(1, bet=30)
    felt.tell(pot=70)
    felt.run(4000)
    assert pot_drift(felt) is None


def test_change_that_is_due_and_chips_that_are_owed_are_counted() -> None:
    felt = at_ease(40)
    felt.push(1, [25])
    felt.run(2500)
    felt.book(1, bet=10, change_due=15)
    felt.book(2, bet=10, owes=10)
    felt.tell(pot=60)
    felt.run(4000)
    assert pot_drift(felt) is None


def test_nothing_is_said_of_a_pot_that_moves_or_is_not_believed() -> None:
    felt = at_ease(40)
    felt.put("pot", felt.chips([25]))
    felt.run(300)
    assert pot_drift(felt) is None
    felt.antennas["pot"].dead = True
    felt.run(5000)
    assert pot_drift(felt) is None


@pytest.mark.parametrize(
    ("before", "now", "least", "most"),
    [
        (Till(1000, 500), Till(800, 500), 1000, 1000),
        (Till(1000, 500), Till(1100, 500), 1000, 1000),
        (Till(1000, 500), Till(700, 700), 800, 1000),
        (Till(1000, 700), Till(1300, 500), 1000, 1200),
    ],
    ids=["vanished", "came", "more than was bought", "more than was cashed in"],
)
def test_a_tray_that_the_money_in_play_does_not_explain_is_off(before: Till, now: Till, least: int, most: int) -> None:
    assert audit.tray(before, now) == Drift("tray", least, most, now.tray)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (Till(1000, 500), Till(1000, 500)),
        (Till(1000, 500), Till(800, 700)),
        (Till(1000, 500), Till(1000, 700)),
        (Till(1000, 700), Till(1200, 500)),
    ],
    ids=["change", "bought from the tray", "bought at the desk", "cashed in"],
)
def test_fills_and_change_explain_a_tray(before: Till, now: Till) -> None:
    assert audit.tray(before, now) is None


def test_the_till_is_what_the_tray_holds_at_a_quiet_moment() -> None:
    felt = at_ease()
    felt.tell(in_play=900)
    felt.run(3000)
    assert audit.till(felt.sensing, felt.now_ns) == Till(2000, 900)
    felt.put("tray", felt.chips([100]))
    felt.run(400)
    assert audit.till(felt.sensing, felt.now_ns) is None


def test_a_stack_that_its_zone_reads_otherwise_than_the_books_is_off() -> None:
    felt = with_stack_zone()
    felt.put("stack-1", felt.chips([100, 100]))
    felt.run(3000)
    felt.begin()
    felt.book(1, stack=200)
    felt.tell()
    felt.run(3000)
    assert audit.stack(felt.sensing, 1, felt.now_ns) is None
    assert audit.stack(felt.sensing, 2, felt.now_ns) is None

    felt.book(1, stack=250)
    felt.tell()
    felt.run(3000)
    assert audit.stack(felt.sensing, 1, felt.now_ns) == Drift("stack-1", 250, 250, 200)


def with_stack_zone() -> Felt:
    """A table with an antenna under the stack of seat 1."""
    felt = Felt(1)
    felt.lying["stack-1"] = {}
    felt.antennas["stack-1"] = Antenna("stack-1", (), felt.now_ns)
    zones = frozenset(felt.antennas)
    felt.sensing = SensingState.initial(replace(Setup(felt.seats, zones, camera=True)))
    return felt


def test_a_stack_that_is_off_is_told_with_what_to_do_and_rules_nothing() -> None:
    felt = with_stack_zone()
    felt.put("stack-1", felt.chips([100, 100]))
    felt.run(3000)
    felt.begin()
    felt.book(1, stack=250)
    felt.tell()
    felt.run(4000)
    assert ("stack-short", 1) in felt.alerts()
    assert felt.hand.book(1).stack == 250

    felt.book(1, stack=200)
    felt.tell()
    felt.run(4000)
    assert not {("stack-off", 1), ("stack-short", 1)} & felt.alerts()

    felt.book(1, stack=150)
    felt.tell()
    felt.run(4000)
    assert felt.sentence("stack-off", 1) == "Seat 1: count its stack: 200 stand there, the books say 150."


@pytest.mark.parametrize("between", [True, False], ids=["between hands", "in a hand"])
def test_chips_that_leave_a_stack_and_that_nobody_won_have_gone_south(between: bool) -> None:
    felt = with_stack_zone()
    stack = felt.chips([100, 100, 25])
    felt.put("stack-1", stack)
    felt.run(3000)
    felt.begin()
    felt.book(1, stack=225)
    felt.tell()
    felt.run(3000)
    if between:
        felt.tell(phase="hand-over", to_act=None, order=(), won={2: 300})
        felt.run(3000)
    felt.take("stack-1", stack[1:])
    felt.run(4500)
    alert = felt.sensing.raised["stack-short", 1]
    assert alert.sentence == (
        "Seat 1: have 125 put back or call the floor: 100 stand there, the books say 225, and nobody won the rest."
    )
    assert alert.amount == 125
    assert {read.uid for read in alert.chips} == {chip.uid for chip in stack[1:]}
    felt.put("stack-1", stack[1:])
    felt.run(5000)
    assert ("stack-short", 1) not in felt.alerts()


@pytest.mark.parametrize("back", [False, True], ids=["lies there", "taken up"])
def test_chips_that_are_the_players_again_and_lie_before_the_stack_are_part_of_it(back: bool) -> None:
    felt = with_stack_zone()
    stack = felt.chips([100, 100, 2])
    felt.put("stack-1", stack)
    felt.run(3000)
    felt.begin(street="preflop")
    felt.book(1, stack=202)
    felt.tell()
    felt.take("stack-1", stack[2:])
    felt.put("seat-1", stack[2:])
    felt.run(1500)
    felt.book(1, stack=200, bet=2, put_in=2, acted=True)
    felt.tell()
    felt.run(2500)
    felt.book(1, stack=202, bet=0, put_in=0, live=False)
    felt.tell(phase="hand-over", to_act=None, order=())
    felt.run(3000)
    if back:
        felt.take("seat-1", stack[2:])
        felt.put("stack-1", stack[2:])
        felt.run(3000)
    assert not felt.raised_ms("stack-short", 0)
    assert not felt.raised_ms("stack-off", 0)


def test_a_bet_out_of_a_stack_that_is_read_is_no_drift() -> None:
    felt = with_stack_zone()
    stack = felt.chips([100, 100, 100])
    felt.put("stack-1", stack)
    felt.run(3000)
    felt.begin()
    felt.book(1, stack=300)
    felt.tell()
    felt.run(3000)
    felt.hand_visits(1, 0, 700)
    felt.take("stack-1", stack[:1])
    felt.at(400, lambda: felt.put("seat-1", stack[:1]))
    seen = set()
    for _ in range(60):
        felt.run(100)
        if felt.acts:
            felt.book(1, stack=200, bet=100)
            felt.tell()
        seen |= felt.alerts()

    assert [act.pushed for act in felt.acts] == [(100,)]
    assert not {("stack-off", 1), ("stack-short", 1)} & seen


def test_a_stack_is_not_compared_while_its_winner_may_not_have_its_chips() -> None:
    felt = with_stack_zone()
    felt.put("stack-1", felt.chips([100, 100]))
    felt.run(3000)
    felt.begin()
    felt.book(1, stack=500)
    felt.tell(phase="hand-over", to_act=None, order=(), won={1: 300})
    felt.run(4000)
    assert not {("stack-off", 1), ("stack-short", 1)} & felt.alerts()


@pytest.mark.parametrize("another", [False, True], ids=["one who sits down", "one in the place of another"])
def test_chips_that_were_bought_between_hands_may_be_on_their_way_to_the_stack(another: bool) -> None:
    felt = with_stack_zone()
    old = felt.chips([100, 100])
    if another:
        felt.put("stack-1", old)
    felt.run(3000)
    felt.begin()
    felt.book(1, stack=200 if another else 0)
    felt.tell()
    felt.run(3000)
    felt.tell(phase="hand-over", to_act=None, order=(), won={2: 300})
    felt.run(3000)
    if another:
        felt.book(1, stack=0)
        felt.tell()
        felt.take("stack-1", old)
        felt.run(4000)
    felt.book(1, stack=160)
    felt.tell()
    felt.run(6000)
    assert not felt.raised_ms("stack-short", 0)
    felt.begin(hand_no=2)
    felt.book(1, stack=160)
    felt.tell()
    felt.run(4000)
    assert felt.sensing.raised["stack-short", 1].amount == 160
