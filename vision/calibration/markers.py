"""The printed markers: which dictionary, how their squares look, and where a picture shows them.

Markers of the table carry the numbers of the table file; the ChArUco board for the lens has a dictionary of its own, so
that a board that was left on the felt is never taken for a table's markers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.settings import MARKER_DICTIONARY
from vision.imaging.pictures import Mask, Picture, grey

Floats = npt.NDArray[np.float64]
Seen = Mapping[int, Floats]
"""The corners of each marker in the picture: (4, 2), from its own top left clockwise."""

DICTIONARY: Final = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{MARKER_DICTIONARY}"))
MARKER_CELLS: Final = DICTIONARY.markerSize + 2
"""Squares along a marker's side, its black border included."""

BOARD_SQUARES: Final = (10, 7)
BOARD_SQUARE_MM: Final = 25.0
BOARD_MARKER_MM: Final = 18.75
BOARD: Final = cv2.aruco.CharucoBoard(
    BOARD_SQUARES,
    BOARD_SQUARE_MM,
    BOARD_MARKER_MM,
    cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100),
)
BOARD_CORNERS: Final = np.asarray(BOARD.getChessboardCorners(), dtype=np.float64)


def marker_cells(number: int) -> npt.NDArray[np.bool_]:
    """Which squares of a table's marker are black, its top row first: (N, N) bool."""
    return np.equal(cv2.aruco.generateImageMarker(DICTIONARY, number, MARKER_CELLS), 0)


def board_marker_cells(number: int) -> npt.NDArray[np.bool_]:
    """Which squares of one of the board's markers are black: (N, N) bool."""
    dictionary = BOARD.getDictionary()
    return np.equal(cv2.aruco.generateImageMarker(dictionary, number, dictionary.markerSize + 2), 0)


def find_markers(picture: Picture) -> Seen:
    """Every marker that a picture, (H, W, 3) uint8 BGR, shows, by number; one that is there twice is left out."""
    return _found(grey(picture))


def find_markers_near(picture: Picture, expected: Seen) -> Seen:
    """The markers of ``expected`` that a picture, (H, W, 3) uint8 BGR, still shows about where they were."""
    found: dict[int, Floats] = {}
    height, width = picture.shape[:2]
    for number, corners in expected.items():
        side = float(np.ptp(corners, axis=0).max())
        x0, y0 = np.maximum(np.floor(corners.min(axis=0) - side).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(corners.max(axis=0) + side).astype(int), (width, height))
        if x1 - x0 > side and y1 - y0 > side:
            here = _found(grey(np.ascontiguousarray(picture[y0:y1, x0:x1])))
            if number in here:
                found[number] = here[number] + (x0, y0)
    return found


def middle_of(sightings: Sequence[Seen]) -> Seen:
    """The median corners of the markers that at least half of some pictures of the same scene show."""
    numbers = {number for one in sightings for number in one}
    together = {number: [one[number] for one in sightings if number in one] for number in sorted(numbers)}
    return {
        number: np.median(corners, axis=0) for number, corners in together.items() if 2 * len(corners) >= len(sightings)
    }


def _found(levels: Mask) -> dict[int, Floats]:
    corners, numbers, _ = _detector().detectMarkers(levels)
    all_numbers = [int(number) for number in np.ravel(np.asarray(numbers)) if number is not None]  # None: no marker
    return {
        number: np.asarray(square, dtype=np.float64).reshape(4, 2)
        for number, square in zip(all_numbers, corners, strict=True)
        if all_numbers.count(number) == 1
    }


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(DICTIONARY, parameters)
