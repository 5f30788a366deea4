"""A sheet of paper in millimetres: filled squares, lines and words, from its top left corner; written as PDF or SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from betline.geometry import Point

MM_PER_POINT: Final = 25.4 / 72
BLACK, GREY, LIGHT = "#000000", "#808080", "#c0c0c0"


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, closed or open."""

    points: tuple[Point, ...]
    width_mm: float = 0.3
    colour: str = BLACK
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text that begins at a point, or has its middle there."""

    at: Point
    text: str
    size_mm: float = 4.0
    middle: bool = False


Shape = Box | Line | Words


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page; what is drawn beyond ``clip`` (left, top, right, bottom) is cut off, but for the ``margin_shapes``."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]
    clip: tuple[float, float, float, float] | None = None
    margin_shapes: tuple[Shape, ...] = field(default=())


def write_pdf(path: Path, sheets: Sequence[Sheet], title: str) -> None:
    """All sheets as the pages of one PDF; the same sheets always give the same bytes."""
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415 - only who prints waits for it

    canvas = Canvas(str(path), invariant=1, pageCompression=1)
    canvas.setTitle(title)
    for sheet in sheets:
        canvas.setPageSize((sheet.width_mm / MM_PER_POINT, sheet.height_mm / MM_PER_POINT))
        canvas.translate(0, sheet.height_mm / MM_PER_POINT)
        canvas.scale(1 / MM_PER_POINT, 1 / MM_PER_POINT)
        canvas.saveState()
        if sheet.clip is not None:
            left, top, right, bottom = sheet.clip
            window = canvas.beginPath()
            window.rect(left, -bottom, right - left, bottom - top)
            canvas.clipPath(window, stroke=0, fill=0)
        for shape in sheet.shapes:
            _pdf(canvas, shape)
        canvas.restoreState()
        for shape in sheet.margin_shapes:
            _pdf(canvas, shape)
        canvas.showPage()
    canvas.save()


def _pdf(canvas: Any, shape: Shape) -> None:
    match shape:
        case Box(x, y, width, height):
            canvas.setFillColor(BLACK)
            canvas.rect(x, -y - height, width, height, stroke=0, fill=1)
        case Line(points, width_mm, colour, closed):
            canvas.setLineWidth(width_mm)
            canvas.setStrokeColor(colour)
            path = canvas.beginPath()
            path.moveTo(points[0][0], -points[0][1])
            for x, y in points[1:]:
                path.lineTo(x, -y)
            if closed:
                path.close()
            canvas.drawPath(path)
        case Words((x, y), text, size_mm, middle):
            canvas.setFillColor(BLACK)
            canvas.setFont("Helvetica", size_mm)
            (canvas.drawCentredString if middle else canvas.drawString)(x, -y, text)


def svg(sheet: Sheet) -> str:
    """One sheet as an SVG document at true scale."""
    width, height = _number(sheet.width_mm), _number(sheet.height_mm)
    clip, begin, end = "", "", ""
    if sheet.clip is not None:
        left, top, right, bottom = sheet.clip
        clip = f'<clipPath id="page"><rect {_place(left, top, right - left, bottom - top)}/></clipPath>\n'
        begin, end = '<g clip-path="url(#page)">\n', "</g>\n"
    inner = "".join(_svg(shape) for shape in sheet.shapes)
    outer = "".join(_svg(shape) for shape in sheet.margin_shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">\n<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        f"{clip}{begin}{inner}{end}{outer}</svg>\n"
    )


def _svg(shape: Shape) -> str:
    match shape:
        case Box(x, y, width, height):
            return f'<rect {_place(x, y, width, height)} shape-rendering="crispEdges"/>\n'
        case Line(points, width_mm, colour, closed):
            name = "polygon" if closed else "polyline"
            where = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
            return f'<{name} points="{where}" fill="none" stroke="{colour}" stroke-width="{_number(width_mm)}"/>\n'
        case Words((x, y), text, size_mm, middle):
            anchor = ' text-anchor="middle"' if middle else ""
            return (
                f'<text x="{_number(x)}" y="{_number(y)}" font-family="Helvetica, Arial, sans-serif" '
                f'font-size="{_number(size_mm)}"{anchor}>{escape(text)}</text>\n'
            )


def _place(x: float, y: float, width: float, height: float) -> str:
    return f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
