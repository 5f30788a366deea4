"""Bet or raise: the total is typed, the limits stay in sight."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.messages.table import TableState
from betline.steps import Command
from table_controller.console.digits import large
from table_controller.console.intents import Refused, make_it, pot_or_maximum, wager
from table_controller.console.pots import reckoning
from table_controller.console.screens.dialog import Dialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.pads import DigitPad

MAX_DIGITS = 9


class AmountDialog(Dialog[Command]):
    """Asks what the seat to act makes it; void when that seat is no longer to act."""

    BINDINGS: ClassVar = [
        *(Binding(digit, f"digit('{digit}')", show=False) for digit in "0123456789"),
        Binding("backspace", "backspace", show=False),
        Binding("enter", "done", show=False),
        Binding("m,M", "take('min')", show=False),
        Binding("p,P", "take('pot')", show=False),
    ]

    def __init__(self, seat: int, snapshot: Snapshot) -> None:
        super().__init__()
        self._seat = seat
        self._state = snapshot.state
        self._typed = ""

    @override
    def pad(self) -> ComposeResult:
        yield DigitPad("⌫")

    def on_mount(self) -> None:
        self._write()

    def show(self, snapshot: Snapshot) -> None:
        open_yet = snapshot.state is not None and snapshot.state.to_act == self._seat and wager(snapshot.state)
        self.is_void("" if open_yet else f"Seat {self._seat} is no longer to bet or raise: nothing was sent.")
        if open_yet:
            self._state = snapshot.state
            self._write()

    def action_digit(self, digit: str) -> None:
        """One more digit."""
        self._type((self._typed + digit).lstrip("0")[:MAX_DIGITS])

    def action_backspace(self) -> None:
        """The last digit was wrong."""
        self._type(self._typed[:-1])

    def action_take(self, which: str) -> None:
        """The minimum, or the pot bet (without a pot limit the maximum), as if it had been typed."""
        if self._state is not None:
            amount = self._state.min_raise_to if which == "min" else pot_or_maximum(self._state)
            self._type(str(amount) if amount is not None else "")

    def action_done(self) -> None:
        """The total is complete."""
        if self._state is None or not self._typed:
            self.write("problem", "Type the total first.")
            return
        wanted = make_it(self._state, int(self._typed))
        if isinstance(wanted, Refused):
            self.write("problem", f"✖ {wanted.sentence}")
        else:
            self.finish(wanted)

    def _type(self, digits: str) -> None:
        self._typed = digits
        self._write()

    def _write(self) -> None:
        if self._state is None:
            return
        verb = {"bet": "bets", "raise": "raises to", "complete": "completes to"}[wager(self._state) or "raise"]
        self.write("title", f"Seat {self._seat} {verb}")
        self.write("content", "\n".join(large(f"{int(self._typed):,}" if self._typed else "—")))
        self.write("problem", "")
        terms = reckoning(self._state)
        pot = f"pot {' '.join(terms)}\n" if terms else ""
        self.write("hint", f"{pot}{limits(self._state)} · Enter · Esc")


def limits(state: TableState) -> str:
    """The limits of the seat to act, in one row."""
    parts = [f"M min {state.min_raise_to:,}"] if state.min_raise_to is not None else []
    most = pot_or_maximum(state)
    if most is not None:
        parts.append(f"P {'pot' if state.pot_bet is not None else 'max'} {most:,}")
    if state.max_raise_to is not None:
        parts.append(f"max {state.max_raise_to:,}")
    return " · ".join(parts)
