"""The air-time model against the figures of hardware_docs/readers.md."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from virtual_table.readers.air import ISO14443A, ISO15693, ISO18000_3M3, UHF_GEN2, AirInterface, anticollision

PUBLISHED_MS = {1: 14, 5: 39, 10: 82, 20: 183, 40: 379, 60: 551, 100: 876}


@pytest.mark.parametrize("count", PUBLISHED_MS)
def test_read_time_grows_with_the_tags_as_published(count: int) -> None:
    rng = random.Random(count)
    times = [anticollision(rng.getrandbits(48) for _ in range(count))[0] for _ in range(200)]
    assert mean(times) == pytest.approx(PUBLISHED_MS[count], rel=0.08)


def test_every_tag_is_told_apart_once() -> None:
    rng = random.Random(0)
    uids = [rng.getrandbits(64) for _ in range(300)]
    assert sorted(anticollision(uids)[1]) == sorted(uids)


def test_tags_that_differ_in_their_highest_bits_only_are_told_apart() -> None:
    uids = [top << 60 | 0x4010203040506 for top in range(5)]
    assert sorted(anticollision(uids)[1]) == sorted(uids)


EPCS = [f"E280{number * 7919:020X}" for number in range(200)]
CARDS = [f"04{number * 7919:012X}" for number in range(30)]


@pytest.mark.parametrize(
    ("air", "uids"),
    [(ISO15693, [f"E004{n:012X}" for n in range(200)]), (ISO18000_3M3, EPCS), (UHF_GEN2, EPCS), (ISO14443A, CARDS)],
)
def test_each_interface_tells_every_tag_apart_once(air: AirInterface, uids: list[str]) -> None:
    took_ms, order = air.tell_apart(uids, random.Random(1))
    assert sorted(order) == sorted(uids)
    assert took_ms > air.tell_apart(uids[:5], random.Random(1))[0] > air.tell_apart((), random.Random(1))[0] > 0


@pytest.mark.parametrize(("air", "least", "most"), [(ISO18000_3M3, 240, 380), (UHF_GEN2, 130, 210)])
def test_slotted_interfaces_read_as_many_tags_a_second_as_documented(air: AirInterface, least: int, most: int) -> None:
    took_ms = mean(air.tell_apart(EPCS[:40], random.Random(seed))[0] for seed in range(50))
    assert least < 40 / took_ms * 1000 < most


def test_cards_with_longer_identifiers_take_longer() -> None:
    times = [ISO14443A.tell_apart([uid], random.Random(1))[0] for uid in ("04AABBCC", "04AABBCCDDEEFF", "04" * 10)]
    assert times == sorted(times)
    assert times[0] < 5
