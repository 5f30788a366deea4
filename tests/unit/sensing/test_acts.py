"""From chips on a simulated felt to acts: base line, posting, debts, change, late chips, chips taken back."""

import json
from dataclasses import replace

import pytest

from table_controller.sensing import (
    Asked,
    AskedNoMore,
    HandView,
    SeatBook,
    SensingState,
    Setup,
    Thresholds,
    ZoneBelief,
    ZoneReading,
)
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.acts import ended
from table_controller.sensing.belief import Standing, Track
from table_controller.sensing.witness import SeatWitness
from tests.unit.sensing.felt import MS, Chip, Felt


def at_ease(seed: int = 1, camera: bool = True, **more: float) -> Felt:
    """A felt whose readers have run a while, seat 1 to act on the flop of hand 1."""
    felt = Felt(seed, camera=camera, **more)  # type: ignore[arg-type]
    felt.run(2500)
    felt.begin()
    felt.run(300)
    return felt


@pytest.mark.parametrize("camera", [True, False])
def test_what_a_seat_pushes_is_one_act_with_its_chips_and_times(camera: bool) -> None:
    felt = at_ease(camera=camera)
    chips = felt.push(1, [100, 25, 25])
    felt.run(2000)

    (act,) = felt.acts
    assert (act.act_no, act.seat, sorted(act.pushed), act.taken_back) == (1, 1, [25, 25, 100], ())
    assert set(act.uids) == {chip.uid for chip in chips}
    assert act.in_turn
    assert act.degraded is not camera
    assert act.first_ns <= act.rest_ns < act.last_byte_ns


@pytest.mark.nightly
@pytest.mark.parametrize(("camera", "bound_ms"), [(True, 600), pytest.param(False, 560, marks=pytest.mark.nightly)])
def test_most_acts_are_told_within_the_time_the_table_has(camera: bool, bound_ms: int) -> None:
    felt = at_ease(camera=camera)
    waits, wrong = [], 0
    for hand_no in range(2, 52):
        felt.begin(hand_no=hand_no)
        for seat in felt.seats:
            chips = felt.push(seat, [25] * felt.random.randint(1, 8), after_ms=100, leave_ms=200)
            felt.run(1500)
            told = [one for one in felt.acts if one.seat == seat]
            wrong += len(told) != 1 or {*told[0].uids} != {chip.uid for chip in chips}
            rest_ns = max(felt.lying[f"seat-{seat}"][chip.uid] for chip in chips)
            waits.append(felt.told_ns[felt.told.index(told[0])] - rest_ns)
        for seat in felt.seats:
            felt.lying[f"seat-{seat}"].clear()
        felt.tell(phase="hand-over", to_act=None)
        felt.run(2500)
        felt.told.clear()
        felt.told_ns.clear()

    assert wrong == 0
    assert sorted(waits)[int(0.95 * len(waits))] < bound_ms * MS


def test_an_act_waits_for_the_hand_to_leave() -> None:
    felt = at_ease()
    felt.push(1, [100], leave_ms=1000)
    felt.run(1300)
    assert not felt.acts

    felt.run(400)
    assert len(felt.acts) == 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stays_ms", [1800, 2600, 3500, 6000, 20_000])
def test_r051_nothing_is_ruled_while_a_hand_is_over_the_chips_and_the_dealer_is_asked_after_4_s(
    stays_ms: float, seed: int
) -> None:
    felt = at_ease(seed)
    felt.push(1, [100, 100, 100], leave_ms=stays_ms)
    felt.run(200 + stays_ms)
    assert not felt.acts
    assert felt.sensing.hands == (1,)
    asked = [one for one in felt.told if isinstance(one, Asked)]
    assert [(one.kind, one.seats, one.choices) for one in asked] == [("hand-on-chips", (1,), ("as-it-lies",))] * (
        stays_ms > 5000
    )

    felt.run(800)
    assert [act.pushed for act in felt.acts] == [(100, 100, 100)]
    assert not felt.sensing.questions
    assert not felt.sensing.hands


def test_the_dealers_answer_rules_what_lies_under_the_hand_and_what_it_adds_waits_anew() -> None:
    felt = at_ease()
    felt.push(1, [100], leave_ms=60_000)
    felt.run(5500)
    (asked,) = felt.sensing.questions.values()
    assert "Seat 1" in asked.sentence
    assert "100" in asked.sentence
    felt.step(sensing_steps.answer(felt.sensing, asked.id, "as-it-lies", felt.now_ns))
    felt.run(500)
    assert [act.pushed for act in felt.acts] == [(100,)]

    felt.put("seat-1", felt.chips([25]))
    felt.run(2500)
    assert len(felt.acts) == 1
    assert not felt.sensing.questions


def test_a_hand_that_a_broken_camera_sees_for_ever_does_not_hold_up_the_seats_behind_it_for_ever() -> None:
    felt = at_ease()
    felt.tell(implied_passive="assume")
    felt.hand_visits(1, 0, 120_000)
    felt.push(2, [100], after_ms=500)
    felt.run(20_000)
    (asked,) = felt.sensing.questions.values()
    assert (asked.kind, asked.seats) == ("unreported", (1,))
    assert not felt.acts


def test_chips_that_come_while_the_hand_is_there_are_one_act() -> None:
    felt = at_ease()
    felt.push(1, [500], leave_ms=1200)
    second = felt.chips([500])
    felt.at(1100, lambda: felt.put("seat-1", second))
    felt.run(2500)

    (act,) = felt.acts
    assert act.pushed == (500, 500)
    assert act.gap_ms > 600


def test_r044_what_lies_there_when_a_hand_begins_is_no_act() -> None:
    felt = Felt(3)
    felt.put("seat-1", felt.chips([100, 100]))
    felt.run(2500)
    felt.begin()
    felt.run(4000)
    assert not felt.acts
    assert ("clear-zone", 1) in felt.alerts()

    felt.push(1, [25])
    felt.run(2000)
    assert [act.pushed for act in felt.acts] == [(25,)]


def test_r044_chips_of_the_base_line_that_were_taken_up_can_be_bet() -> None:
    felt = Felt(3)
    chips = felt.chips([100])
    felt.put("seat-1", chips)
    felt.run(2500)
    felt.begin()
    felt.take("seat-1", chips)
    felt.run(3000)
    felt.put("seat-1", chips)
    felt.run(1500)

    assert [act.pushed for act in felt.acts] == [(100,)]


def test_r044_gathering_and_returns_between_streets_are_no_acts_and_bets_not_gathered_yet_are_base_line() -> None:
    felt = at_ease()
    bets = {1: felt.push(1, [100]), 2: felt.push(2, [100], after_ms=800)}
    felt.run(3500)
    assert len(felt.acts) == 2
    felt.tell(phase="round-over", to_act=None)
    felt.take("seat-1", bets[1])
    felt.put("pot", bets[1])
    change = felt.chips([25, 25])
    felt.put("seat-2", change)
    felt.run(2000)
    felt.begin(street="turn")
    felt.run(4000)
    felt.take("seat-2", [*bets[2], *change])
    felt.put("pot", bets[2])
    felt.run(4000)

    assert len(felt.acts) == 2
    assert not felt.covered
    assert not felt.alerts()


def test_a_bet_made_before_the_street_was_keyed_is_an_act_where_the_seats_own_hand_brought_it() -> None:
    felt = at_ease()
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.push(1, [75])
    felt.run(1200)
    felt.begin(street="turn")
    felt.run(1000)

    assert [act.pushed for act in felt.acts] == [(75,)]


def test_without_a_camera_such_a_bet_is_asked_about() -> None:
    felt = at_ease(camera=False)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.push(1, [75])
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(1500)
    assert not felt.acts
    (asked,) = felt.sensing.questions.values()
    assert (asked.kind, asked.seats, asked.choices) == ("early-chips", (1,), ("bet", "no-bet"))
    assert "75" in asked.sentence

    felt.step(sensing_steps.answer(felt.sensing, asked.id, "bet", felt.now_ns))
    felt.run(500)
    assert [act.pushed for act in felt.acts] == [(75,)]
    assert not felt.sensing.questions


@pytest.mark.parametrize("keyed_ms", [500, 700, 900])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("choice", "bets"), [("bet", [[1, 1, 1, 5, 5]]), ("no-bet", [])])
def test_without_a_camera_a_bet_that_is_half_out_when_the_street_is_keyed_is_asked_about_whole(
    keyed_ms: float, seed: int, choice: str, bets: list[list[int]]
) -> None:
    felt = at_ease(seed, camera=False)
    felt.tell(phase="round-over", to_act=None)
    felt.run(3000)
    felt.push(1, [5, 5, 1, 1, 1], reach_ms=750, spread_ms=700)
    felt.run(keyed_ms)
    felt.begin(street="turn")
    felt.run(2500)

    assert not felt.acts
    (asked,) = [one for one in felt.told if isinstance(one, Asked)]
    assert "put out 13 before" in asked.sentence
    felt.step(sensing_steps.answer(felt.sensing, asked.id, choice, felt.now_ns))
    felt.run(1500)
    assert [sorted(act.pushed) for act in felt.acts] == bets


@pytest.mark.parametrize("blind", [True, False])
@pytest.mark.parametrize(("choice", "bets"), [("bet", [[100]]), ("no-bet", [])])
def test_chips_that_came_before_the_street_are_asked_about_where_the_camera_saw_no_hand_bring_them(
    blind: bool, choice: str, bets: list[list[int]]
) -> None:
    """A camera that was covered then saw nothing, and one that looked on misses a hand now and then."""
    felt = at_ease()
    felt.tell(phase="round-over", to_act=None, order=())
    if blind:
        felt.camera_on = False
        felt.step(sensing_steps.camera(felt.sensing, None, felt.now_ns))
    felt.run(1000)
    felt.camera_on = True
    felt.run(150)
    felt.put("seat-1", felt.chips([100]))
    felt.run(1000)
    felt.tell(phase="betting", street="turn", to_act=1, order=felt.seats)
    felt.run(1000)
    (asked,) = felt.sensing.questions.values()
    assert (asked.kind, asked.seats) == ("early-chips", (1,))
    assert not felt.acts
    felt.step(sensing_steps.answer(felt.sensing, asked.id, choice, felt.now_ns))
    felt.run(5000)
    assert [list(act.pushed) for act in felt.acts] == bets
    assert ("clear-zone", 1) in felt.alerts() or bets


def test_an_early_bet_with_chips_that_were_change_a_while_ago_is_an_act() -> None:
    felt = at_ease()
    change = felt.chips([25])
    felt.put("tray", change)
    felt.run(2500)
    felt.take("tray", change)
    felt.run(17_000)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.hand_visits(1, 0, 550)
    felt.at(300, lambda: felt.put("seat-1", change))
    felt.run(1200)
    felt.begin(street="turn")
    felt.run(1000)

    assert [act.pushed for act in felt.acts] == [(25,)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("missed", [0.05, 0.15, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_a_question_about_an_early_bet_stands_still_until_it_is_answered(missed: float, seed: int) -> None:
    felt = at_ease(seed, camera=False)
    felt.missed_in["seat-1"] = missed
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.push(1, [5, 1, 1, 1, 1])
    felt.run(2500)
    felt.begin(street="turn")
    felt.run(10_000)

    asked = [one.id for one in felt.told if isinstance(one, Asked)]
    assert len(asked) == 1
    assert not [one for one in felt.told if isinstance(one, AskedNoMore)]


@pytest.mark.parametrize("camera", [True, False])
def test_chips_that_came_with_an_early_bet_are_part_of_it_wherever_they_lay_before(camera: bool) -> None:
    felt = at_ease(camera=camera)
    change = felt.chips([25])
    felt.put("tray", change)
    felt.run(2500)
    felt.take("tray", change)
    felt.tell(phase="round-over", to_act=None)
    felt.run(2500)
    felt.at(300, lambda: felt.put("seat-1", change))
    felt.push(1, [50])
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(1500)
    for asked in tuple(felt.sensing.questions.values()):
        assert "75" in asked.sentence
        felt.step(sensing_steps.answer(felt.sensing, asked.id, "bet", felt.now_ns))
    felt.run(1500)

    assert [sorted(act.pushed) for act in felt.acts] == [[25, 50]]


def test_without_a_camera_an_early_bet_of_chips_that_were_change_just_before_is_asked_about() -> None:
    felt = at_ease(camera=False)
    change = felt.chips([25])
    felt.put("tray", change)
    felt.run(2500)
    felt.take("tray", change)
    felt.came |= {chip.uid: ("tray", felt.now_ns) for chip in change}
    felt.tell(phase="round-over", to_act=None)
    felt.run(2500)
    felt.put("seat-1", change)
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(8000)
    (asked,) = felt.sensing.questions.values()
    assert (asked.kind, asked.seats) == ("early-chips", (1,))
    assert ("clear-zone", 1) not in felt.alerts()

    felt.step(sensing_steps.answer(felt.sensing, asked.id, "bet", felt.now_ns))
    felt.run(2000)
    assert [act.pushed for act in felt.acts] == [(25,)]


@pytest.mark.parametrize("camera", [True, False])
def test_an_early_bet_of_a_seat_whose_change_the_books_still_await_is_asked_about(camera: bool) -> None:
    felt = at_ease(camera=camera)
    felt.book(1, change_due=14)
    felt.tell(phase="round-over", to_act=None)
    felt.run(2500)
    felt.push(1, [1, 1])
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(1000)

    assert not felt.acts
    assert [(one.kind, one.seats) for one in felt.sensing.questions.values()] == [("early-chips", (1,))]


def changed(felt: Felt) -> tuple[list[Chip], list[Chip]]:
    """Seat 1 posted two chips of 1 and called 5 with one of 5: the round is over, and the two chips are due to it."""
    felt.begin(hand_no=2, street="preflop", phase="posting")
    posted = felt.push(1, [1, 1])
    felt.run(2500)
    felt.book(1, bet=2)
    felt.tell(phase="betting")
    felt.run(1000)
    over = felt.push(1, [5])
    felt.run(1500)
    assert len(felt.acts) == 1
    felt.book(1, bet=5, change_due=2)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    return posted, over


@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("restart", [False, True])
def test_change_that_is_bet_again_before_the_street_is_keyed_is_part_of_that_bet(camera: bool, restart: bool) -> None:
    felt = at_ease(camera=camera)
    change, bet = changed(felt)
    felt.take("seat-1", change)
    felt.run(500)
    felt.take("seat-1", bet)
    felt.put("pot", bet)
    felt.run(3000)
    if restart:
        felt.restarted()
    felt.at(250, lambda: felt.put("seat-1", change))
    felt.push(1, [1, 5])
    felt.run(3000)
    felt.begin(hand_no=2, street="flop")
    felt.run(1000)
    (asked,) = felt.sensing.questions.values()
    assert "put out 8 before" in asked.sentence
    felt.step(sensing_steps.answer(felt.sensing, asked.id, "bet", felt.now_ns))
    felt.run(1000)
    assert [sorted(act.pushed) for act in felt.acts[1:]] == [[1, 1, 1, 5]]


@pytest.mark.parametrize("camera", [True, False])
def test_a_ruled_bet_that_its_player_takes_up_and_puts_back_before_the_street_is_keyed_is_asked_about(
    camera: bool,
) -> None:
    felt = at_ease(camera=camera)
    chips = felt.push(1, [5, 1])
    felt.run(1500)
    felt.tell(phase="round-over", to_act=None)
    felt.run(500)
    felt.take("seat-1", chips)
    felt.run(2500)
    felt.hand_visits(1, 0, 500)
    felt.at(250, lambda: felt.put("seat-1", chips))
    felt.run(2500)
    felt.begin(street="turn")
    felt.run(2500)

    assert [sorted(act.pushed) for act in felt.acts] == [[1, 5]]
    (asked,) = felt.sensing.questions.values()
    assert "put out 6 before" in asked.sentence


@pytest.mark.parametrize("camera", [True, False])
def test_change_that_went_and_came_while_nobody_read_the_zone_is_part_of_the_bet(camera: bool) -> None:
    felt = at_ease(camera=camera)
    change, bet = changed(felt)
    felt.restart_bridge(4000)
    felt.take("seat-1", change)
    felt.take("seat-1", bet)
    felt.put("pot", bet)
    felt.run(1000)
    felt.at(250, lambda: felt.put("seat-1", change))
    felt.push(1, [1, 5])
    felt.run(6000)
    felt.begin(hand_no=2, street="flop")
    felt.run(1000)
    (asked,) = felt.sensing.questions.values()
    assert "put out 8 before" in asked.sentence


@pytest.mark.parametrize("gathered", [True, False])
def test_chips_worth_the_change_that_is_due_may_be_a_bet_once_the_bet_was_gathered(gathered: bool) -> None:
    """Change out of the tray is bet at once; as long as the bet lies there, chips of that value are its change."""
    felt = at_ease(camera=False)
    tray = felt.chips([1, 1])
    felt.put("tray", tray)
    felt.run(2500)
    over = felt.push(1, [5])
    felt.run(1500)
    felt.book(1, bet=3, change_due=2)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.take("tray", tray)
    felt.came |= {chip.uid: ("tray", felt.now_ns) for chip in tray}
    if gathered:
        felt.take("seat-1", over)
        felt.put("pot", over)
    felt.run(2500)
    felt.put("seat-1", tray)
    felt.run(2500)
    felt.begin(street="turn")
    felt.run(1500)

    asked = list(felt.sensing.questions.values())
    assert [one.kind for one in asked] == ["early-chips"] * gathered
    assert all("put out 2 before" in one.sentence for one in asked)


def test_a_bet_in_front_of_which_change_was_made_is_no_early_bet() -> None:
    """The 5 went to the tray for five chips of 1, of which three stay."""
    felt = at_ease(camera=False)
    tray = felt.chips([1, 1, 1])
    felt.put("tray", tray)
    felt.run(2500)
    over = felt.push(1, [5])
    felt.run(1500)
    felt.book(1, bet=3, change_due=2)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.take("seat-1", over)
    felt.take("tray", tray)
    felt.came |= {chip.uid: ("tray", felt.now_ns) for chip in tray}
    felt.put("seat-1", tray)
    felt.put("tray", over)
    felt.run(3000)
    felt.begin(street="turn")
    felt.run(1000)

    assert not felt.sensing.questions
    assert len(felt.acts) == 1


def test_chips_of_which_some_may_be_change_are_keyed_and_not_asked_about_by_an_amount() -> None:
    felt = at_ease(camera=False)
    tray = felt.chips([1, 1, 1])
    felt.put("tray", tray)
    felt.run(2500)
    over = felt.push(1, [5])
    felt.run(1500)
    felt.book(1, bet=3, change_due=2)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.take("seat-1", over)
    felt.take("tray", tray)
    felt.came |= {chip.uid: ("tray", felt.now_ns) for chip in tray}
    felt.put("seat-1", tray)
    felt.put("tray", over)
    felt.push(1, [25])
    felt.run(3000)
    felt.begin(street="turn")
    felt.run(2000)
    assert [(one.kind, one.choices) for one in felt.sensing.questions.values()] == [("amount", ())]
    assert len(felt.acts) == 1

    felt.book(1, bet=25, keyed=25)
    felt.passes()
    felt.run(2000)
    assert not felt.sensing.questions
    assert len(felt.acts) == 1


def called(camera: bool, chips: tuple[int, ...], heard_ms: float, seed: int = 1) -> Felt:
    """Seat 1's call of 75 is keyed and the next street after it, its chips heard for so long."""
    felt = at_ease(seed, camera=camera)
    felt.push(1, chips)
    felt.run(300 + heard_ms)
    felt.book(1, bet=75, keyed=75)
    felt.tell(phase="round-over", to_act=None)
    felt.run(50)
    felt.book(1, bet=0, keyed=None)
    felt.begin(street="turn")
    return felt


@pytest.mark.one_in(6)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("heard_ms", [120, 200, 300])
@pytest.mark.parametrize("seed", range(3))
def test_r042_chips_of_a_keyed_call_are_no_bet_of_a_street_that_is_keyed_right_after_it(
    camera: bool, heard_ms: float, seed: int
) -> None:
    felt = called(camera, (25, 25, 25), heard_ms, seed)
    felt.run(6000)

    assert not felt.acts
    assert not felt.sensing.questions


def test_r042_a_bet_beside_the_chips_of_a_keyed_call_is_a_bet() -> None:
    felt = called(camera=True, chips=(25, 25, 25, 100), heard_ms=300)
    felt.run(1500)

    assert [act.pushed for act in felt.acts] == [(100,)]


def test_r042_where_no_chips_make_up_the_keyed_call_it_is_asked_what_is_a_bet() -> None:
    felt = called(camera=True, chips=(50, 50), heard_ms=300)
    felt.run(1500)

    assert not felt.acts
    assert [(one.kind, one.seats) for one in felt.sensing.questions.values()] == [("amount", (1,))]


def test_without_a_camera_such_chips_are_base_line_when_the_dealer_says_no() -> None:
    felt = at_ease(camera=False)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.push(1, [75])
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(1500)
    (asked,) = felt.sensing.questions
    felt.step(sensing_steps.answer(felt.sensing, asked, "no-bet", felt.now_ns))
    felt.run(1500)

    assert not felt.acts
    assert not felt.sensing.questions


def test_r043_in_posting_chips_are_posts_and_afterwards_acts() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.begin(phase="posting")
    felt.push(2, [1])
    felt.push(3, [1, 1])
    felt.run(2500)
    assert sorted((post.seat, post.pushed) for post in felt.posted) == [(2, (1,)), (3, (1, 1))]

    felt.book(2, bet=1)
    felt.book(3, bet=2)
    felt.tell(phase="betting")
    felt.push(1, [5])
    felt.run(2500)
    assert [(act.seat, act.pushed, act.pays) for act in felt.acts] == [(1, (5,), 0)]


def test_a_blind_that_comes_late_makes_good_what_was_posted_and_is_no_act() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.begin(phase="posting")
    felt.book(2, bet=1)
    felt.tell(phase="betting")
    felt.push(2, [1])
    felt.run(2500)

    assert not felt.acts
    assert [(one.seat, one.why, one.amount) for one in felt.covered] == [(2, "keyed", 1)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("value", [[1, 1, 1, 1], [5]])
@pytest.mark.parametrize("keyed_ms", [0, 250, 600, 3000])
@pytest.mark.parametrize("away_ms", [0, 900])
@pytest.mark.parametrize("camera", [True, False])
def test_a_straddle_that_is_keyed_before_its_chips_are_heard_is_paid_by_them_and_the_raise_is_whole(
    camera: bool, away_ms: float, keyed_ms: float, value: list[int]
) -> None:
    straddle = sum(value)
    felt = Felt(4, camera=camera)
    felt.run(2500)
    felt.begin(street="preflop", phase="posting", to_act=3)
    felt.push(3, value)
    if away_ms:
        felt.restart_bridge(away_ms)
    felt.run(keyed_ms)
    felt.book(3, bet=straddle, keyed=straddle)
    felt.tell()
    felt.run(4000)
    felt.tell(phase="betting")
    felt.push(3, [5, 5, 1])
    felt.run(4000)

    assert [(act.seat, sum(act.pushed), act.pays) for act in felt.acts] == [(3, 11, 0)]
    assert felt.books[3].bet == straddle + 11


def test_a_blind_that_comes_with_the_call_is_paid_first() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.begin(phase="posting")
    felt.book(1, bet=1)
    felt.tell(phase="betting")
    felt.push(1, [1, 1])
    felt.run(2500)

    (act,) = felt.acts
    assert (act.pushed, act.pays) == ((1, 1), 1)


def test_blinds_that_lay_there_before_the_hand_began_are_not_awaited() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.put("seat-1", felt.chips([1]))
    felt.run(2500)
    felt.begin(phase="posting")
    felt.book(1, bet=1)
    felt.tell(phase="betting")
    felt.push(1, [1])
    felt.run(2500)

    (act,) = felt.acts
    assert (act.pushed, act.pays) == ((1,), 0)
    assert felt.sensing.accounts[1].total == 2
    assert not felt.alerts()


def test_chips_pay_a_debt_first() -> None:
    felt = at_ease()
    felt.push(1, [100])
    felt.run(2000)
    felt.book(1, owes=50, bet=150)
    felt.tell()
    felt.push(1, [25, 25])
    felt.run(3000)

    assert len(felt.acts) == 1
    assert [(one.why, one.amount, one.over) for one in felt.covered] == [("owed", 50, 0)]


def test_a_debt_overpaid_out_of_turn_is_change_to_give() -> None:
    felt = at_ease()
    felt.push(1, [100])
    felt.run(2500)
    felt.book(1, owes=50, bet=150)
    felt.tell()
    felt.push(1, [100])
    felt.run(2500)

    assert [(one.why, one.amount, one.over) for one in felt.covered] == [("owed", 50, 50)]


def test_in_turn_the_act_is_what_the_debt_leaves() -> None:
    felt = at_ease()
    felt.book(1, owes=50, bet=150)
    felt.tell()
    felt.push(1, [100, 100])
    felt.run(2500)

    (act,) = felt.acts
    assert (act.pushed, act.pays) == ((100, 100), 50)


def overchip() -> Felt:
    """Seat 1 put a 1000 out, which was ruled a call of 300; the dealer owes it 700."""
    felt = at_ease()
    felt.push(1, [1000])
    felt.run(2500)
    felt.book(1, bet=300, change_due=700)
    felt.tell()
    return felt


@pytest.mark.parametrize("gap_ms", [0, 1000, -900])
def test_r070_change_is_no_act_whichever_half_comes_first(gap_ms: int) -> None:
    felt = overchip()
    big = list(felt.lying["seat-1"])
    change = felt.chips([100, 100, 100])
    felt.at(1000, lambda: felt.put("seat-1", change))
    felt.at(1000 + gap_ms, lambda: [felt.lying["seat-1"].pop(uid) for uid in big])
    felt.run(5000)

    assert len(felt.acts) == 1
    assert [(one.why, one.amount) for one in felt.covered] == [("change", 700)]
    assert not felt.alerts()


def test_change_in_the_turn_of_the_seat_is_no_act_either() -> None:
    felt = overchip()
    felt.tell(to_act=1, order=felt.seats)
    big = list(felt.lying["seat-1"])
    felt.put("seat-1", felt.chips([100, 100, 100]))
    felt.at(700, lambda: [felt.lying["seat-1"].pop(uid) for uid in big])
    felt.run(4000)

    assert len(felt.acts) == 1
    assert [one.why for one in felt.covered] == ["change"]


def test_chips_added_in_turn_while_change_is_due_are_an_act_when_no_big_chip_goes() -> None:
    felt = overchip()
    felt.tell(to_act=1, order=felt.seats)
    felt.push(1, [500])
    felt.run(4000)

    assert [act.pushed for act in felt.acts] == [(1000,), (500,)]


def test_what_is_given_back_of_an_overbet_is_no_retraction() -> None:
    felt = at_ease()
    chips = felt.push(1, [25, 25, 25])
    felt.run(2500)
    felt.book(1, bet=50, change_due=25)
    felt.tell()
    felt.take("seat-1", chips[:1])
    felt.run(5000)

    assert [one.why for one in felt.covered] == ["change"]
    assert not felt.alerts()


def test_a_value_neutral_swap_is_no_act() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(2500)
    felt.take("seat-1", chips)
    felt.put("seat-1", felt.chips([25, 25, 25, 25]))
    felt.run(5000)

    assert len(felt.acts) == 1
    assert [one.why for one in felt.covered] == ["swap"]


def test_prior_chips_pulled_back_in_the_act_are_told_with_it() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(2000)
    felt.tell(to_act=1, order=felt.seats)
    felt.at(300, lambda: felt.take("seat-1", chips))
    felt.push(1, [500, 500], after_ms=100, leave_ms=300)
    felt.run(3000)

    assert [(act.pushed, act.taken_back) for act in felt.acts] == [((100,), ()), ((500, 500), (100,))]


def test_chips_taken_back_are_an_alert_and_never_a_lower_bet() -> None:
    felt = at_ease()
    chips = felt.push(1, [100, 100])
    felt.run(2500)
    felt.take("seat-1", chips[:1])
    felt.run(1000)
    assert ("chips-taken-back", 1) not in felt.alerts()
    felt.run(1200)
    assert ("chips-taken-back", 1) in felt.alerts()
    assert len(felt.acts) == 1

    felt.put("seat-1", chips[:1])
    felt.run(2000)
    assert not felt.alerts()
    assert len(felt.acts) == 1


def test_r044_bets_gathered_early_are_gathered_not_taken_back() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(2500)
    felt.take("seat-1", chips)
    felt.put("pot", chips)
    felt.run(6000)

    assert not felt.alerts()
    assert felt.sensing.accounts[1].total == 100


def test_bets_that_vanish_together_were_gathered() -> None:
    felt = at_ease()
    one = felt.push(1, [100])
    felt.run(2500)
    two = felt.push(2, [100])
    felt.run(2500)
    felt.take("seat-1", one)
    felt.at(800, lambda: felt.take("seat-2", two))
    felt.run(6000)

    assert not felt.alerts()


def test_chips_swept_over_another_seats_zone_are_not_that_seats() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(2500)
    felt.take("seat-1", chips)
    felt.put("seat-2", chips)
    felt.run(2500)

    assert len(felt.acts) == 1


def test_a_late_chip_without_a_hand_amends_the_act() -> None:
    felt = at_ease()
    felt.push(1, [100, 100])
    felt.run(1400)
    (first,) = felt.acts
    late = felt.chips([100])
    felt.put("seat-1", late)
    felt.run(3500)

    assert len(felt.acts) == 2
    act = felt.acts[1]
    assert (act.amends, act.pushed, act.in_turn) == (first.act_no, (100, 100, 100), True)
    assert set(act.uids) == {*first.uids, late[0].uid}
    assert felt.books[1].bet == 300


@pytest.mark.parametrize(("after_ms", "amended"), [(0, True), (900, False)])
def test_chips_that_more_rounds_did_not_hear_than_can_miss_them_are_no_late_chips(after_ms: int, amended: bool) -> None:
    """Readers alone: a player who toys with chips at the line after a call has not raised."""
    felt = at_ease(camera=False)
    felt.push(1, [100])
    while not felt.acts:
        felt.run(50)
    felt.run(after_ms)
    felt.put("seat-1", felt.chips([100, 100]))
    felt.run(1500)

    (first, *later) = felt.acts
    assert [act.amends for act in later] == ([first.act_no] if amended else [])


def test_a_chip_that_the_hand_brings_after_the_act_is_told_as_a_second_movement() -> None:
    felt = at_ease()
    felt.push(1, [100])
    felt.run(1600)
    felt.push(1, [100])
    felt.run(5000)

    assert [(act.pushed, act.in_turn, act.again, act.amends) for act in felt.acts] == [
        ((100,), True, False, None),
        ((100,), False, True, None),
    ]


def test_unknown_chips_are_an_alert_and_have_no_value() -> None:
    felt = at_ease()
    felt.push(1, [None])
    felt.run(2500)
    assert not felt.acts
    assert ("unknown-chip", 1) in felt.alerts()

    felt.push(1, [100])
    felt.run(2500)
    (act,) = felt.acts
    assert (act.pushed, act.unknown) == ((100,), 1)


def keyed_600(felt: Felt) -> None:
    """The dealer keys seat 1's bet of 600."""
    felt.book(1, bet=600, keyed=600)
    felt.tell(order=(2, 3, 4, 5, 6, 1), to_act=2)


def test_r042_chips_that_equal_what_was_keyed_are_no_act() -> None:
    felt = at_ease()
    keyed_600(felt)
    felt.push(1, [500, 100])
    felt.run(6000)

    assert not felt.acts
    assert [(one.why, one.amount) for one in felt.covered] == [("keyed", 600)]
    assert not felt.alerts()


def test_r042_chips_that_came_before_the_key_are_no_act_either() -> None:
    felt = at_ease()
    felt.push(1, [500, 100])
    felt.at(450, lambda: keyed_600(felt))
    felt.run(3000)

    assert not felt.acts
    assert [one.amount for one in felt.covered] == [600]


@pytest.mark.parametrize("values", [[500], [500, 500]])
def test_r042_a_difference_to_what_was_keyed_is_an_alert_with_both_figures(values: list[int]) -> None:
    felt = at_ease()
    keyed_600(felt)
    felt.push(1, values)
    felt.run(12_000)

    assert not felt.acts
    sentence = felt.sentence("ledger-off", 1)
    assert "600" in sentence
    assert str(sum(values)) in sentence
    assert len(felt.raised_ms("ledger-off", 0)) == 1


def test_r042_the_rest_of_what_was_keyed_ends_the_alert() -> None:
    felt = at_ease()
    keyed_600(felt)
    felt.push(1, [500])
    felt.run(2500)
    felt.push(1, [100])
    felt.run(2500)

    assert not felt.acts
    assert not felt.alerts()


def test_a_keyed_bet_without_any_chip_is_told_after_a_while() -> None:
    felt = at_ease()
    keyed_600(felt)
    felt.run(2000)
    assert not felt.alerts()

    felt.run(2000)
    assert ("ledger-off", 1) in felt.alerts()


def test_what_a_seat_has_pushed_so_far_can_be_asked() -> None:
    felt = at_ease(camera=False)
    felt.push(1, [500, 100])
    felt.run(550)
    moving = felt.sensing.pushed(1, felt.now_ns)
    assert sorted(moving.values) == [100, 500]
    assert moving.moving
    felt.answers = False
    felt.run(1500)

    assert not felt.sensing.pushed(1, felt.now_ns).moving
    assert felt.sensing.pushed(1, felt.now_ns).values == ()


def test_chips_of_a_seat_without_action_are_an_alert() -> None:
    felt = at_ease()
    felt.tell(order=(1, 2, 3))
    felt.push(5, [100])
    felt.run(3000)

    assert not felt.acts
    assert ("not-in-hand", 5) in felt.alerts()


def revived(felt: Felt) -> None:
    """The controller dies and starts again from plain data."""
    plain = json.loads(json.dumps(felt.sensing.durable()))
    felt.sensing = SensingState.initial(felt.sensing.setup).restored(plain)


def test_a_controller_that_was_killed_goes_on_and_chips_put_down_meanwhile_are_acts() -> None:
    felt = at_ease()
    base = felt.chips([5])
    felt.push(1, [100])
    felt.run(2500)
    felt.put("seat-3", base)
    plain = json.loads(json.dumps(felt.sensing.durable()))
    felt.take("seat-3", base)
    felt.push(2, [100], reach_ms=50, leave_ms=50)
    dead, felt.sensing = felt.sensing, SensingState.initial(Setup(felt.seats, frozenset(), camera=False))
    felt.answers = False
    felt.run(1500)
    felt.answers = True
    felt.sensing = SensingState.initial(dead.setup).restored(plain)
    felt.tell()
    felt.run(2500)

    assert [(act.act_no, act.seat, act.pushed) for act in felt.acts] == [(1, 1, (100,)), (2, 2, (100,))]


def test_after_a_restart_the_base_line_and_what_was_ruled_on_are_no_acts() -> None:
    felt = Felt(5)
    felt.put("seat-1", felt.chips([5]))
    felt.run(2500)
    felt.begin()
    felt.push(1, [100])
    felt.run(2000)
    revived(felt)
    felt.tell()
    felt.run(6000)

    assert [act.pushed for act in felt.acts] == [(100,)]


def test_what_was_not_saved_by_sensing_is_refused() -> None:
    with pytest.raises(ValueError, match="not what sensing had saved"):
        at_ease().sensing.restored({"seats": 3})


def test_a_silent_reader_leaves_its_seat_as_it_was_and_says_so() -> None:
    felt = at_ease()
    felt.push(1, [100])
    felt.run(2500)
    felt.antennas["seat-1"].dead = True
    felt.run(2000)

    assert ("reader-stale", 1) in felt.alerts()
    assert felt.sensing.shown["seat-1"] is None
    assert felt.sensing.zones["seat-1"].value == 100
    assert ("chips-taken-back", 1) not in felt.alerts()

    felt.antennas["seat-1"].dead = False
    felt.run(2000)
    assert not felt.alerts()
    assert felt.sensing.shown["seat-1"] == 100
    assert len(felt.acts) == 1


def test_where_no_reader_tells_the_camera_asks_the_amount() -> None:
    felt = at_ease()
    felt.antennas["seat-1"].dead = True
    felt.run(2000)
    felt.hand_visits(1, 100, 700)
    felt.line("bet_settled", 1, 400, lag_ms=600)
    felt.run(1500)
    (asked,) = felt.sensing.questions.values()
    assert (asked.kind, asked.seats, asked.choices) == ("amount", (1,), ())
    assert not felt.acts

    felt.book(1, bet=100, keyed=100)
    felt.passes()
    assert not felt.sensing.questions


def test_a_silent_camera_degrades_to_readers_alone() -> None:
    felt = at_ease()
    felt.camera_on = False
    felt.run(2000)
    felt.push(1, [100])
    felt.run(1500)

    assert ("camera-stale", None) in felt.alerts()
    assert [act.degraded for act in felt.acts] == [True]


def test_a_camera_that_says_goodbye_is_believed_at_once() -> None:
    felt = at_ease()
    felt.line("hand_entered", 1, 0, lag_ms=0)
    felt.run(100)
    felt.camera_on = False
    felt.step(sensing_steps.camera(felt.sensing, None, felt.now_ns))
    felt.put("seat-1", felt.chips([100]))
    felt.run(700)

    assert len(felt.acts) == 1


def test_evidence_of_no_zone_here_and_evidence_seen_before_tell_nothing() -> None:
    felt = at_ease()
    reading = ZoneReading("seat-9", "boot-1", 1, (), felt.now_ns)
    assert sensing_steps.zone(felt.sensing, reading, felt.now_ns) == (felt.sensing, ())
    again = replace(reading, zone="seat-1", round_no=felt.antennas["seat-1"].round_no)
    assert sensing_steps.zone(felt.sensing, again, felt.now_ns) == (felt.sensing, ())


def test_zone_values_are_told_when_they_change() -> None:
    felt = at_ease()
    felt.told.clear()
    felt.put("tray", felt.chips([100, 500]))
    felt.run(3000)

    assert felt.sensing.shown["tray"] == 600
    assert felt.sensing.shown["seat-1"] == 0


def test_r052_chips_are_told_by_the_visit_of_the_hand_that_brought_them() -> None:
    felt = at_ease()
    felt.push(1, [100, 100], leave_ms=100)
    felt.push(1, [500], after_ms=900, reach_ms=600, leave_ms=100)
    felt.sensing = replace(felt.sensing, setup=replace(felt.sensing.setup, thresholds=slow_to_settle()))
    felt.run(3000)

    (act,) = felt.acts
    assert act.by_motion == ((100, 100), (500,))
    assert act.motions == 2


def slow_to_settle() -> Thresholds:
    return Thresholds(settle_rounds=12, window_rounds=8)


def test_a_hand_that_comes_back_without_chips_makes_no_second_motion() -> None:
    felt = at_ease()
    felt.push(1, [100] * 8, leave_ms=100)
    felt.hand_visits(1, 480, 700)
    felt.run(3000)

    (act,) = felt.acts
    assert (act.motions, len(act.by_motion)) == (1, 1)


def test_r045_without_a_camera_a_gap_is_told_and_no_motion_is_counted() -> None:
    felt = at_ease(camera=False)
    felt.push(1, [100])
    felt.push(1, [500], after_ms=200)
    felt.run(3000)

    (act,) = felt.acts
    assert act.by_motion == ((100, 500),)
    assert act.motions == 1
    assert act.gap_ms >= 150


def test_a_bet_that_came_before_the_last_check_was_keyed_is_an_act_of_the_new_street() -> None:
    felt = at_ease()
    felt.tell(to_act=6, order=(6, 1, 2, 3, 4, 5))
    felt.push(1, [75])
    felt.run(1500)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(1000)

    assert [(act.pushed, act.in_turn) for act in felt.acts] == [((75,), True)]


def test_a_chip_that_one_round_has_missed_came_with_the_others_however_long_the_round() -> None:
    felt = at_ease(camera=False, missed=0.0, stray=0.0, acting_ms=800, others_ms=800)
    felt.push(1, [100])
    felt.push(1, [500], after_ms=800)
    felt.run(9000)

    (act,) = felt.acts
    assert act.pushed == (100, 500)
    assert act.gap_ms == 0


def test_a_chip_between_two_zones_is_told_and_is_nobodys_act() -> None:
    felt = at_ease(missed=0.0, stray=0.0)
    felt.tell(to_act=4, order=(4, 5, 6, 1, 2, 3))
    (chip,) = felt.chips([100])
    felt.put("seat-1", [chip])
    felt.put("seat-2", [chip])
    felt.run(5000)

    assert not felt.acts
    assert {("unsure-chip", 1), ("unsure-chip", 2)} <= felt.alerts()

    felt.tell(to_act=1, order=(1, 2, 3, 4, 5, 6))
    felt.take("seat-2", [chip])
    felt.run(4000)
    assert [(act.seat, act.pushed) for act in felt.acts] == [(1, (100,))]
    assert not felt.alerts()


def test_a_stack_that_reads_badly_is_told_and_not_guessed() -> None:
    felt = at_ease(missed=0.75, stray=0.0)
    felt.push(1, [100] * 8)
    felt.run(6000)

    assert not felt.acts
    assert ("unsure-chip", 1) in felt.alerts()


def test_a_hand_that_begins_in_betting_misses_no_blinds() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.books[1] = SeatBook(1, bet=1)
    felt.tell(HandView("betting", 1, "preflop", 1, felt.seats))
    felt.push(1, [5])
    felt.run(2500)

    assert [(act.pushed, act.pays) for act in felt.acts] == [((5,), 0)]


def test_change_that_the_dealer_makes_unasked_right_after_an_act_is_no_late_chip() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(1400)
    assert len(felt.acts) == 1
    felt.put("seat-1", felt.chips([25, 25, 25, 25]))
    felt.at(1500, lambda: felt.take("seat-1", chips))
    felt.run(6000)

    assert len(felt.acts) == 1
    assert [one.why for one in felt.covered] == ["swap"]
    assert not felt.alerts()


def test_two_big_chips_taken_for_change_at_once_are_not_gathered() -> None:
    felt = overchip()
    felt.push(2, [1000])
    felt.run(2500)
    felt.book(2, bet=300, change_due=700)
    felt.tell()
    for seat in (1, 2):
        felt.lying[f"seat-{seat}"].clear()
        change = felt.chips([100, 100, 100])
        felt.at(1200, lambda seat=seat, change=change: felt.put(f"seat-{seat}", change))  # type: ignore[misc]
    felt.run(6000)

    assert len(felt.acts) == 2
    assert [one.why for one in felt.covered] == ["change", "change"]
    assert not felt.alerts()


def settled_zone(
    newest_round: int = 4, previous_ms: int = 1000, heard_after_ms: int = 1000, missed: int = 0
) -> ZoneBelief:
    """A zone with a chip, read last at 1.075 s and before at `previous_ms`."""
    chip = Track("A", 5, Standing.PRESENT, 8, 8, missed, 1, 1, after_ns=heard_after_ms * MS)
    return ZoneBelief(
        "seat-1", "a", 8, 1075 * MS, {"A": chip}, {"A": 5}, newest_round=newest_round, settled=True,
        settled_ns=1075 * MS, previous_ns=previous_ms * MS,
    )  # fmt: skip


def test_r051_a_round_must_have_begun_since_the_hand_left() -> None:
    assert ended(settled_zone(), SeatWitness(left_ns=999 * MS), False, Thresholds())
    assert not ended(settled_zone(), SeatWitness(left_ns=1000 * MS), False, Thresholds())
    assert not ended(settled_zone(), SeatWitness(hand=True, entered_ns=0), False, Thresholds())


def test_r051_a_second_look_does_not_show_that_a_hand_left_the_chip_there() -> None:
    left = SeatWitness(left_ns=999 * MS)
    assert ended(settled_zone(heard_after_ms=900), left, False, Thresholds())
    assert not ended(settled_zone(heard_after_ms=899), left, False, Thresholds())
    assert not ended(settled_zone(heard_after_ms=899, missed=1), left, False, Thresholds())
    assert ended(settled_zone(heard_after_ms=899, missed=2), left, False, Thresholds())


def test_without_a_camera_the_last_new_chip_must_have_had_all_its_rounds() -> None:
    assert ended(settled_zone(newest_round=4), None, False, Thresholds())
    assert not ended(settled_zone(newest_round=5), None, False, Thresholds())


@pytest.mark.parametrize("why", ["from-the-tray", "change-due"])
def test_r044_what_the_dealer_puts_out_between_streets_is_no_early_bet(why: str) -> None:
    felt = at_ease()
    chips = felt.chips([75])
    felt.put("tray", chips)
    felt.run(2500)
    felt.take("tray", chips)
    felt.came = {chip.uid: ("tray", felt.now_ns) for chip in chips}
    if why == "change-due":
        chips = felt.chips([75])
        felt.book(1, change_due=75)
    felt.tell(phase="round-over", to_act=None)
    felt.run(2500)
    felt.hand_visits(1, 100, 500)
    felt.at(300, lambda: felt.put("seat-1", chips))
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(2500)

    assert not felt.acts


def test_what_was_awaited_is_paid_once() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.begin(phase="posting")
    felt.book(1, bet=1)
    felt.tell(phase="betting")
    felt.push(1, [1, 1])
    felt.run(2500)
    felt.tell(to_act=1, order=felt.seats)
    felt.push(1, [5])
    felt.run(2500)

    assert [(act.pushed, act.pays) for act in felt.acts] == [((1, 1), 1), ((5,), 0)]


def test_of_two_things_that_change_the_books_the_second_waits_for_the_view() -> None:
    felt = at_ease()
    for seat in (2, 3):
        felt.book(seat, bet=50, owes=50)
    felt.tell()
    felt.answers = False
    felt.push(2, [50])
    felt.push(3, [50])
    felt.run(3000)
    (first,) = felt.covered

    felt.book(first.seat, owes=0)
    felt.tell()
    assert {one.seat for one in felt.covered} == {2, 3}


def test_a_chip_lies_in_one_zone_at_a_time() -> None:
    felt = at_ease(missed=0.0, stray=0.0)
    felt.tell(to_act=2, order=(2, 3, 4, 5, 6, 1))
    chips = felt.chips([100])
    felt.put("seat-1", chips)
    felt.run(2500)
    felt.take("seat-1", chips)
    felt.put("seat-2", chips)
    both = []
    for _ in range(60):
        felt.run(50)
        both.append((felt.sensing.shown["seat-1"], felt.sensing.shown["seat-2"]))

    assert (100, 100) not in both
    assert both[0] == (100, 0)
    assert both[-1] == (0, 100)


@pytest.mark.parametrize("place", ["pot", "tray"])
def test_chips_that_a_seat_got_from_the_house_are_its_own_when_its_hand_brings_them(place: str) -> None:
    felt = Felt(2)
    chips = felt.chips([25])
    felt.put(place, chips)
    felt.run(2500)
    felt.take(place, chips)  # a won pot or change: they stand in the seat's stack, which no antenna sees
    felt.begin(hand_no=2)
    felt.run(300)
    felt.hand_visits(1, 0, 550)
    felt.at(300, lambda: felt.put("seat-1", chips))
    felt.run(1300)

    assert [act.pushed for act in felt.acts] == [(25,)]


# --- a second motion, or a payment


def owing(camera: bool = True) -> Felt:
    """Seat 1 has pushed 100, and was ruled to owe 200 for it."""
    felt = at_ease() if camera else at_ease(camera=False)
    felt.push(1, [100])
    felt.run(1200)
    assert [act.pushed for act in felt.acts] == [(100,)]
    felt.book(1, bet=300, owes=200)
    felt.tell(moved_last=1)
    return felt


def told_of_second(felt: Felt) -> tuple[list[tuple[int, ...]], list[tuple[str, int, int]]]:
    again = [act.pushed for act in felt.acts if act.again]
    return again, [(one.why, one.amount, one.over) for one in felt.covered]


@pytest.mark.parametrize("phase", ["betting", "round-over"])
def test_r052_a_hand_that_is_back_before_it_can_know_what_it_owes_makes_a_second_motion(phase: str) -> None:
    felt = owing()
    felt.tell(phase=phase, order=felt.hand.order if phase == "betting" else ())
    felt.push(1, [500])
    felt.run(4000)

    assert told_of_second(felt) == ([(500,)], [])


def test_r052_while_the_floor_decides_on_the_first_motion_the_second_is_a_part_of_it() -> None:
    felt = owing()
    felt.book(1, bet=0, owes=0)
    felt.tell(to_act=1, order=(1, 2, 3, 4, 5, 6))
    felt.push(1, [500])
    felt.run(4000)

    assert told_of_second(felt) == ([(500,)], [])


def test_r036_chips_that_come_when_the_player_has_heard_what_is_owed_pay_it() -> None:
    felt = owing()
    felt.push(1, [500], after_ms=1500)
    felt.run(6000)

    assert told_of_second(felt) == ([], [("owed", 200, 300)])


def test_r045_readers_alone_see_no_second_motion_and_what_is_owed_is_paid() -> None:
    felt = owing(camera=False)
    felt.push(1, [500])
    felt.run(4000)

    assert told_of_second(felt) == ([], [("owed", 200, 300)])


def test_r036_once_another_seat_has_acted_the_second_motion_pays() -> None:
    felt = owing()
    felt.tell(moved_last=2)
    felt.push(1, [500])
    felt.run(4000)

    assert told_of_second(felt) == ([], [("owed", 200, 300)])


@pytest.mark.parametrize(("level", "is_act"), [(700, True), (2000, False), (100, False)])
def test_r062_who_faces_a_bet_and_replaces_chips_that_cover_it_has_acted(level: int, is_act: bool) -> None:
    felt = at_ease()
    (blind,) = felt.push(1, [1000])
    felt.run(2500)
    felt.book(1, bet=100, change_due=900)
    felt.tell(to_act=1, order=(1, 2, 3, 4, 5, 6), level=level)
    felt.hand_visits(1, 0, 900)
    felt.at(200, lambda: felt.take("seat-1", [blind]))
    others = felt.chips([500, 500])
    felt.at(700, lambda: felt.put("seat-1", others))
    felt.run(6000)

    acts = [(act.pushed, act.taken_back) for act in felt.acts[1:]]
    assert acts == ([((500, 500), (1000,))] if is_act else [])
    assert [one.why for one in felt.covered] == ([] if is_act else ["swap"])
