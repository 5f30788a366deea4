"""The air-time model against the figures of HARDWARE.md 1.3."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from virtual_table.readers.air import anticollision

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
