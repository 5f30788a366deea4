"""The last hands act by act: the table as it was, what was done and ruled, and where its picture is."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from typing_extensions import override

from betline.messages.cards import CardsView
from betline.settings import TableSettings
from table_controller.console.canvas import Canvas, fit, wrap
from table_controller.console.cards import board_lines
from table_controller.console.drawing.felt import Places
from table_controller.console.drawing.table import paint_table
from table_controller.console.screens.camera import SHOW, CameraScreen
from table_controller.console.screens.page import draw_key_hints
from table_controller.console.snapshot import Snapshot
from table_controller.console.stepping import Stepping, state_then
from table_controller.console.view import view_of
from table_controller.console.widgets.drawn import Drawn

_KEYS = "← → act · ↑ ↓ hand · K: its picture · Esc: back"
_HEAD, _FOOT = 1, 1
_ACT, _EVIDENCE = 2, 2
_WORDS = _ACT + _EVIDENCE + 2
"""Rows for the act, for what was seen of it, for a table that is missing and for the picture."""
_TIME = slice(11, 19)


class ThenScreen(Screen[None]):
    """Left and right go from act to act, up and down from hand to hand."""

    BINDINGS: ClassVar = [
        Binding("escape,z,Z,q,Q", "app.pop_screen", show=False),
        Binding("right,space,enter", "act(1)", show=False),
        Binding("left,backspace", "act(-1)", show=False),
        Binding("up", "hand(-1)", show=False),
        Binding("down", "hand(1)", show=False),
        Binding("k,K", "picture", show=False),
    ]

    def __init__(self, table: TableSettings, snapshot: Snapshot, hand: int = 0, act: int = 0) -> None:
        super().__init__()
        self._table = table
        self._first = snapshot
        self._at = Stepping(snapshot.look_back.hands, hand, act)

    def compose(self) -> ComposeResult:
        """One widget that fills the screen."""
        yield Then(self._table, self._at)

    def on_mount(self) -> None:
        self.show(self._first)

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        self._at = self._at.known(snapshot.look_back.hands)
        self.query_one(Then).look(self._at)
        self.query_one(Then).show(snapshot)

    def action_act(self, acts: int) -> None:
        """So many acts on, or back."""
        self._go(self._at.by_act(acts))

    def action_hand(self, hands: int) -> None:
        """So many hands on, or back."""
        self._go(self._at.by_hand(hands))

    def action_picture(self) -> None:
        """The camera's picture of the act, where one was kept."""
        act = self._at.now
        if act is not None and act.pictures:
            camera = next(iter(self._table.cameras), None)
            self.app.push_screen(CameraScreen(camera, self._first, act.pictures[-1]))

    def _go(self, at: Stepping) -> None:
        self._at = at
        self.query_one(Then).look(at)


class Then(Drawn):
    """The table of that time, below it the act."""

    DEFAULT_CSS = "Then { width: 100%; height: 100%; }"

    def __init__(self, table: TableSettings, at: Stepping) -> None:
        super().__init__()
        self._table = table
        self._at = at

    def look(self, at: Stepping) -> None:
        """Goes there."""
        if at != self._at:
            self._at = at
            self.redraw()

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.look_back, snapshot.lost

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        at, hand, act = self._at, self._at.here, self._at.now
        canvas.fill(0, 0, width, 1, "surface")
        where = "" if hand is None else f"   Hand {hand.hand}, act {at.act + 1} of {len(hand.acts)}"
        cards = "" if hand is None else "   ".join(board_lines(CardsView(hand_no=hand.hand, places=hand.cards)))
        end = canvas.put(1, 0, f"♠ BETLINE   As it was{where}", "surface-accent")
        canvas.put(end + 3, 0, fit(cards, width - end - 4), "surface-text")
        if snapshot.lost:
            canvas.right(0, f" ✖ {snapshot.lost} ", "banner")
        room = height - _HEAD - _WORDS - _FOOT
        then = at.table
        if then is not None and hand is not None and room > 0:
            view = view_of(state_then(then, hand.hand), self._table)
            paint_table(canvas, self._table, view, Places.of(self._table, width, room), top=_HEAD)
        self._write(canvas, height - _WORDS - _FOOT, act is None)
        draw_key_hints(canvas, height - 1, _KEYS)
        return canvas

    def _write(self, canvas: Canvas, top: int, nothing: bool) -> None:
        act = self._at.now
        if nothing or act is None:
            canvas.put(1, top, "Nothing has been recalled of this hand yet.", "dim")
            return
        for row, line in enumerate(wrap(f"{act.at[_TIME]}  {act.text}", canvas.width - 2, _ACT)):
            canvas.put(1, top + row, line, "warn" if act.alert is not None else "bold")
        told = wrap(" · ".join(act.evidence), canvas.width - 2, _EVIDENCE) if act.evidence else []
        for row, line in enumerate(told):
            canvas.put(1, top + _ACT + row, line, "dim")
        if self._at.table is None:
            canvas.put(
                1, top + _ACT + _EVIDENCE, "The table of that moment cannot be replayed from the journal.", "warn"
            )
        if act.pictures:
            canvas.put(1, top + _WORDS - 1, f"Picture: K shows it, or {SHOW} {act.pictures[-1]}", "cool")
