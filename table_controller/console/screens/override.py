"""The floor rules otherwise: lists in which a digit chooses, and a line for what is not in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.events import Key
from textual.widgets import Input
from typing_extensions import override

from betline.settings import FloorSettings
from betline.steps import MAX_LINE, Command
from table_controller.console.evidence import beside
from table_controller.console.intents import Refused
from table_controller.console.overruling import Overruling
from table_controller.console.screens.dialog import Dialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.wants import HandsAsked
from table_controller.console.widgets.evidence import KEYS, SCROLLED, Evidence
from table_controller.console.widgets.pads import Choice, Choices, LetterPad


class ChoosingLine(Input):
    """A line of words in which a first digit may choose from the list above it, at once and before the next key."""

    def __init__(self, choose: Callable[[str], bool]) -> None:
        super().__init__(max_length=MAX_LINE, compact=True)
        self.cursor_blink = False
        self._choose = choose

    @override
    async def _on_key(self, event: Key) -> None:
        digit = event.character or ""
        if not self.value and digit.isascii() and digit.isdigit() and self._choose(digit):
            event.stop()
            event.prevent_default()
        else:
            await super()._on_key(event)


class OverrideDialog(Dialog[Command]):
    """Asks which act, what it is, to how much, who decides and why; Escape goes a step back."""

    BINDINGS: ClassVar = [*SCROLLED]

    def __init__(self, snapshot: Snapshot, floor: FloorSettings, seat: int | None = None) -> None:
        super().__init__()
        state, signs = snapshot.state, snapshot.staff.signs
        self._so_far = Overruling((), (), ()) if state is None else Overruling.begun(state, floor, seat, signs)
        self._hands = snapshot.look_back.hands

    @override
    def content(self) -> ComposeResult:
        yield Choices(id="content")
        yield ChoosingLine(self._choose)
        yield Evidence()

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        if snapshot.look_back.hands != self._hands:
            self._hands = snapshot.look_back.hands
            self._write_evidence()

    @override
    def pad(self) -> ComposeResult:
        yield LetterPad()

    def on_mount(self) -> None:
        self.add_class("-menu")
        self._write()
        self.app.screen_stack[0].post_message(HandsAsked())

    def _choose(self, digit: str) -> bool:
        """A digit on an empty line chooses from a list; where there is none, it is part of an amount."""
        if not self._so_far.rows:
            return False
        self._follow(self._so_far.chosen(int(digit) or 10))
        return True

    @on(Input.Submitted)
    def _submitted(self, typed: Input.Submitted) -> None:
        self._follow(self._so_far.typed(typed.value.strip()))

    @override
    def action_cancel(self) -> None:
        before = self._so_far.back()
        if before is None:
            self.dismiss(None)
        else:
            self._follow(before)

    def _follow(self, step: Overruling | Command | Refused) -> None:
        self.query_one(Input).value = ""
        match step:
            case Refused(sentence):
                self.write("problem", f"✖ {sentence}")
            case Overruling():
                self._so_far = step
                self._write()
            case command:
                self.finish(command)

    def _write(self) -> None:
        self.write("title", self._so_far.title)
        rows = (Choice(str(place % 10), row) for place, row in enumerate(self._so_far.rows, 1))
        self.query_one(Choices).offer(tuple(rows))
        self.write("problem", "")
        self._write_evidence()

    def _write_evidence(self) -> None:
        """Rules and evidence stand beside the choice of the ruling; later rows are for what is still asked."""
        act = self._so_far.act if self._so_far.asked == "ruling" else None
        lines = () if act is None else beside(act, self._hands)
        self.query_one(Evidence).tell(lines)
        self.write("hint", f"{self._so_far.hint} · {KEYS}" if lines else self._so_far.hint)

    def action_evidence(self, rows: int) -> None:
        """More of the evidence."""
        self.query_one(Evidence).scroll_by(rows)
