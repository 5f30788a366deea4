"""A zone's window: hits, rounds, misses; and what of it is worth telling."""

from __future__ import annotations

import itertools

from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import Heard, ZoneEvidence
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.schedule import Channel
from firmware_bridge.zone_feed import ZoneFeed

A, B, C = "E004000000000001", "E004000000000002", "E004000000000003"


def tags(*uids: str, rssi: int | None = None) -> tuple[TagRead, ...]:
    return tuple(TagRead(uid, TagKind.ISO15693, None, rssi) for uid in uids)


def after(*rounds: tuple[str, ...], window: int = 8) -> ZoneEvidence:
    evidence = ZoneEvidence(window=window)
    for uids in rounds:
        evidence = evidence.after(tags(*uids))
    return evidence


def feed() -> ZoneFeed:
    return ZoneFeed("seat-1", "reader-1", ChipRegister({A: "red-5"}), ZoneEvidence())


def over(ms: float, *uids: str, warnings: tuple[str, ...] = ()) -> RoundOver:
    return RoundOver(Channel("seat-1"), tags(*uids), warnings, 30.0, int(ms * 1e6))


def test_hits_count_rounds_that_heard_the_tag() -> None:
    assert after((A,), (A, B), (B,)).heard() == (Heard(A, 2, 3, 1, None), Heard(B, 2, 2, 0, None))


def test_one_missed_round_takes_no_chip_away() -> None:
    assert after((A,), (A,), (), (A,)).heard() == (Heard(A, 3, 4, 0, None),)


def test_window_slides() -> None:
    assert after(*[(A,)] * 12, window=8).heard() == (Heard(A, 8, 8, 0, None),)


def test_chip_is_forgotten_after_a_whole_window_without_it() -> None:
    assert [one.missed for one in after((A,), *[()] * 7).heard()] == [7]
    assert after((A,), *[()] * 8).heard() == ()


def test_forgotten_chip_that_comes_back_begins_anew() -> None:
    assert after((A,), *[()] * 8, (A,)).heard() == (Heard(A, 1, 1, 0, None),)


def test_tag_heard_by_several_antennas_counts_once_with_the_strongest() -> None:
    evidence = ZoneEvidence().after((*tags(A, rssi=10), *tags(A, rssi=90), *tags(A, rssi=40)))
    assert evidence.heard() == (Heard(A, 1, 1, 0, 90),)


def test_snapshot_names_the_chip_type_and_leaves_unknown_ones_unnamed() -> None:
    one = feed()
    snapshot = one.after(over(0, A, B))
    assert snapshot is not None
    assert [(chip.uid, chip.chip_type) for chip in snapshot.chips] == [(A, "red-5"), (B, None)]
    assert one.unknown == {B}


def test_where_an_act_is_awaited_every_round_that_heard_a_chip_makes_a_snapshot() -> None:
    one = feed()
    rounds = [one.after(over(35 * number, A), attended=True) for number in range(20)]
    assert [snapshot.round_no for snapshot in rounds if snapshot is not None] == list(range(1, 21))
    empty = [one.after(over(700 + 35 * number), attended=True) for number in range(12)]
    assert empty[-4:] == [None] * 4


def test_snapshot_follows_every_change_of_the_evidence() -> None:
    one = feed()
    assert [one.after(over(70.0 * number, A)) is not None for number in range(8)] == [True] * 8


def test_unchanged_zone_is_told_again_now_and_then_only() -> None:
    one = feed()
    told = [number * 70 for number in range(40) if one.after(over(70.0 * number)) is not None]
    assert told[0] == 0
    assert all(200 < later - earlier <= 500 for earlier, later in itertools.pairwise(told))


def test_rf_warning_is_passed_on() -> None:
    snapshot = feed().after(over(0, A, warnings=("rf_warning",)))
    assert snapshot is not None
    assert snapshot.rf_warning


def test_identifier_that_the_bus_does_not_carry_is_counted() -> None:
    one = feed()
    snapshot = one.after(over(0, A, "30" * 33))
    assert snapshot is not None
    assert [chip.uid for chip in snapshot.chips] == [A]
    assert one.unpublishable == 1


def test_a_zone_grows_with_two_new_tags_and_not_with_one_or_with_those_that_a_round_has_missed() -> None:
    assert after((A,), (A, B, C)).grows
    assert not after((A,), (A, B)).grows, "a chip alone, or one of a neighbour's that was overheard, is no pile"
    assert not after((A, B, C), (A,), (A, B, C)).grows
    assert not after((A,), (A, B, C), (A, B, C)).grows
    assert not after((A, B)).grows, "the first round hears what has lain there for long"
