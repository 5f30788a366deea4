"""One question: what it means, the answers to choose from or a line to type, and an ear for the antennas."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, Protocol

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, OptionList, ProgressBar, Static
from textual.widgets.option_list import Option

from betline.setup.antennas import Verdict
from betline.setup.faults import Faults
from betline.setup.interview import Asked
from betline.setup.question import Question

KEYS: Final = "Enter takes it · Esc goes back · Ctrl+Q leaves, answers are kept"
_LISTEN_S: Final = 0.1


class Host(Protocol):
    """Who asks the questions."""

    def take(self, question: Question, text: str) -> None:
        """An answer; raises whatever keeps it from being taken."""
        ...

    def back(self) -> None:
        """The question before."""
        ...


class AskScreen(Screen[None]):
    """A question with its answer so far, or what is usual, preselected."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(
        self,
        host: Host,
        asked: Asked,
        answer: str | None,
        faults: Faults,
        listen: Callable[[], Verdict] | None = None,
    ) -> None:
        super().__init__()
        self._host, self.asked, self._faults, self._listen = host, asked, faults, listen
        self._chosen = answer if answer is not None else asked.question.usual
        self._found: str | None = None

    def compose(self) -> ComposeResult:
        """The question from top to bottom."""
        one, question = self.asked, self.asked.question
        yield Static(
            f"Betline set-up · {one.section.title} · question {one.number} of {one.of}", id="top", markup=False
        )
        bar = ProgressBar(total=one.of, show_eta=False, id="progress")
        bar.advance(one.number - 1)
        yield bar
        with Vertical(id="question"):
            yield Static(question.asks, id="asks", markup=False)
            yield Static(question.means, id="means", markup=False)
            if self._listen is not None:
                yield Static("", id="live", markup=False)
            yield Static("", id="problem", markup=False)
        with VerticalScroll(id="body", can_focus=False):
            if question.choices:
                yield OptionList(*(self._option(question, n) for n in range(len(question.choices))), id="choices")
            else:
                yield Input(self._chosen or "", id="typed", select_on_focus=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Puts the cursor on what is preselected, and begins to listen."""
        if self.asked.question.choices:
            self._highlight(self._chosen)
            self.query_one("#choices").focus()
        else:
            self.query_one("#typed").focus()
        if self._listen is not None:
            self.set_interval(_LISTEN_S, self._hear)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click on a choice."""
        self._take(self.asked.question.choices[event.option_index].value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the line."""
        self._take(event.value)

    def action_back(self) -> None:
        """To the question before."""
        self._tried(self._host.back)

    def _take(self, text: str) -> None:
        self._tried(lambda: self._host.take(self.asked.question, text))

    def _tried(self, step: Callable[[], None]) -> None:
        """Goes on, or stays here and says why."""
        try:
            step()
        except Exception as error:
            self.query_one("#problem", Static).update(self._faults.sentence(error))

    def _hear(self) -> None:
        if self._listen is None:
            return
        try:
            verdict = self._listen()
        except Exception as error:
            self._listen = None
            self.query_one("#live", Static).update(self._faults.sentence(error))
            return
        mark = "" if verdict.spot is None else " Enter takes it."
        self.query_one("#live", Static).update(f"{verdict.sentence}{mark}")
        if verdict.spot is not None and str(verdict.spot) != self._found:
            self._found = str(verdict.spot)
            self._highlight(self._found)

    def _highlight(self, value: str | None) -> None:
        values = [choice.value for choice in self.asked.question.choices]
        self.query_one("#choices", OptionList).highlighted = values.index(value) if value in values else 0

    def _option(self, question: Question, number: int) -> Option:
        choice = question.choices[number]
        text = Text(f"{choice.label}{'  (usual)' if choice.value == question.usual else ''}", style="bold")
        if choice.means:
            text.append(f"\n    {choice.means}", style="not bold dim")
        return Option(text)
