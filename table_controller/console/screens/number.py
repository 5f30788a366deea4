"""A pad for the number that belongs to the next key, for a hand without a keyboard."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from table_controller.console.digits import large
from table_controller.console.screens.dialog import Dialog
from table_controller.console.widgets.pads import DigitPad

MAX_DIGITS = 9


class NumberDialog(Dialog[str]):
    """Takes digits and ends with them."""

    BINDINGS: ClassVar = [
        *(Binding(digit, f"type('{digit}')", show=False) for digit in "0123456789"),
        Binding("backspace", "type('')", show=False),
        Binding("enter", "done", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._typed = ""

    @override
    def pad(self) -> ComposeResult:
        yield DigitPad("⌫")

    def on_mount(self) -> None:
        self.write("title", "The number before a key: a seat, an amount, how many")
        self.write("hint", "Enter: then the key · Esc")
        self._write()

    def action_type(self, digit: str) -> None:
        """One more digit; none takes the last one away."""
        self._typed = (self._typed + digit).lstrip("0")[:MAX_DIGITS] if digit else self._typed[:-1]
        self._write()

    def action_done(self) -> None:
        """The number is complete."""
        self.finish(self._typed)

    def _write(self) -> None:
        self.write("content", "\n".join(large(self._typed or "—")))
