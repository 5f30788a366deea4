"""The rows of words around the table."""

from __future__ import annotations

from textual.geometry import Size
from typing_extensions import override

from table_controller.console.canvas import Canvas
from table_controller.console.drawing.lines import (
    attention_rows,
    draw_attention,
    draw_evening,
    draw_header,
    draw_keys,
    draw_message,
    draw_pots,
    draw_rulings,
    draw_sensors,
    pot_rows,
)
from table_controller.console.drawing.panel import draw_panel
from table_controller.console.footer import footer
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line
from table_controller.console.widgets.drawn import Drawn


class Header(Drawn):
    """The table, the hand, the connection."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view, snapshot.lost

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_header(snapshot.view, snapshot.lost, width)


class Evening(Drawn):
    """The level, its time and the game in turn; no row where the table has neither."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.evening

    @override
    def redraw(self) -> None:
        super().redraw()
        shown = self.snapshot is not None and self.snapshot.evening is not None
        self.display = shown

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_evening(snapshot.evening, width)


class Pots(Drawn):
    """Every pot and who can win it, where the table is drawn too small for them; no row where there is one pot."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.pots

    @override
    def redraw(self) -> None:
        super().redraw()
        self.refresh(layout=True)

    @override
    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        self.display = bool(snapshot.view.pots)

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(pot_rows(self.snapshot.view.pots, width - 2)) if self.snapshot else 0

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_pots(snapshot.view.pots, width, height)


class Panel(Drawn):
    """Who acts and the amounts, large."""

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_panel(snapshot.view, width, height)


class Rulings(Drawn):
    """The last rulings with their rules."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.rulings

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_rulings(snapshot.view.rulings, width, height)


class Attention(Drawn):
    """Questions and alerts, as high as they need up to the greatest height that the style sheet allows."""

    _MAX_ROWS = 16

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.questions, snapshot.view.alerts

    @override
    def redraw(self) -> None:
        super().redraw()
        self.refresh(layout=True)

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        if self.snapshot is None:
            return 0
        return len(attention_rows(self.snapshot.view, width, self._MAX_ROWS))

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_attention(snapshot.view, width, height)


class Sensors(Drawn):
    """Every sensor, where there is room for it."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.sensors

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_sensors(snapshot.view.sensors, width, height)


class MessageLine(Drawn):
    """What is being typed, else the answer to the last key."""

    typed: str = ""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.message

    def show_typed(self, text: str) -> None:
        """Shows a number that is being typed; none gives the line back to the answers."""
        self.typed = text
        self.redraw()

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_message(Line("›", self.typed, "warn") if self.typed else snapshot.message, width)


class KeyLine(Drawn):
    """The keys that work now."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return footer(snapshot.state)

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_keys(footer(snapshot.state), width)
