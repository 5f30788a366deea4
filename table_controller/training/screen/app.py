"""The application: keys in, the drawing out; what was answered is kept after each answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.events import Key
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from betline.options import DONE, UserError
from betline.stopping import on_sigterm
from table_controller.console.canvas import Canvas, fit, width_of, wrap
from table_controller.console.drawing.felt import Places
from table_controller.console.drawing.table import draw_table
from table_controller.console.palette import CONTRAST, DARK, THEMES, Palette
from table_controller.console.snapshot import styles_of
from table_controller.console.view import view_of
from table_controller.training import felt, wording
from table_controller.training.asking import Mode
from table_controller.training.leitner import Card
from table_controller.training.screen.state import Shown, pressed
from table_controller.training.sitting import Sitting
from table_controller.training.wording import Said

KEPT_FROM_ROWS = 36
"""From so many rows on the table stays while an answer is explained."""
LEAST_FELT, MOST_FELT = 10, 24
_PLAIN = Style()
_PAGE = 10


class TrainApp(App[int]):
    """One person's training; `deal` makes a sitting of what that person has learnt."""

    TITLE = "Betline"
    CSS_PATH = "train.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        Binding("q,Q,escape,ctrl+c", "leave", show=False, priority=True),
        Binding("f1,question_mark", "help", show=False),
        Binding("f5", "colours", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown", f"scroll({_PAGE})", show=False),
        Binding("pageup", f"scroll(-{_PAGE})", show=False),
    ]

    def __init__(
        self,
        deal: Callable[[Mapping[str, Card]], Sitting],
        cards: Mapping[str, Card],
        keep: Callable[[Mapping[str, Card]], None],
        titles: Mapping[str, str],
        mode: Mode,
        *,
        theme: str = DARK,
    ) -> None:
        super().__init__()
        self._deal, self._keep, self._titles, self._mode = deal, keep, titles, mode
        self.shown = Shown(deal(cards))
        for name, palette in Palette.all(felt.furniture(1)).items():
            self.register_theme(palette.theme(name))
        self.theme = CONTRAST if "NO_COLOR" in os.environ else theme

    def compose(self) -> ComposeResult:
        """Head, table, words, keys."""
        yield Row(self._head, id="head")
        yield Felt(id="felt")
        yield Sheet(id="sheet")
        yield Row(lambda canvas: _foot(canvas, self.shown), id="foot")

    def on_load(self) -> None:
        """Before the terminal is changed: SIGTERM is to put it right."""
        on_sigterm(lambda: self.exit(DONE))

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    @property
    def palette(self) -> Palette:
        """The colours of the theme in force."""
        return Palette.all(felt.furniture(1))[self.theme]

    def on_key(self, key: Key) -> None:
        """Digits, Enter and Backspace answer."""
        name = (
            "enter" if key.key == "space" else key.character if key.character and key.character.isdigit() else key.key
        )
        before = self.shown
        if before.is_over and name == "enter" and not before.help:
            self.shown = Shown(self._deal(before.sitting.cards))
        else:
            self.shown = pressed(before, name)
        if self.shown.sitting.cards is not before.sitting.cards and self.shown.told is not None:
            self._save()
        if self.shown is not before:
            self.query_one(Sheet).top = 0
            self._draw()

    def _save(self) -> None:
        try:
            self._keep(self.shown.sitting.cards)
        except UserError as error:
            self.shown = replace(self.shown, problem=str(error))

    def action_leave(self) -> None:
        """Ends the training."""
        self.exit(DONE)

    def action_help(self) -> None:
        """The page of help, and back."""
        self.shown = replace(self.shown, help=not self.shown.help)
        self.query_one(Sheet).top = 0
        self._draw()

    def action_colours(self) -> None:
        """The next colours."""
        names = list(THEMES.values())
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
        self._draw()

    def action_scroll(self, rows: int) -> None:
        """Further down, or up again."""
        self.query_one(Sheet).scroll_rows(rows)

    def _draw(self) -> None:
        """Gives the table the rows that the words leave."""
        width, height = self.size
        table = self.query_one(Felt)
        rows = len(laid_out(self.shown, width)) + 1
        room = height - 2 - rows
        hidden = self.shown.question is None or self.shown.help
        hidden = hidden or (self.shown.told is not None and height < KEPT_FROM_ROWS)
        table.display = not hidden
        table.styles.height = max(LEAST_FELT, min(room, MOST_FELT, height // 2 + 2))
        for painted in self.query(Painted):
            painted.repaint()

    def _head(self, canvas: Canvas) -> None:
        canvas.fill(0, 0, canvas.width, 1, "surface")
        x = canvas.put(1, 0, "♠ BETLINE", "surface-accent")
        right = wording.standing(self.shown.sitting)
        edge = canvas.right(0, right, "surface-text", edge=canvas.width - 1)
        told = self.shown.told
        now = told.asked if told is not None else self.shown.sitting.now
        words = f"Training, {self._mode}"
        if now is not None:
            count = wording.place(self.shown.sitting, now)
            if told is not None and not now.again:
                count = f"{self.shown.sitting.asked} of {self.shown.sitting.of}"
            words += f" · {count} · {self._titles[now.question.topic]}"
        canvas.put(x + 3, 0, fit(words, edge - x - 5), "surface-text")


class Painted(Widget):
    """A widget that paints on a canvas in the colours of the application."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._strips: list[Strip] | None = None

    def paint(self, shown: Shown, width: int, height: int) -> Canvas:  # noqa: ARG002
        """The canvas at that size; a bare one is empty."""
        return Canvas(width, height)

    def repaint(self) -> None:
        """Paints again at the next occasion."""
        self._strips = None
        self.refresh()

    def on_resize(self) -> None:
        self.repaint()

    @override
    def render_line(self, y: int) -> Strip:
        if self._strips is None:
            self._strips = self._painted()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width, _PLAIN)

    def _painted(self) -> list[Strip]:
        width, height = self.size
        app = self.app
        if not isinstance(app, TrainApp) or width < 1 or height < 1:
            return []
        styles = styles_of(app.palette)
        canvas = self.paint(app.shown, width, height)
        return [Strip([Segment(run.text, styles[run.style]) for run in canvas.row(y)], width) for y in range(height)]


class Row(Painted):
    """One row."""

    def __init__(self, painter: Callable[[Canvas], None], *, id: str) -> None:
        super().__init__(id=id)
        self._painter = painter

    @override
    def paint(self, shown: Shown, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        self._painter(canvas)
        return canvas


class Felt(Painted):
    """The table as the console draws it."""

    @override
    def paint(self, shown: Shown, width: int, height: int) -> Canvas:
        question = shown.question
        if question is None:
            return Canvas(width, height)
        state = question.table
        table = felt.furniture(max([seat.seat for seat in state.seats], default=1))
        return draw_table(table, view_of(state, table), Places.of(table, width, height), None)


class Sheet(Painted):
    """The words, scrolled where they are too long."""

    top = 0
    """The first row that is seen."""

    @override
    def paint(self, shown: Shown, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        rows = laid_out(shown, width)
        self.top = max(0, min(self.top, len(rows) - height))
        for y, (head, text, look) in enumerate(rows[self.top : self.top + height]):
            x = canvas.put(1, y, head, "accent" if look == "text" else look)
            canvas.put(x, y, text, look)
        if self.top + height < len(rows):
            canvas.right(height - 1, " ↓ more ", "surface-accent", edge=width - 1)
        return canvas

    def scroll_rows(self, rows: int) -> None:
        """Moves the first row that is seen."""
        self.top = max(0, self.top + rows)
        self.repaint()


def laid_out(shown: Shown, width: int) -> list[tuple[str, str, str]]:
    """The rows of the sheet at that width: what stands before the text, the text, and its style."""
    rows: list[tuple[str, str, str]] = []
    for line in shown.rows():
        rows += _wrapped(line, min(width - 2, 100))
    return rows


def _wrapped(line: Said, width: int) -> list[tuple[str, str, str]]:
    indent = width_of(line.head)
    parts = wrap(line.text, width - indent, 30) or [""]
    return [(line.head if not number else " " * indent, part, line.look) for number, part in enumerate(parts)]


def _foot(canvas: Canvas, shown: Shown) -> None:
    canvas.fill(0, 0, canvas.width, 1, "surface")
    canvas.put(1, 0, fit(shown.keys, canvas.width - 2), "surface-text")
