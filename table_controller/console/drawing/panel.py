"""The large panel: who acts, what it costs to call, the least and the most, and the pot bet."""

from __future__ import annotations

from table_controller.console.canvas import Canvas, fit, width_of, wrap
from table_controller.console.digits import HEIGHT, large, large_width
from table_controller.console.view import Size, TableView

_GAP = 3
_STYLES = {"call": "accent", "min": "bold", "max": "bold", "pot": "cool"}


def draw_panel(view: TableView, width: int, height: int) -> Canvas:
    """The panel; amounts that do not fit in large digits are written in one row."""
    canvas = Canvas(width, height)
    style = "acting" if view.acting else "surface-bold"
    canvas.fill(0, 0, width, 1, style)
    mark = "► " if view.acting else "  "
    after = canvas.put(0, 0, mark + fit(view.headline, width - 3), style)
    if view.may and width_of(view.may) < width - after - 2:
        canvas.right(0, view.may, style, edge=width - 1)
    top = 1
    spare = height - 1 - _rows_needed(view.sizes, width)
    said = wrap(f"“{view.announcement}”", width - 2, min(2, spare - 2)) if view.announcement and spare > 2 else []
    for line in said:
        canvas.put(2, top, line, "dim")
        top += 1
    top += 1 if said else 0
    if spare < 0:
        _draw_small(canvas, view.sizes, top)
        return canvas
    x = 2
    for size in view.sizes:
        taken = _width(size)
        if x > 2 and x + taken > width:
            x, top = 2, top + HEIGHT + 2
        canvas.put(x, top, fit(size.label, width - x), "dim")
        for row, text in enumerate(large(size.value)):
            canvas.put(x, top + 1 + row, text, _STYLES[size.kind])
        x += taken + _GAP
    return canvas


def _width(size: Size) -> int:
    return max(width_of(size.label), large_width(size.value))


def _rows_needed(sizes: tuple[Size, ...], width: int) -> int:
    rows, x = 1, 2
    for size in sizes:
        taken = _width(size)
        if 2 + taken > width:
            return 10_000
        if x > 2 and x + taken > width:
            rows, x = rows + 1, 2
        x += taken + _GAP
    return rows * (HEIGHT + 1) + rows - 1


def _draw_small(canvas: Canvas, sizes: tuple[Size, ...], top: int) -> None:
    for row, size in enumerate(sizes[: canvas.height - top]):
        after = canvas.put(2, top + row, f"{size.label:<18}", "dim")
        canvas.put(after, top + row, size.value, _STYLES[size.kind])
