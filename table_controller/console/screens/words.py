"""Dialogs in which words are typed: what a player said, and who sits down or leaves."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from table_controller.console.intents import SEATING_HELP, Refused, Send, seating
from table_controller.console.screens.dialog import Dialog

LONGEST = 200


class SaysDialog(Dialog):
    """Takes a player's words as they were heard."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self._seat = seat

    def content(self) -> ComposeResult:
        words = Input(max_length=LONGEST, compact=True)
        words.cursor_blink = False
        yield words

    def on_mount(self) -> None:
        self.write("title", f"Seat {self._seat} says")
        self.write("hint", "as heard, e.g. raise eight thousand · Enter · Esc")

    @on(Input.Submitted)
    def _done(self, entered: Input.Submitted) -> None:
        if entered.value.strip():
            self.dismiss(Send("says", {"seat": self._seat, "text": entered.value.strip()}))
        else:
            self.write("problem", "✖ Type the words first.")


class SeatingDialog(SaysDialog):
    """Takes what happens at a seat between hands."""

    def on_mount(self) -> None:
        self.write("title", f"Seat {self._seat}")
        self.write("hint", f"{SEATING_HELP} · Enter · Esc")

    @on(Input.Submitted)
    def _done(self, entered: Input.Submitted) -> None:
        wanted = seating(self._seat, entered.value)
        if isinstance(wanted, Send):
            self.dismiss(wanted)
        elif isinstance(wanted, Refused):
            self.write("problem", f"✖ {wanted.sentence}")
