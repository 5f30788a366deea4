"""Awarding the pots, one after the other."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.steps import Award, Command, Winners
from table_controller.console.intents import contested, listed
from table_controller.console.screens.dialog import Dialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.typed import by_pot, winners
from table_controller.console.widgets.pads import DigitPad

MAX_TYPED = 21


class AwardDialog(Dialog[Command]):
    """Asks who wins each pot, main pot first, and each board of it where several were run.

    It is void when the pots have changed meanwhile.
    """

    BINDINGS: ClassVar = [
        *(Binding(digit, f"type('{digit}')", show=False) for digit in "0123456789"),
        Binding("slash", "type('/')", show=False),
        Binding("backspace", "backspace", show=False),
        Binding("enter", "done", show=False),
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self._pots = contested(snapshot.state) if snapshot.state else ()
        self._runs = snapshot.state.runs if snapshot.state else 1
        self._won: list[Winners] = []
        """By pot, and of each pot by board."""
        self._typed = ""

    @override
    def pad(self) -> ComposeResult:
        yield DigitPad("⌫/")

    def on_mount(self) -> None:
        self._write()

    def show(self, snapshot: Snapshot) -> None:
        state = snapshot.state
        same = state is not None and contested(state) == self._pots and state.runs == self._runs
        self.is_void("" if same else "The pots have changed meanwhile: nothing was awarded.")

    def action_type(self, char: str) -> None:
        """One more winner, or the border between two parts."""
        self._typed = (self._typed + char)[:MAX_TYPED]
        self._write()

    def action_backspace(self) -> None:
        """The last key was wrong; before the first one the pot before is asked again."""
        if not self._typed and self._won:
            self._won.pop()
        self._typed = self._typed[:-1]
        self._write()

    def action_done(self) -> None:
        """The winners of the pot that is asked are complete."""
        try:
            self._won.append(winners(self._typed, self._pots[len(self._won) // self._runs]))
        except ValueError as error:
            self.write("problem", f"✖ {error}")
            return
        self._typed = ""
        if len(self._won) == len(self._pots) * self._runs:
            self.finish(Award(pots=by_pot(self._won, self._runs)))
            self._won.pop()
        else:
            self._write()

    def _write(self) -> None:
        place, run = divmod(len(self._won), self._runs)
        pot = self._pots[place]
        name = "The pot" if len(self._pots) == 1 else "Main pot" if place == 0 else f"Side pot {place}"
        board = f", board {run + 1} of {self._runs}" if self._runs > 1 else ""
        self.write("title", f"{name}{board}: {pot.amount:,}, for seats {listed(pot.seats)}")
        shown = ", ".join("10" if char == "0" else char for char in self._typed).replace(", /, ", "  /  ")
        self.write("content", f"won by seat  {shown or '—'}")
        self.write("problem", "")
        self.write("hint", "digits win, 0 is seat 10 · / parts it (high / low) · Enter · Esc")
