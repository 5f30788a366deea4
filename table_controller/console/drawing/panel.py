"""The large panel: who acts, what a call costs, the least and the most, the pot bet; or how bets are taken in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from table_controller.console.canvas import Canvas, fit, width_of, wrap
from table_controller.console.digits import DOUBLE_HEIGHT, HEIGHT, double, large
from table_controller.console.pots import BACK, Taking
from table_controller.console.view import Size, TableView

_GAP = 3
_STYLES = {"call": "accent", "min": "bold", "max": "bold", "pot": "cool"}
_LOW = HEIGHT + 2
"""A panel of so many rows has room for one row of amounts in large digits, and nothing else."""


def draw_panel(view: TableView, width: int, height: int) -> Canvas:
    """The panel; amounts that do not fit in large digits are written in one row each."""
    canvas = Canvas(width, height)
    top = _draw_headline(canvas, view)
    if view.taking_in:
        _draw_taking_in(canvas, view.taking_in, view.plan, top)
    else:
        _draw_sizes(canvas, view, top)
    return canvas


def _draw_headline(canvas: Canvas, view: TableView) -> int:
    """Who acts, or what the dealer does next, on more rows where that needs them; returns the row below."""
    style = "acting" if view.acting else "surface-bold"
    mark = "► " if view.acting else "  "
    low = canvas.height <= _LOW
    rows = 1 if view.acting or low else 3
    lines = wrap(view.headline, canvas.width - 3, rows) or [""]
    canvas.fill(0, 0, canvas.width, len(lines), style)
    after = 0
    for row, line in enumerate(lines):
        after = canvas.put(0, row, (mark if not row else "  ") + line, style)
    beside = view.plan if view.taking_in and low else view.may
    if beside and width_of(beside) < canvas.width - after - 2:
        canvas.right(len(lines) - 1, beside, style, edge=canvas.width - 1)
    return len(lines)


# --- amounts ---------------------------------------------------------------------------------------------------------


class _Digits(NamedTuple):
    """How amounts are drawn: so many rows high, by that function."""

    height: int
    rows: Callable[[str], Sequence[str]]

    def width(self, value: str) -> int:
        return len(self.rows(value)[0])

    def taken(self, size: Size) -> int:
        """The columns of an amount with its label."""
        return max(width_of(size.label), self.width(size.value))


_DOUBLE, _LARGE = _Digits(DOUBLE_HEIGHT, double), _Digits(HEIGHT, large)


def _draw_sizes(canvas: Canvas, view: TableView, top: int) -> None:
    """In the largest digits that the panel has room for."""
    if not any(_drawn_large(canvas, view, top, digits) for digits in (_DOUBLE, _LARGE)):
        _draw_small(canvas, view, top)


def _drawn_large(canvas: Canvas, view: TableView, top: int, digits: _Digits) -> bool:
    """Draws the amounts in those digits; without room for them nothing is drawn, and the answer is no."""
    places = _places(view.sizes, canvas.width, digits)
    if not places:
        return False
    bands = places[-1][1] + 1
    spare = canvas.height - top - bands * (digits.height + 1) - (bands - 1)
    terms = next((size.terms for size in view.sizes if size.terms), ())
    below = _rows_of(terms, canvas.width - 3)
    beside: list[str] | None = []
    if below and len(below) > spare:
        x, _ = places[-1]
        room = canvas.width - x - digits.width(view.sizes[-1].value) - 2
        below, beside = [], _within(terms, room, digits.height)
    reason = wrap(view.no_raise, canvas.width - 3, canvas.height) if view.no_raise else []
    if spare < 0 or beside is None or (digits is _DOUBLE and reason and spare < len(reason) + 2):
        return False
    spare -= len(below)
    said = wrap(f"“{view.announcement}”", canvas.width - 2, min(3, spare - 2)) if view.announcement else []
    for line in said if spare > 2 else []:
        canvas.put(2, top, line, "dim")
        top += 1
    top += 1 if said and spare > 2 else 0
    for size, (x, band) in zip(view.sizes, places, strict=True):
        y = top + band * (digits.height + 2)
        canvas.put(x, y, fit(size.label, canvas.width - x), "dim")
        for row, text in enumerate(digits.rows(size.value)):
            canvas.put(x, y + 1 + row, text, _STYLES[size.kind])
    x, band = places[-1]
    y = top + band * (digits.height + 2) + 1
    if view.no_raise:
        _draw_no_raise(canvas, view, x + digits.taken(view.sizes[-1]) + _GAP, y - 1, digits.height)
    for row, line in enumerate(below):
        canvas.put(max(2, min(x, canvas.width - 1 - width_of(line))), y + digits.height + row, line, "text")
    for row, line in enumerate(beside):
        right = x + digits.width(view.sizes[-1].value) + 1
        canvas.put(right, y + (digits.height - len(beside) + 1) // 2 + row, line, "text")
    return True


def _places(sizes: tuple[Size, ...], width: int, digits: _Digits) -> list[tuple[int, int]]:
    """The column and the band of each amount in those digits; empty where one is too wide for the panel."""
    places = []
    x, band = 2, 0
    for size in sizes:
        taken = digits.taken(size)
        if 2 + taken > width:
            return []
        if x > 2 and x + taken > width:
            x, band = 2, band + 1
        places.append((x, band))
        x += taken + _GAP
    return places


def _draw_no_raise(canvas: Canvas, view: TableView, x: int, y: int, height: int) -> None:
    """Why there is no raise, beside the call where that holds all of it, else below."""
    beside = wrap(view.no_raise, canvas.width - x - 1, canvas.height)
    if not beside or len(beside) > height + 1:
        x, y = 2, y + height + 2
    for row, line in enumerate(wrap(view.no_raise, canvas.width - x - 1, canvas.height - y)):
        canvas.put(x, y + row, line, "warn")


def _rows_of(terms: Sequence[str], width: int) -> list[str]:
    """A sum in rows that end between two terms."""
    rows: list[str] = []
    for term in terms:
        if rows and width_of(f"{rows[-1]} {term}") <= width:
            rows[-1] += f" {term}"
        else:
            rows.append(term)
    return rows


def _within(terms: Sequence[str], width: int, most: int) -> list[str] | None:
    """The same in at most so many rows; None where they cannot hold it."""
    rows = _rows_of(terms, width)
    return rows if len(rows) <= most and all(width_of(row) <= width for row in rows) else None


def _draw_small(canvas: Canvas, view: TableView, top: int) -> None:
    row = top
    for size in view.sizes[: canvas.height - top]:
        after = canvas.put(2, row, f"{size.label:<18}", "dim")
        after = canvas.put(after, row, size.value, _STYLES[size.kind])
        row += 1
        beside = _within(size.terms, canvas.width - after - 2, 1)
        if beside:
            canvas.put(after + 2, row - 1, beside[0], "text")
            continue
        for line in _rows_of(size.terms, canvas.width - 3):
            canvas.put(2, row, line, "text")
            row += 1
    for line in wrap(view.no_raise, canvas.width - 3, canvas.height - row) if view.no_raise else ():
        canvas.put(2, row, line, "warn")
        row += 1


# --- taking in the bets ----------------------------------------------------------------------------------------------


def _draw_taking_in(canvas: Canvas, steps: tuple[Taking, ...], plan: str, top: int) -> None:
    """A row a pot, in the order in which a dealer works; where there is no room for that, one after the other."""
    indent = max(width_of(step.label) for step in steps) + 4
    room = canvas.height - top
    texts = [(step.label, wrap(step.text, canvas.width - indent - 1, room)) for step in steps]
    needed = sum(len(lines) for _, lines in texts)
    if needed > room:
        running = "; ".join(f"{step.label} {step.text}" for step in steps)
        for row, line in enumerate(wrap(running, canvas.width - 3, room)):
            canvas.put(2, top + row, line, "bold")
        return
    if canvas.height > _LOW and needed < room:
        canvas.put(2, top, plan, "dim")
        top += 1
    for label, lines in texts:
        canvas.put(2, top, label, "warn" if label == BACK else "accent")
        for line in lines:
            canvas.put(indent, top, line, "bold")
            top += 1
