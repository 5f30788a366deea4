"""The end of the set-up: what was written and is left to do, and the test hand, link by link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from betline.setup.trial import Link, Push


class EndScreen(Screen[None]):
    """What was written, and what no answers can do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "test", "Test hand"), Binding("escape", "back", "Back"), Binding("enter", "leave", "Done"),
    ]  # fmt: skip

    def __init__(self, lines: Sequence[Text], test: Callable[[], None], back: Callable[[], None]) -> None:
        super().__init__()
        self._lines, self._test, self._back = lines, test, back

    def compose(self) -> ComposeResult:
        """A page of lines."""
        yield Static("Betline set-up · written", id="top", markup=False)
        with VerticalScroll(id="body"):
            yield Static(Text("\n").join(self._lines), id="lines")
        yield Static("T plays a test hand with your hardware · Esc goes back · Enter ends", id="keys", markup=False)

    def action_test(self) -> None:
        """Plays the test hand."""
        self._test()

    def action_back(self) -> None:
        """To the last question."""
        self._back()

    def action_leave(self) -> None:
        """The set-up is done."""
        self.app.exit(0)


class TrialScreen(Screen[None]):
    """The test hand while it is played."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, stop: Callable[[], None]) -> None:
        super().__init__()
        self._stop = stop
        self._lines_so_far: list[Text] = [Text("The parts are started; that takes up to half a minute.", style="dim")]

    def compose(self) -> ComposeResult:
        """What was seen so far."""
        yield Static("Betline set-up · test hand", id="top", markup=False)
        with VerticalScroll(id="body"):
            yield Static(id="lines")
        yield Static("Esc goes back", id="keys", markup=False)

    def on_mount(self) -> None:
        """Shows the first line."""
        self._show()

    def link(self, link: Link) -> None:
        """One more link of the chain."""
        style = "green" if link.seen else "bold red"
        self._lines_so_far.append(Text(f"{'✔' if link.seen else '✖'} {link.what}: {link.sentence}", style=style))
        self._show()

    def ask(self, push: Push) -> None:
        """The person is asked to push."""
        self._lines_so_far.append(
            Text(f"\n▶ {push}. Push one chip over the line and take your hand back.\n", style="bold yellow")
        )
        self._show()

    def say(self, sentence: str, *, good: bool) -> None:
        """How it ended."""
        self._lines_so_far.append(Text(f"\n{sentence}", style="bold green" if good else "bold red"))
        self._show()

    def action_back(self) -> None:
        """Stops the hand and goes back to what was written."""
        self._stop()
        self.app.pop_screen()

    def _show(self) -> None:
        if self.is_mounted:
            self.query_one("#lines", Static).update(Text("\n").join(self._lines_so_far))
