"""The table in the middle of the screen."""

from __future__ import annotations

from typing_extensions import override

from betline.settings import TableSettings
from table_controller.console.canvas import Canvas
from table_controller.console.drawing.felt import Places
from table_controller.console.drawing.table import draw_table
from table_controller.console.layout import LOW, layout_of
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.drawn import Drawn


class Oval(Drawn):
    """Seats, bets, pots; a banner across it while nothing is heard of the table."""

    def __init__(self, table: TableSettings, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._table = table
        self._places: Places | None = None

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view, snapshot.lost

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        if self._places is None or (self._places.width, self._places.height) != (width, height):
            self._places = Places.of(self._table, width, height)
        low = layout_of(*self.screen.size) in LOW  # they list the pots below the table
        return draw_table(self._table, snapshot.view, self._places, snapshot.lost, pots_inside=not low)
