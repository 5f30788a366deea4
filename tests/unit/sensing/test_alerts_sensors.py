"""Readers and camera that contradict one another: the cause is named, and nothing is ruled for the wrong seat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table_controller.sensing import Asked, SensingState, ZoneBelief
from table_controller.sensing.alerts.bets import of_seat
from table_controller.sensing.alerts.sensors import against_camera, unsure
from table_controller.sensing.belief import Standing, Track
from tests.unit.sensing.felt import MS, Felt
from tests.unit.sensing.test_acts import at_ease


def bets_at_another_zone(felt: Felt, hand: int, zone: int, values: list[int]) -> None:
    felt.hand_visits(hand, 0, 550)
    felt.line("bet_settled", hand, 300, motions=1, lag_ms=400)
    chips = felt.chips(values)
    felt.at(300, lambda: felt.put(f"seat-{zone}", chips))


@pytest.mark.parametrize(("hand", "zone"), [(1, 4), (1, 2), (3, 1)])
def test_chips_that_another_seats_hand_brought_are_asked_about_and_not_ruled(hand: int, zone: int) -> None:
    felt = at_ease()
    since_ns = felt.now_ns
    bets_at_another_zone(felt, hand, zone, [25, 25])
    felt.run(9000)

    assert not felt.acts
    assert felt.hand.to_act == 1
    (question,) = [one for one in felt.sensing.questions.values() if one.kind == "other-hand"]
    assert question.seats == (zone,)
    assert "50" in question.sentence
    assert felt.raised_ms("wrong-hand", since_ns)[0] < 300 + 2000


@pytest.mark.parametrize("dated_ms", [-120, -20, 0])
def test_a_bet_dated_before_the_hand_that_made_it_is_still_that_hands(dated_ms: float) -> None:
    """The camera dates both to the crossing of the line, each with its own error."""
    felt = at_ease()
    since_ns = felt.now_ns
    felt.hand_visits(1, 200, 750)
    felt.line("bet_settled", 1, 200 + dated_ms, motions=1, lag_ms=700)
    chips = felt.chips([25, 25])
    felt.at(500, lambda: felt.put("seat-4", chips))
    felt.run(9000)

    assert not felt.acts
    assert [one.seats for one in felt.sensing.questions.values() if one.kind == "other-hand"] == [(4,)]
    assert felt.raised_ms("wrong-hand", since_ns)


@pytest.mark.parametrize("zone", [2, 4])
def test_another_seats_hand_is_enough_where_the_camera_missed_its_bet(zone: int) -> None:
    felt = at_ease()
    felt.hand_visits(1, 0, 550)
    chips = felt.chips([25])
    felt.at(300, lambda: felt.put(f"seat-{zone}", chips))
    felt.run(9000)

    assert not felt.acts
    assert ("wrong-hand", zone) in felt.alerts()


def test_a_hand_that_the_camera_missed_costs_nothing_where_no_other_hand_was_there_just_then() -> None:
    felt = at_ease()
    felt.hand_visits(6, 0, 400)
    chips = felt.chips([25])
    felt.at(1200, lambda: felt.put("seat-1", chips))
    felt.run(6000)

    assert [act.seat for act in felt.acts] == [1]
    assert not felt.sensing.questions
    assert ("wrong-hand", 1) not in felt.alerts()


@pytest.mark.parametrize("seed", range(6))
def test_two_seats_bet_at_once_and_the_camera_misses_one_of_the_hands(seed: int) -> None:
    felt = at_ease(seed=seed)
    felt.at(320, lambda: felt.put("seat-1", chips))
    chips = felt.chips([25])
    felt.push(2, [25], after_ms=50)
    felt.line("bet_settled", 2, 350, motions=1, lag_ms=400)
    felt.run(5000)

    assert [act.seat for act in felt.acts] == [1, 2]
    assert ("wrong-hand", 1) not in felt.alerts()


def test_two_seats_that_bet_at_once_are_not_taken_for_one_another() -> None:
    felt = at_ease()
    felt.push(1, [25])
    felt.push(2, [25], after_ms=50)
    felt.line("bet_settled", 1, 350, motions=1, lag_ms=400)
    felt.run(4000)

    assert [act.seat for act in felt.acts] == [1, 2]
    assert not felt.sensing.questions


def test_a_bet_that_the_camera_sees_and_the_reader_does_not_hear_is_told() -> None:
    felt = at_ease()
    since_ns = felt.now_ns
    felt.hand_visits(1, 0, 500)
    felt.line("bet_settled", 1, 300, motions=1, lag_ms=400)
    felt.run(3000)

    (ms,) = felt.raised_ms("reader-against-camera", since_ns)
    assert ms < 300 + 2000
    assert felt.sentence("reader-against-camera", 1).endswith("the camera sees a bet, its reader hears nothing.")


def test_two_readers_that_hear_the_same_chips_are_named() -> None:
    felt = at_ease(missed=0.0, stray=0.0)
    chips = felt.chips([5] * 6)
    for zone in ("seat-2", "seat-3"):
        felt.put(zone, chips)
    felt.run(4000)
    assert felt.sentence("readers-overlap", 2) == (
        "Seat 2: move its chips away from those of seat 3, or turn one reader down: both readers hear the same 6 chips."
        " If they cannot be one set, call the floor."
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("copies", [1, 2, 3])
def test_a_call_with_copies_of_the_neighbours_bet_is_named_within_two_seconds(
    copies: int, seed: int, camera: bool
) -> None:
    """The reader that had the chips first never doubts them."""
    felt = at_ease(seed, camera=camera)
    bet = felt.push(1, [5, 5, 25][-copies:])
    felt.run(2500)
    assert [act.seat for act in felt.acts] == [1]
    since_ns = felt.now_ns
    felt.came |= {chip.uid: ("seat-1", since_ns) for chip in bet}
    felt.hand_visits(2, 0, 500)
    felt.put("seat-2", bet)
    felt.run(2000)
    assert felt.raised_ms("readers-overlap", since_ns)


@pytest.mark.parametrize("seed", range(3))
def test_single_chips_that_the_seat_to_act_overhears_are_no_overlap(seed: int) -> None:
    """A stray is heard in six of eight rounds once in 3,500 windows, at 15 %."""
    felt = at_ease(seed, camera=False, stray=0.15, acting_ms=35)
    felt.push(1, [25, 5])
    felt.run(20_000)
    assert not felt.raised_ms("readers-overlap", 0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("others_ms", [60, 240, 480])
def test_chips_that_go_on_to_the_neighbours_zone_make_no_overlap(seed: int, others_ms: float) -> None:
    felt = at_ease(seed, acting_ms=35, others_ms=others_ms)
    bet = felt.push(1, [5, 5, 25])
    felt.run(3000)
    for zone, to in (("seat-1", "seat-2"), ("seat-2", "seat-3"), ("seat-3", "seat-2")):
        felt.take(zone, bet)
        felt.put(to, bet)
        felt.run(1500)
    assert not felt.raised_ms("readers-overlap", 0)


@pytest.mark.parametrize("seed", [0, 2])
def test_a_pile_that_a_neighbour_overhears_now_and_then_is_no_fault_of_the_readers(seed: int) -> None:
    """Of 50 chips at 4 % neighbour reads every third round of a neighbour has three strays or more."""
    felt = at_ease(seed, missed=0.05, stray=0.04, acting_ms=400, others_ms=400)
    felt.push(1, [5] * 50)
    felt.run(4000)
    assert not felt.raised_ms("readers-overlap", 0)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("camera", [True, False])
def test_the_question_about_chips_out_of_turn_stands_still_however_many_chips_they_are(camera: bool) -> None:
    felt = at_ease(camera=camera)
    felt.push(2, [5] * 22)
    felt.run(45_000)

    asked = [one for one in felt.told if isinstance(one, Asked) and one.kind == "unreported"]
    assert len(asked) == 1
    assert list(felt.sensing.questions) == [asked[0].id]


@pytest.mark.parametrize("under_way_ms", [2_000, 4_500])
@pytest.mark.parametrize(
    ("standing", "at_rest"), [(Standing.CANDIDATE, True), (Standing.STRAY, True), (Standing.PRESENT, False)]
)
def test_strays_of_a_pile_beside_are_not_called_unsure_for_as_long_as_the_pile_is_read(
    standing: Standing, under_way_ms: int, *, at_rest: bool
) -> None:
    """Nor just after the pile has settled, when they are known as strays, and their zone has yet to settle."""
    felt = at_ease()
    now_ns = felt.now_ns
    pile = ZoneBelief("seat-2", at_ns=now_ns - under_way_ms * MS, earlier_ns=now_ns - (under_way_ms + 40) * MS)
    stray = Track("E004", 5, standing, 1, 2, 0, 1, now_ns)
    belief = ZoneBelief(
        "seat-1", at_ns=now_ns, earlier_ns=now_ns - 40 * MS, unsettled_ns=now_ns - 4_000 * MS, needs=5,
        tracks={"E004": stray},
    )  # fmt: skip
    sensing = replace(felt.sensing, zones={**felt.sensing.zones, "seat-1": belief, "seat-2": pile})
    assert (not list(unsure(sensing, 1, belief, now_ns))) is at_rest
    late = replace(belief, unsettled_ns=now_ns - (8 * under_way_ms + 1_000) * MS)
    assert list(unsure(sensing, 1, late, now_ns)), "eight rounds of the pile are over"
    dead = replace(sensing, zones={**sensing.zones, "seat-2": replace(pile, at_ns=now_ns - 9_001 * MS)})
    assert list(unsure(dead, 1, belief, now_ns)), "nobody reads beside"


def test_a_zone_whose_rounds_take_three_seconds_is_heard_until_the_next_is_late() -> None:
    long = ZoneBelief("seat-1", at_ns=10_000 * MS, earlier_ns=7_000 * MS, previous_ns=7_000 * MS)
    assert long.heard(13_500 * MS, 1_500)
    assert not long.heard(14_000 * MS, 1_500)
    short = replace(long, earlier_ns=9_960 * MS, previous_ns=9_960 * MS)
    assert short.heard(11_500 * MS, 1_500)
    assert not short.heard(11_501 * MS, 1_500)


@pytest.mark.parametrize(("round_ms", "raised_after_ms"), [(75, 3_000), (600, 4_800)])
def test_chips_are_unsure_only_when_they_had_the_rounds_that_they_need(round_ms: int, raised_after_ms: int) -> None:
    """A pile of fifty chips takes 0.6 s a round, so its eight rounds are not over after three seconds."""
    felt = at_ease()
    now_ns = felt.now_ns
    for after_ms, is_raised in ((raised_after_ms - 100, False), (raised_after_ms + 100, True)):
        belief = ZoneBelief(
            "seat-1", at_ns=now_ns, earlier_ns=now_ns - round_ms * MS, unsettled_ns=now_ns - after_ms * MS, needs=5
        )
        assert bool(list(unsure(felt.sensing, 1, belief, now_ns))) is is_raised


def heard_too(felt: Felt, hits: int, *, owner_read_since: bool = False) -> SensingState:
    """The state where seat 1's reader hears a chip worth 20 that the slow tray still owns."""
    sensing, since_ns = felt.sensing, felt.now_ns - 1_000 * MS
    track = Track("CHANGE", 20, Standing.STRAY, hits, 8, 0, 1, since_ns)
    here, tray = sensing.belief(1), sensing.zones["tray"]
    read_ns = since_ns + (500 if owner_read_since else -500) * MS
    tray = replace(tray, present={"CHANGE": 20}, earlier_ns=read_ns, at_ns=felt.now_ns)
    zones = {**sensing.zones, "seat-1": replace(here, tracks={**here.tracks, "CHANGE": track}), "tray": tray}
    return replace(sensing, zones=zones)


def test_a_big_chip_whose_change_is_heard_before_the_tray_has_let_go_of_it_was_not_taken_back() -> None:
    felt = at_ease(missed=0.0, stray=0.0)
    chips = felt.push(1, [25])
    felt.run(1500)
    felt.book(1, bet=20, change_due=5)
    felt.tell()
    felt.take("seat-1", chips)
    felt.run(4000)

    def codes(sensing: SensingState) -> list[str]:
        return [one.code for one in of_seat(sensing, sensing.accounts[1], sensing.belief(1), felt.now_ns)]

    assert codes(felt.sensing) == codes(heard_too(felt, 1)) == ["chips-taken-back"]
    assert not codes(heard_too(felt, 8))


def test_chips_that_a_slow_tray_may_have_let_go_of_are_no_copies() -> None:
    felt = at_ease(missed=0.0, stray=0.0)
    felt.line("bet_settled", 1, 0, motions=1)
    felt.run(2500)

    def codes(sensing: SensingState) -> list[str]:
        return [one.code for one in against_camera(sensing, 1, sensing.belief(1), felt.now_ns)]

    assert not codes(heard_too(felt, 8))
    assert codes(heard_too(felt, 8, owner_read_since=True)) == ["reader-against-camera"]
