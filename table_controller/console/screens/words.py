"""Dialogs in which a line is typed: what a player said, and what a menu asks for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input
from typing_extensions import override

from table_controller.console.intents import Refused, Send
from table_controller.console.screens.dialog import Dialog
from table_controller.console.typed import says

LONGEST = 200


class WordsDialog(Dialog):
    """Takes one line of words; ``read`` tells what they ask for, or why they are not understood."""

    def __init__(self, title: str, hint: str, read: Callable[[str], Send | Refused]) -> None:
        super().__init__()
        self._title, self._hint = title, hint
        self._read = read

    @override
    def content(self) -> ComposeResult:
        words = Input(max_length=LONGEST, compact=True)
        words.cursor_blink = False
        yield words

    def on_mount(self) -> None:
        self.write("title", self._title)
        self.write("hint", f"{self._hint} · Enter · Esc")

    @on(Input.Submitted)
    def _done(self, entered: Input.Submitted) -> None:
        wanted = self._read(entered.value.strip())
        if isinstance(wanted, Send):
            self.dismiss(wanted)
        else:
            self.write("problem", f"✖ {wanted.sentence}")


def says_dialog(seat: int) -> WordsDialog:
    """Takes a player's words as they were heard."""
    return WordsDialog(f"Seat {seat} says", "as heard, e.g. raise eight thousand", partial(says, seat))
