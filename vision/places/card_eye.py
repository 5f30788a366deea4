"""A watched place of the felt as the camera sees it at rest: what lies there, what is new, what has gone.

As at the seats there are two frozen layers: the empty felt and the last settled picture. A thing that is new differs
from both; what has gone differed from the felt when the place settled and does no longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import blobs
from vision.frame.reference import QUIET_FRAMES, Gain, with_gain
from vision.frame.shapes import Kind, Shape, shape_of
from vision.frame.zones import Indices
from vision.imaging.pictures import (
    Mask,
    Picture,
    all_of,
    any_of,
    blurred,
    difference,
    none_of,
    opened,
    smaller,
    without_shadow,
)
from vision.places.card_places import Place
from vision.tuning.thresholds import Thresholds

EDGE_MM: Final = 25.0
"""A thing that touches the place's edge for this long may be the end of something larger: an arm, a stack."""
OUTLINE_SHARE: Final = 0.5
"""A thing's outline runs where this share of its contrast is reached."""
_GROW: Final = np.ones((7, 7), np.uint8)
"""So near to a thing, 3 px, its shadow and blur still change the felt."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the felt: ``at_px`` is its middle in the full picture, ``on_top`` the share of it that lies on what
    had been lying there, ``cut`` says that it goes on beyond the place's edge, ``colour`` is its mean one, BGR, in the
    light of the start, ``box_px`` are its left, top, right and bottom in the full picture.
    """

    kind: Kind
    chips: int
    area_mm2: float
    at_px: tuple[float, float]
    on_top: float
    cut: bool
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    box_px: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A place at rest. ``gone``, (H, W) uint8, marks the pixels of its crop from which something was taken, and
    ``gone_mm2`` is their area.
    """

    lying: tuple[Thing, ...]
    fresh: tuple[Thing, ...]
    gone: Mask
    gone_mm2: float
    covered: bool

    def lying_mm2(self, *kinds: Kind) -> float:
        """The area of what lies there, of all kinds or of some."""
        return sum(thing.area_mm2 for thing in self.lying if not kinds or thing.kind in kinds)


class PlaceEye:
    """Holds the reference of one place; looks when asked."""

    def __init__(self, place: Place, thresholds: Thresholds) -> None:
        self.place = place
        self._thresholds = thresholds
        self._sum: npt.NDArray[np.float32] | None = None
        self._collected = 0
        self._settled: Picture | None = None
        self._empty: Picture | None = None
        self._gain: Gain = np.ones(3)
        self._mask: Mask = np.zeros_like(place.mask)
        self._seen: tuple[Picture, Mask] | None = None
        within = cv2.erode(place.mask, np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        self._edge: Mask = all_of(place.mask, none_of(np.asarray(within, dtype=np.uint8)))

    @property
    def ready(self) -> bool:
        """Whether the references have been taken."""
        return self._settled is not None

    @property
    def lying(self) -> Mask:
        """What lay there when it settled, as a mask of the place's crop: (H, W) uint8, 0 or 255."""
        return self._mask

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers."""
        self._thresholds = thresholds

    def collect(self, frame: Picture, quiet: bool, gain: Gain) -> bool:
        """Gathers quiet frames, (H, W, 3) uint8 BGR; their mean becomes the reference. True when that is done.

        What differs there from the felt's own colour lies there already, unless it is most of the place.
        """
        if not quiet:
            self._sum, self._collected = None, 0
            return False
        crop = self.place.crop(frame)
        if self._sum is None:
            self._sum = np.zeros(crop.shape, np.float32)
        cv2.accumulate(crop, self._sum)
        self._collected += 1
        if self._collected < QUIET_FRAMES:
            return False
        self._settled = blurred(np.round(self._sum / self._collected).astype(np.uint8))
        self._empty = _felt_below(self._settled, self.place, self._thresholds.start_level)
        self._gain, self._sum = gain, None
        self._mask = self._lying(difference(self._settled, self._empty)).mask
        return True

    def look(self, frame: Picture, gain: Gain, shadows: bool) -> Look:
        """What the place shows in a frame, (H, W, 3) uint8 BGR; ``shadows``: somebody is near who may cast one."""
        assert self._settled is not None
        assert self._empty is not None
        thresholds, place = self._thresholds, self.place
        picture = blurred(place.crop(frame))
        settled, empty = (with_gain(layer, gain / self._gain) for layer in (self._settled, self._empty))
        from_settled, from_empty = difference(picture, settled), difference(picture, empty)
        if shadows:
            from_settled = without_shadow(from_settled, picture, settled, thresholds.weak_level)
            from_empty = without_shadow(from_empty, picture, empty, thresholds.weak_level)
        lies = self._lying(from_empty)
        new = smaller(from_settled, from_empty)
        fresh = blobs.objects(new, place.mask, thresholds)
        gone = all_of(all_of(self._mask, none_of(lies.mask)), _over(from_settled, thresholds.weak_level))
        gone = opened(gone)
        lying = self._things(lies.found, from_empty, picture, gain)
        self._seen = (picture, lies.mask)
        return Look(
            lying=lying,
            fresh=self._things(fresh, new, picture, gain),
            gone=gone,
            gone_mm2=cv2.countNonZero(gone) * place.mm2_per_px,
            covered=any(_reaches_in(thing, thresholds.foreign_chips * thresholds.chip_mm2) for thing in lying),
        )

    def adopt(self, gain: Gain, shadows: bool) -> None:
        """Takes the picture of the last look as the settled one, and as empty felt where nothing lies.

        ``gain``, (3,) float64, is the light's of that frame.
        While somebody is near who may cast a shadow, only what lies there or has gone is taken.
        """
        assert self._seen is not None
        assert self._settled is not None
        assert self._empty is not None
        picture, mask = self._seen
        settled, empty = (with_gain(layer, gain / self._gain) for layer in (self._settled, self._empty))
        lies = np.asarray(cv2.dilate(mask, _GROW), dtype=np.uint8)
        if shadows:
            placed = any_of(lies, np.asarray(cv2.dilate(self._mask, _GROW), dtype=np.uint8))
            settled = settled.copy()
            cv2.copyTo(picture, placed, settled)
            picture = settled
        else:
            empty = empty.copy()
            cv2.copyTo(picture, none_of(lies), empty)
        self._settled, self._empty, self._gain, self._mask = picture, empty, gain, mask

    def _lying(self, levels: Mask) -> _Lies:
        found = blobs.objects(levels, self.place.mask, self._thresholds)
        least_px = self._thresholds.thing_chips * self._thresholds.chip_mm2 / self.place.mm2_per_px
        return _Lies(found, found.mask(found.real & (found.area_px >= least_px)))

    def _things(self, found: blobs.Objects, levels: Mask, picture: Picture, gain: Gain) -> tuple[Thing, ...]:
        """The objects of a crop as things: their outline runs where half of their contrast is reached."""
        place, thresholds = self.place, self._thresholds
        least_px = thresholds.thing_chips * thresholds.chip_mm2 / place.mm2_per_px
        chosen = np.flatnonzero(found.real & (found.area_px >= least_px))
        if len(chosen) == 0:
            return ()
        at = np.flatnonzero(found.labels != 0)
        label_at = found.labels.reshape(-1)[at]
        things = []
        for label in chosen:
            rows, columns = np.divmod(at[label_at == label], found.labels.shape[1])
            y0, x0 = int(rows.min()), int(columns.min())
            contrast = levels[rows, columns]
            inside = contrast > max(thresholds.weak_level, OUTLINE_SHARE * float(np.median(contrast)))
            piece = np.zeros((int(rows.max()) - y0 + 1, int(columns.max()) - x0 + 1), np.uint8)
            piece[rows[inside] - y0, columns[inside] - x0] = 255
            for part in _parts(piece, least_px):
                mine = part[rows - y0, columns - x0] > 0
                shape = shape_of(all_of(piece, part), place.mm_per_px, thresholds)
                if shape.area_mm2 >= thresholds.thing_chips * thresholds.chip_mm2:
                    things.append(self._thing(shape, (rows[mine], columns[mine]), inside[mine], picture, gain))
        return tuple(things)

    def _thing(
        self, shape: Shape, at: tuple[Indices, Indices], inside: npt.NDArray[np.bool_], picture: Picture, gain: Gain
    ) -> Thing:
        """What has a shape: ``at`` are its rows and columns in the crop, (N,) intp each, ``inside`` says which of these
        are within its outline.
        """
        place, (rows, columns) = self.place, at
        blue, green, red = (picture[rows[inside], columns[inside]].mean(axis=0) / gain).tolist()
        at_edge = int((self._edge[rows, columns] > 0).sum())
        return Thing(
            shape.kind,
            shape.chips,
            shape.area_mm2,
            (float(columns.mean()) + place.x0, float(rows.mean()) + place.y0),
            float((self._mask[rows, columns] > 0).mean()),
            at_edge * place.mm_per_px >= EDGE_MM,
            (blue, green, red),
            (
                int(columns.min()) + place.x0,
                int(rows.min()) + place.y0,
                int(columns.max()) + place.x0,
                int(rows.max()) + place.y0,
            ),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Lies:
    found: blobs.Objects
    mask: Mask


def _reaches_in(thing: Thing, least_mm2: float) -> bool:
    """Whether a thing may be an arm that has come to rest."""
    return thing.cut and thing.kind in ("ragged", "unknown") and thing.area_mm2 >= least_mm2


def _parts(piece: Mask, least_px: float) -> list[Mask]:
    """The things in a connected piece of crop, as masks, where only a shadow or a blur joins them at its half contrast;
    all of it where that is one thing.
    """
    outlines, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [at for at, outline in enumerate(outlines) if cv2.contourArea(outline) >= least_px]
    if len(large) < 2:
        return [np.full_like(piece, 255)]
    return [cv2.drawContours(np.zeros_like(piece), outlines, at, 255, cv2.FILLED).astype(np.uint8) for at in large]


def _over(levels: Mask, level: float) -> Mask:
    return np.where(levels > level, np.uint8(255), np.uint8(0))


def _felt_below(picture: Picture, place: Place, start_level: int) -> Picture:
    """The picture with what is not of the felt's own colour painted over."""
    colour = np.median(picture[place.plain > 0], axis=0)
    off = np.abs(picture.astype(np.int16) - colour.astype(np.int16)).max(axis=2)
    things: Mask = opened(np.where((off > start_level) & (place.plain > 0), np.uint8(255), np.uint8(0)))
    empty = picture.copy()
    empty[(cv2.dilate(things, _GROW) > 0) & (place.plain > 0)] = np.round(colour).astype(np.uint8)
    return empty
