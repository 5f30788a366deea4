"""The menus: rows with a letter each; what is not possible now stands there with the reason."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters, digits
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.widgets import Static

from betline.steps import Command
from table_controller.console.canvas import fit
from table_controller.console.intents import Refused
from table_controller.console.menus import Entry, seat_menu, table_menu
from table_controller.console.screens.choice import ConfirmDialog
from table_controller.console.screens.dialog import Dialog
from table_controller.console.screens.words import WordsDialog
from table_controller.console.snapshot import Snapshot

_WIDTH = 68
Rows = Callable[[Snapshot], tuple[Entry, ...]]


class MenuDialog(Dialog[Command]):
    """Takes a letter; the entries follow the table while the menu is open."""

    BINDINGS: ClassVar = [
        *(Binding(key, f"choose('{key.upper()}')", show=False) for key in (*ascii_letters, *digits)),
        Binding("enter", "usual", show=False),
    ]

    def __init__(self, title: str, rows: Rows, snapshot: Snapshot) -> None:
        super().__init__()
        self._title, self._rows = title, rows
        self._entries = rows(snapshot)
        self._palette = snapshot.palette

    def on_mount(self) -> None:
        self.add_class("-menu")
        self.write("title", self._title)
        self._write()

    def show(self, snapshot: Snapshot) -> None:
        self._entries, self._palette = self._rows(snapshot), snapshot.palette
        self._write()

    def action_choose(self, letter: str) -> None:
        """The entry of that letter."""
        entry = next((one for one in self._entries if one.letter == letter), None)
        if entry is None:
            return
        if entry.closed:
            self.write("problem", f"✖ {entry.closed}")
        elif entry.hint:
            self.app.push_screen(WordsDialog(_asked(self._title, entry), entry.hint, entry.read), self._send)
        elif isinstance(wanted := entry.read(""), Refused):
            self.write("problem", f"✖ {wanted.sentence}")
        elif entry.confirm:
            self.app.push_screen(ConfirmDialog(_asked(self._title, entry), "Sure?", wanted), self._send)
        else:
            self.finish(wanted)

    def action_usual(self) -> None:
        """The entry that Enter stands for."""
        usual = next((one.enter for one in self._entries if one.enter is not None), None)
        if usual is not None:
            self.finish(usual)

    def _send(self, wanted: Command | None) -> None:
        if wanted is not None:
            self.dismiss(wanted)

    def _write(self) -> None:
        text = Text()
        for place, entry in enumerate(self._entries):
            line = f"{entry.letter}  {entry.meaning}"
            closed = f"   ✖ {entry.closed}" if entry.closed else ""
            style = self._palette.dim if closed else self._palette.text
            text.append(f"{chr(10) if place else ''}{fit(line + closed, _WIDTH)}", style)
        self.query_one("#content", Static).update(text)
        usual = next((one for one in self._entries if one.enter is not None), None)
        self.write("hint", f"its letter · Enter: {usual.meaning} · Esc" if usual else "its letter · Esc")


def _asked(title: str, entry: Entry) -> str:
    return f"{title}: {entry.meaning}"


def table_dialog(snapshot: Snapshot) -> MenuDialog:
    """What the table settles beside the acts."""
    return MenuDialog("Table", lambda now: table_menu(now.state) if now.state else (), snapshot)


def seat_dialog(seat: int, snapshot: Snapshot) -> MenuDialog:
    """What happens at one seat."""
    return MenuDialog(f"Seat {seat}", lambda now: seat_menu(seat, now.state) if now.state else (), snapshot)
