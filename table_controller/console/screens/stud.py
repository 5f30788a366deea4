"""Stud: the dealer names a seat with one digit, for the bring-in and for who opens a street."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.messages.table import TableState
from betline.steps import BringIn, Command, Deal
from table_controller.console.intents import why_closed
from table_controller.console.screens.dialog import Dialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.pads import DigitPad


class SeatDialog(Dialog[Command]):
    """Takes the digit of the seat that brings it in, 0 for seat 10; void when nobody asks any more."""

    BINDINGS: ClassVar = [Binding(digit, f"choose({digit})", show=False) for digit in "0123456789"]

    def __init__(self, title: str, asked: Callable[[TableState], bool], snapshot: Snapshot) -> None:
        super().__init__()
        self._title, self._asked = title, asked
        self._state = snapshot.state
        self.hint = "its digit, 0 is seat 10 · Esc"

    @override
    def pad(self) -> ComposeResult:
        yield DigitPad()

    def on_mount(self) -> None:
        self.write("title", self._title)
        self.write("hint", self.hint)
        self.write("content", self.words())

    def show(self, snapshot: Snapshot) -> None:
        self._state = snapshot.state
        open_yet = self._state is not None and self._asked(self._state)
        self.is_void("" if open_yet else "That is settled meanwhile: nothing was sent.")

    def words(self) -> str:
        """Who can be named."""
        return " · ".join(f"{seat} {name}".rstrip() for seat, name in self._live.items())

    def command(self, seat: int) -> Command:
        """The command for a seat."""
        return BringIn(seat=seat)

    def action_choose(self, digit: int) -> None:
        """The seat of that digit."""
        seat = digit or 10
        if seat in self._live:
            self.finish(self.command(seat))
        else:
            self.write("problem", f"✖ Seat {seat} is not in the hand.")

    @property
    def _live(self) -> dict[int, str]:
        seats = self._state.seats if self._state else ()
        return {one.seat: one.name for one in seats if one.status in ("in", "all-in")}


class FirstDialog(SeatDialog):
    """Who opens the next street; P says that an open pair shows (R-003, R-130)."""

    BINDINGS: ClassVar = [Binding("p,P", "pair", show=False)]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__("The next street: who opens it?", _opener_asked, snapshot)
        self.hint = "its digit, 0 is seat 10 · P an open pair · Esc"
        self._pair = False

    @override
    def words(self) -> str:
        return f"{super().words()}{'   with an open pair' if self._pair else ''}"

    @override
    def command(self, seat: int) -> Command:
        return Deal(first=seat, open_pair=self._pair)

    def action_pair(self) -> None:
        """A pair is open, or is not after all."""
        self._pair = not self._pair
        self.write("content", self.words())


def bring_in_dialog(snapshot: Snapshot) -> SeatDialog:
    """Who brings it in (R-202)."""
    return SeatDialog("Who brings it in?", lambda state: not why_closed(state, BringIn), snapshot)


def _opener_asked(state: TableState) -> bool:
    return state.phase == "round-over" and state.names_first
