"""A reader that repeats an old inventory, or whose times stand still, is named; one that lives is not."""

from __future__ import annotations

import pytest

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
