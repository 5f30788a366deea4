"""Discs within an object that is more than one thing: chips that lie on cards, or partly on them.

There an outline says nothing, so the rim is looked for: each edge of the object votes for the middles that it may be
the rim of, and a middle is believed if its votes are many and its rim is an edge all around. Sizes are known from the
picture's chips or cards. Nothing but objects is searched: in whole pictures such a search finds chips in wood grain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.chip_photo.surface import Lab
from vision.imaging.pictures import Mask

Floats = npt.NDArray[np.float32]

FORESHORTENED: Final = (1.0, 0.9, 0.8)
"""Height by width of a disc, as a camera that looks down at 90, 64 and 53 degrees sees it."""
SIZE_STEP: Final = 1.04
MIN_EDGE: Final = 3.0
"""Lab a pixel; a weaker edge is none."""
MIN_SCORE: Final = 0.28
"""Votes times rim. On real photos at this radius and above it cards reach 0.24, and 95 % of chips on them 0.30."""
SURE_RADIUS_PX: Final = 20.0
"""The figures on cards look rounder the smaller they are seen: below this radius the score must be as much higher."""
MIN_RADIUS_PX: Final = 10.0
CANDIDATES: Final = 6
"""Middles looked at more closely, for each object and each way of looking at it."""
NEAR_PX: Final = 4
RIM_SHARE: Final = 0.45
"""A wider circle around a disc is its rim if it scores so much of what the disc does."""
SLACK_PX: Final = 2
"""A rim may be so far off its circle."""
STRAIGHT: Final = 0.9
"""Cosine between an edge's gradient and its radius, from which it is an edge of that rim."""
_ANGLES: Final = np.linspace(0, 2 * np.pi, 96, endpoint=False)
_MARGIN_PX: Final = 6


@dataclass(frozen=True, slots=True)
class Disc:
    """A round thing in pixels: its middle, half its width, its height by its width, and how sure it is."""

    x: float
    y: float
    radius: float
    flat: float
    score: float

    def outline(self) -> npt.NDArray[np.int32]:
        """Its rim as a contour, (N, 1, 2) int32 pixels."""
        x = self.x + self.radius * np.cos(_ANGLES)
        y = self.y + self.flat * self.radius * np.sin(_ANGLES)
        return np.round(np.stack([x, y], axis=1)).astype(np.int32)[:, None, :]


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges of a crop whose height was stretched until its discs are round."""

    across: Floats
    down: Floats
    strength: Floats


def discs(lab: Lab, thing: Mask, radii: tuple[float, float]) -> list[Disc]:
    """The discs of a thing, a mask of the picture's size, (H, W) uint8, with radii between two, surest first."""
    x, y, width, height = cv2.boundingRect(thing)
    x0, y0 = max(0, x - _MARGIN_PX), max(0, y - _MARGIN_PX)
    window = (slice(y0, y + height + _MARGIN_PX), slice(x0, x + width + _MARGIN_PX))
    near = np.asarray(cv2.dilate(thing[window], np.ones((7, 7), np.uint8)), dtype=np.uint8)
    sizes = _sizes(*radii)
    found = [
        Disc(disc.x + x0, disc.y + y0, disc.radius, disc.flat, disc.score)
        for flat in FORESHORTENED
        for disc in _round(_edges(lab[window], near, flat), sizes, flat)
    ]
    return sorted(found, key=lambda disc: -disc.score)


def _sizes(least: float, most: float) -> list[float]:
    count = 1 + max(0, int(np.log(most / max(least, MIN_RADIUS_PX)) / np.log(SIZE_STEP)))
    return [max(least, MIN_RADIUS_PX) * SIZE_STEP**at for at in range(count)]


def _edges(crop: Lab, near: Mask, flat: float) -> _Edges:
    """Each pixel's edge in the channel where it is strongest."""
    size = (crop.shape[1], max(1, round(crop.shape[0] / flat)))
    stretched = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    across = np.asarray(cv2.Scharr(stretched, cv2.CV_32F, 1, 0, scale=1 / 32), dtype=np.float32)
    down = np.asarray(cv2.Scharr(stretched, cv2.CV_32F, 0, 1, scale=1 / 32), dtype=np.float32)
    strength = np.asarray(np.hypot(across, down), dtype=np.float32)
    best = strength.argmax(axis=2)[..., None]
    inside = np.asarray(cv2.resize(near, size, interpolation=cv2.INTER_NEAREST)) > 0

    def strongest(part: Floats) -> Floats:
        return np.asarray(np.take_along_axis(part, best, 2)[..., 0], dtype=np.float32)

    return _Edges(strongest(across), strongest(down), strongest(strength) * inside.astype(np.float32))


def _round(edges: _Edges, sizes: list[float], flat: float) -> list[Disc]:
    votes = np.stack([_votes(edges, radius) for radius in sizes])
    found = []
    for _ in range(CANDIDATES):
        at, row, column = (int(place) for place in np.unravel_index(int(votes.argmax()), votes.shape))
        score = float(votes[at, row, column]) * _rim(edges, row, column, sizes[at])
        if score >= MIN_SCORE * max(1.0, SURE_RADIUS_PX / sizes[at]):
            found.append(_outermost(edges, votes, sizes, Disc(float(column), float(row), sizes[at], flat, score)))
        reach = int(sizes[at] / 2)
        votes[:, max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1] = 0
    return [replace(disc, y=disc.y * flat) for disc in found]


def _outermost(edges: _Edges, votes: Floats, sizes: list[float], disc: Disc) -> Disc:
    """The widest circle around about the same middle: the ring of an inlay may be plainer than the rim."""
    top, left = max(0, round(disc.y) - NEAR_PX), max(0, round(disc.x) - NEAR_PX)
    window = votes[:, top : round(disc.y) + NEAR_PX + 1, left : round(disc.x) + NEAR_PX + 1]
    for at in range(len(sizes) - 1, -1, -1):
        if sizes[at] <= disc.radius:
            break
        row, column = (int(place) for place in np.unravel_index(int(window[at].argmax()), window[at].shape))
        score = float(window[at, row, column]) * _rim(edges, top + row, left + column, sizes[at])
        if score >= max(MIN_SCORE, disc.score * RIM_SHARE):
            return replace(disc, x=float(left + column), y=float(top + row), radius=sizes[at])
    return disc


def _votes(edges: _Edges, radius: float) -> Floats:
    """For each pixel the edges that would be the rim of a disc around it, as a share of the radius."""
    height, width = edges.strength.shape
    rows, columns = np.nonzero(edges.strength > MIN_EDGE)
    strength = edges.strength[rows, columns]
    counted = np.zeros(height * width)
    for side in (radius, -radius):  # the rim may be darker or lighter than what is around it
        x = np.round(columns + side * edges.across[rows, columns] / strength).astype(np.intp)
        y = np.round(rows + side * edges.down[rows, columns] / strength).astype(np.intp)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        counted += np.bincount(y[inside] * width + x[inside], minlength=height * width)
    smooth = cv2.GaussianBlur(counted.reshape(height, width).astype(np.float32), (5, 5), 1.2)
    return np.asarray(smooth, dtype=np.float32) / np.float32(radius)


def _rim(edges: _Edges, row: int, column: int, radius: float) -> float:
    """The share of a circle along which there is an edge across its radius."""
    height, width = edges.strength.shape
    across, down = np.cos(_ANGLES), np.sin(_ANGLES)
    held = np.zeros(len(_ANGLES), bool)
    for off in range(-SLACK_PX, SLACK_PX + 1):
        x = np.round(column + (radius + off) * across).astype(np.intp)
        y = np.round(row + (radius + off) * down).astype(np.intp)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        x, y = x.clip(0, width - 1), y.clip(0, height - 1)
        strength = edges.strength[y, x]
        along = np.abs(edges.across[y, x] * across + edges.down[y, x] * down)
        held |= inside & (strength > MIN_EDGE) & (along > STRAIGHT * strength)
    return float(held.mean())
