"""The base of the dialogs: a box above the keys that leaves the table in sight."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from table_controller.console.snapshot import Snapshot
from table_controller.console.wants import Notice

Wish = TypeVar("Wish")


class Dialog(ModalScreen[Wish | None], Generic[Wish]):
    """Ends with what is wanted, mostly a command, or with None."""

    BINDINGS: ClassVar = [Binding("escape", "cancel", show=False)]

    def compose(self) -> ComposeResult:
        """Title, content, keys."""
        with Vertical(id="dialog"):
            yield Static(id="title", markup=False)
            yield from self.content()
            yield Static(id="problem", markup=False)
            yield Static(id="hint", markup=False)

    def content(self) -> ComposeResult:
        """What stands between title and keys."""
        yield Static(id="content", markup=False)

    def write(self, part: str, text: str) -> None:
        """Writes one part of the box: title, content, problem or hint."""
        self.query_one(f"#{part}", Static).update(text)

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot; a dialog whose reason has gone ends itself with ``give_up``."""

    def give_up(self, sentence: str) -> None:
        """Ends without a command and says why."""
        if self.is_current:
            self.app.screen_stack[0].post_message(Notice(sentence))
            self.dismiss(None)

    def action_cancel(self) -> None:
        """Nothing is sent."""
        self.dismiss(None)
