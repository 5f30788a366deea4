"""Chips that fall silent together: several at once are missing sooner than one, and never by chance."""

from dataclasses import replace

import pytest

from table_controller.sensing.alerts.silent import silent
from table_controller.sensing.belief import Standing, Track, ZoneBelief
from table_controller.sensing.quality import Quality


def belief(chips: int, missed: list[int], share: float = 0.05) -> ZoneBelief:
    """A zone of so many chips, of which some have missed so many rounds."""
    tracks = {
        f"{number:04}": Track(f"{number:04}", 5, Standing.PRESENT, 8 - rounds, 8, rounds, 1, 1)
        for number, rounds in enumerate(missed + [0] * (chips - len(missed)))
    }
    return replace(ZoneBelief("tray"), tracks=tracks, quality=Quality(1000 * (1 - share), 1000 * share))


@pytest.mark.parametrize(
    ("missed", "found"),
    [
        ([], 0), ([1], 0), ([2, 1, 1, 1, 1], 0), ([5], 0), ([6], 1), ([3, 3], 0), ([4, 4], 2), ([3] * 3, 3),
        ([2] * 5, 5), ([4, 4, 1, 1, 1], 2), ([6, 1], 1), ([4] * 9 + [2], 9), ([6, 3], 1),
        ([6, 6, 4, 4], 4),
    ],
)  # fmt: skip
def test_of_a_full_tray(missed: list[int], found: int) -> None:
    assert set(silent(belief(80, missed))) == {f"{number:04}" for number in range(found)}


def test_fewer_rounds_do_where_fewer_chips_lie() -> None:
    assert not silent(belief(80, [5]))
    assert silent(belief(8, [5])) == {"0000": 5}


def test_an_antenna_that_misses_more_needs_more() -> None:
    assert silent(belief(20, [4, 4]))
    assert not silent(belief(20, [4, 4], share=0.15))


def test_a_stray_is_none_of_the_zones_chips() -> None:
    zone = belief(10, [8])
    tracks = {uid: replace(track, standing=Standing.STRAY) for uid, track in zone.tracks.items()}
    assert not silent(replace(zone, tracks=tracks))
