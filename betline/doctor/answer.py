"""One thing that was looked at, and what is to be looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from betline.joining import BrokerChoice
from betline.settings import TableSettings


class State(StrEnum):
    """How a thing is."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found of one thing, and what to do where it is not well."""

    what: str
    state: State
    sentence: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """What the doctor looks at."""

    table: TableSettings
    file: str
    broker: BrokerChoice
    """What the command line says about the broker."""
    by_id: Path
    """Where the names of serial ports stand: /dev/serial/by-id, or a simulated table's folder."""
    register: Path | None = None
    """A chip register in place of the usual one."""
    camera: str | None = None
    """A source in place of the table's own."""


class Examination(Protocol):
    """Looks at one kind of thing; a room's module has one under the name `examine`."""

    def __call__(self, visit: Visit) -> Iterator[Answer]:
        """The answers, one after the other as they are found."""
        ...


def ok(what: str, sentence: str) -> Answer:
    """A thing that is well."""
    return Answer(what, State.OK, sentence)


def warning(what: str, sentence: str, remedy: str) -> Answer:
    """A thing that can be played with, but not well."""
    return Answer(what, State.WARNING, sentence, remedy)


def fault(what: str, sentence: str, remedy: str) -> Answer:
    """A thing that must be mended first."""
    return Answer(what, State.FAULT, sentence, remedy)


def skipped(what: str, sentence: str) -> Answer:
    """A thing that could not be looked at, or need not be."""
    return Answer(what, State.SKIPPED, sentence)
