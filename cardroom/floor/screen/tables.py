"""The screen of all tables: which one is chosen, in which order they stand, and the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Key
from textual.screen import Screen

from cardroom.floor.screen.asked import Asked, What
from cardroom.floor.screen.drawing import draw_detail, draw_head, draw_keys, draw_links, draw_message, draw_rows
from cardroom.floor.screen.shown import Looking, Shown
from cardroom.floor.screen.widgets import Drawing
from cardroom.floor.view import ONLY, ORDERS

PAGE = 10


class TablesScreen(Screen[None]):
    """Keys change how somebody looks at the floor, or ask the application for something."""

    BINDINGS: ClassVar = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown", f"move({PAGE})", show=False),
        Binding("pageup", f"move(-{PAGE})", show=False),
        Binding("home", "move(-1000)", show=False),
        Binding("end", "move(1000)", show=False),
        Binding("enter", "open", show=False),
        Binding("y,Y", "ruling", show=False),
        Binding("n,N", "next", show=False),
        Binding("s,S", "sort", show=False),
        Binding("f,F", "only", show=False),
        Binding("slash", "find", show=False),
        Binding("escape", "all", show=False),
        Binding("f5", "colours", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q,Q", "quit", show=False),
    ]

    def __init__(self, looks: Callable[[Looking], None]) -> None:
        """``looks`` is called whenever somebody looks in another way."""
        super().__init__()
        self._looks = looks
        self.shown: Shown | None = None

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Drawing(lambda shown, width, _: draw_head(shown, width), id="head")
        yield Drawing(lambda shown, width, _: draw_links(shown, width), id="links")
        yield Drawing(draw_rows, id="rows")
        yield Drawing(draw_detail, id="detail")
        yield Drawing(lambda shown, width, _: draw_message(shown, width), id="message")
        yield Drawing(lambda _, width, __: draw_keys(width), id="keys")

    def show(self, shown: Shown) -> None:
        """Takes the newest."""
        self.shown = shown
        self.set_class(bool(shown.cut), "-cut")
        for drawing in self.query(Drawing):
            drawing.show(shown)

    def on_key(self, event: Key) -> None:
        """Letters of a search; it ends with Enter, and Esc shows all tables again."""
        looking = self._looking
        if not looking.finds:
            return
        if event.key == "enter":
            self._look(replace(looking, finds=False))
        elif event.key == "backspace":
            self._look(replace(looking, find=looking.find[:-1]))
        elif event.is_printable and event.character:
            self._look(replace(looking, find=(looking.find + event.character.lower())[:20]))
        else:
            return
        event.stop()
        event.prevent_default()

    def action_move(self, by: int) -> None:
        """So many rows further down."""
        if self.shown is not None and self.shown.rows:
            place = max(0, min(self.shown.place + by, len(self.shown.rows) - 1))
            self._choose(self.shown.rows[place].name)

    def action_choose(self, name: str) -> None:
        """A click on a row; on the chosen one it opens the table."""
        if self._looking.chosen == name:
            self.action_open()
        else:
            self._choose(name)

    def action_next(self) -> None:
        """The next table that needs a person, after the chosen one."""
        if self.shown is None:
            return
        place, rows = self.shown.place, self.shown.rows
        wanted = next((row for row in (*rows[place + 1 :], *rows[: place + 1]) if row.need), None)
        if wanted is not None:
            self._choose(wanted.name)

    def action_sort(self) -> None:
        """The next order."""
        looking = self._looking
        self._look(replace(looking, order=ORDERS[(ORDERS.index(looking.order) + 1) % len(ORDERS)]))

    def action_only(self) -> None:
        """Other tables."""
        looking, which = self._looking, tuple(ONLY)
        self._look(replace(looking, only=which[(which.index(looking.only) + 1) % len(which)]))

    def action_find(self) -> None:
        """What is typed now is searched for in the tables' names."""
        self._look(replace(self._looking, finds=True, find=""))

    def action_all(self) -> None:
        """All tables again."""
        self._look(replace(self._looking, finds=False, find="", only="all"))

    def action_open(self) -> None:
        """The board of the chosen table."""
        self._ask("open")

    def action_ruling(self) -> None:
        """The ruling that waits at the chosen table."""
        self._ask("ruling")

    def action_colours(self) -> None:
        """Other colours."""
        self._ask("colours")

    def action_help(self) -> None:
        """The list of keys."""
        self._ask("help")

    def action_quit(self) -> None:
        """The end of this program: no table hears of it."""
        self._ask("quit")

    @property
    def _looking(self) -> Looking:
        return Looking() if self.shown is None else self.shown.looking

    def _ask(self, what: What) -> None:
        row = None if self.shown is None else self.shown.row
        self.post_message(Asked(what, "" if row is None else row.name))

    def _choose(self, name: str) -> None:
        self._look(replace(self._looking, chosen=name))

    def _look(self, looking: Looking) -> None:
        self._looks(looking)
