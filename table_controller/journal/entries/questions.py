"""Entries about words, and about what people are asked and answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from betline.steps import First, Step, parse_step, step_to_mapping
from table_controller.journal import codec
from table_controller.journal.entries.entry import Entry


def _write_act(step: Step | None) -> dict[str, Any] | None:
    return None if step is None else step_to_mapping(step)


def _read_act(data: Any) -> Step | None:
    return None if data is None else parse_step(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsWait(Entry):
    """Words that were keyed for a seat whose chips still move."""

    kind: ClassVar[str] = "words"
    seat: int
    text: str
    first: First | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Entry):
    """Words that agree with what the seat's chips were ruled."""

    kind: ClassVar[str] = "heard"
    seat: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWhichFirst(Entry):
    """Words and chips of a seat that come to different rulings by which came first."""

    kind: ClassVar[str] = "asked"
    id: str
    seat: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedStraddle(Entry):
    """Chips before the cards that may be a sleeper; ``to`` is the seat's total (R-199)."""

    kind: ClassVar[str] = "straddle-asked"
    id: str
    seat: int
    to: int
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWhatLies(Entry):
    """What lies before a seat is not what the books or a key say of it: a person is asked before it rules anything."""

    kind: ClassVar[str] = "doubt-asked"
    id: str
    question: Literal["count", "key-or-felt"]
    seat: int
    sentence: str
    choices: tuple[str, ...]
    act: Step | None = field(default=None, metadata=codec.own_form(_write_act, _read_act))
    """The act in chips that waits, or that the chips would be; None where the last step is ruled on again."""
    felt_act: int | None = None
    """The act of the felt that it is."""
    asked_ns: int
    """When, on the controller's monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Entry):
    """A question was answered."""

    kind: ClassVar[str] = "answered"
    id: str
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesChanged(Entry):
    """At a start today's rules ruled otherwise on an act of the hand in progress: the floor is asked.

    A checkpoint follows, with the table as recorded and as today's rules make it.
    """

    kind: ClassVar[str] = "rules-changed"
    id: str
    hand_no: int
    act_no: int
    seat: int | None
    recorded: str
    present: str
    sentence: str
