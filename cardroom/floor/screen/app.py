"""The application: gives every screen what was heard last, and speaks with the one table whose ruling is taken."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding
from textual.events import Resize
from textual.message import Message
from typing_extensions import override

from betline.bus import Bus
from betline.options import DONE, UserError
from betline.settings import load_table
from cardroom.floor.desk import OpensDesk, TableFiles
from cardroom.floor.ear import Ear
from cardroom.floor.screen.asked import Asked
from cardroom.floor.screen.board import BoardScreen, snapshot_of
from cardroom.floor.screen.help import HelpScreen
from cardroom.floor.screen.ruling import RulingDialog
from cardroom.floor.screen.shown import Looking, Shown
from cardroom.floor.screen.tables import TablesScreen
from cardroom.floor.view import cut_off, only, rows_of, summary
from table_controller.console import app as console
from table_controller.console.client import Client
from table_controller.console.clock import Clock, SystemClock
from table_controller.console.ordered_keys import OrderedKeys
from table_controller.console.palette import CONTRAST, DARK, THEMES, Palette
from table_controller.console.view import Line

REDRAW_S = 0.2
TICK_S = 0.5
MESSAGE_S = 15.0
TALL = 32
"""So many rows give the chosen table more room."""


class Heard(Message):
    """Something has come from the site."""


class FromDesk(Message):
    """Something has come from the table whose ruling is taken."""


class FloorApp(OrderedKeys):
    """All tables of a site; it closes no bus but those of the desks that it opened."""

    TITLE = "Betline"
    CSS_PATH: ClassVar = [Path(console.__file__).parent / "console.tcss", "floor.tcss"]
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("ctrl+c", "leave", show=False, system=True)]

    def __init__(
        self,
        ear: Ear,
        opens: OpensDesk,
        files: TableFiles,
        clock: Clock | None = None,
        *,
        where: str = "",
        theme: str = DARK,
    ) -> None:
        super().__init__()
        self._ear, self._opens, self._files = ear, opens, files
        self._clock = clock or SystemClock()
        self._where = where
        self._palettes = Palette.all(load_table())
        self._looking = Looking()
        self._message: Line | None = None
        self._told_s = float("-inf")
        self._drawn_s = float("-inf")
        self._waits = False
        """Whether a redraw is due already."""
        self._desk: Bus | None = None
        self._boards: list[BoardScreen] = []
        self.redraws = 0
        for name, palette in self._palettes.items():
            self.register_theme(palette.theme(name))
        self.theme = CONTRAST if "NO_COLOR" in os.environ else theme

    @override
    def get_default_screen(self) -> TablesScreen:
        return TablesScreen(self._look)

    def on_mount(self) -> None:
        self._ear.wakes(lambda: self.post_message(Heard()))
        self.set_interval(TICK_S, self._tick)
        self.draw()

    def on_unmount(self) -> None:
        self._ear.wakes(lambda: None)
        self._close_desk()

    def on_resize(self, resized: Resize) -> None:
        self.screen_stack[0].set_class(resized.size.height >= TALL, "-tall")
        self.call_after_refresh(self.draw)

    # --- from the site to the screens --------------------------------------------------------------------------------

    @on(Heard)
    def _on_heard(self) -> None:
        wait_s = self._drawn_s + REDRAW_S - self._clock.steady_s()
        if wait_s <= 0:
            self.draw()
        elif not self._waits:
            self._waits = True
            self.set_timer(wait_s, self.draw)

    def _tick(self) -> None:
        if not self.is_running:
            return
        if self._message is not None and self._clock.steady_s() - self._told_s > MESSAGE_S:
            self._message = None
        if isinstance(self.screen, RulingDialog):
            self.screen.hear()
        self.draw()

    def draw(self) -> None:
        """Every screen gets what is known now."""
        if not self.is_running:
            return
        self._waits = False
        self._drawn_s = now_s = self._clock.steady_s()
        self.redraws += 1
        floor = self._ear.look()
        lost = floor.lost_s is not None
        palette = self._palettes[self.theme]
        every = rows_of(floor, now_s, self._looking.order)
        rows = only(every, self._looking.only, self._looking.find)
        if rows and all(row.name != self._looking.chosen for row in rows):
            self._looking = replace(self._looking, chosen=rows[0].name)
        head, missing = summary(floor, every, now_s)
        time = self._clock.time_of_day()[:5]
        shown = Shown(floor.site, rows, head, missing, palette, self._looking, self._message, time, self._where,
                      cut_off(floor, now_s))  # fmt: skip
        covered = any(isinstance(screen, BoardScreen) for screen in self.screen_stack)
        for screen in self.screen_stack:
            if isinstance(screen, TablesScreen) and not covered:
                screen.show(shown)
            elif isinstance(screen, BoardScreen) and screen.is_mounted and screen.table in floor.tables:
                screen.tell(floor.tables[screen.table], palette, now_s, lost=lost)

    # --- from the keys -----------------------------------------------------------------------------------------------

    def _look(self, looking: Looking) -> None:
        self._looking = looking
        self.draw()

    @on(Asked)
    def _on_asked(self, asked: Asked) -> None:
        match asked.what:
            case "open":
                self._open(asked.table)
            case "ruling":
                self._take_ruling(asked.table)
            case "colours":
                names = list(THEMES)
                self.theme = THEMES[names[(list(THEMES.values()).index(self.theme) + 1) % len(names)]]
                self.draw()
            case "help":
                self.push_screen(HelpScreen())
            case "quit":
                self.action_leave()

    def action_leave(self) -> None:
        """The end of this program."""
        self.exit(DONE)

    def _open(self, name: str) -> None:
        floor = self._ear.look()
        table = floor.tables.get(name)
        if table is None:
            return
        settings = self._files.of(name, table.state)
        lost = floor.lost_s is not None
        first = snapshot_of(table, settings, self._palettes[self.theme], self._clock.steady_s(), lost=lost)
        board = next((one for one in self._boards if one.draws(settings)), None)
        if board is None:
            board = BoardScreen(settings, self._clock)
            self.install_screen(board, f"board-{len(self._boards)}")
            self._boards.append(board)
        board.turn_to(name, settings, first)
        self.push_screen(board, lambda _: self.draw())

    def _take_ruling(self, name: str) -> None:
        table = self._ear.look().tables.get(name)
        if table is None:
            return
        if table.waiting is None:
            self._tell(Line("·", f"No ruling waits at {name}: N goes to a table where somebody is needed."))
            return
        try:
            self._desk = bus = self._opens(name)
        except UserError as error:
            self._tell(Line("✖", str(error), "bad"))
            return
        client = Client(bus, self._clock, lambda: self.post_message(FromDesk()))
        client.start()

        def over(sentence: str | None) -> None:
            self._close_desk()
            if sentence is not None:
                self._tell(Line("✓", f"{name}: {sentence}", "good"))

        floor = self._files.of(name, table.state).floor
        self.push_screen(RulingDialog(name, table.waiting, client, floor), over)

    @on(FromDesk)
    def _on_desk(self) -> None:
        if isinstance(self.screen, RulingDialog) and self.screen.is_mounted:
            self.screen.hear()

    def _close_desk(self) -> None:
        if self._desk is not None:
            self._desk.close()
            self._desk = None

    def _tell(self, line: Line) -> None:
        self._message, self._told_s = line, self._clock.steady_s()
        self.draw()
