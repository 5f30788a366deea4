"""What is printed for calibration, at true scale: a table's markers, the board for the lens, a table template."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from betline.geometry import Point, centroid
from betline.settings import Marker, TableSettings
from vision.calibration.markers import (
    BOARD,
    BOARD_MARKER_MM,
    BOARD_SQUARE_MM,
    BOARD_SQUARES,
    MARKER_CELLS,
    board_marker_cells,
    marker_cells,
)
from vision.calibration.sheet import GREY, LIGHT, Box, Line, Shape, Sheet, Words

PAPERS: Final = {"a4": (210.0, 297.0), "a3": (297.0, 420.0)}
"""Width and height in millimetres, upright."""
MARGIN_MM: Final = 12.0
"""Most printers leave out less than this at the edge."""
RULER_MM: Final = 100
OVERLAP_MM: Final = 10.0
_FOOT_MM = 16.0


def marker_sheets(table: TableSettings, paper: str) -> tuple[Sheet, ...]:
    """A table's markers with their white borders, to be cut out along the grey lines; no sheet without markers."""
    width, height = PAPERS[paper]
    sheets: list[Sheet] = []
    shapes: list[Shape] = []
    x, y, row_mm = MARGIN_MM, MARGIN_MM, 0.0
    for marker in table.markers:
        outer, label_mm = marker.size_mm * (1 + 2 / MARKER_CELLS), 6.0
        if x + outer > width - MARGIN_MM:
            x, y, row_mm = MARGIN_MM, y + row_mm, 0.0
        if shapes and y + outer + label_mm > height - MARGIN_MM - _FOOT_MM:
            sheets.append(_page(width, height, shapes, f"{table.name}: markers"))
            shapes, x, y = [], MARGIN_MM, MARGIN_MM
        shapes += _cut_out(marker, x, y, outer)
        x, row_mm = x + outer + 6, max(row_mm, outer + label_mm + 4)
    return (*sheets, _page(width, height, shapes, f"{table.name}: markers")) if shapes else ()


def _cut_out(marker: Marker, x: float, y: float, outer: float) -> Iterator[Shape]:
    border = (outer - marker.size_mm) / 2
    yield Line(((x, y), (x + outer, y), (x + outer, y + outer), (x, y + outer)), 0.2, LIGHT, closed=True)
    yield from _cells(marker_cells(marker.id), x + border, y + border, marker.size_mm)
    place = f"{marker.centre_mm[0]:g}, {marker.centre_mm[1]:g} mm"
    yield Words((x, y + outer + 4), f"marker {marker.id}: middle at {place}; {marker.size_mm:g} mm", 3.2)


def _cells(black: npt.NDArray[np.bool_], x: float, y: float, size_mm: float) -> Iterator[Box]:
    """The black squares of a marker, each row's neighbours as one box."""
    cell = size_mm / len(black)
    for row, flags in enumerate(black):
        start: int | None = None
        for column, flag in enumerate([*(bool(value) for value in flags), False]):
            if flag and start is None:
                start = column
            elif not flag and start is not None:
                yield Box(x + start * cell, y + row * cell, (column - start) * cell, cell)
                start = None


def board_sheet(paper: str) -> Sheet:
    """The ChArUco board for the lens."""
    height, width = PAPERS[paper]
    columns, rows = BOARD_SQUARES
    left = (width - columns * BOARD_SQUARE_MM) / 2
    top = max(MARGIN_MM / 2, (height - _FOOT_MM - rows * BOARD_SQUARE_MM) / 2)
    shapes: list[Shape] = []
    number = 0
    inset = (BOARD_SQUARE_MM - BOARD_MARKER_MM) / 2
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * BOARD_SQUARE_MM, top + row * BOARD_SQUARE_MM
            if (row + column) % 2 == 0:
                shapes.append(Box(x, y, BOARD_SQUARE_MM, BOARD_SQUARE_MM))
            else:
                marker = int(np.ravel(BOARD.getIds())[number])
                shapes += _cells(board_marker_cells(marker), x + inset, y + inset, BOARD_MARKER_MM)
                number += 1
    return _page(width, height, shapes, "Board for the lens: glue it to something flat")


def table_sheet(table: TableSettings) -> Sheet:
    """The whole table at true scale on one sheet: for a plotter or a print shop."""
    (left, bottom), (right, top) = _extent(table)
    shapes = tuple(_table_shapes(table, left, top))
    return Sheet(right - left, top - bottom, shapes)


def table_tiles(table: TableSettings, paper: str) -> tuple[Sheet, ...]:
    """The table at true scale over many pages, with cut marks; pages on which nothing would stand are left out."""
    whole = table_sheet(table)
    height, width = PAPERS[paper]
    step_x, step_y = width - 2 * MARGIN_MM - OVERLAP_MM, height - MARGIN_MM - _FOOT_MM - OVERLAP_MM
    columns, rows = math.ceil(whole.width_mm / step_x), math.ceil(whole.height_mm / step_y)
    tiles = []
    for row in range(rows):
        for column in range(columns):
            window = (column * step_x, row * step_y, (column + 1) * step_x, (row + 1) * step_y)
            if not any(_touches(shape, window, OVERLAP_MM) for shape in whole.shapes):
                continue
            dx, dy = MARGIN_MM - window[0], MARGIN_MM - window[1]
            clip = (MARGIN_MM, MARGIN_MM, MARGIN_MM + step_x + OVERLAP_MM, MARGIN_MM + step_y + OVERLAP_MM)
            name = f"{table.name}: template, row {row + 1} of {rows}, column {column + 1} of {columns}"
            marks = (*_cut_marks(MARGIN_MM, MARGIN_MM, step_x, step_y), *_foot(height, name))
            tiles.append(Sheet(width, height, tuple(_moved(shape, dx, dy) for shape in whole.shapes), clip, marks))
    return tuple(tiles)


def _extent(table: TableSettings) -> tuple[Point, Point]:
    x, y = zip(*table.felt.outline_mm, strict=True)
    return (min(x) - 5, min(y) - 5), (max(x) + 5, max(y) + 5)


def _table_shapes(table: TableSettings, left: float, top: float) -> Iterator[Shape]:
    def placed(points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple((x - left, top - y) for x, y in points)

    felt = table.felt
    yield Line(placed(felt.outline_mm), 1.0, GREY, closed=True)
    yield Line(placed(felt.betting_line_mm), felt.line_width_mm, LIGHT, closed=True)
    yield Line(placed(felt.betting_line_mm), 0.3, closed=True)
    zones = [("pot", table.pot.polygon_mm), ("tray", table.tray.polygon_mm)]
    for seat in table.seats:
        zones += [(f"seat {seat.number}: bets", seat.bet_zone_mm), (f"seat {seat.number}: stacks", seat.stack_zone_mm)]
    for name, polygon in zones:
        yield Line(placed(polygon), 0.5, closed=True)
        yield Words(placed([centroid(polygon)])[0], name, 10.0, middle=True)
    for marker in table.markers:
        x, y = placed([marker.centre_mm])[0]
        half = marker.size_mm / 2
        yield Line(
            ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)), closed=True
        )
        yield Line(((x - 6, y), (x + 6, y)))
        yield Line(((x, y - 6), (x, y + 6)))
        yield Words((x, y - half / 2), f"marker {marker.id}", 6.0, middle=True)


def _touches(shape: Shape, window: tuple[float, float, float, float], grown: float) -> bool:
    left, top, right, bottom = window
    if isinstance(shape, Box):
        return shape.x < right + grown and shape.x + shape.width > left and shape.y < bottom + grown
    points = shape.points if isinstance(shape, Line) else (shape.at,)
    ends = [*points, points[0]] if isinstance(shape, Line) and shape.closed else list(points)
    for a, b in zip(ends, ends[1:] or ends, strict=False):
        steps = max(2, int(math.dist(a, b) // 5))
        for step in range(steps + 1):
            x, y = (a[axis] + (b[axis] - a[axis]) * step / steps for axis in (0, 1))
            if left <= x <= right + grown and top <= y <= bottom + grown:
                return True
    return False


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    match shape:
        case Box(x, y, width, height):
            return Box(x + dx, y + dy, width, height)
        case Line(points, width_mm, colour, closed):
            return Line(tuple((x + dx, y + dy) for x, y in points), width_mm, colour, closed)
        case Words((x, y), text, size_mm, middle):
            return Words((x + dx, y + dy), text, size_mm, middle)


def _cut_marks(left: float, top: float, width: float, height: float) -> Iterator[Line]:
    """Marks in the margin where this page's part ends; the next page is laid onto the marks at the right and below."""
    for x in (left, left + width):
        yield Line(((x, top - 8), (x, top - 1)), 0.2)
        yield Line(((x, top + height + OVERLAP_MM + 1), (x, top + height + OVERLAP_MM + 4)), 0.2)
    for y in (top, top + height):
        yield Line(((left - 8, y), (left - 1, y)), 0.2)
        yield Line(((left + width + OVERLAP_MM + 1, y), (left + width + OVERLAP_MM + 8, y)), 0.2)


def _page(width: float, height: float, shapes: Sequence[Shape], name: str) -> Sheet:
    return Sheet(width, height, tuple(shapes), None, tuple(_foot(height, name)))


def _foot(height: float, name: str) -> Iterator[Shape]:
    """The ruler that shows whether the printer kept the scale, and what the page is."""
    y = height - 6.0
    yield Line(((MARGIN_MM, y), (MARGIN_MM + RULER_MM, y)), 0.3)
    for mm in range(0, RULER_MM + 1, 10):
        yield Line(((MARGIN_MM + mm, y), (MARGIN_MM + mm, y - (4 if mm % 50 == 0 else 2.5))), 0.3)
    yield Words((MARGIN_MM + RULER_MM + 3, y), f"must be {RULER_MM} mm: print at 100 %", 2.8)
    yield Words((MARGIN_MM + RULER_MM + 3, y - 3.6), name, 2.8)
