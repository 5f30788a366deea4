"""The base of the screens that are read: rows of words under a title, scrolled by keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from typing_extensions import override

from table_controller.console.canvas import Canvas, Run
from table_controller.console.hints import key_action, spots
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line
from table_controller.console.widgets.drawn import Drawn

Row = list[Run]
_WHEEL = 3
_TONES = {"plain": "text", "good": "good", "warn": "warn", "bad": "bad"}


class PageScreen(Screen[None]):
    """A page opened from the table; Escape or its own key goes back."""

    TITLE = ""
    KEYS = "↑ ↓ PgUp PgDn Home: scroll · Esc: back to the table"

    BINDINGS: ClassVar = [
        Binding("escape,q,Q,enter,space", "app.pop_screen", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("home", "scroll(-100000)", show=False),
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self._first = snapshot

    def compose(self) -> ComposeResult:
        """One widget that fills the screen."""
        yield Page(self)

    def on_mount(self) -> None:
        self.show(self._first)

    def rows(self, snapshot: Snapshot, width: int) -> list[Row]:  # noqa: ARG002
        """The page's rows at that width; a bare page has none."""
        return []

    def actions(self) -> Mapping[int, str]:
        """What clicks on rows ask for, by row; on a bare page nothing."""
        return {}

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        self.query_one(Page).show(snapshot)

    def action_scroll(self, rows: int) -> None:
        """Further down, or up again."""
        self.query_one(Page).scroll_rows(rows)


class Page(Drawn):
    """Title, rows from the one scrolled to, and the keys."""

    def __init__(self, screen: PageScreen) -> None:
        super().__init__()
        self._page = screen
        self._top = 0
        self._length = 0

    @override
    def content(self, snapshot: Snapshot) -> object:
        return (
            snapshot.state, snapshot.lost, snapshot.log, snapshot.journal, snapshot.traffic, snapshot.look_back,
        )  # fmt: skip

    def scroll_rows(self, rows: int) -> None:
        """Moves the first row that is seen."""
        self._top = max(0, min(self._top + rows, self._length - (self.size.height - 3)))
        self.redraw()

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        rows = self._page.rows(snapshot, width - 2)
        self._length = len(rows)
        canvas.fill(0, 0, width, 1, "surface")
        canvas.put(1, 0, f"♠ BETLINE   {self._page.TITLE}", "surface-accent")
        if snapshot.lost:
            canvas.right(0, f" ✖ {snapshot.lost} ", "banner")
        actions = self._page.actions()
        for y, row in enumerate(rows[self._top : self._top + height - 3]):
            x = 1
            for run in row:
                x = canvas.put(x, y + 2, run.text, run.style)
            if (action := actions.get(self._top + y)) is not None:
                canvas.answer(0, y + 2, width, 1, action)
        draw_key_hints(canvas, height - 1, self._page.KEYS)
        return canvas

    def on_mouse_scroll_down(self) -> None:
        self.scroll_rows(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self.scroll_rows(-_WHEEL)


def draw_key_hints(canvas: Canvas, y: int, text: str) -> None:
    """The keys of a page in a row; a click on one is that key."""
    canvas.fill(0, y, canvas.width, 1, "surface")
    canvas.put(1, y, text, "surface-text")
    for spot in spots(text):
        canvas.answer(1 + spot.start, y, spot.length, 1, key_action(spot.key))


def heading(text: str) -> list[Row]:
    """A heading with a row of air above it."""
    return [[], [Run(text, "accent")]]


def row_of(line: Line) -> Row:
    """A line with its mark."""
    return [Run(f"{line.mark} ", _TONES[line.tone]), Run(line.text, _TONES[line.tone])]
