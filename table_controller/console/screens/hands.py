"""The last hands: of each its acts and what was ruled, for a dispute at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding
from typing_extensions import override

from betline.messages.cards import CardsView
from betline.messages.recall import RecalledAct, RecalledHand
from betline.settings import TableSettings
from table_controller.console.canvas import Run, wrap
from table_controller.console.cards import board_lines
from table_controller.console.screens.page import PageScreen, Row, heading, row_of
from table_controller.console.screens.then import ThenScreen
from table_controller.console.snapshot import Snapshot

_TIME = slice(11, 19)
"""Hours, minutes and seconds of a time as the journal shows it."""
_INDENT = 10
_LINES = 4
"""Rows of a narrow terminal that one act may take."""


class HandsScreen(PageScreen):
    """The newest hand first; its acts in order. Right or a click on an act shows the table as it was after it."""

    TITLE = "The last hands"
    KEYS = "→ the table at each act · ↑ ↓ PgUp PgDn Home: scroll · Esc: back to the table"

    BINDINGS: ClassVar = [
        Binding("z,Z", "app.pop_screen", show=False),
        Binding("right", "then(0, 0)", show=False),
    ]

    def __init__(self, table: TableSettings, snapshot: Snapshot) -> None:
        super().__init__(snapshot)
        self._table = table
        self._newest = snapshot
        self._actions: dict[int, str] = {}

    @override
    def show(self, snapshot: Snapshot) -> None:
        self._newest = snapshot
        super().show(snapshot)

    @override
    def actions(self) -> Mapping[int, str]:
        return self._actions

    @override
    def rows(self, snapshot: Snapshot, width: int) -> list[Row]:
        known = snapshot.look_back
        rows: list[Row] = []
        self._actions = {}
        if known.line is not None:
            rows += [row_of(replace(known.line, text=text)) for text in wrap(known.line.text, width - 2, _LINES)]
        for place, hand in enumerate(known.hands):
            rows += heading(f"Hand {hand.hand}   {hand.began[_TIME]}   button {hand.button}   {_end(hand)}")
            for line in board_lines(CardsView(hand_no=hand.hand, places=hand.cards)):
                rows.append([Run(" " * _INDENT + line, "bold")])
            for at, act in enumerate(hand.acts):
                begins = len(rows)
                rows += _act(act, width)
                self._actions |= dict.fromkeys(range(begins, len(rows)), f"screen.then({place}, {at})")
        return rows

    def action_then(self, hand: int, act: int) -> None:
        """The table as it was after an act of a hand."""
        self.app.push_screen(ThenScreen(self._table, self._newest, hand, act))


def _end(hand: RecalledHand) -> str:
    if hand.winners is None:
        return "goes on"
    won = ", ".join(f"seat {seat} won {amount:,}" for seat, amount in hand.winners.items())
    return f"pot {hand.pot:,}: {won}" if won else "no pot"


def _act(act: RecalledAct, width: int) -> Iterator[Row]:
    style = "warn" if act.alert is not None else "text"
    text = f"{act.text} Keyed by {act.by}." if act.by else act.text
    first, *more = wrap(text, width - _INDENT, _LINES)
    yield [Run(f"{act.at[_TIME]}  ", "dim"), Run(first, style)]
    for line in more:
        yield [Run(" " * _INDENT + line, style)]
