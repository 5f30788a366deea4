"""The board of one table, as its console draws it; to look at only."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.widgets import Static
from typing_extensions import override

from betline.settings import FloorSettings, TableSettings
from cardroom.floor.screen.asked import Asked
from cardroom.floor.table import FloorTable
from cardroom.floor.view import row_of
from table_controller.console.clock import Clock
from table_controller.console.palette import Palette
from table_controller.console.screens.table import TableScreen
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line, view_of
from table_controller.console.widgets.oval import Oval
from table_controller.console.widgets.rows import Attention, Evening, Header, MessageLine, Panel, Pots, Rulings, Sensors

HINT = "Y the ruling that waits · Esc all tables · the dealer's keys work at the table alone"


class BoardScreen(TableScreen, inherit_bindings=False):
    """What the dealer of a table sees, with the age of it; Y takes a ruling that waits."""

    BINDINGS: ClassVar = [
        Binding("escape,enter,q,Q", "back", show=False),
        Binding("y,Y", "ruling", show=False),
    ]

    def __init__(self, drawn_as: TableSettings, clock: Clock) -> None:
        """One screen serves every table that is drawn alike: to make one takes longer than a key may."""
        super().__init__(drawn_as, clock, lambda _: None)
        self.table = ""
        """Which table it shows now."""

    def turn_to(self, name: str, drawn_as: TableSettings, first: Snapshot) -> None:
        """Shows another table from now on, at once in its present state."""
        self.table, self._table = name, drawn_as
        self.show(first)

    def draws(self, drawn_as: TableSettings) -> bool:
        """Whether a table is drawn as this screen draws."""
        return _form(self._table) == _form(drawn_as)

    @override
    def compose(self) -> ComposeResult:
        yield Header(id="header")
        yield Evening(id="evening")
        with Container(id="body"):
            yield Oval(self._table, id="oval")
            with Container(id="middle"):
                yield Pots(id="pots")
                yield Panel(id="panel")
            with Container(id="open"):
                yield Attention(id="attention")
                yield Sensors(id="sensors")
            yield Rulings(id="rulings")
        yield MessageLine(id="message")
        yield Static(HINT, id="hint", markup=False)

    @override
    def action_press(self, action: str, of_button: int | None = None) -> None:
        """A click where the console has a key: of those only the floor's works here."""
        if action == "floor":
            self.action_ruling()

    def action_ruling(self) -> None:
        """The ruling that waits at this table."""
        self.app.screen_stack[0].post_message(Asked("ruling", self.table))

    def action_back(self) -> None:
        """All tables again."""
        self.dismiss(None)

    def tell(self, table: FloorTable, palette: Palette, now_s: float, *, lost: bool) -> None:
        """Takes the newest of the table; what is not fresh has a banner that says how old it is."""
        self.show(snapshot_of(table, self._table, palette, now_s, lost=lost))


def snapshot_of(table: FloorTable, settings: TableSettings, palette: Palette, now_s: float, *, lost: bool) -> Snapshot:
    """What the console's widgets draw of a table."""
    row = row_of(table, now_s, lost=lost)
    heard = row.heard if row.heard in ("now", "never") else f"{row.heard} ago"
    old = None if row.fresh else f"{'NO BROKER' if lost else row.what.split(' · ')[0]}, heard {heard}"
    message = None if row.fresh or not row.more else Line("✖", row.more[0], "warn")
    return Snapshot(table.state, view_of(table.state, settings), palette, lost=old, message=message)


def _form(table: TableSettings) -> TableSettings:
    return table.model_copy(update={"name": "", "title": "", "floor": FloorSettings()})
