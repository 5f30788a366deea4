"""The log screen: rulings, alerts, announcements and replies, or the controller's raw stream."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding
from typing_extensions import override

from table_controller.console.canvas import Run, wrap
from table_controller.console.screens.page import Page, PageScreen, Row, row_of
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line


class LogScreen(PageScreen):
    """The newest line first."""

    TITLE = "Log"
    KEYS = "J: words / journal · ↑ ↓ PgUp PgDn Home: scroll · Esc: back to the table"

    BINDINGS: ClassVar = [
        Binding("j,J", "turn", show=False),
        Binding("l,L", "app.pop_screen", show=False),
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(snapshot)
        self._journal = False

    def action_turn(self) -> None:
        """From people's words to the journal's stream and back."""
        self._journal = not self._journal
        self.query_one(Page).scroll_rows(-100_000)

    @override
    def rows(self, snapshot: Snapshot, width: int) -> list[Row]:
        lines = snapshot.journal if self._journal else snapshot.log
        rows: list[Row] = []
        for entry in lines:
            first, *more = wrap(entry.line.text, width - 12, 3)
            shown = Line(entry.line.mark, first, entry.line.tone)
            rows.append([Run(f"{entry.time}  ", "dim"), *row_of(shown)])
            rows += [[Run(" " * 12 + line, "text")] for line in more]
        return rows or [[Run("Nothing yet since this console began.", "dim")]]
