"""What a film may show sharply: the felt, and nothing else. Applied to each picture before anything of it is written.

- Beyond the rail everything is black: people, the room, the floor.
- The rail is coarse: squares of some 50 mm, each of one colour. Sleeves are seen to come and go; a face over the rail
  is some twenty squares.
- What reaches in over the rail onto the felt and is as large as a head is made just as coarse, there too.

No face detector is trusted here: OpenCV ships without a model since version 5, and from above it is hair or a cap that
is seen. Size alone decides: a forearm with its sleeve is narrower than `HEAD_MM`, a head with its hair is not, and it
is nearer to the camera, so it looks larger still.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np

from betline.geometry import Point
from betline.settings import TableSettings
from betline.units import NS_PER_MS
from vision.calibration.calibration import Calibration, Floats
from vision.imaging.pictures import Mask, Picture, above, all_of, any_of, difference, grown, none_of, resized

BLOCK_MM: Final = 50.0
"""Side of the coarse squares: a head is some twenty of them."""
HEAD_MM: Final = 150.0
"""What a disc of this width fits into is as large as a head."""
SCALE: Final = 4
"""Heads are sought in a picture of a quarter of the size."""
LEVEL: Final = 24
"""Grey levels by which something differs from the felt as it was."""
LEARN_EVERY_NS: Final = 200 * NS_PER_MS
LEARN: Final = 15
"""So many pictures of the first seconds show the felt as it was: their median, without what moved."""
SLOW: Final = 0.02
"""Share of each later picture of what is no head that goes into it: the light drifts, stacks grow."""


class Veil:
    """Hides people in the pictures of one camera; not thread-safe, pictures come in order."""

    def __init__(self, table: TableSettings, calibration: Calibration) -> None:
        width, height = calibration.width_px, calibration.height_px
        self._size = (width, height)
        felt_mm = table.felt.outline_mm
        self._felt = _filled(calibration, felt_mm)
        self._table = _filled(calibration, widened(felt_mm, table.felt.rail_width_mm))
        px_per_mm = calibration.mm2_per_px(_middle(felt_mm)) ** -0.5
        self._block_px = max(4, round(BLOCK_MM * px_per_mm))
        head_px = max(3, round(HEAD_MM * px_per_mm / SCALE)) | 1
        self._disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (head_px, head_px))
        self._small = (width // SCALE, height // SCALE)
        self._small_felt = above(resized(self._felt, self._small), 127)
        self._small_table = above(resized(self._table, self._small), 127)
        self._coming: deque[Picture] = deque(maxlen=LEARN)
        self._learnt: np.ndarray[tuple[int, ...], np.dtype[np.float32]] | None = None
        self._next_ns: int | None = None
        self.hidden_px = 0
        """Of the felt, in the last picture: pixels made coarse because something as large as a head was there."""

    @property
    def ready(self) -> bool:
        """Whether the felt is known: before, nothing of the table is sharp."""
        return self._learnt is not None

    def over(self, picture: Picture, t_ns: int) -> Picture:
        """The picture, (H, W, 3) uint8 BGR, as it may be kept: (height, width, 3) of the calibration, a copy."""
        if (picture.shape[1], picture.shape[0]) != self._size:
            picture = resized(picture, self._size)
        sharp = self._sharp(picture, t_ns)
        coarse = _coarse(picture, self._block_px)
        kept = cv2.copyTo(picture, sharp, coarse)
        return np.asarray(cv2.bitwise_and(kept, kept, mask=self._table), dtype=np.uint8)

    def _sharp(self, picture: Picture, t_ns: int) -> Mask:
        """Where the picture may be sharp: (H, W) uint8."""
        small = resized(picture, self._small)
        if self._learnt is None:
            self.hidden_px = 0
            if self._next_ns is None or t_ns >= self._next_ns:
                self._next_ns = t_ns + LEARN_EVERY_NS
                self._coming.append(small)
            if len(self._coming) < LEARN:
                return np.zeros_like(self._felt)
            self._learnt = np.median(np.stack(self._coming), axis=0).astype(np.float32)
            self._coming.clear()
        heads = self._heads(small)
        if self._next_ns is None or t_ns >= self._next_ns:
            self._next_ns = t_ns + LEARN_EVERY_NS
            cv2.accumulateWeighted(small, self._learnt, SLOW, none_of(heads))
        if not heads.any():
            self.hidden_px = 0
            return self._felt
        hidden = cv2.resize(heads, self._size, interpolation=cv2.INTER_NEAREST)
        sharp = all_of(self._felt, none_of(np.asarray(hidden, dtype=np.uint8)))
        self.hidden_px = int(cv2.countNonZero(self._felt) - cv2.countNonZero(sharp))
        return sharp

    def _heads(self, small: Picture) -> Mask:
        """What is as large as a head and comes in from beyond the felt, with what is around it: (h, w) uint8."""
        assert self._learnt is not None
        changed = above(difference(small, np.asarray(self._learnt, dtype=np.uint8)), LEVEL)
        changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        # Beyond the felt nothing is known to be small: a head is cut by the felt's border, and must not get through.
        large = cv2.morphologyEx(any_of(changed, none_of(self._small_table)), cv2.MORPH_OPEN, self._disc)
        large = all_of(np.asarray(large, dtype=np.uint8), self._small_felt)
        if not large.any():
            return large
        count, labels = cv2.connectedComponents(any_of(large, all_of(changed, none_of(self._small_felt))))
        beyond = np.unique(labels[(self._small_felt == 0) & (labels > 0)])
        from_outside = np.isin(np.arange(count), beyond)
        found = np.where(from_outside[labels] & (large > 0), np.uint8(255), np.uint8(0))
        return grown(np.asarray(found, dtype=np.uint8), max(2, self._disc.shape[0] // 6))


def widened(polygon_mm: tuple[Point, ...], by_mm: float) -> tuple[Point, ...]:
    """An outline moved outwards by so much along the bisector of each corner."""
    corners = np.asarray(polygon_mm, np.float64)
    before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
    x, y = corners[:, 0], corners[:, 1]
    turn = np.sign(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) or 1.0

    def outward(from_: Floats, to: Floats) -> Floats:
        along = to - from_
        normal = np.stack((along[:, 1], -along[:, 0]), axis=1) * turn
        length = np.hypot(normal[:, 0], normal[:, 1])[:, None]
        return np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)

    first, second = outward(before, corners), outward(corners, after)
    middle = first + second
    share = np.maximum(np.sum(middle * first, axis=1), 0.5)[:, None]
    return tuple((float(a), float(b)) for a, b in corners + by_mm * middle / share)


def _filled(calibration: Calibration, polygon_mm: tuple[Point, ...]) -> Mask:
    mask = np.zeros((calibration.height_px, calibration.width_px), np.uint8)
    cv2.fillPoly(mask, [np.round(calibration.outline_px(polygon_mm) * 16).astype(np.int32)], 255, shift=4)
    return mask


def _middle(polygon_mm: tuple[Point, ...]) -> Point:
    xs, ys = zip(*polygon_mm, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _coarse(picture: Picture, block_px: int) -> Picture:
    """The picture in squares of one colour each: (H, W, 3) uint8."""
    height, width = picture.shape[:2]
    few = (max(1, width // block_px), max(1, height // block_px))
    return np.asarray(cv2.resize(resized(picture, few), (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
