"""What a seat's crop looks like when nothing happens: the empty felt, and the last settled picture.

The empty felt says whether something lies there, the settled picture whether something has changed or an arm is in the
way. Both are frozen: they are renewed only at proven moments, never by averaging (an adaptive background swallows a
chip that stays put within seconds).

At start-up chips may already lie in a zone. The median of quiet frames becomes the settled picture. What in it differs
from the zone's own median colour is taken for objects: none makes it the empty felt too; some are painted over with
that colour in the empty layer, so that they count as lying there; and a zone that is mostly covered, or whose median
is not the colour of the other seats' felt, stays unreferenced until a later settled picture passes the same test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame.zones import SeatZones
from vision.imaging.pictures import Mask, Picture, mapped, opened
from vision.tuning.thresholds import Thresholds

QUIET_FRAMES: Final = 15
"""Frames of which the median is taken, an odd number: half a second at 30 a second, and a third of the noise."""
FOREIGN_CHROMA: Final = 0.15
"""L1 distance of colour shares from which a zone's median colour is not that of the other zones' felt."""
SAME_LIGHT: Final = 0.012
"""A gain this near to 1 changes levels up to 80, dark felt, by less than one."""
_GROW = np.ones((5, 5), np.uint8)

Gain = npt.NDArray[np.float64]
Colour = npt.NDArray[np.float64]


def median_picture(pictures: Sequence[Picture]) -> Picture:
    """The median of each pixel over an odd number of pictures, (H, W, 3) uint8 BGR each."""
    stack = np.stack(pictures)
    middle = len(pictures) // 2
    return np.ascontiguousarray(np.partition(stack, middle, axis=0)[middle])


def with_gain(picture: Picture, gain: Gain) -> Picture:
    """The picture, (H, W, 3) uint8 BGR, as it would look under light that is brighter by ``gain``, (3,) float64."""
    if np.all(np.abs(gain - 1) < SAME_LIGHT):
        return picture
    steps = np.arange(256)[:, None] * gain[None, :]
    table = np.clip(np.round(steps), 0, 255).astype(np.uint8)
    return mapped(picture, table)


def felt_colour(picture: Picture, zones: SeatZones) -> Colour:
    """The median colour of a zone, (3,) float64 BGR: the felt's, while less than half of it is covered.

    ``picture`` is the seat's crop, (H, W, 3) uint8 BGR.
    """
    return np.asarray(np.median(picture.reshape(-1, 3)[zones.zone_at], axis=0), dtype=np.float64)


def chroma_distance(a: Colour, b: Colour) -> float:
    """How far two colours, (3,) float64 BGR, are apart whatever the light (L1 distance of their shares)."""
    return float(np.abs(a / max(a.sum(), 1.0) - b / max(b.sum(), 1.0)).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The two layers of one seat, blurred, (H, W, 3) uint8 BGR of its crop; ``gain``, (3,) float64, is the light's gain
    when they were taken.

    ``empty`` is None while it is not known how the empty zone looks.
    """

    settled: Picture
    empty: Picture | None
    gain: Gain

    def now(self, layer: Picture, gain: Gain) -> Picture:
        """A layer, (H, W, 3) uint8 BGR, as it would look in the present light."""
        return with_gain(layer, gain / self.gain)


def first_reference(
    picture: Picture, zones: SeatZones, elsewhere: Colour | None, gain: Gain, thresholds: Thresholds
) -> Reference:
    """The reference from a first picture of the seat, (H, W, 3) uint8 BGR.

    ``elsewhere`` is the felt's colour at the other seats, (3,) float64 BGR.
    """
    return Reference(picture, _empty_felt(picture, zones, elsewhere, thresholds), gain)


def settled(
    reference: Reference, picture: Picture, zones: SeatZones, gain: Gain, *, empty: bool, whole: bool
) -> Reference:
    """The reference after the zone settled with this picture, (H, W, 3) uint8 BGR; ``empty``: nothing lies in it.

    Unless ``whole`` only the zone is taken: an arm may still be on its way back behind the line. Both layers are in
    the present light from here on.
    """
    if not whole:
        before = reference.now(reference.settled, gain).copy()
        before.reshape(-1, 3)[zones.near_at] = picture.reshape(-1, 3)[zones.near_at]
        picture = before
    layer = reference.empty
    if layer is not None:
        layer = picture if empty else reference.now(layer, gain)
    return Reference(picture, layer, gain)


def settled_around(reference: Reference, picture: Picture, zones: SeatZones, gain: Gain) -> Reference:
    """The reference with this picture, (H, W, 3) uint8 BGR, taken everywhere but in the zone."""
    around = picture.copy()
    before = reference.now(reference.settled, gain)
    around.reshape(-1, 3)[zones.zone_at] = before.reshape(-1, 3)[zones.zone_at]
    empty = None if reference.empty is None else reference.now(reference.empty, gain)
    return Reference(around, empty, gain)


def learnt(reference: Reference, zones: SeatZones, elsewhere: Colour | None, thresholds: Thresholds) -> Reference:
    """The reference with another try at how the empty zone looks; ``elsewhere`` is (3,) float64 BGR."""
    return Reference(reference.settled, _empty_felt(reference.settled, zones, elsewhere, thresholds), reference.gain)


def _empty_felt(picture: Picture, zones: SeatZones, elsewhere: Colour | None, thresholds: Thresholds) -> Picture | None:
    colour = felt_colour(picture, zones)
    if elsewhere is not None and chroma_distance(colour, elsewhere) > FOREIGN_CHROMA:
        return None
    off = np.abs(picture.astype(np.int16) - colour.astype(np.int16)).max(axis=2)
    deviating: Mask = opened(np.where((off > thresholds.start_level) & (zones.zone > 0), np.uint8(255), np.uint8(0)))
    covered_px = cv2.countNonZero(deviating)
    if covered_px > thresholds.start_covered_share * len(zones.zone_at):
        return None
    if covered_px * zones.mm2_per_px < thresholds.occupied_chips * thresholds.chip_mm2:
        return picture
    empty = picture.copy()
    empty[cv2.dilate(deviating, _GROW) > 0] = np.round(colour).astype(np.uint8)
    return empty
