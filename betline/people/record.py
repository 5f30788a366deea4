"""One of the staff: name, role, what proves a PIN, and the tags that are this person's badges. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from betline.messages.common import UID_PATTERN
from betline.people.srp import verifier_of
from betline.settings import Role
from betline.settings.model import nearest

PIN: Final = re.compile(r"[0-9]{4,12}")
PIN_FORM: Final = "A PIN is 4 to 12 digits."
MAX_NAME: Final = 40
_UID: Final = re.compile(UID_PATTERN)


class PeopleError(Exception):
    """The staff cannot be changed or read so; the text is a sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class PinProof:
    """What is kept of a PIN."""

    salt: bytes
    verifier: int


@dataclass(frozen=True, slots=True)
class Person:
    """One of the staff; ``id`` says nothing about who it is, and stands in the journal."""

    id: str
    name: str
    role: Role
    pin: PinProof | None = None
    badges: tuple[str, ...] = ()

    def with_pin(self, pin: str, salt: bytes) -> Person:
        """The person with a new PIN; raises PeopleError for what is none."""
        if not PIN.fullmatch(pin):
            raise PeopleError(PIN_FORM)
        return replace(self, pin=PinProof(salt, verifier_of(pin, salt)))


@dataclass(frozen=True, slots=True)
class Staff:
    """All who may sign in; a table without any is open to everybody."""

    people: tuple[Person, ...] = ()
    by_id: dict[str, Person] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {one.id: one for one in self.people})

    def __bool__(self) -> bool:
        return bool(self.people)

    def person(self, person: str) -> Person | None:
        """The person of an id."""
        return self.by_id.get(person)

    def named(self, name: str) -> Person:
        """The person of a name; raises PeopleError, which names the nearest one."""
        for one in self.people:
            if _same(one.name, name):
                return one
        hint = nearest(name, [one.name for one in self.people]) if self.people else "nobody is enrolled yet."
        raise PeopleError(f"There is no {name} among the staff; {hint}")

    def wearing(self, uid: str) -> Person | None:
        """The person whose badge a tag is."""
        return next((one for one in self.people if uid in one.badges), None)

    def with_person(self, person: Person) -> Staff:
        """The staff with one more; raises PeopleError where the name is taken."""
        if not person.name or len(person.name) > MAX_NAME or not person.name.isprintable():
            raise PeopleError(f"A name is 1 to {MAX_NAME} letters, in one line.")
        if any(_same(one.name, person.name) for one in self.people):
            raise PeopleError(f"{person.name} is enrolled already; use another name, or betline people remove first.")
        return Staff((*self.people, person))

    def changed(self, person: Person) -> Staff:
        """The staff with a person as they are now."""
        return Staff(tuple(person if one.id == person.id else one for one in self.people))

    def without(self, person: Person) -> Staff:
        """The staff without a person."""
        return Staff(tuple(one for one in self.people if one.id != person.id))

    def with_badge(self, person: Person, uid: str) -> Staff:
        """The staff after a tag became a person's badge; raises PeopleError."""
        tag = uid.strip().upper().replace(":", "")
        if not _UID.fullmatch(tag):
            raise PeopleError(
                f"{uid} is no tag's number: 8 to 64 hexadecimal digits, as betline bridge once shows them."
            )
        owner = self.wearing(tag)
        if owner is not None:
            raise PeopleError(f"Tag {tag} is the badge of {owner.name} already; take another tag.")
        return self.changed(replace(person, badges=(*person.badges, tag)))


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def names_of(people: Iterable[Person]) -> str:
    """Names for a sentence: `Ann, Bob or Cleo`."""
    return " or ".join(", ".join(one.name for one in people).rsplit(", ", 1))
