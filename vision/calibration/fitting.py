"""The homography from places on the felt to ideal pixels, by RANSAC in millimetres, with what is known of its error.

A marker's corners are four points, but a marker may be glued down askew or printed too small: its middle shows where it
lies, the corners how it is turned and how large it is. That is found first, so only the middles must be measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point
from betline.settings import Marker

Floats = npt.NDArray[np.float64]
Pairs = Mapping[str, tuple[Floats, Floats]]
"""By what they belong to, one word or two for a person: places on the felt (n, 2) and their ideal pixels (n, 2)."""

MAX_RMS_MM = 3.0
REACH_MM = 8.0
"""A point that is further than this from where the others put it is a stray."""
MIN_MARKERS = 4
TURNS = 2
WRONG_SIZE = 0.04
"""A marker that looks this much larger or smaller than the table file says was printed at a wrong scale."""


class FitError(Exception):
    """The points give no usable homography; the sentence says what to measure again."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A homography from felt millimetres to ideal pixels, (3, 3) float64.

    ``rms_mm`` is the error of the points that agree, None where four points agree by force; ``line_mm`` is how far the
    betting line may be off (one standard deviation at its worst place, by leaving out one group of points after the
    other), None where that is not known; ``strays`` are the groups that were left out; ``size_share`` is how large
    the markers are beside what the table file says.
    """

    px_from_mm: Floats
    rms_mm: float | None
    line_mm: float | None
    strays: tuple[str, ...]
    size_share: float | None = None


def fit(pairs: Pairs, line_mm: Sequence[Point], whose: str) -> Fit:
    """The homography of point pairs; ``whose`` begins the sentences of a FitError: "The markers of camera overhead"."""
    mm, px = (np.concatenate([pair[side] for pair in pairs.values()]) for side in (0, 1))
    groups = np.repeat(np.arange(len(pairs)), [len(pair[0]) for pair in pairs.values()])
    found, kept = _ransac(mm, px, whose)
    off = _apply(found, px) - mm
    rms_mm = float(np.sqrt((off[kept] ** 2).sum(axis=1).mean()))
    strays = tuple(name for at, name in enumerate(pairs) if not kept[groups == at].any())
    lost = len(mm) - int(kept.sum())
    if rms_mm > MAX_RMS_MM or lost * 3 > len(mm):
        raise FitError(
            f"{whose} disagree ({_rms_of_all(mm, px, rms_mm):.1f} mm RMS, {lost} of {len(mm)} far off; "
            f"{MAX_RMS_MM:.0f} mm is the most); "
            "measure them again, and the lens where it bends straight lines."
        )
    worst_mm = _leaving_out(mm[kept], px[kept], groups[kept], np.asarray(line_mm, np.float64), found)
    exact = int(kept.sum()) == 4
    return Fit(_inverse(found), None if exact else rms_mm, worst_mm, strays)


def fit_markers(
    seen: Mapping[int, Floats], markers: Sequence[Marker], corners: Pairs, line_mm: Sequence[Point], whose: str
) -> Fit:
    """The homography of markers, corners (4, 2) float64 ideal pixels each, and of other points where there are any."""
    known = [marker for marker in markers if marker.id in seen]
    if len(known) + sum(len(pair[0]) for pair in corners.values()) < MIN_MARKERS:
        raise FitError(
            f"{whose} are seen too few: {len(known)} of {len(markers)}, {MIN_MARKERS} are needed; uncover them, "
            "light them evenly, or give corners."
        )
    pairs: dict[str, tuple[Floats, Floats]] = {
        f"marker {marker.id}": (np.array([marker.centre_mm], np.float64), _middle(seen[marker.id])[None, :])
        for marker in known
    }
    found = fit({**pairs, **corners}, line_mm, whose)
    share: float | None = None
    for _ in range(TURNS):
        mm_from_px = _inverse(found.px_from_mm)
        shares = []
        for marker in known:
            lies = _apply(mm_from_px, seen[marker.id])
            square, by = _as_it_lies(marker, lies)
            pairs[f"marker {marker.id}"] = (square, seen[marker.id])
            shares.append(by)
        share = float(np.median(shares)) if shares else None
        found = fit({**pairs, **corners}, line_mm, whose)
    return Fit(found.px_from_mm, found.rms_mm, found.line_mm, found.strays, share)


def _as_it_lies(marker: Marker, corners_mm: Floats) -> tuple[Floats, float]:
    """The corners of a marker turned and sized as it lies, around the middle that the table file gives it."""
    half = marker.size_mm / 2
    flat = np.array([-half + half * 1j, half + half * 1j, half - half * 1j, -half - half * 1j])
    lies = corners_mm - corners_mm.mean(axis=0)
    turn = complex(np.vdot(flat, lies[:, 0] + 1j * lies[:, 1]) / np.vdot(flat, flat))
    by = abs(turn)
    square = flat * turn
    return np.column_stack((square.real, square.imag)) + marker.centre_mm, by


def _middle(corners: Floats) -> Floats:
    """Where the diagonals meet: a square's middle, also as seen from the side."""
    a, b, c, d = np.column_stack((corners, np.ones(4)))
    meet = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(meet[:2] / meet[2])


def _ransac(mm: Floats, px: Floats, whose: str) -> tuple[Floats, npt.NDArray[np.bool_]]:
    if len(mm) < 4:
        raise FitError(f"{whose} are {len(mm)}; measure four or more.")
    if _on_a_line(mm) or _on_a_line(px):
        raise FitError(f"{whose} lie on one line; measure points all around the felt.")
    matrix, inliers = cv2.findHomography(px, mm, cv2.RANSAC, REACH_MM, maxIters=4000, confidence=0.9999)
    if matrix is None or abs(np.linalg.det(matrix)) < 1e-12:
        raise FitError(f"{whose} lie on one line; measure points all around the felt.")
    return np.asarray(matrix, np.float64), inliers.ravel().astype(bool)


def _rms_of_all(mm: Floats, px: Floats, least_mm: float) -> float:
    """The error when none is left out: four that agree by force would give 0."""
    matrix = _least_squares(mm, px)
    if matrix is None:
        return least_mm
    off = _apply(matrix, px) - mm
    return max(least_mm, float(np.sqrt((off**2).sum(axis=1).mean())))


def _on_a_line(points: Floats) -> bool:
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(spread[1] < 0.02 * spread[0])


def _leaving_out(
    mm: Floats, px: Floats, groups: npt.NDArray[np.intp], line_mm: Floats, mm_from_px: Floats
) -> float | None:
    """The jackknife's standard deviation of the betting line at its worst place."""
    names = np.unique(groups)
    line_px = _apply(_inverse(mm_from_px), line_mm)
    moves = []
    for name in names:
        rest = groups != name
        if rest.sum() < 4 or _on_a_line(mm[rest]):
            return None
        matrix = _least_squares(mm[rest], px[rest])
        if matrix is None:
            return None
        moves.append(((_apply(matrix, line_px) - line_mm) ** 2).sum(axis=1))
    count = len(names)
    return float(np.sqrt((count - 1) / count * np.sum(moves, axis=0)).max())


def _least_squares(mm: Floats, px: Floats) -> Floats | None:
    """From ideal pixels to the felt by all points; None where OpenCV finds nothing."""
    matrix: Any = cv2.findHomography(px, mm, 0)[0]
    return None if matrix is None else np.asarray(matrix, dtype=np.float64)


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _apply(matrix: Floats, points: Floats) -> Floats:
    rows = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(rows[:, :2] / rows[:, 2:], dtype=np.float64)
