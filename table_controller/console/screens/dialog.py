"""The base of the dialogs: a box above the keys that leaves the table in sight."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from betline.steps import COMMANDS
from table_controller.console.client import Answer
from table_controller.console.snapshot import Snapshot
from table_controller.console.wants import KeyDropped, Wanted
from table_controller.console.widgets.drawn import Drawn, Touched
from table_controller.console.widgets.pads import KeyHints, LetterPad, OpenQuestions

Wish = TypeVar("Wish")


class Dialog(ModalScreen[Wish | None], Generic[Wish]):
    """Stays until what is wanted has been accepted, and ends with it; or until Escape, and ends with None.

    A command is sent from here, so that a refusal is shown where it was typed.
    """

    BINDINGS: ClassVar = [Binding("escape", "cancel", show=False)]

    asks: str = ""
    """The open question that the dialog itself asks; empty where it is another matter."""

    def __init__(self) -> None:
        super().__init__()
        self._sent: tuple[str, Wish] | None = None
        """The id of the command whose answer is awaited, and the command."""
        self._void = ""
        """Why nothing can be sent any more."""
        self._pressed_meanwhile = False
        """Whether a key came while the answer was awaited: it was meant for what comes next."""

    def compose(self) -> ComposeResult:
        """Questions that the box would cover, title, content, pad, keys."""
        with Vertical(id="dialog"):
            yield OpenQuestions(id="covered", own=self.asks)
            yield Static(id="title", markup=False)
            yield from self.content()
            yield Static(id="problem", markup=False)
            yield from self.pad()
            yield KeyHints(id="hint")

    def pad(self) -> ComposeResult:
        """What is clicked instead of typed; a bare dialog has its named keys only."""
        yield from ()

    def on_mount(self) -> None:
        below = self.app.screen_stack[0].query(Drawn).first(Drawn).snapshot
        if below is not None:
            self.dress(below)

        self._show_letters(by_click=isinstance(self.app, Touched) and self.app.touched)

    def on_click(self) -> None:
        self._show_letters(by_click=True)

    def _show_letters(self, *, by_click: bool) -> None:
        """A hand on the keyboard needs no letters on the screen."""
        for pad in self.query(LetterPad):
            pad.display = by_click

    def on_resize(self) -> None:
        self.call_after_refresh(self._repeat_covered)

    def dress(self, snapshot: Snapshot) -> None:
        """Colours and open questions of the newest snapshot."""
        for widget in self.query(Drawn):
            widget.show(snapshot)
        self.call_after_refresh(self._repeat_covered)

    def _repeat_covered(self) -> None:
        """Repeats the questions in the box where it lies over them; nothing where it was closed meanwhile."""
        if self not in self.app.screen_stack:
            return
        behind = self.app.screen_stack[0].query_one("#attention")
        box, covered = self.query_one("#dialog"), self.query_one(OpenQuestions)
        covered.display = covered.asks and behind.display and box.region.overlaps(behind.region)

    def content(self) -> ComposeResult:
        """What stands between title and keys."""
        yield Static(id="content", markup=False)

    def write(self, part: str, text: str) -> None:
        """Writes one part of the box: title, content, problem or hint."""
        widget = self.query_one(f"#{part}")
        if isinstance(widget, KeyHints):
            widget.say(text.splitlines())
        elif isinstance(widget, Static):
            widget.update(text)

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot; a dialog whose reason has gone says so with ``is_void``."""

    def is_void(self, sentence: str) -> None:
        """Whether something has made it void: empty, or why nothing can be sent any more."""
        if sentence != self._void:
            self._void = sentence
            self.write("problem", f"✖ {sentence} Esc" if sentence else "")

    def finish(self, wanted: Wish) -> None:
        """What is wanted is complete: a command is sent, and the dialog waits for its answer."""
        if self._void:
            self.write("problem", f"✖ {self._void} Esc")
        elif not isinstance(wanted, COMMANDS):
            self.dismiss(wanted)
        elif self._sent is None:
            command_id = uuid.uuid4().hex
            self._sent = command_id, wanted
            self.write("problem", "…")
            self.app.screen_stack[0].post_message(Wanted(wanted, command_id))

    def on_key(self) -> None:
        self._pressed_meanwhile = self._sent is not None

    def hear(self, answers: Mapping[str, Answer]) -> None:
        """Answers to commands have come: one that accepts its command ends the dialog, another says why not."""
        if self._sent is None or (answer := answers.get(self._sent[0])) is None:
            return
        wanted, self._sent = self._sent[1], None
        if answer.ok:
            if self._pressed_meanwhile:
                self.app.screen_stack[0].post_message(KeyDropped())
            self.dismiss(wanted)
        else:
            self.write("problem", f"✖ {answer.sentence}")

    def action_cancel(self) -> None:
        """Nothing is sent."""
        self.dismiss(None)
