"""What the floor's screen is made of: canvases that draw again only the rows that have changed."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from cardroom.floor.screen.shown import Shown
from table_controller.console.canvas import Canvas, Run
from table_controller.console.snapshot import styles_of

_PLAIN = Style()  # without any style Textual's filter for NO_COLOR fails
Draws = Callable[[Shown, int, int], Canvas]


class Drawing(Widget):
    """A part of the screen that one function draws."""

    def __init__(self, draws: Draws, *, id: str) -> None:
        super().__init__(id=id)
        self._draws = draws
        self._shown: Shown | None = None
        self._canvas = Canvas(0, 0)
        self._rows: list[list[Run]] = []

    def show(self, shown: Shown) -> None:
        """Takes the newest; rows that are as they were are not drawn again."""
        recoloured = self._shown is not None and self._shown.palette != shown.palette
        self._shown = shown
        width, height = self.size
        if width < 1 or height < 1:
            return
        self._canvas = self._draws(shown, width, height)
        before, self._rows = self._rows, [list(self._canvas.row(y)) for y in range(self._canvas.height)]
        if recoloured or len(before) != len(self._rows):
            self.refresh()
            return
        for y, (old, new) in enumerate(zip(before, self._rows, strict=True)):
            if old != new:
                self.refresh(Region(0, y, width, 1))

    def on_resize(self) -> None:
        self._rows = []
        if self._shown is not None:
            self.show(self._shown)

    async def on_click(self, click: Click) -> None:
        """A row chooses its table, a key is as if it had been pressed."""
        action = self._canvas.action_at(click.x, click.y)
        if action is not None:
            click.stop()
            await self.screen.run_action(action)

    def render_line(self, y: int) -> Strip:
        """One row, as Textual asks for it."""
        if self._shown is None or y >= len(self._rows):
            return Strip.blank(self.size.width, _PLAIN)
        styles = styles_of(self._shown.palette)
        return Strip([Segment(run.text, styles[run.style]) for run in self._rows[y]], self.size.width)
