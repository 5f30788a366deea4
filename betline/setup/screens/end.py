"""The end of the questions: what was written, what is left to do, each by its key, and the test hand, link by link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from betline.setup.faults import Faults
from betline.setup.trial import Link, Push

_KEYS: Final = "Enter does what is marked · Esc goes back · Ctrl+Q leaves, answers are kept"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is left to do: its key, its name, how far it is, and what does it."""

    key: str
    title: str
    standing: str
    is_done: bool
    begin: Callable[[], None]


class EndScreen(Screen[None]):
    """What was written, and what is left to do; without steps what is wrong."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"step('{key}')", show=False) for key in "ckpt"),
        Binding("escape", "back", "Back"),
        Binding("enter", "leave", "Done"),
    ]

    def __init__(
        self,
        lines: Sequence[Text],
        back: Callable[[], None],
        faults: Faults,
        steps: Callable[[], Sequence[Step]] = tuple,
    ) -> None:
        super().__init__()
        self._lines, self._back, self._faults, self._look = lines, back, faults, steps
        self._steps: tuple[Step, ...] = ()

    def compose(self) -> ComposeResult:
        """The steps, then a page of lines."""
        yield Static("Betline set-up · written", id="top", markup=False)
        with VerticalScroll(id="body", can_focus=False):
            yield OptionList(id="choices")
            yield Static(Text("\n").join(self._lines), id="lines")
        yield Static(_KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Looks how far everything is."""
        self._renew()

    def on_screen_resume(self) -> None:
        """Back from one of the steps."""
        if self.is_mounted:
            self._renew()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click on a step; the last option ends."""
        if event.option_index < len(self._steps):
            self._begin(self._steps[event.option_index])
        else:
            self.action_leave()

    def action_step(self, key: str) -> None:
        """The step of a key."""
        step = next((one for one in self._steps if one.key == key), None)
        if step is not None:
            self._begin(step)

    def _begin(self, step: Step) -> None:
        lines = [*self._lines]
        try:
            step.begin()
        except Exception as error:
            lines = [Text(f"✖ {step.title}: {self._faults.sentence(error)}", style="bold red"), *lines]
        self.query_one("#lines", Static).update(Text("\n").join(lines))

    def action_back(self) -> None:
        """To the last question."""
        self._back()

    def action_leave(self) -> None:
        """The set-up is done."""
        self.app.exit(0)

    def _renew(self) -> None:
        self._steps = tuple(self._look())
        choices = self.query_one("#choices", OptionList)
        choices.display = bool(self._steps)
        if not self._steps:
            return
        choices.clear_options()
        choices.add_options([*(Option(_line(step)) for step in self._steps), Option(Text("End the set-up"))])
        choices.highlighted = next((n for n, step in enumerate(self._steps) if not step.is_done), len(self._steps))
        choices.focus()


def _line(step: Step) -> Text:
    text = Text(f"{'✔' if step.is_done else ' '} {step.key.upper()}  ", style="bold")
    text.append(step.title)
    return text.append(f"\n     {step.standing}", style="not bold dim")


class TrialScreen(Screen[None]):
    """The test hand while it is played."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, stop: Callable[[], None]) -> None:
        super().__init__()
        self._stop = stop
        self._heard = ""
        self._lines_so_far: list[Text] = [Text("The parts are started; that takes up to half a minute.", style="dim")]

    def compose(self) -> ComposeResult:
        """What was seen so far, and below it what is heard now."""
        yield Static("Betline set-up · test hand", id="top", markup=False)
        with VerticalScroll(id="body"):
            yield Static(id="lines")
            yield Static(id="live", markup=False)
        yield Static("Esc goes back", id="keys", markup=False)

    def on_mount(self) -> None:
        """Shows what there is by now."""
        self._paint()

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

    def heard(self, sentence: str) -> None:
        """What antenna and camera say now."""
        self._heard = sentence
        self._show()

    def say(self, sentence: str, *, good: bool) -> None:
        """How it ended."""
        self._lines_so_far.append(Text(f"\n{sentence}", style="bold green" if good else "bold red"))
        self._heard = ""
        self._show()

    def action_back(self) -> None:
        """Stops the hand and goes back to what was written."""
        self._stop()
        self.app.pop_screen()

    def _show(self) -> None:
        if self.is_mounted:
            self._paint()

    def _paint(self) -> None:
        self.query_one("#lines", Static).update(Text("\n").join(self._lines_so_far))
        self.query_one("#live", Static).update(self._heard)
        self.query_one("#body").scroll_end(animate=False)
