"""A reader that repeats an old inventory, or whose times stand still, is named; one that lives is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from betline.units import NS_PER_MS
from table_controller.sensing.alerts.frozen import readers
from table_controller.sensing.belief import Standing, Track, ZoneBelief
from tests.unit.sensing.felt import Chip, Felt


def freeze(felt: Felt, zone: str) -> None:
    """From now on the reader of a zone says what lies there now."""
    lies = frozenset(felt.lying[zone])

    class Frozen(dict[str, int]):
        def items(self):  # type: ignore[no-untyped-def]
            return [(uid, 0) for uid in sorted(lies)]

    felt.lying[zone] = Frozen(felt.lying[zone])
    felt.missed_in[zone] = 0.0


def bets_lie(seed: int = 1, value: int = 3, round_ms: float = 75) -> tuple[Felt, dict[int, list[Chip]]]:
    felt = Felt(seed, acting_ms=round_ms)
    felt.attends = True
    felt.middle = 40
    felt.put("pot", felt.chips([5] * 8))
    felt.run(2500)
    felt.begin()
    felt.run(3000)
    bets = {}
    for seat in (1, 2):
        bets[seat] = felt.push(seat, [5] * value)
        felt.run(2500)
    felt.tell(phase="round-over", to_act=None, order=())
    felt.run(500)
    return felt, bets


def gather(felt: Felt, bets: dict[int, list[Chip]]) -> None:
    for seat, chips in bets.items():
        felt.take(f"seat-{seat}", chips)
        felt.put("pot", chips)


@pytest.mark.parametrize("round_ms", [75, 200, 300])
@pytest.mark.parametrize("seed", range(5))
def test_a_reader_that_still_hears_a_bet_that_lies_in_the_pot_is_named_within_two_seconds(
    seed: int, round_ms: float
) -> None:
    felt, bets = bets_lie(seed, round_ms=round_ms)
    freeze(felt, "seat-2")
    felt.run(3000)
    gathered_ns = felt.now_ns
    gather(felt, bets)
    felt.run(4000)
    assert felt.raised_ms("reader-frozen", gathered_ns)[0] < 2000
    assert felt.sentence("reader-frozen", 2) == (
        "Seat 2: restart its reader, and key the acts of seat 2 until then: it repeats 3 chips that lie in the pot now."
    )
    assert {read.uid for read in felt.sensing.raised["reader-frozen", 2].chips} == {chip.uid for chip in bets[2]}
    assert ("reader-frozen", 1) not in felt.alerts()


@pytest.mark.one_in(9)
@pytest.mark.parametrize("round_ms", [35, 75, 200])
@pytest.mark.parametrize("missed", [0.0, 0.05, 0.1])
@pytest.mark.parametrize("seed", range(5))
def test_bets_that_are_gathered_from_readers_that_live_freeze_none(seed: int, missed: float, round_ms: float) -> None:
    felt, bets = bets_lie(seed, round_ms=round_ms)
    felt.missed = missed
    gather(felt, bets)
    felt.run(6000)
    assert not felt.raised_ms("reader-frozen", 0)


def test_one_chip_in_two_places_is_a_copy_and_no_frozen_reader() -> None:
    felt, bets = bets_lie(value=1)
    freeze(felt, "seat-2")
    gather(felt, bets)
    felt.run(6000)
    assert not felt.raised_ms("reader-frozen", 0)


def test_a_pot_that_is_repeated_is_named_when_its_chips_are_bet_again() -> None:
    felt, _ = bets_lie()
    freeze(felt, "pot")
    felt.run(5000)
    felt.values |= {uid: 5 for uid, _ in felt.lying["pot"].items()}
    for uid, _ in felt.lying["pot"].items():
        felt.put("seat-3", [Chip(uid, 5)])
    felt.run(5000)
    assert ("reader-frozen", None) in felt.alerts()
    assert felt.sentence("reader-frozen", None).startswith("The pot: restart its reader, and count the pot by hand")


def test_a_reader_whose_times_stand_still_is_silent_though_its_rounds_go_on() -> None:
    felt, _ = bets_lie()
    antenna = felt.antennas["seat-2"]
    antenna.stands_ns = stood_ns = felt.now_ns
    began = antenna.round_no
    felt.run(2500)
    [raised_ms] = felt.raised_ms("reader-stale", stood_ns)
    assert raised_ms < 1800
    assert antenna.round_no > began + 5


def heard(zone: str, at_ms: int, since_ms: int, missed: int) -> ZoneBelief:
    """Three chips of 100 that a zone has heard since then in all its rounds but the last few."""
    place = Standing.CANDIDATE if missed else Standing.PRESENT
    tracks = {
        uid: Track(uid, 100, place, 6 - 2 * missed, 6 - missed, missed, 1, since_ms * NS_PER_MS)
        for uid in ("A", "B", "C")
    }
    present = {} if missed else dict.fromkeys(tracks, 100)
    return ZoneBelief(zone, at_ns=at_ms * NS_PER_MS, tracks=tracks, present=present)


@pytest.mark.parametrize(("tray_since_ms", "frozen"), [(33_812, False), (35_500, True)])
def test_chips_that_a_slow_tray_heard_before_the_stack_they_lie_in_now_freeze_no_reader(
    tray_since_ms: int, frozen: bool
) -> None:
    """Who left had his chips put into the tray, and three of them were sold to the next one a second later."""
    zones = {"stack-6": heard("stack-6", 36_384, 35_366, 0), "tray": heard("tray", 36_254, tray_since_ms, 1)}
    sensing = replace(Felt(1).sensing, zones=zones)
    assert [alert.code for alert in readers(sensing, 36_400 * NS_PER_MS)] == ["reader-frozen"] * frozen
