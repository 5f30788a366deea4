"""What the screen shows: the sitting, what is typed, what was answered. Pure: a key makes the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from table_controller.training import wording
from table_controller.training.asking import Question
from table_controller.training.explaining import Explanation, explained
from table_controller.training.sitting import Asked, Sitting, answered
from table_controller.training.wording import Said

MAX_DIGITS: Final = 9
HELP: Final = (
    Said("How the training works", "accent"),
    Said("A situation at a table is told and drawn. Answer with one key, or type an amount and press Enter."),
    Said("What you miss comes back after three other questions, and again in the next sittings; what you know comes "
         "back later and later: after 1, 3, 7, 16 and 35 days."),
    Said("The right answers are the table's own rulings, under the rules that the first line names."),
    Said(""),
    Said("Keys", "accent"),
    Said("an answer", head="1 to 4         "),
    Said("an amount; Backspace takes a digit back, Enter answers", head="0 to 9         "),
    Said("the next question", head="Enter          "),
    Said("scroll what is too long for the screen", head="↑ ↓ PgUp PgDn  "),
    Said("other colours", head="F5             "),
    Said("this page, and back", head="F1 or ?        "),
    Said("end the training; what was answered is kept", head="Q or Esc       "),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A question that was answered."""

    asked: Asked
    given: str
    why: Explanation


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the screen shows."""

    sitting: Sitting
    typed: str = ""
    told: Told | None = None
    problem: str = ""
    help: bool = False

    @property
    def question(self) -> Question | None:
        """What is asked, or was just answered; None at the end."""
        asked = self.told.asked if self.told is not None else self.sitting.now
        return None if asked is None else asked.question

    @property
    def is_over(self) -> bool:
        """Nothing is left to ask, and all is told."""
        return self.question is None

    def rows(self) -> Iterator[Said]:
        """The lines of the sheet."""
        if self.help:
            yield from HELP
        elif self.question is None:
            yield from wording.summary(self.sitting)
            yield Said("")
            yield Said("Enter deals another round, Q ends.")
        elif self.told is None:
            yield from wording.asked(self.question)
            yield from wording.choices(self.question)
            if not self.question.choices:
                yield Said(f"{int(self.typed):,}▏" if self.typed else "▏", "accent", "Amount: ")
        else:
            yield wording.verdict(self.question, self.told.given)
            yield from wording.explanation(self.told.why)
            yield Said("")
            yield from wording.asked(self.question)
            yield from wording.choices(self.question, self.told.given)
        if self.problem:
            yield Said(self.problem, "bad")

    @property
    def keys(self) -> str:
        """The keys of the moment."""
        if self.help:
            return "F1: back · Q: end"
        if self.question is None:
            return "Enter: another round · F1: help · Q: end"
        if self.told is not None:
            return "Enter: next · ↑ ↓: scroll · F1: help · Q: end"
        if not self.question.choices:
            return "digits and Enter: answer · F1: help · Q: end"
        return f"1 to {len(self.question.choices)}: answer · F1: help · Q: end"


def pressed(shown: Shown, key: str) -> Shown:
    """What a key of the answer makes of it: a digit, `backspace` or `enter`; other keys change nothing."""
    if shown.help:
        return shown
    if shown.told is not None:
        return replace(shown, told=None, typed="", problem="") if key == "enter" else shown
    question = shown.question
    if question is None:
        return shown
    if question.choices:
        meant = question.meant(key) if key.isdigit() else None
        return shown if meant is None else _answer(shown, meant)
    if key == "enter":
        meant = question.meant(shown.typed)
        return replace(shown, problem=wording.complaint(question)) if meant is None else _answer(shown, meant)
    if key == "backspace":
        return replace(shown, typed=shown.typed[:-1], problem="")
    if key.isascii() and key.isdigit() and len(shown.typed) < MAX_DIGITS:
        return replace(shown, typed=shown.typed + key, problem="")
    return shown


def _answer(shown: Shown, meant: str) -> Shown:
    now = shown.sitting.now
    if now is None:
        return shown
    told = Told(now, meant, explained(now.question))
    return Shown(answered(shown.sitting, right=meant == now.question.right), told=told)
