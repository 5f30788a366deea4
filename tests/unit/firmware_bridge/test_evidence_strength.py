"""What tells whose a chip is that two antennas hear: how strongly, how often, how lately."""

from __future__ import annotations

import pytest

from betline.units import NS_PER_MS
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import ZoneEvidence, stronger
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.schedule import Channel
from firmware_bridge.zone_feed import HEARTBEAT_NS, MAX_NS, ZoneFeed

A = "E004000000000001"


def tag(rssi: int | None) -> TagRead:
    return TagRead(A, TagKind.EPC, 1, rssi)


def over(ms: float, *tags: TagRead) -> RoundOver:
    return RoundOver(Channel("seat-1"), tags, (), 30.0, int(ms * 1e6))


def feed() -> ZoneFeed:
    return ZoneFeed("seat-1", "reader-1", ChipRegister(), ZoneEvidence())


def strength(*rounds: tuple[int | None, ...]) -> int | None:
    evidence = ZoneEvidence()
    for answers in rounds:
        evidence = evidence.after(tag(rssi) for rssi in answers)
    return evidence.heard()[0].rssi


@pytest.mark.parametrize(
    ("one", "other", "best"), [(-55, -70, -55), (-70, -55, -55), (-55, None, -55), (None, -55, -55), (None, None, None)]
)
def test_the_stronger_reading_also_below_zero_and_where_one_is_missing(
    one: int | None, other: int | None, best: int | None
) -> None:
    assert stronger(one, other) == best


def test_strength_is_the_middle_of_the_window_so_that_one_answer_does_not_move_it() -> None:
    assert strength((100,), (104,), (255,), (102,), (3,)) == 102
    assert strength((100,), (None,), (104,), (102,)) == 102
    assert strength((None,), (None,)) is None


def test_strength_of_a_round_is_its_strongest_answer() -> None:
    assert strength((-70, -55, -60)) == -55


def test_strength_that_jitters_is_no_news_but_is_told_with_the_next_snapshot() -> None:
    one = feed()
    for number in range(8):
        one.after(over(70.0 * number, tag(100)))
    assert one.after(over(560, tag(130))) is None
    for number in range(3):
        one.after(over(570.0 + number, tag(130)))
    told = one.after(over(561 + HEARTBEAT_NS / NS_PER_MS, tag(130)))
    assert told is not None
    assert told.chips[0].rssi == 130


def test_age_of_a_chip_counts_from_its_last_answer() -> None:
    one = feed()
    one.after(over(1000, tag(None)))
    one.after(over(1070))
    told = one.after(over(1145))
    assert told is not None
    assert (told.chips[0].age_ms, told.chips[0].missed) == (145, 2)


def test_last_snapshot_is_told_again_only_when_it_is_old_and_ages() -> None:
    one = feed()
    assert one.again(5000 * NS_PER_MS) is None
    first = one.after(over(1000, tag(None)))
    assert one.again(1000 * NS_PER_MS + MAX_NS - 1) is None
    again = one.again(1000 * NS_PER_MS + MAX_NS)
    assert first is not None
    assert again is not None
    assert (again.round_no, again.last_byte_ns) == (first.round_no, first.last_byte_ns)
    assert (first.chips[0].age_ms, again.chips[0].age_ms) == (0, MAX_NS // NS_PER_MS)
    assert one.again(1000 * NS_PER_MS + MAX_NS + 10) is None
