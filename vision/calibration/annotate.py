"""The picture of a table with what the calibration makes of it, to be looked at over ssh or on a desktop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point, centroid
from betline.settings import TableSettings
from vision.calibration.calibration import Calibration
from vision.calibration.markers import Seen
from vision.imaging.pictures import Mask, Picture

Bgr = tuple[int, int, int]
Floats = npt.NDArray[np.float64]

GREEN, YELLOW, CYAN, RED, WHITE, BLACK = (
    (80, 230, 80),
    (60, 220, 250),
    (240, 220, 60),
    (60, 60, 250),
    (255, 255, 255),
    (0, 0, 0),
)
GREY, ORANGE, VIOLET = (170, 170, 170), (40, 150, 250), (245, 150, 205)
GRID_PX = 100
LETTERS = (cv2.FONT_HERSHEY_SIMPLEX, 0.42)


def annotated(
    picture: Picture, table: TableSettings, calibration: Calibration, seen: Seen, lines: Sequence[str]
) -> Picture:
    """The line, the zones, the markers and the nadir drawn in a copy, (H, W, 3) uint8 BGR, with some lines of text."""
    drawn = picture.copy()
    outlined(drawn, calibration.outline_px(table.felt.betting_line_mm), YELLOW, 2)
    for name, polygon in (("pot", table.pot.polygon_mm), ("tray", table.tray.polygon_mm)):
        outlined(drawn, calibration.outline_px(polygon), CYAN)
        worded(drawn, name, calibration.to_px([centroid(polygon)])[0], CYAN)
    for seat in table.seats:
        outlined(drawn, calibration.outline_px(seat.bet_zone_mm), GREEN)
        outlined(drawn, calibration.outline_px(seat.stack_zone_mm), CYAN)
        worded(drawn, str(seat.number), calibration.to_px([centroid(seat.bet_zone_mm)])[0], GREEN)
    for marker in table.markers:
        x, y = marker.centre_mm
        centre = calibration.to_px([(x, y)])[0]
        colour = GREEN if marker.id in calibration.markers else RED
        if marker.id in seen:
            outlined(drawn, seen[marker.id], colour)
        cv2.drawMarker(drawn, _at(centre), colour, cv2.MARKER_CROSS, 12, 1)
        worded(drawn, f"{marker.id}", centre + np.array([8, -8]), colour)
    nadir = calibration.to_px([calibration.eye_mm[:2]])[0]
    if (np.abs(nadir) < 1e6).all():
        cv2.drawMarker(drawn, _at(nadir), RED, cv2.MARKER_TILTED_CROSS, 16, 2)
        worded(drawn, "nadir", nadir + np.array([10, 4]), RED)
    for at, line in enumerate(lines):
        worded(drawn, line, np.array([8.0, 18.0 + 17 * at]), WHITE)
    return drawn


def with_grid(picture: Picture, places: Mapping[str, Point], calibration: Calibration) -> Picture:
    """The picture, (H, W, 3) uint8 BGR, with a grid of its pixels and named places of the felt where they must be."""
    drawn = picture.copy()
    height, width = picture.shape[:2]
    for x in range(0, width, GRID_PX):
        cv2.line(drawn, (x, 0), (x, height), WHITE, 1)
        worded(drawn, str(x), np.array([x + 3.0, 12.0]), WHITE)
    for y in range(GRID_PX, height, GRID_PX):
        cv2.line(drawn, (0, y), (width, y), WHITE, 1)
        worded(drawn, str(y), np.array([3.0, y - 4.0]), WHITE)
    for name, place in places.items():
        at = calibration.to_px([place])[0]
        if -width < at[0] < 2 * width and -height < at[1] < 2 * height:
            cv2.drawMarker(drawn, _at(at), YELLOW, cv2.MARKER_CROSS, 10, 1)
            worded(drawn, name, at + np.array([6, -4]), YELLOW)
    return drawn


def outlined(picture: Picture, points: Floats, colour: Bgr, width: int = 1) -> None:
    """Draws a closed outline, (N, 2) float64 pixels, into a (H, W, 3) uint8 BGR; to a sixteenth of a pixel."""
    cv2.polylines(picture, [np.round(points * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, 4)


def mask_outlines(mask: Mask, at_px: tuple[int, int] = (0, 0)) -> list[Floats]:
    """The outlines, (N, 2) float64 pixels of the picture, of a mask, (H, W) uint8, that begins at a place of it."""
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [np.asarray(outline, np.float64).reshape(-1, 2) + at_px for outline in found]


def worded(picture: Picture, text: str, at: Floats, colour: Bgr) -> None:
    """Writes text that reads on any ground into a (H, W, 3) uint8 BGR; ``at``, (2,) float64, is its lower left."""
    # A wider pen would read on any ground too, but OpenCV 5 spaces its letters otherwise.
    for by, ink in (((1, 1), BLACK), ((-1, 0), BLACK), ((0, 0), colour)):
        cv2.putText(picture, text, _at(at + np.array(by)), *LETTERS, ink, 1, cv2.LINE_AA)


def word_size(text: str) -> tuple[int, int]:
    """How wide and high a line of text is written."""
    (wide, high), _ = cv2.getTextSize(text, *LETTERS, 1)
    return int(wide), int(high)


def _at(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
