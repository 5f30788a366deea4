"""The printed calibration markers on the felt, if the table file has any."""

from __future__ import annotations

import cv2
import numpy as np

from betline.settings import MARKER_DICTIONARY, Marker, TableSettings
from virtual_table.camera.canvas import Bgr, Canvas
from virtual_table.camera.optics import View

_PAPER: Bgr = (226.0, 232.0, 234.0)
_INK: Bgr = (30.0, 30.0, 32.0)


def draw_markers(canvas: Canvas, table: TableSettings, view: View) -> None:
    """Draws every marker of a table with its white border of one square."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{MARKER_DICTIONARY}"))
    cells = dictionary.markerSize + 2
    for marker in table.markers:
        bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker.id, cells)) > 0
        _square(canvas, view, marker, cells, (-1, -1, cells + 1, cells + 1), _PAPER)
        _square(canvas, view, marker, cells, (0, 0, cells, cells), _INK)
        for row, column in np.argwhere(bits):
            _square(canvas, view, marker, cells, (column, row, column + 1, row + 1), _PAPER)


def _square(
    canvas: Canvas, view: View, marker: Marker, cells: int, corners: tuple[int, int, int, int], colour: Bgr
) -> None:
    """Fills from one corner to another, in squares from the marker's top left to the right and down."""
    left, top, right, bottom = (marker.size_mm * (corner / cells - 0.5) for corner in corners)
    x, y = marker.centre_mm
    points = [
        (x + left, y - top, 0.0),
        (x + right, y - top, 0.0),
        (x + right, y - bottom, 0.0),
        (x + left, y - bottom, 0.0),
    ]
    canvas.polygon(view.project(points), colour)
