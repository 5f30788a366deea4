"""The base of all widgets: a canvas shown in a part of the screen, drawn again only when what it shows has changed."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from table_controller.console.canvas import Canvas
from table_controller.console.snapshot import Snapshot, styles_of

_PLAIN = Style()  # without any style Textual's filter for NO_COLOR fails


@runtime_checkable
class Touched(Protocol):
    """An application that knows whether it was clicked last, or a key pressed."""

    touched: bool


class Drawn(Widget):
    """A widget that draws the newest snapshot."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.snapshot: Snapshot | None = None
        self._strips: list[Strip] | None = None
        self._canvas = Canvas(0, 0)

    def content(self, snapshot: Snapshot) -> object:
        """What of a snapshot this widget shows; equal content is not drawn again."""
        return snapshot.view

    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:  # noqa: ARG002
        """The widget's canvas at that size; a bare one is empty."""
        return Canvas(width, height)

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        before, self.snapshot = self.snapshot, snapshot
        if (
            before is None
            or before.palette != snapshot.palette
            or self.content(before) != self.content(snapshot)
        ):  # fmt: skip
            self.redraw()

    def redraw(self) -> None:
        """Draws again at the next occasion."""
        self._strips = None
        self.refresh()

    def on_resize(self) -> None:
        self.redraw()

    async def on_click(self, click: Click) -> None:
        """A part of the drawing that answers to clicks asks its screen for an action."""
        action = self._canvas.action_at(click.x, click.y)
        if action is not None:
            click.stop()
            if isinstance(self.app, Touched):
                self.app.touched = True
            await self.screen.run_action(action)

    def render_line(self, y: int) -> Strip:
        """One row of the canvas, as Textual asks for it."""
        if self._strips is None:
            self._strips = self._drawn()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width, _PLAIN)

    def _drawn(self) -> list[Strip]:
        width, height = self.size
        if self.snapshot is None or width < 1 or height < 1:
            return []
        return self.strips(self.snapshot, width, height)

    def strips(self, snapshot: Snapshot, width: int, height: int) -> list[Strip]:
        """The widget's rows at that size: its canvas in the colours of the palette."""
        canvas = self._canvas = self.draw(snapshot, width, height)
        styles = styles_of(snapshot.palette)
        return [
            Strip([Segment(run.text, styles[run.style]) for run in canvas.row(y)], width) for y in range(canvas.height)
        ]


class Fitted(Drawn):
    """A drawing whose height depends on what it shows: the screen is laid out anew with it."""

    @override
    def redraw(self) -> None:
        super().redraw()
        self.refresh(layout=True)
