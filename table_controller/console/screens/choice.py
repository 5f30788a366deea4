"""Dialogs of one key: going all-in, quitting, the floor's decision."""

from __future__ import annotations

from typing import ClassVar, Generic

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.settings import FloorSettings
from betline.steps import Act, Command
from table_controller.console.evidence import beside
from table_controller.console.intents import floor_question
from table_controller.console.screens.dialog import Dialog, Wish
from table_controller.console.screens.override import OverrideDialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.typed import floor_decision
from table_controller.console.wants import HandsAsked
from table_controller.console.widgets.evidence import KEYS, SCROLLED, Evidence
from table_controller.console.widgets.pads import Choice, Choices


class ConfirmDialog(Dialog[Wish], Generic[Wish]):
    """Asks once more before something that is hard to take back."""

    BINDINGS: ClassVar = [
        Binding("enter,y,Y", "yes", show=False),
        Binding("n,N", "cancel", show=False),
    ]

    def __init__(self, title: str, explanation: str, wanted: Wish) -> None:
        super().__init__()
        self._words = title, explanation
        self._wanted = wanted

    def on_mount(self) -> None:
        self.write("title", self._words[0])
        self.write("content", self._words[1])
        self.write("hint", "Enter or Y: yes · Esc or N: no")

    def action_yes(self) -> None:
        """It was meant."""
        self.finish(self._wanted)


class AllInDialog(ConfirmDialog[Command]):
    """Asks whether the seat to act goes all-in; void when it is no longer to act."""

    def __init__(self, seat: int, snapshot: Snapshot) -> None:
        stack = next((plate.stack for plate in snapshot.view.plates if plate.number == seat), "")
        super().__init__(f"Seat {seat}: ALL-IN?", f"The whole stack of {stack}.", Act(seat=seat, action="all-in"))
        self._seat = seat

    def show(self, snapshot: Snapshot) -> None:
        to_act = snapshot.state is not None and snapshot.state.to_act == self._seat
        self.is_void("" if to_act else f"Seat {self._seat} is no longer to act: nothing was sent.")


class FloorDialog(Dialog[Command]):
    """Asks for the floor's decision among the rulings that are offered."""

    BINDINGS: ClassVar = [
        *(Binding(digit, f"choose({digit})", show=False) for digit in "123456789"),
        Binding("o,O", "otherwise", show=False),
        *SCROLLED,
    ]

    def __init__(self, snapshot: Snapshot, floor: FloorSettings) -> None:
        super().__init__()
        self._snapshot, self._floor = snapshot, floor
        self._question = floor_question(snapshot.state) if snapshot.state else None
        self.asks = self._question.sentence if self._question else ""

    @override
    def content(self) -> ComposeResult:
        yield Choices(id="content")
        yield Evidence()

    def on_mount(self) -> None:
        self.app.screen_stack[0].post_message(HandsAsked())
        self._write_evidence()
        if self._question is not None:
            self.write("title", self._question.sentence)
            offers = (Choice(str(place), offer) for place, offer in enumerate(self._question.choices, 1))
            self.query_one(Choices).offer(tuple(offers))
            self.write("hint", f"its digit decides · O: something else, by name and reason · Esc · {KEYS}")

    def show(self, snapshot: Snapshot) -> None:
        if snapshot.look_back.hands != self._snapshot.look_back.hands:
            self._snapshot = snapshot
            self._write_evidence()
        self._snapshot = snapshot
        waits = snapshot.state is not None and floor_question(snapshot.state) == self._question
        self.is_void("" if waits else "The ruling no longer waits for the floor: nothing was sent.")

    def _write_evidence(self) -> None:
        state, question = self._snapshot.state, self._question
        rulings = state.rulings if state is not None and question is not None else ()
        waits = next((one for one in reversed(rulings) if question and one.seat == question.seat), None)
        lines = () if waits is None else beside(waits, self._snapshot.look_back.hands)
        self.query_one(Evidence).tell(lines)

    def action_evidence(self, rows: int) -> None:
        """More of the evidence."""
        self.query_one(Evidence).scroll_by(rows)

    def action_choose(self, place: int) -> None:
        """The offer of that place."""
        if self._question is not None and place <= len(self._question.choices):
            self.finish(floor_decision(self._question.choices[place - 1]))

    def action_otherwise(self) -> None:
        """Another ruling than those on offer."""
        seat = None if self._question is None else self._question.seat
        self.app.push_screen(OverrideDialog(self._snapshot, self._floor, seat), self._send)

    def _send(self, wanted: Command | None) -> None:
        if wanted is not None:
            self.dismiss(wanted)
