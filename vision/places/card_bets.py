"""Bets that are none: a phone or another smooth slab in a bet zone is told as a strange thing, not as chips.

The seats' own eyes see that something lies in a zone. Its outline alone does not tell a phone from a block of tall
stacks, but stacks are speckled with edge spots and inlays: only what is one rectangle of one colour is no bet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.frame.zones import SeatZones
from vision.imaging.pictures import Mask, Picture, grey
from vision.places.card_shape import measured
from vision.seats.state import SeatEvent
from vision.tuning.thresholds import Thresholds

SPREAD_PX: Final = 3.7
"""The masks of the zones run this far outside of a thing: its shadow and all of its blur belong to them."""
EXTENT: Final = 0.92
RIM_MM: Final = 12.0
LAID_NS: Final = 250_000_000
MOST: Final = 0.7

_LOST: Final[frozenset[str]] = frozenset({"chips_retracted", "pot_swept", "bet_pushed_in"})
_LIES: Final[frozenset[str]] = frozenset({"chips_crossing", "bet_settled", "bet_amended", "string_suspect"})


@dataclass(frozen=True, slots=True, eq=False)
class BetSeen:
    """What a seat told, and the mask of what lies in its zone, cut to ``zones.bets``."""

    zones: SeatZones
    event: SeatEvent
    lying: Mask


class Bets:
    """What the seats told lately of their zones.

    ``lost_ns`` is when each zone last lost chips; ``strange`` are the seats in whose zone no bet lies but a strange
    thing.
    """

    def __init__(self) -> None:
        self.lost_ns: dict[int, int] = {}
        self.strange: set[int] = set()
        self._entered_ns: dict[int, int] = {}
        self._left_ns: dict[int, int] = {}

    def see(
        self, seen: Sequence[BetSeen], picture: Picture, thresholds: Thresholds
    ) -> tuple[tuple[int, SeatEvent], ...]:
        """Takes what the seats told in a frame; returns the strange things that are new."""
        return tuple(told for bet in seen for told in self._one(bet, picture, thresholds))

    def _one(self, bet: BetSeen, picture: Picture, thresholds: Thresholds) -> tuple[tuple[int, SeatEvent], ...]:
        seat, event = bet.zones.seat, bet.event
        if event.event == "hand_entered":
            self._entered_ns[seat] = event.t_first_ns
        elif event.event == "hand_left":
            self._left_ns[seat] = event.t_first_ns
        if event.event in _LOST:
            self.lost_ns[seat] = event.t_confirm_ns
        if event.event not in _LIES and event.event not in _LOST:
            return ()
        area_mm2 = strange_mm2(bet, picture, thresholds)
        if area_mm2 == 0.0:
            self.strange.discard(seat)
            return ()
        if seat in self.strange:
            return ()
        self.strange.add(seat)
        told = replace(
            event,
            event="unknown_object",
            t_first_ns=self._laid_ns(seat, event),
            conf=0.8,
            area_mm2=area_mm2,
            footprints=0,
            motions=0,
        )
        return ((seat, told),)

    def _laid_ns(self, seat: int, event: SeatEvent) -> int:
        """A little after the hand had come over the line; it covers what it lays down."""
        entered_ns, left_ns = self._entered_ns.get(seat, 0), self._left_ns.get(seat, 0)
        if event.t_first_ns > entered_ns or left_ns <= entered_ns:
            return event.t_first_ns
        return min(entered_ns + LAID_NS, (entered_ns + left_ns) // 2)


def strange_mm2(bet: BetSeen, picture: Picture, thresholds: Thresholds) -> float:
    """The area of a smooth slab that is most of what lies in a zone, 0 where there is none."""
    if not bet.lying.any():
        return 0.0
    mm_per_px = math.sqrt(bet.zones.bets.mm2_per_px)
    crop = grey(bet.zones.bets.of(bet.zones.crop(picture)))
    count, labels = cv2.connectedComponents(bet.lying, connectivity=8)
    lying_px = cv2.countNonZero(bet.lying)
    for label in range(1, count):
        piece = np.where(np.asarray(labels) == label, np.uint8(255), np.uint8(0))
        if cv2.countNonZero(piece) >= MOST * lying_px and _is_slab(piece, crop, mm_per_px, thresholds):
            return cv2.countNonZero(piece) * bet.zones.bets.mm2_per_px
    return 0.0


def _is_slab(piece: Mask, crop: Mask, mm_per_px: float, limits: Thresholds) -> bool:
    seen = measured(piece, mm_per_px, SPREAD_PX)
    if seen is None or seen.extent < EXTENT:
        return False
    wide = limits.slab_least_wide_mm <= seen.short_mm <= limits.slab_most_wide_mm
    if not (wide and limits.slab_least_long_mm <= seen.long_mm <= limits.slab_most_long_mm):
        return False
    outlines, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(piece)
    cv2.fillConvexPoly(filled, cv2.convexHull(np.concatenate(outlines)), 255)
    size = 2 * round(RIM_MM / mm_per_px + SPREAD_PX) + 1
    inside = cv2.erode(filled, np.ones((size, size), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    levels = crop[np.asarray(inside) > 0]
    return len(levels) > 0 and float(levels.std()) < limits.slab_levels
