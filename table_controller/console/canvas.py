"""A grid of styled characters: what every part of the console is drawn on, before Textual sees any of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len

_UNPRINTABLE = "�"
_SECOND_HALF = ""


class Run(NamedTuple):
    """Neighbouring characters of one style; styles are names, ``palette`` knows their colours."""

    text: str
    style: str


class Target(NamedTuple):
    """A rectangle of cells that answers to a click or a tap with an action of its screen."""

    x: int
    y: int
    width: int
    height: int
    action: str


class Canvas:
    """``width`` x ``height`` cells; whatever is put beyond the border is cut off.

    Text comes from the bus, so control characters become a replacement mark and wide characters take two cells.
    """

    __slots__ = ("_chars", "_styles", "height", "targets", "width")

    def __init__(self, width: int, height: int, style: str = "page") -> None:
        self.width = width
        self.height = height
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[style] * width for _ in range(height)]
        self.targets: list[Target] = []

    def put(self, x: int, y: int, text: str, style: str) -> int:
        """Writes text from the cell (x, y) to the right; returns the column after it."""
        for char in text:
            shown = char if char.isprintable() else _UNPRINTABLE
            cells = cell_len(shown)
            if cells == 0:
                continue
            if 0 <= y < self.height and x >= 0 and x + cells <= self.width:
                self._chars[y][x] = shown
                self._styles[y][x] = style
                for extra in range(x + 1, x + cells):
                    self._chars[y][extra] = _SECOND_HALF
                    self._styles[y][extra] = style
            x += cells
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: str) -> None:
        """Empties a rectangle in a style."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def centre(self, y: int, text: str, style: str, *, middle: float | None = None) -> None:
        """Writes text around a column, by default the middle one."""
        column = self.width / 2 if middle is None else middle
        self.put(round(column - width_of(text) / 2), y, text, style)

    def right(self, y: int, text: str, style: str, *, edge: int | None = None) -> int:
        """Writes text that ends before the column ``edge``, by default the border; returns where it begins."""
        x = (self.width if edge is None else edge) - width_of(text)
        self.put(x, y, text, style)
        return x

    def answer(self, x: int, y: int, width: int, height: int, action: str) -> None:
        """Makes a rectangle answer to clicks and taps; of several in one place the last one does."""
        self.targets.append(Target(x, y, width, height, action))

    def action_at(self, x: int, y: int) -> str | None:
        """What a click on a cell asks for; None where nothing answers."""
        for target in reversed(self.targets):
            if target.x <= x < target.x + target.width and target.y <= y < target.y + target.height:
                return target.action
        return None

    def row(self, y: int) -> Iterator[Run]:
        """One row as runs."""
        chars, styles = self._chars[y], self._styles[y]
        start = 0
        for x in range(1, self.width + 1):
            if x == self.width or styles[x] != styles[start]:
                yield Run("".join(chars[start:x]), styles[start])
                start = x

    @property
    def text(self) -> str:
        """The characters alone, a line a row."""
        return "\n".join("".join(row).rstrip() for row in self._chars)


def width_of(text: str) -> int:
    """How many cells a text takes on the canvas."""
    return sum(cell_len(char if char.isprintable() else _UNPRINTABLE) for char in text)


def fit(text: str, width: int) -> str:
    """The text, shortened with an ellipsis to at most ``width`` cells."""
    if width_of(text) <= width:
        return text
    kept = ""
    for char in text:
        if width_of(kept + char) > width - 1:
            break
        kept += char
    return kept.rstrip() + "…" if width > 0 else ""


def wrap(text: str, width: int, lines: int) -> list[str]:
    """The text in at most ``lines`` lines of ``width`` cells, the last one shortened where it goes on."""
    if width < 1 or lines < 1:
        return []
    wrapped = textwrap.wrap(text, width) or [""]
    if len(wrapped) > lines:
        wrapped[lines - 1] = " ".join(wrapped[lines - 1 :])
    return [fit(line, width) for line in wrapped[:lines]]
