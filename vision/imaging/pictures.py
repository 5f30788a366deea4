"""Pictures and masks by their types, and the few OpenCV steps that all parts share.

OpenCV's own annotations know neither the type of a result nor numbers as operands; here each step has one.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""(H, W, 3) uint8, blue, green, red."""
Mask = npt.NDArray[np.uint8]
"""(H, W) uint8: 255 where it holds and 0 elsewhere; or grey levels, 0 to 255."""

SHADOW_DARKEST: Final = 0.35
"""A shadow keeps at least this share of the light: lamps all around reach into it."""
SHADOW_CHROMA: Final = 0.07
"""And it keeps the colour: its shares of the three channels differ by less than this, summed (L1 distance)."""

_cv: Any = cv2


def above(levels: Mask, level: float) -> Mask:
    """255 where a level, (H, W) uint8, is higher, else 0: (H, W) uint8."""
    return np.asarray(_cv.compare(levels, level, cv2.CMP_GT), dtype=np.uint8)


def all_of(a: Mask, b: Mask) -> Mask:
    """What both masks, (H, W) uint8, hold: (H, W) uint8."""
    return np.asarray(cv2.bitwise_and(a, b), dtype=np.uint8)


def any_of(a: Mask, b: Mask) -> Mask:
    """What one of the masks, (H, W) uint8, holds: (H, W) uint8."""
    return np.asarray(cv2.bitwise_or(a, b), dtype=np.uint8)


def none_of(a: Mask) -> Mask:
    """What the mask, (H, W) uint8, does not hold: (H, W) uint8."""
    return np.asarray(cv2.bitwise_not(a), dtype=np.uint8)


def opened(mask: Mask, size_px: int = 3) -> Mask:
    """The mask, (H, W) uint8, without specks smaller than a square of ``size_px``."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size_px, size_px), np.uint8)), dtype=np.uint8)


def closed(mask: Mask, size_px: int) -> Mask:
    """The mask, (H, W) uint8, with gaps smaller than a square of ``size_px`` filled."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((size_px, size_px), np.uint8)), dtype=np.uint8)


def grown(mask: Mask, by_px: int = 2) -> Mask:
    """The mask, (H, W) uint8, and what is so near to it, in a square."""
    return np.asarray(cv2.dilate(mask, np.ones((2 * by_px + 1,) * 2, np.uint8)), dtype=np.uint8)


def shrunk(mask: Mask, by_px: int) -> Mask:
    """The mask, (H, W) uint8, without what is so near to its edge, in a square."""
    kernel = np.ones((2 * by_px + 1,) * 2, np.uint8)
    return np.asarray(cv2.erode(mask, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0), dtype=np.uint8)


def blurred(picture: Picture) -> Picture:
    """The picture, (H, W, 3) uint8 BGR, as all comparisons see it: Gaussian, 5 px."""
    return np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), dtype=np.uint8)


def smooth(picture: Picture) -> Picture:
    """The mean of each pixel and its neighbours: (H, W, 3) uint8 BGR."""
    return np.asarray(cv2.blur(picture, (3, 3)), dtype=np.uint8)


def difference(a: Picture, b: Picture) -> Mask:
    """The largest difference of the three channels: of two (H, W, 3) uint8 a (H, W) uint8."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def smaller(a: Mask, b: Mask) -> Mask:
    """The lower level of two at each pixel: (H, W) uint8."""
    return np.asarray(cv2.min(a, b), dtype=np.uint8)


def resized(picture: Picture, size: tuple[int, int]) -> Picture:
    """The picture, (H, W, 3) or (H, W) uint8, at another size (width, height), by the mean of what a pixel covers."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def halved(picture: Picture) -> Picture:
    """The picture at half its size, (H/2, W/2, 3) uint8 BGR: the one reduction that OpenCV does fast."""
    return resized(picture, (picture.shape[1] // 2, picture.shape[0] // 2))


def grey(picture: Picture) -> Mask:
    """The brightness of each pixel of a (H, W, 3) uint8 BGR: (H, W) uint8."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def mapped(picture: Picture, table: npt.NDArray[np.uint8]) -> Picture:
    """Each channel's levels, (H, W, 3) uint8, through its column of a table, (256, 3) uint8."""
    return np.asarray(cv2.LUT(picture, table.reshape(1, 256, 3)), dtype=np.uint8)


def aged(ages: Mask) -> Mask:
    """Ages, (H, W) uint8, one older, at most 255."""
    return np.asarray(_cv.add(ages, 1), dtype=np.uint8)


def without_shadow(levels: Mask, picture: Picture, reference: Picture, level: float) -> Mask:
    """The differences, (H, W) uint8, with those of shadows removed: darker than the reference, of the same colour.

    ``picture`` and ``reference`` are (H, W, 3) uint8 BGR; what differs by ``level`` or less is not looked at.
    Grey and black things on a grey felt look like shadows, so this may be asked only while something that can cast a
    shadow is near.
    """
    at = np.flatnonzero(above(levels, level) != 0)
    if len(at) == 0:
        return levels
    now, was = _channels(picture, at), _channels(reference, at)
    light_now, light_was = now[0] + now[1] + now[2] + 1, was[0] + was[1] + was[2] + 1
    darker = (light_now < light_was) & (light_now > SHADOW_DARKEST * light_was)
    at, light_now, light_was = at[darker], light_now[darker], light_was[darker]
    chroma = np.zeros(len(at), np.float32)
    for one_now, one_was in zip(now, was, strict=True):
        chroma += np.abs(one_now[darker] / light_now - one_was[darker] / light_was)
    shadow = chroma < SHADOW_CHROMA
    cleared = levels.copy()
    cleared.reshape(-1)[at[shadow]] = 0
    return cleared


def _channels(picture: Picture, at: npt.NDArray[np.intp]) -> list[npt.NDArray[np.float32]]:
    """The three channels of some pixels, one by one: sums over short rows are slow."""
    chosen = picture.reshape(-1, 3)[at].astype(np.float32)
    return [chosen[:, channel] for channel in range(3)]
