"""Line charts as one SVG picture: growth with seats, chips and tables, and what a soak showed over its hours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

Points = tuple[tuple[float, float], ...]

WIDTH: Final = 420
HEIGHT: Final = 240
"""Of one chart, in pixels."""
_MARGIN: Final = (58, 40, 20, 48)
"""Left, bottom, right and top of a chart's own axes."""
COLOURS: Final = ("#1f6f5c", "#b3541e", "#33518f", "#8a2f5d", "#6b6b14", "#444444")


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its name and its points, by rising x."""

    name: str
    points: Points


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart; both axes begin at 0."""

    title: str
    across: str
    """What the x axis shows, with its unit."""
    up: str
    series: tuple[Series, ...]


def svg(charts: Sequence[Chart], columns: int = 2) -> str:
    """All charts as one SVG document, row by row; the same charts make the same text."""
    from reportlab.graphics import renderSVG  # noqa: PLC0415 - only who draws waits for it
    from reportlab.graphics.shapes import Drawing, Rect  # noqa: PLC0415
    from reportlab.lib.colors import white  # noqa: PLC0415

    rows = -(-len(charts) // columns)
    width, height = WIDTH * min(columns, max(1, len(charts))), HEIGHT * max(1, rows)
    page = Drawing(width, height)
    page.add(Rect(0, 0, width, height, fillColor=white, strokeColor=None))
    for place, chart in enumerate(charts):
        row, column = divmod(place, columns)
        for shape in _drawn(chart, column * WIDTH, height - (row + 1) * HEIGHT):
            page.add(shape)
    drawn = renderSVG.drawToString(page)
    text: str = drawn if isinstance(drawn, str) else drawn.decode()
    return text


def _drawn(chart: Chart, left: float, bottom: float) -> list[Any]:
    """The shapes of one chart whose lower left corner is there."""
    from reportlab.graphics.charts.lineplots import LinePlot  # noqa: PLC0415
    from reportlab.graphics.shapes import Rect, String  # noqa: PLC0415
    from reportlab.graphics.widgets.markers import makeMarker  # noqa: PLC0415
    from reportlab.lib.colors import HexColor  # noqa: PLC0415

    margin_left, margin_bottom, margin_right, margin_top = _MARGIN
    grey = HexColor("#555555")
    shapes: list[Any] = [
        String(left + 12, bottom + HEIGHT - 18, chart.title, fontName="Helvetica-Bold", fontSize=11),
        String(left + WIDTH - margin_right, bottom + 8, chart.across, textAnchor="end", fontSize=9, fillColor=grey),
        String(left + 12, bottom + HEIGHT - 32, chart.up, fontSize=9, fillColor=grey),
    ]
    drawable = [one for one in chart.series if one.points]
    if not drawable:
        return shapes
    plot = LinePlot()
    plot.x, plot.y = left + margin_left, bottom + margin_bottom
    plot.width, plot.height = WIDTH - margin_left - margin_right, HEIGHT - margin_bottom - margin_top
    plot.data = [list(one.points) for one in drawable]
    plot.xValueAxis.valueMin = plot.yValueAxis.valueMin = 0
    plot.yValueAxis.valueMax = 1.15 * _greatest(y for one in drawable for _, y in one.points)
    plot.xValueAxis.valueMax = _greatest(x for one in drawable for x, _ in one.points)
    for axis in (plot.xValueAxis, plot.yValueAxis):
        axis.labels.fontSize, axis.labelTextFormat = 8, _short
    few = max(len(one.points) for one in drawable) <= 20
    x = left + WIDTH - margin_right
    for number, one in reversed(list(enumerate(drawable))):
        colour = HexColor(COLOURS[number % len(COLOURS)])
        plot.lines[number].strokeColor, plot.lines[number].strokeWidth = colour, 1.5
        if few:
            plot.lines[number].symbol = makeMarker("FilledCircle", size=4)
        x -= 5.0 * len(one.name)
        shapes.append(String(x, bottom + HEIGHT - 32, one.name, fontSize=9, fillColor=grey))
        shapes.append(Rect(x - 11, bottom + HEIGHT - 32, 8, 7, fillColor=colour, strokeColor=None))
        x -= 22
    return [plot, *shapes]


def _greatest(values: Iterable[float]) -> float:
    """The greatest of them; 1 where all are 0: an axis needs a length."""
    return max([0.0, *values]) or 1.0


def _short(value: float) -> str:
    """A number beside an axis."""
    return f"{value / 1000:g}k" if abs(value) >= 10_000 else f"{round(value, 6):g}"
