"""Who people are: the journal knows a person by an id that says nothing, names are kept apart and can be erased.

Ids come from the edge, which may ask chance; here is only decided who needs a new one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from types import MappingProxyType
from typing import Any

from betline.messages.table import Ruling
from betline.steps import (
    BoardCards,
    Command,
    Dealer,
    NamePlayer,
    Override,
    Setup,
    ShownCards,
    SitDown,
    command_args,
)
from table_controller.journal.entries import person_in_clear
from table_controller.session.inputs import NO_SEAT

NO_NAMES: Mapping[str, str] = MappingProxyType({})


def same_name(one: str, other: str) -> bool:
    """Whether two names are one to a person who reads them: spaces and capitals do not count."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def who_sits(name: str, fresh: str, names: Mapping[str, str], seated: Collection[str]) -> tuple[str, str]:
    """The id and the name of a person who gives a name: known by it and not seated, or new with the id `fresh`.

    Of two people of one name at a table the second is `Ann (2)`.
    """
    for number in count(1):
        wanted = " ".join(name.split()) if number == 1 else f"{' '.join(name.split())} ({number})"
        known = next((person for person, called in names.items() if same_name(called, wanted)), None)
        if known is None:
            return fresh, wanted
        if known not in seated:
            return known, names[known]
    raise AssertionError("there are more numbers than people")


def name_of(person: str | None, names: Mapping[str, str]) -> str:
    """What people call a person; empty for one who gave no name or had it erased."""
    return "" if person is None else names.get(person) or person_in_clear(person) or ""


def with_name(ruling: Ruling, names: Mapping[str, str]) -> Ruling:
    """A ruling as people get it: who decided stands there by name."""
    return ruling.model_copy(update={"by": name_of(ruling.by, names)}) if ruling.by else ruling


def without_secrets(asked: Command, persons: Mapping[int, str]) -> dict[str, Any]:
    """The arguments of a command as they are journalled: for names the ids of those who sat down or decided, and no
    cards.
    """
    kept = command_args(asked)
    if isinstance(asked, SitDown | NamePlayer) and asked.player:
        kept["player"] = persons.get(asked.seat, "")
    if isinstance(asked, BoardCards | ShownCards):
        kept.pop("cards", None)
    if isinstance(asked, Override):
        kept["by"] = persons.get(NO_SEAT, "")
    if isinstance(asked, Dealer) and asked.name:
        kept["name"] = persons.get(NO_SEAT, "")
    if isinstance(asked, Setup) and kept.pop("names", None):
        kept["players"] = {str(seat): person for seat, person in persons.items()}
    return kept
