"""Dialogs in which a line is typed: what a player said, and what a menu asks for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input
from typing_extensions import override

from betline.steps import MAX_LINE, Command
from table_controller.console import typed
from table_controller.console.intents import Refused
from table_controller.console.screens.dialog import Dialog
from table_controller.console.widgets.pads import LetterPad


class WordsDialog(Dialog[Command]):
    """Takes one line of words; ``read`` says what they ask for, or why they are not understood."""

    def __init__(self, title: str, hint: str, read: Callable[[str], Command | Refused]) -> None:
        super().__init__()
        self._title, self._hint = title, hint
        self._read = read

    @override
    def content(self) -> ComposeResult:
        words = Input(max_length=MAX_LINE, compact=True)
        words.cursor_blink = False
        yield words

    @override
    def pad(self) -> ComposeResult:
        yield LetterPad()

    def on_mount(self) -> None:
        self.write("title", self._title)
        self.write("hint", f"{self._hint} · Enter · Esc")

    @on(Input.Submitted)
    def _done(self, entered: Input.Submitted) -> None:
        wanted = self._read(entered.value.strip())
        if isinstance(wanted, Refused):
            self.write("problem", f"✖ {wanted.sentence}")
        else:
            self.finish(wanted)


def says_dialog(seat: int) -> WordsDialog:
    """Takes a player's words as they were heard."""
    return WordsDialog(f"Seat {seat} says", "as heard, e.g. raise eight thousand", partial(typed.says, seat))
