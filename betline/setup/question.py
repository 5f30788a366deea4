"""A question of the set-up, its answer, and what the machine was seen to have. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Answers = Mapping[str, str]
"""What was answered, by the question's key, as ``shape.seats``."""


class AnswerError(Exception):
    """An answer that cannot be used; the text is a sentence that says what would be right."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers that a question offers."""

    value: str
    label: str
    means: str = ""
    """What follows from it, in a sentence."""


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that is asked; without choices the answer is typed."""

    key: str
    asks: str
    means: str
    choices: tuple[Choice, ...] = ()
    usual: str | None = None
    """The answer that is preselected."""
    must: bool = False
    """Nobody but the person knows it: what is preselected is not taken unasked."""
    check: Callable[[str], str] = _as_it_is
    """Gives the answer as it is kept; raises AnswerError."""
    antenna: bool = False
    """It can be answered by putting a chip there."""

    def read(self, text: str) -> str:
        """The answer as it is kept; raises AnswerError, which says what would be right."""
        text = text.strip()
        if self.choices and text not in {choice.value for choice in self.choices}:
            raise AnswerError(f"{self.key} cannot be {text!r}; choose {self.offered()}.")
        return self.check(text)

    def offered(self) -> str:
        """The values that can be chosen, for a sentence."""
        return ", ".join(choice.value for choice in self.choices)


def yes_no(yes: str = "", no: str = "") -> tuple[Choice, ...]:
    """Yes and no, with what each means."""
    return (Choice("yes", "Yes", yes), Choice("no", "No", no))


@dataclass(frozen=True, slots=True)
class FoundReader:
    """A reader that answered on a port."""

    port: str
    family: str
    baud: int

    def __str__(self) -> str:
        return f"{self.port} {self.family} {self.baud}"


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera of this machine."""

    source: str
    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """What this machine was seen to have."""

    readers: tuple[FoundReader, ...] = ()
    cameras: tuple[FoundCamera, ...] = ()
    broker: bool = False
    """A broker answers at the usual address."""


NOTHING_FOUND = Found()
