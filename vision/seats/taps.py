"""Taps: a hand that knocks on the felt at the line, known by how much of it is seen there frame by frame.

A hand that is lifted looks smaller beyond the line, since the camera sees it lean outwards; so each knock is a dip
between two peaks. One knock alone looks like any short reach, and is not reported. Pure functions.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

from betline.units import NS_PER_MS
from vision.tuning.thresholds import Thresholds

FRAMES: Final = 60
"""So many frames of a hand are kept: two seconds."""
MIN_DIP_CHIPS: Final = 0.06
"""Chip areas by which the hand must look smaller between two touches, so that noise makes none."""
MAX_TOUCHES: Final = 4
"""Who knocks more often drums on the felt."""
CONF: Final = 0.6
"""Confidence in knocks: a hand that fumbles with chips looks alike."""
LOST_FRAMES: Final = 2
LOST_SHARE: Final = 0.5
"""A hand that is gone for so few frames, between two in which at least this share of it is seen, was overlooked."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Some knocks in a row: the first touch, and how many."""

    t_first_ns: int
    touches: int
    conf: float


def tapped(reach: tuple[tuple[int, float], ...], thresholds: Thresholds) -> Tap | None:
    """The knocks in a hand's stay, None where there are none; ``reach`` is (time in ns, area in mm2) a frame."""
    if not reach or max(area for _, area in reach) > thresholds.tap_reach_chips * thresholds.chip_mm2:
        return None
    peaks = _peaks(_filled(reach), MIN_DIP_CHIPS * thresholds.chip_mm2, thresholds.tap_dip_share)
    if not 2 <= len(peaks) <= MAX_TOUCHES:
        return None
    gaps_ms = [(later - earlier) / NS_PER_MS for earlier, later in itertools.pairwise(peaks)]
    if not all(thresholds.tap_least_gap_ms <= gap_ms <= thresholds.tap_most_gap_ms for gap_ms in gaps_ms):
        return None
    return Tap(peaks[0], len(peaks), CONF)


def _filled(reach: tuple[tuple[int, float], ...]) -> tuple[tuple[int, float], ...]:
    """The reach with a straight line where the hand was overlooked."""
    least = LOST_SHARE * max(area for _, area in reach)
    seen = [at for at, (_, area) in enumerate(reach) if area > 0]
    filled = list(reach)
    for left, right in itertools.pairwise(seen):
        before, after = reach[left][1], reach[right][1]
        if 1 < right - left <= LOST_FRAMES + 1 and min(before, after) >= least:
            for at in range(left + 1, right):
                filled[at] = (reach[at][0], before + (after - before) * (at - left) / (right - left))
    return tuple(filled)


def _peaks(reach: tuple[tuple[int, float], ...], least_dip_mm2: float, dip_share: float) -> list[int]:
    """When the hand was seen largest, between dips that are deep enough."""
    peaks: list[int] = []
    top_ns, top, low, falling = 0, 0.0, 0.0, False
    for t_ns, area in reach:
        if not falling:
            if area > top:
                top_ns, top = t_ns, area
            elif area <= dip_share * top and top - area >= least_dip_mm2:
                peaks.append(top_ns)
                low, falling = area, True
        else:
            low = min(low, area)
            if area * dip_share >= low and area - low >= least_dip_mm2:
                top_ns, top, falling = t_ns, area, False
    return peaks
