"""The cards of the board, or of a hand that is shown: two keys a card."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from typing_extensions import override

from betline.steps import Command, ShownCards
from table_controller.console import cards
from table_controller.console.intents import Refused
from table_controller.console.screens.dialog import Dialog
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.pads import CardPad

_KEYS = "0123456789tjqkashdcTJQKASHDC"


class CardsDialog(Dialog[Command]):
    """Takes cards as they are keyed and shows them at once; void when others are wanted meanwhile."""

    BINDINGS: ClassVar = [
        *(Binding(key, f"type('{key}')", show=False) for key in _KEYS),
        Binding("backspace", "backspace", show=False),
        Binding("m,M", "muck", show=False),
        Binding("up", "earlier", show=False),
        Binding("enter", "done", show=False),
    ]

    def __init__(self, wanted: cards.Wanted, snapshot: Snapshot) -> None:
        super().__init__()
        self._wanted = wanted
        self._view = snapshot.cards
        self._typed = ""

    @override
    def pad(self) -> ComposeResult:
        yield CardPad()

    def on_mount(self) -> None:
        self._ask(self._wanted)

    def show(self, snapshot: Snapshot) -> None:
        over = snapshot.cards.hand_no != self._view.hand_no
        self.is_void("Another hand has begun: nothing was sent." if over else "")

    def action_type(self, key: str) -> None:
        """One more key; one that makes no card is said and left out."""
        _, problem = cards.echo(self._typed + key, self._wanted.count)
        self._typed = cards.takes(self._typed, key, self._wanted.count)
        self._write(problem)

    def action_backspace(self) -> None:
        """The last key was wrong."""
        self._typed = cards.without_last(self._typed)
        self._write()

    def action_earlier(self) -> None:
        """The street before has wrong cards: it is keyed again."""
        earlier = cards.earlier(self._wanted, self._view)
        if earlier is None:
            self.write("problem", "✖ No earlier street has cards.")
        else:
            self._ask(earlier)

    def action_muck(self) -> None:
        """The seat mucks its hand unseen."""
        if self._wanted.seat is not None:
            self.finish(ShownCards(seat=self._wanted.seat))

    def action_done(self) -> None:
        """The cards are complete."""
        wanted = self._wanted.command(self._typed)
        if isinstance(wanted, Refused):
            self.write("problem", f"✖ {wanted.sentence}")
        else:
            self.finish(wanted)

    def _ask(self, wanted: cards.Wanted) -> None:
        self._wanted, self._typed = wanted, ""
        self.write("title", wanted.title)
        muck = " · M mucks" if wanted.seat is not None else ""
        self.write("hint", f"rank, suit: AS KD 10C{muck} · ↑ street before · Enter · Esc")
        self._write()

    def _write(self, problem: str = "") -> None:
        self.write("content", cards.echo(self._typed, self._wanted.count)[0])
        self.write("problem", f"✖ {problem}" if problem else "")
