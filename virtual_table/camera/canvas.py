"""Drawing on a part of the picture: polygons and tapered limbs, to a sixteenth of a pixel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from virtual_table.camera.optics import Floats, Image

cv2.setNumThreads(1)

_SHIFT = 4
_ONE = 1 << _SHIFT
_ROUND_CORNERS = 9
_ROUND_A = np.linspace(math.pi / 2, 3 * math.pi / 2, _ROUND_CORNERS)
_ROUND_B = np.linspace(-math.pi / 2, math.pi / 2, _ROUND_CORNERS)

Bgr = tuple[float, float, float]


def bgr(colour: str) -> Bgr:
    """``#rrggbb`` as blue, green, red from 0 to 255, as OpenCV takes them."""
    return (float(int(colour[5:7], 16)), float(int(colour[3:5], 16)), float(int(colour[1:3], 16)))


def mix(a: Bgr, b: Bgr, share: float) -> Bgr:
    """Colour ``a`` with a share of ``b``."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


def shade(colour: Bgr, gain: float) -> Bgr:
    """The colour brighter or darker."""
    return (min(255.0, colour[0] * gain), min(255.0, colour[1] * gain), min(255.0, colour[2] * gain))


@dataclass(frozen=True, slots=True)
class Rect:
    """A part of the picture in whole pixels; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, points_px: npt.ArrayLike, margin_px: float = 0.0) -> Rect:
        """The smallest part that holds all points (..., 2) and a margin."""
        points = np.asarray(points_px, dtype=float).reshape(-1, 2)
        low, high = points.min(axis=0) - margin_px, points.max(axis=0) + margin_px
        return cls(math.floor(low[0]), math.floor(low[1]), math.ceil(high[0]) + 1, math.ceil(high[1]) + 1)

    def within(self, width: int, height: int) -> Rect:
        return Rect(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def grown(self, by: int) -> Rect:
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @property
    def empty(self) -> bool:
        return self.left >= self.right or self.top >= self.bottom

    @property
    def area(self) -> int:
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    def touches(self, other: Rect) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def joined(self, other: Rect) -> Rect:
        return Rect(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def of(self, image: Image) -> Image:
        """That part of a picture (H, W) or (H, W, 3) uint8: a view, not a copy."""
        return image[self.top : self.bottom, self.left : self.right]


def merged(rects: Sequence[Rect]) -> list[Rect]:
    """Rectangles that cover the same pixels and do not touch each other."""
    done: list[Rect] = []
    for rect in rects:
        current = rect
        if current.empty:
            continue
        while hits := [other for other in done if other.touches(current)]:
            for other in hits:
                done.remove(other)
                current = current.joined(other)
        done.append(current)
    return done


class Canvas:
    """A part of a picture, (h, w) or (h, w, 3) uint8, drawn on in place; positions are those of the whole picture."""

    def __init__(self, image: Image, left: int = 0, top: int = 0) -> None:
        self.image = image
        self._origin: Floats = np.array((left, top), dtype=float)

    def polygons(self, polygons: Sequence[Floats], colour: Bgr | float) -> None:
        """Fills polygons, each (k, 2) float64 pixels, with smooth edges."""
        cv2.fillPoly(self.image, [self._fixed(points) for points in polygons], _scalar(colour), cv2.LINE_AA, _SHIFT)

    def polygon(self, points: Floats, colour: Bgr | float) -> None:
        cv2.fillPoly(self.image, [self._fixed(points)], _scalar(colour), cv2.LINE_AA, _SHIFT)

    def outline(self, points: Floats, colour: Bgr | float, width_px: float, closed: bool = True) -> None:
        """Draws a line through the points, (k, 2) float64 pixels."""
        thickness = max(1, round(width_px))
        cv2.polylines(self.image, [self._fixed(points)], closed, _scalar(colour), thickness, cv2.LINE_AA, _SHIFT)

    def each(self, outlines: Floats, colours: Sequence[Bgr | float]) -> None:
        """Fills polygons (n, k, 2) float64 in order, each with its colour."""
        for fixed, colour in zip(self._fixed(outlines), colours, strict=True):
            cv2.fillPoly(self.image, [fixed], _scalar(colour), cv2.LINE_AA, _SHIFT)

    def photo(self, picture: Image, corners_px: Floats, at_px: Floats) -> None:
        """Lays a photo, (h, w, 3) BGR or (h, w, 4) BGRA uint8, on the picture: three of its points, (3, 2) float64,
        come to three others.
        """
        reached = cv2.transform(_corners(picture)[None], _affine(corners_px, at_px))[0]
        rect = Rect.around(reached, 1.0)
        left, top = (int(value) for value in self._origin)
        height, width = self.image.shape[:2]
        part = Rect(rect.left - left, rect.top - top, rect.right - left, rect.bottom - top).within(width, height)
        if part.empty:
            return
        onto = _affine(corners_px, at_px - self._origin - (part.left, part.top))
        size = (part.right - part.left, part.bottom - part.top)
        opaque = picture if picture.shape[2] == 4 else np.dstack((picture, np.full(picture.shape[:2], 255, np.uint8)))
        shrunk = cv2.INTER_AREA if abs(np.linalg.det(onto[:, :2])) < 0.25 else cv2.INTER_LINEAR
        turned = cv2.warpAffine(opaque, onto, size, flags=shrunk, borderMode=cv2.BORDER_CONSTANT)
        share = turned[..., 3:].astype(np.float32) / 255.0
        under = part.of(self.image)
        if under.ndim == 2:
            return
        under[:] = (under + (turned[..., :3] - under.astype(np.float32)) * share).astype(np.uint8)

    def _fixed(self, points: Floats) -> npt.NDArray[np.int32]:
        fixed: npt.NDArray[np.int32] = np.rint((points - self._origin) * _ONE).astype(np.int32)
        return fixed


def limb_outlines(a: Floats, a_radius: Floats, b: Floats, b_radius: Floats) -> Floats:
    """The outlines of pairs of discs and what is between them: fingers, forearms. Pixels, float64.

    Middles (n, 2) and radii (n,) give outlines (n, k, 2).
    """
    along = b - a
    direction = np.arctan2(along[:, 1], along[:, 0])[:, None]
    around_a, around_b = direction + _ROUND_A, direction + _ROUND_B
    circle = np.empty((len(a), 2 * _ROUND_CORNERS, 2))
    circle[:, :_ROUND_CORNERS, 0] = a[:, None, 0] + a_radius[:, None] * np.cos(around_a)
    circle[:, :_ROUND_CORNERS, 1] = a[:, None, 1] + a_radius[:, None] * np.sin(around_a)
    circle[:, _ROUND_CORNERS:, 0] = b[:, None, 0] + b_radius[:, None] * np.cos(around_b)
    circle[:, _ROUND_CORNERS:, 1] = b[:, None, 1] + b_radius[:, None] * np.sin(around_b)
    return circle


def _corners(picture: Image) -> Floats:
    height, width = picture.shape[:2]
    return np.array(((0.0, 0.0), (width, 0.0), (0.0, height), (width, height)))


def _affine(corners_px: Floats, at_px: Floats) -> Floats:
    return np.asarray(cv2.getAffineTransform(corners_px.astype(np.float32), at_px.astype(np.float32)))


def _scalar(colour: Bgr | float) -> tuple[float, ...]:
    return (colour,) if isinstance(colour, float | int) else colour
