"""The rows of words around the table."""

from __future__ import annotations

from textual.geometry import Size
from typing_extensions import override

from table_controller.console.canvas import Canvas
from table_controller.console.cards import board_lines
from table_controller.console.drawing.lines import (
    attention_rows,
    board_rows,
    draw_attention,
    draw_board,
    draw_evening,
    draw_header,
    draw_keys,
    draw_last_hands,
    draw_message,
    draw_pots,
    draw_rulings,
    draw_sensors,
    message_rows,
    pot_rows,
)
from table_controller.console.drawing.panel import draw_panel
from table_controller.console.footer import footer, press
from table_controller.console.layout import LOW, layout_of
from table_controller.console.levels import players_left
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line
from table_controller.console.widgets.drawn import Drawn, Fitted


class Header(Drawn):
    """The table, the hand, the connection; on a screen without a row for it, the level."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view, snapshot.lost, snapshot.level, snapshot.staff.who, snapshot.turn

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        level = snapshot.level if layout_of(*self.screen.size) in LOW else None
        return draw_header(snapshot.view, snapshot.lost, width, level, snapshot.staff.who, snapshot.turn)


class Evening(Drawn):
    """The level, its time, the game in turn and who is left; no row where the table has no such thing.

    A low screen has the level in its head, and this where it has nothing else to say.
    """

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.evening, players_left(snapshot.state)

    @override
    def redraw(self) -> None:
        super().redraw()
        shown = self.snapshot is not None and self.snapshot.evening is not None
        self.display = shown and layout_of(*self.screen.size) not in LOW

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_evening(snapshot.evening, players_left(snapshot.state), width)


class Board(Fitted):
    """The board and the hands that were shown; no row where nothing lies there."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.cards

    @override
    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        self.display = bool(board_lines(snapshot.cards))

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(board_rows(board_lines(self.snapshot.cards), width)) if self.snapshot else 0

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = draw_board(board_lines(snapshot.cards), width, height)
        canvas.answer(0, 0, width, height, press("cards"))
        return canvas


class Pots(Fitted):
    """Every pot and who can win it, where the table is drawn too small for them; no row where there is one pot."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.pots

    @override
    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        self.display = bool(snapshot.view.pots) and layout_of(*self.screen.size) in LOW

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


class Rulings(Fitted):
    """The last rulings with their rules; on a small screen a second row where nothing else needs it."""

    _ROWS_OF_THE_TABLE = 11
    _ROWS_BELOW = 8
    """Head, panel, answer and keys."""
    _ROWS_OF_MEDIUM = 5

    @override
    def content(self, snapshot: Snapshot) -> object:
        view = snapshot.view
        return view.rulings, view.pots, view.questions, view.alerts, snapshot.message, snapshot.evening, snapshot.cards

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_rulings(snapshot.view.rulings, width, height)

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        if self.snapshot is None:
            return 1
        said = self.screen.query_one(MessageLine).rows(viewport.width)
        if layout_of(*self.screen.size) == "medium":
            return self._ROWS_OF_MEDIUM + 1 - said
        view = self.snapshot.view
        others = len(pot_rows(view.pots, width - 2)) + len(attention_rows(view, width, Attention.LEAST_ROWS))
        others += len(board_rows(board_lines(self.snapshot.cards), width))
        rows = 2 if viewport.height - self._ROWS_OF_THE_TABLE - self._ROWS_BELOW - others > 1 else 1
        return max(1, rows + 1 - said)


class Attention(Fitted):
    """Questions and alerts, as high as they need up to the greatest height that the style sheet allows."""

    _MAX_ROWS = 16
    LEAST_ROWS = 4

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.questions, snapshot.view.alerts

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        if self.snapshot is None:
            return 0
        return len(attention_rows(self.snapshot.view, width, self._MAX_ROWS))

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_attention(snapshot.view, width, height)


class Sensors(Fitted):
    """The sensors that are not well, where there is room for them; no row where all are."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return self._unwell(snapshot)

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._unwell(self.snapshot)) if self.snapshot else 0

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = draw_sensors(self._unwell(snapshot), width, height)
        canvas.answer(0, 0, width, height, press("sensors"))
        return canvas

    @staticmethod
    def _unwell(snapshot: Snapshot) -> tuple[Line, ...]:
        return tuple(line for line in snapshot.view.sensors if line.tone != "good")


class LastHands(Drawn):
    """The last five hands, who won them and how much, where there is room for them."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.look_back

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = draw_last_hands(snapshot.look_back, width, height)
        canvas.answer(0, 0, width, height, press("hands"))
        return canvas


class MessageLine(Fitted):
    """What is being typed (a click forgets it), else the answer to the last key, whole."""

    typed: str = ""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.message, snapshot.evening

    def show_typed(self, text: str) -> None:
        """Shows a number that is being typed; none gives the line back to the answers."""
        self.typed = text
        self.redraw()

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        if self.typed:
            canvas = draw_message(Line("›", self.typed, "warn"), width)
            canvas.answer(0, 0, width, height, "clear")
            return canvas
        return draw_message(self.line, width)

    @property
    def line(self) -> Line | None:
        """What is said now; where that is nothing, a low screen has the level here."""
        if self.snapshot is None:
            return None
        evening = self.snapshot.evening if layout_of(*self.screen.size) in LOW else None
        return self.snapshot.message or evening

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.rows(width)

    def rows(self, width: int) -> int:
        """So many rows does it take."""
        return 1 if self.typed else len(message_rows(self.line, width))


class KeyLine(Drawn):
    """The keys that work now."""

    @override
    def content(self, snapshot: Snapshot) -> object:
        return footer(snapshot.state)

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        return draw_keys(footer(snapshot.state), width, height)
