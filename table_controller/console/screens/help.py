"""The help screen: the key map in words."""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import override

from table_controller.console.canvas import Run, wrap
from table_controller.console.keys import GROUPS, keys_in_force
from table_controller.console.screens.page import PageScreen, Row, heading
from table_controller.console.snapshot import Snapshot

_CAPS = 8
INTRODUCTION = (
    "What chips and camera show is never keyed. A number typed before a key is its seat, amount or count: "
    "7 J, 165 B, 2 U. Esc forgets the number."
)


class HelpScreen(PageScreen):
    """Every key, what it does, and what a number before it means."""

    TITLE = "Keys"

    KEYS = "click a row: that key · ↑ ↓ PgUp PgDn Home: scroll · Esc: back to the table"

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(snapshot)
        self._actions: dict[int, str] = {}

    @override
    def actions(self) -> Mapping[int, str]:
        return self._actions

    @override
    def rows(self, snapshot: Snapshot, width: int) -> list[Row]:
        rows: list[Row] = [[Run(line, "text")] for line in wrap(INTRODUCTION, width, 4)]
        self._actions = {}
        for group, title in GROUPS.items():
            rows += heading(title)
            for key in keys_in_force().keys:
                if key.group == group:
                    number = f" (number: {key.number})" if key.number else ""
                    first, *more = wrap(key.meaning + number, width - _CAPS, 3)
                    begins = len(rows)
                    rows.append([Run(f"{key.shown:<{_CAPS - 1}} ", "bold"), Run(first, "text")])
                    rows += [[Run(" " * _CAPS + line, "text")] for line in more]
                    self._actions |= dict.fromkeys(range(begins, len(rows)), f"app.press_key('{key.action}')")
        return rows
