"""Cards in a bet zone, with chips on them or beside them: they are no bet, and chips may be taken from them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frame import blobs
from vision.frame.shapes import shows_cards
from vision.frame.zones import SeatZones
from vision.imaging.pictures import Mask, above, all_of, any_of, grown, none_of, shrunk
from vision.seats.zone_frame import ZoneFrame
from vision.tuning.thresholds import Thresholds

STILL_THERE_SHARE: Final = 0.3
"""Chips beside cards have gone when at most this share of their place is covered."""
CHANGED_SHARE: Final = 0.4
"""Chips on cards have gone when at least this share of their place looks different; their middles may be pale too."""
FACE_LEVELS: Final = 24
"""The cards' face is seen where chips lay on it when its median is this near to that of the cards beside."""
FACE_EDGE_PX: Final = 3
"""The blurred edge and the shadow of a chip on cards."""


class ZoneCards:
    """The cards of one zone: known from when they were seen to lie there until the felt is seen there again, or
    something else lies on them.

    ``mask`` is where they are, ``bared`` where chips lay on them that have gone in the last frame: (H, W) uint8 of the
    zone's crop, 0 or 255.
    """

    def __init__(self, zones: SeatZones, thresholds: Thresholds) -> None:
        self._zones = zones
        self._thresholds = thresholds
        self.mask: Mask = np.zeros_like(zones.bets.zone)
        self.bared: Mask = self.mask

    @property
    def show(self) -> bool:
        """Whether a card or more lies in the zone, as far as chips and arms leave it to see."""
        least_px = self._thresholds.lying_cards * self._thresholds.card_mm2 / self._zones.bets.mm2_per_px
        return cv2.countNonZero(self.mask) >= least_px

    def note(self, seen: ZoneFrame, levels: Mask, arms: Mask, chips: Mask) -> None:
        """Takes a frame in which no arm is over the zone.

        ``levels`` are the differences of the seat's crop from both layers: pale cards on grey felt look like light, and
        cards behind the line stay apart from those beyond it, so neither light nor line is to be put right in them.
        ``arms`` are beside the zone, a mask over the crop; ``chips`` are those that had settled, a mask over the zone:
        where they are seen as they settled there are no cards. All are (H, W) uint8.
        """
        bets, thresholds = self._zones.bets, self._thresholds
        self.bared = np.zeros_like(self.mask)
        found = blobs.objects(levels, self._zones.sector, thresholds)
        cards = blobs.cards(found, levels, arms, self.mask, chips, self._zones, thresholds)
        other = all_of(bets.of(found.mask(found.real)), none_of(bets.of(cards)))
        stay = all_of(self.mask, all_of(above(seen.from_empty, thresholds.weak_level), none_of(other)))
        unchanged = all_of(chips, none_of(above(seen.from_settled, thresholds.weak_level)))
        self.mask = all_of(any_of(stay, grown(bets.of(cards))), none_of(unchanged))
        if self.mask.any() and chips.any():
            face = self._bared_face(seen, chips)
            self.mask = any_of(self.mask, any_of(self._bared_corners(seen, chips), face))
            self.bared = all_of(chips, face)

    def _bared_corners(self, seen: ZoneFrame, chips: Mask) -> Mask:
        """Corners of known cards that chips had hidden: where the chips lay beside the cards, felt is seen now."""
        whole, there = blobs.rectangles(self.mask), above(seen.from_empty, self._thresholds.weak_level)
        beside = all_of(chips, none_of(grown(whole)))
        beside_px = cv2.countNonZero(beside)
        if beside_px == 0 or cv2.countNonZero(all_of(beside, there)) > STILL_THERE_SHARE * beside_px:
            return np.zeros_like(self.mask)
        return all_of(all_of(chips, whole), there)

    def _bared_face(self, seen: ZoneFrame, chips: Mask) -> Mask:
        """What chips on known cards had hidden of them, once they have gone: the cards' colour is seen where they lay,
        or the outline of all that lies there is that of cards alone.
        """
        thresholds, bets = self._thresholds, self._zones.bets
        chips_px, there = cv2.countNonZero(chips), above(seen.from_empty, thresholds.weak_level)
        inside = shrunk(chips, FACE_EDGE_PX)  # cards that come beside chips change what is seen at their edges
        if not inside.any():
            inside = chips
        changed = all_of(inside, above(seen.from_settled, thresholds.weak_level))
        if cv2.countNonZero(changed) < CHANGED_SHARE * cv2.countNonZero(inside):
            return np.zeros_like(self.mask)
        whole = blobs.rectangles(self.mask)
        upon, card = all_of(chips, whole), all_of(self.mask, none_of(grown(chips)))
        if 2 * cv2.countNonZero(upon) > chips_px and card.any():
            now, beside = (np.median(seen.picture[mask > 0], axis=0) for mask in (upon, card))
            face = np.abs(now - beside).max() <= FACE_LEVELS
            return all_of(all_of(grown(chips, FACE_EDGE_PX), whole), there) if face else np.zeros_like(self.mask)
        found = blobs.objects(seen.from_empty, bets.zone, thresholds)
        lying = found.mask(np.bincount(found.labels[self.mask > 0], minlength=len(found.real)) > 0)
        return lying if shows_cards(lying, bets.mm2_per_px**0.5, thresholds) else np.zeros_like(self.mask)
