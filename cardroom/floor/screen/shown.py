"""What the floor's screen is given at a redraw: one frozen value, and never the bus."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.floor.view import Only, Order, Row
from table_controller.console.palette import Palette
from table_controller.console.view import Line


@dataclass(frozen=True, slots=True)
class Looking:
    """How somebody looks at the floor: what is chosen, in which order, which tables, what is searched for."""

    chosen: str = ""
    order: Order = "need"
    only: Only = "all"
    find: str = ""
    finds: bool = False
    """Whether letters are typed into the search."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The rows that are in sight of it, the head, and the answer to the last key."""

    site: str
    rows: tuple[Row, ...]
    head: str
    lost: str
    palette: Palette
    looking: Looking = Looking()
    message: Line | None = None
    time: str = ""
    where: str = ""
    """The broker that is listened to."""
    cut: str = ""
    """The pits whose bridge is down; empty where none is."""

    @property
    def place(self) -> int:
        """Which row is chosen; 0 where none is."""
        return next((place for place, row in enumerate(self.rows) if row.name == self.looking.chosen), 0)

    @property
    def row(self) -> Row | None:
        """The row that is chosen."""
        return self.rows[self.place] if self.rows else None
