"""What stands beside an act that the floor rules on: as many rows as the screen has room for, the rest by ↑ and ↓."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

LEAST_ROWS = 4
AROUND = 22
"""Rows of the dialog and the screen beside the evidence."""
KEYS = "↑ ↓: more of it"
SCROLLED: tuple[Binding, ...] = (
    Binding("down", "evidence(1)", show=False, priority=True),
    Binding("up", "evidence(-1)", show=False, priority=True),
)
"""The keys that a dialog with evidence has."""


class Evidence(VerticalScroll):
    """Rules, reads and times in lines; not there at all where there are none."""

    can_focus = False
    BINDINGS: ClassVar = []

    def compose(self) -> ComposeResult:
        """The lines."""
        yield Static(markup=False)

    def tell(self, lines: Sequence[str]) -> None:
        """Shows these lines from the first on."""
        self.query_one(Static).update("\n".join(lines))
        self.display = bool(lines)
        self.styles.max_height = max(LEAST_ROWS, self.app.size.height - AROUND)
        self.scroll_home(animate=False)

    def scroll_by(self, rows: int) -> None:
        """So many rows on, or back."""
        self.scroll_relative(y=rows, animate=False)
