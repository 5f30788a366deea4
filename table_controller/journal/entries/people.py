"""Entries about the staff and what they ask for, and the names that a journal of version 1 holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from table_controller.journal.entries.entry import Entry

_IN_CLEAR = "name:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Obeyed(Entry):
    """A command that was obeyed, and the sentence of the reply."""

    kind: ClassVar[str] = "command"
    id: str
    verb: str
    args: Mapping[str, Any]
    sender: str
    sentence: str
    by: str = ""
    """The id of who was signed in, empty where nobody had to."""
    role: str = ""
    """This person's role at that time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn(Entry):
    """One of the staff has signed in with a PIN or a badge."""

    kind: ClassVar[str] = "signed-in"
    person: str
    role: str
    way: Literal["pin", "badge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut(Entry):
    """One of the staff is signed in no longer."""

    kind: ClassVar[str] = "signed-out"
    person: str
    way: Literal["pin", "badge"]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PinRefused(Entry):
    """A wrong PIN; ``locked_s`` is how long the person is locked out from then on, 0 where there are tries left."""

    kind: ClassVar[str] = "pin-refused"
    person: str
    locked_s: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Entry):
    """Version 1 only: the name of who sat down."""

    kind: ClassVar[str] = "named"
    seat: int
    name: str


def clear_person(name: str) -> str:
    """Who a person is whom a journal of version 1 knows by nothing but the name."""
    return f"{_IN_CLEAR}{name}" if name else ""


def person_in_clear(person: str) -> str | None:
    """The name of such a person; None for everybody else."""
    return person.removeprefix(_IN_CLEAR) if person.startswith(_IN_CLEAR) else None
