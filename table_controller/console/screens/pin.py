"""Signing in: who, by a digit where several can, then the PIN as dots. A badge that is laid does as well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.messages.people import StaffMember
from table_controller.console.screens.dialog import Dialog
from table_controller.console.signing import SignedIn
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.pads import DigitPad

MOST_DIGITS = 12
LISTED = 10
"""As many people as there are digits; 0 is the tenth."""


@dataclass(frozen=True, slots=True)
class Granted:
    """Somebody has proven who it is; None is the badge that lies there."""

    signed_in: SignedIn | None


class PinDialog(Dialog[Granted]):
    """Asks who signs in, and for the PIN; ``begin`` sends both on their way."""

    BINDINGS: ClassVar = [
        *(Binding(digit, f"digit('{digit}')", show=False) for digit in "0123456789"),
        Binding("backspace", "backspace", show=False),
        Binding("enter", "done", show=False),
    ]

    def __init__(
        self,
        title: str,
        people: tuple[StaffMember, ...],
        roles: tuple[str, ...] | None,
        begin: Callable[[StaffMember, str], None],
    ) -> None:
        """The badge of somebody with one of the roles does instead of a PIN; where they are None no badge does."""
        super().__init__()
        self._title, self._people, self._roles = title, people[:LISTED], roles
        self._begin = begin
        self._person = self._people[0] if len(self._people) == 1 else None
        self._pin = ""
        self._waits = False

    @override
    def pad(self) -> ComposeResult:
        yield DigitPad("⌫")

    def on_mount(self) -> None:
        self._write()

    def show(self, snapshot: Snapshot) -> None:
        staff = snapshot.staff
        if self._roles is not None and staff.badge_is(self._roles):
            self.dismiss(Granted(None))
        elif self._waits and staff.stage == "accepted" and staff.accepted is not None:
            self.dismiss(Granted(staff.accepted))
        elif self._waits and staff.stage == "refused":
            self._waits, self._pin = False, ""
            self._write()
            self.write("problem", f"✖ {staff.problem}")

    def action_digit(self, digit: str) -> None:
        """The person of that place in the list, then one more digit of the PIN."""
        if self._person is None:
            place = int(digit) or 10
            if place <= len(self._people):
                self._person = self._people[place - 1]
                self._write()
        elif not self._waits:
            self._pin = (self._pin + digit)[:MOST_DIGITS]
            self._write()

    def action_backspace(self) -> None:
        """The last digit was wrong."""
        self._pin = self._pin[:-1]
        self._write()

    def action_done(self) -> None:
        """The PIN is complete."""
        if self._person is None or self._waits:
            return
        if not self._pin:
            self.write("problem", "✖ Type the PIN first.")
            return
        self._waits = True
        self.write("problem", "…")
        self._begin(self._person, self._pin)

    @override
    def action_cancel(self) -> None:
        """Back to the list of people, or nothing is sent."""
        if self._person is None or len(self._people) == 1:
            self.dismiss(None)
        else:
            self._person, self._pin, self._waits = None, "", False
            self._write()

    @property
    def _or_badge(self) -> str:
        return "" if self._roles is None else " · or lay the badge"

    def _write(self) -> None:
        self.write("problem", "")
        if self._person is None:
            self.write("title", f"{self._title} · who?")
            rows = (f"{place % 10}  {one.name}, {one.role}" for place, one in enumerate(self._people, 1))
            self.write("content", "\n".join(rows))
            self.write("hint", f"the digit{self._or_badge} · Esc")
            return
        self.write("title", f"{self._title} · {self._person.name}")
        self.write("content", f"PIN  {'●' * len(self._pin) or '—'}")
        self.write("hint", f"the PIN · Enter{self._or_badge} · Esc")
