"""The menus: rows with a letter each; what is not possible now stands there with the reason."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters, digits
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.steps import Command
from table_controller.console.intents import Refused
from table_controller.console.menus import Entry, seat_menu, table_menu
from table_controller.console.screens.choice import ConfirmDialog
from table_controller.console.screens.dialog import Dialog
from table_controller.console.screens.words import WordsDialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.pads import Choice, Choices

Rows = Callable[[Snapshot], tuple[Entry, ...]]


class MenuDialog(Dialog[Command]):
    """Takes a letter; the entries follow the table while the menu is open."""

    BINDINGS: ClassVar = [
        *(Binding(key, f"choose('{key.upper()}')", show=False) for key in (*ascii_letters, *digits)),
        Binding("enter", "usual", show=False),
        Binding("pagedown", "turn(1)", show=False),
        Binding("pageup", "turn(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
    ]

    def __init__(self, title: str, rows: Rows, snapshot: Snapshot) -> None:
        super().__init__()
        self._title, self._rows = title, rows
        self._entries = rows(snapshot)
        self._order = [one.letter for one in sorted(self._entries, key=lambda one: bool(one.closed))]
        """What is possible stands first; no row moves while the menu is open."""

    @override
    def content(self) -> ComposeResult:
        yield Choices(id="content")

    def on_mount(self) -> None:
        self.add_class("-menu")
        self.write("title", self._title)
        self._write()

    def show(self, snapshot: Snapshot) -> None:
        self._entries = self._rows(snapshot)
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
        places = {letter: place for place, letter in enumerate(self._order)}
        ordered = sorted(self._entries, key=lambda one: places.get(one.letter, len(places)))
        rows = [Choice(one.letter, one.meaning, one.closed, self._named(one)) for one in ordered if not one.hidden]
        self.query_one(Choices).offer(rows)
        usual = next((one for one in self._entries if one.enter is not None), None)
        self.write("hint", f"its letter · Enter: {usual.meaning} · Esc" if usual else "its letter · Esc")

    def _named(self, entry: Entry) -> tuple[str, ...]:
        """The letters of the rows that this one names."""
        return tuple(one.letter for one in self._entries if one.hidden and one.command is entry.command)

    def action_turn(self, pages: int) -> None:
        """To the rows that have no room."""
        self.query_one(Choices).turn(pages)

    def action_scroll(self, rows: int) -> None:
        """A row further down, or up again."""
        self.query_one(Choices).scroll_rows(rows)


def _asked(title: str, entry: Entry) -> str:
    return f"{title}: {entry.meaning}"


def table_dialog(snapshot: Snapshot) -> MenuDialog:
    """What the table settles beside the acts."""
    return MenuDialog("Table", lambda now: table_menu(now.state) if now.state else (), snapshot)


def seat_dialog(seat: int, snapshot: Snapshot) -> MenuDialog:
    """What happens at one seat."""
    return MenuDialog(f"Seat {seat}", lambda now: seat_menu(seat, now.state) if now.state else (), snapshot)
