"""A zone whose own chips miss too many reads: it is said once, and from a worse share on nothing is ruled from it."""

from __future__ import annotations

import json
import random

import pytest

from table_controller.sensing import Alert, SensingState
from tests.unit.sensing.felt import Felt
from tests.unit.sensing.test_acts import at_ease

SEEDS = range(4)


def lying(missed: float, seed: int, zone: str, camera: bool = True) -> Felt:
    """Ten chips that have lain since before the hand in a zone whose antenna misses that share."""
    felt = Felt(seed, camera=camera)
    felt.missed_in[zone] = missed
    felt.put(zone, felt.chips([25] * 10))
    felt.run(2500)
    felt.begin()
    return felt


def told(felt: Felt) -> list[Alert]:
    return [one for one in felt.told if isinstance(one, Alert) and one.code == "antenna-weak"]


@pytest.mark.nightly
@pytest.mark.parametrize("seed", SEEDS)
def test_an_antenna_that_misses_a_fifth_is_named_once_within_half_a_minute(seed: int) -> None:
    felt = lying(0.2, seed, "seat-3")
    felt.run(30_000)
    (alert,) = told(felt)
    assert alert.seat == 3
    felt.run(120_000)
    assert told(felt) == [alert]
    assert felt.sentence("antenna-weak", 3).startswith(
        "Seat 3: check its antenna and cable, and key amounts that look wrong: it misses"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("missed", [0.05, 0.1])
@pytest.mark.parametrize("seed", SEEDS)
def test_an_antenna_that_misses_a_tenth_or_less_is_not_named_in_minutes(seed: int, missed: float) -> None:
    felt = lying(missed, seed, "seat-3")
    felt.run(180_000)
    assert not told(felt)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("zone", ["pot", "tray"])
def test_the_antenna_of_pot_or_tray_is_named_in_its_own_words(zone: str) -> None:
    felt = lying(0.2, 1, zone)
    felt.run(40_000)
    (alert,) = told(felt)
    assert alert.seat is None
    assert alert.sentence.startswith(f"{zone.capitalize()}: check its antenna and cable")
    assert "count it by hand" in alert.sentence


@pytest.mark.one_in(2)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_of_a_zone_that_misses_a_third_nothing_is_ruled_in_silence(seed: int, camera: bool) -> None:
    felt = lying(0.35, seed, "seat-1", camera)
    felt.run(20_000)
    assert felt.sentence("antenna-weak", 1).startswith("Seat 1: check its antenna and cable, and key its amounts: it")

    for _ in range(5):
        felt.push(1, [25, 100, 100])
        felt.line("bet_settled", 1, 350, motions=1, lag_ms=400)
        felt.run(10_000)

    assert not felt.acts
    assert not felt.covered
    assert felt.hand.to_act == 1
    assert ("antenna-weak", 1) in felt.alerts()
    if camera:
        assert any(one.kind == "amount" and one.seats == (1,) for one in felt.sensing.questions.values())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("policy", ["assume", "skipped"])
def test_a_seat_that_is_not_read_well_is_asked_about_before_it_is_passed_over(policy: str) -> None:
    felt = lying(0.35, 2, "seat-1")
    felt.run(20_000)
    felt.tell(implied_passive=policy)
    felt.push(1, [25, 25])
    felt.push(2, [100], after_ms=1500)
    felt.run(7000)

    assert not felt.acts
    assert [one.seats for one in felt.sensing.questions.values() if one.kind == "unreported"] == [(1,)]


@pytest.mark.nightly
def test_an_antenna_that_reads_well_again_is_believed_again() -> None:
    felt = lying(0.35, 1, "seat-1")
    felt.run(20_000)
    felt.missed_in.clear()
    felt.run(60_000)

    assert ("antenna-weak", 1) not in felt.alerts()
    assert len(told(felt)) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(3))
def test_of_a_hundred_acts_among_loud_neighbours_none_is_ruled_wrong(seed: int) -> None:
    felt = at_ease(seed=seed, stray=0.15)
    rolls = random.Random(seed)
    ruled = 0
    for _ in range(40):
        seat, before = felt.hand.to_act, len(felt.acts)
        assert seat is not None
        values = [rolls.choice([5, 25, 100]) for _ in range(rolls.randint(1, 8))]
        felt.push(seat, values)
        felt.run(4000)
        acts = felt.acts[before:]
        assert [(one.seat, sorted(one.pushed)) for one in acts] in ([], [(seat, sorted(values))])
        ruled += len(acts)
        for zone in felt.lying:
            felt.lying[zone].clear()
        felt.run(3500)
        following = felt.seats[felt.seats.index(seat) + 1 - len(felt.seats)]
        felt.begin(hand_no=felt.hand.hand_no + 1, to_act=following)
        felt.run(1500)
    assert ruled >= 36


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("missed", "rounds", "believed"), [(0.05, 5, True), (0.2, 8, True), (0.35, 9, False)])
def test_how_an_antenna_reads_is_known_again_after_a_restart(missed: float, rounds: int, believed: bool) -> None:
    """A controller that knew nothing of it would take a set to be whole after 5 rounds."""
    felt = lying(missed, 1, "seat-3")
    felt.run(30_000)
    plain = json.loads(json.dumps(felt.sensing.durable()))
    felt.sensing = SensingState.initial(felt.sensing.setup).restored(plain)
    felt.run(500)
    belief = felt.sensing.belief(3)
    assert belief.needs >= rounds
    assert belief.fresh(felt.now_ns, 1500) is believed
