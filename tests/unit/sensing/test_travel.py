"""Chips that travel: from seat to seat, out of the pot and the tray, bet again within a second."""

import json
from collections.abc import Iterator

import pytest

from table_controller.sensing import SensingState
from table_controller.sensing import steps as sensing_steps
from tests.unit.sensing.felt import Chip, Felt
from tests.unit.sensing.test_acts import at_ease

SEEDS = range(2)


def nightly(*times_ms: float) -> Iterator[object]:
    """Times between those that every run tries."""
    return (pytest.param(time_ms, marks=pytest.mark.nightly) for time_ms in times_ms)


def carried(felt: Felt, zone: str, chips: list[Chip], to: int, after_ms: float) -> None:
    """The seat's own hand puts down chips that somebody took from another zone just before."""
    felt.hand_visits(to, after_ms, after_ms + 550)
    felt.at(after_ms, lambda: felt.take(zone, chips))
    felt.at(after_ms + 300, lambda: felt.put(f"seat-{to}", chips))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("post_ms", [0, 900, *nightly(300, 2000)])
@pytest.mark.parametrize("cleared_ms", [30, 450, *nightly(200, 900)])
@pytest.mark.parametrize("place", ["seat-1", "pot"])
def test_a_blind_of_chips_that_lay_elsewhere_when_the_hand_began_is_counted(
    place: str, cleared_ms: float, post_ms: float, camera: bool, seed: int
) -> None:
    felt = Felt(seed, camera=camera)
    felt.run(2500)
    felt.begin(phase="hand-over")
    chips = felt.chips([1, 1])
    felt.put(place, chips)
    felt.run(4000)
    felt.take(place, chips)
    felt.run(cleared_ms)
    felt.begin(hand_no=2, street="preflop", phase="posting", to_act=2)
    felt.hand_visits(2, post_ms, post_ms + 500)
    felt.at(post_ms + 250, lambda: felt.put("seat-2", chips))
    felt.run(post_ms + 2500)
    felt.book(2, bet=2)
    felt.tell(phase="betting")
    felt.push(2, [5, 5, 5])
    felt.run(3000)

    assert felt.books[2].bet == 17
    assert not felt.sensing.questions


@pytest.mark.one_in(9)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("place", ["seat-2", "seat-3", "pot", "tray"])
@pytest.mark.parametrize("full_tray_ms", [0.0, 500.0, 900.0])
@pytest.mark.parametrize("lay_ms", [1000, 5000])
def test_no_ruling_lacks_chips_that_lay_elsewhere_a_moment_ago(
    full_tray_ms: float, place: str, lay_ms: float, camera: bool, seed: int
) -> None:
    """They come with chips from the stack; another reader, that may be slow, still believes to have them."""
    felt = at_ease(seed, camera=camera)
    felt.full_tray_ms = full_tray_ms
    chips = felt.chips([1, 1, 1, 1])
    felt.put(place, chips)
    felt.run(6000)
    felt.begin(hand_no=2, street="preflop")
    felt.run(lay_ms)
    carried(felt, place, chips, to=1, after_ms=100)
    felt.push(1, [5, 5, 5], after_ms=100)
    felt.run(8000)
    for question in list(felt.sensing.questions):
        felt.step(sensing_steps.answer(felt.sensing, question, "bet", felt.now_ns))
        felt.run(1000)

    assert [sum(act.pushed) for act in felt.acts] == [19]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("away_ms", [300, 800, 1500])
@pytest.mark.parametrize("before_ms", [100, 900, *nightly(400, 1600)])
@pytest.mark.parametrize("posted_ms", [0, 350, *nightly(150, 800)])
def test_a_blind_is_counted_once_when_the_bridge_restarts_before_the_cards(
    posted_ms: float, before_ms: float, away_ms: float, seed: int
) -> None:
    """R-036: betting begins before the readers' windows have filled again."""
    felt = Felt(seed)
    felt.run(2500)
    felt.begin(phase="posting", street="preflop", to_act=2)
    felt.push(2, [1, 1])
    felt.run(posted_ms)
    felt.restart_bridge(away_ms)
    felt.run(before_ms)
    felt.book(2, bet=2)
    felt.tell(phase="betting")
    felt.push(2, [1, 1, 1, 1], after_ms=200)
    felt.run(6000)

    assert felt.books[2].bet == 6
    assert not felt.sensing.questions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("dies", ["bridge", "controller"])
@pytest.mark.parametrize("dealt_ms", [50, 500, *nightly(250, 900)])
@pytest.mark.parametrize("rest_ms", [50, 400, *nightly(200, 800)])
@pytest.mark.parametrize("blind", [0, 2])
def test_a_bet_in_a_zone_without_base_line_is_asked_about(
    blind: int, rest_ms: float, dealt_ms: float, dies: str, camera: bool, seed: int
) -> None:
    """R-044: a restart, a street is dealt, and a seat bets before its reader has been heard enough."""
    felt = Felt(seed, camera=camera)
    felt.run(2500)
    felt.begin(phase="round-over")
    felt.run(500)
    felt.restart_bridge(200)
    if dies == "controller":
        plain = json.loads(json.dumps(felt.sensing.durable()))
        felt.sensing = SensingState.initial(felt.sensing.setup).restored(plain)
    felt.run(200 + dealt_ms)
    felt.begin(street="turn")
    if blind:
        felt.book(1, bet=blind)
        felt.tell()
    felt.push(1, [25, 25], reach_ms=rest_ms, spread_ms=30)
    felt.push(2, [100], after_ms=rest_ms)
    felt.run(9000)
    asked = [one for one in felt.sensing.questions.values() if 1 in one.seats]
    if asked:
        assert [act.seat for act in felt.acts] == []
        assert "50" in asked[0].sentence
        felt.step(sensing_steps.answer(felt.sensing, asked[0].id, "bet", felt.now_ns))
        felt.run(3000)
    for one in list(felt.sensing.questions.values()):
        felt.step(sensing_steps.answer(felt.sensing, one.id, "bet", felt.now_ns))
        felt.run(3000)

    assert [(act.seat, sum(act.pushed), act.in_turn) for act in felt.acts] == [(1, 50, True), (2, 100, True)]
    assert ("clear-zone", 1) not in felt.alerts()


@pytest.mark.parametrize("camera", [True, False])
def test_r044_chips_of_another_seats_bet_are_asked_about_where_they_stay(camera: bool) -> None:
    felt = at_ease(camera=camera)
    chips = felt.push(1, [100])
    felt.run(2500)
    felt.take("seat-1", chips)
    felt.put("seat-2", chips)
    felt.run(8000)

    assert [act.seat for act in felt.acts] == [1]
    (asked,) = [one for one in felt.sensing.questions.values() if 2 in one.seats]
    assert "100" in asked.sentence
    assert "no-bet" in asked.choices


def test_a_bet_swept_over_another_zone_is_not_asked_about() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(2500)
    felt.take("seat-1", chips)
    felt.put("seat-2", chips)
    felt.at(900, lambda: felt.take("seat-2", chips))
    felt.at(900, lambda: felt.put("pot", chips))
    felt.run(6000)

    assert [act.seat for act in felt.acts] == [1]
    assert not felt.sensing.questions


@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_an_early_bet_has_the_chips_too_that_lay_before_another_seat_earlier_in_the_hand(
    seed: int, camera: bool
) -> None:
    felt = Felt(seed, camera=camera)
    moved = felt.chips([1])
    felt.put("seat-2", moved)
    felt.run(2500)
    felt.begin(to_act=6)
    felt.run(3000)
    felt.take("seat-2", moved)
    felt.tell(phase="round-over", to_act=None)
    felt.run(3000)
    felt.hand_visits(1, 0, 550)
    felt.at(300, lambda: felt.put("seat-1", [*moved, *felt.chips([5, 2])]))
    felt.run(1500)
    felt.begin(street="turn")
    felt.run(1500)
    for question in list(felt.sensing.questions.values()):
        assert "8" in question.sentence
        felt.step(sensing_steps.answer(felt.sensing, question.id, "bet", felt.now_ns))
    felt.run(1500)

    assert [sum(act.pushed) for act in felt.acts] == [8]


@pytest.mark.parametrize("seed", range(10, 30))
def test_a_seat_that_is_read_often_does_not_take_the_chips_of_neighbours_whom_it_overhears(seed: int) -> None:
    """The seat to act is read seven times as often as its neighbours, so it overhears as many more of their chips."""
    felt = at_ease(seed, camera=False, stray=0.15, acting_ms=35, others_ms=400)
    felt.book(1, bet=40, keyed=40)
    felt.passes()
    felt.push(1, [5] * 8)
    felt.run(4000)

    assert not felt.acts
    assert [(one.seat, one.amount) for one in felt.covered] == [(1, 40)]
