"""A line of input: which key of the console it means, by number, letter or word. Pure.

The numbers never change their meaning from one moment to the next, so that a hand may learn them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from table_controller.console.keys import KEYS, Group, Key, key_of

_FIRST: Final[Mapping[Group, int]] = {"act": 1, "answer": 11, "hand": 21, "look": 51}
_FOR_A_SCREEN: Final = frozenset({"camera", "contrast", "colours", "number", "seen"})
"""Keys that change how a screen looks."""
_SEATS: Final = "seating"
_RANGE: Final = re.compile(r"\d{1,2}-\d{1,2}", re.ASCII)
_FREE_WORDS: Final = "says"
"""What follows it is said by a player, a number too."""


def _numbered() -> dict[int, Key]:
    found: dict[int, Key] = {}
    for group, first in _FIRST.items():
        keys = [key for key in KEYS if key.group == group]
        found |= {number: key for number, key in enumerate(keys, first) if key.action not in _FOR_A_SCREEN}
    return found


NUMBERS: Final[Mapping[int, Key]] = _numbered()
_NUMBER_OF: Final = {key.action: number for number, key in NUMBERS.items()}
_WORDS: Final = {name: key.action for key in NUMBERS.values() for name in (key.action, *key.shown.lower().split())}


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a line asks for: a key, the number that belongs to it, and what else was typed behind it."""

    action: str
    number: int | None = None
    rest: str = ""
    seats: str = ""
    """A range, ``1-6``, before the key of the seats."""


def number_of(action: str) -> int:
    """The number of a key; raises KeyError for a key that only a screen has."""
    return _NUMBER_OF[action]


def understood(line: str) -> Spoken | None:
    """``3 165``, ``165 b``, ``raise 165``, ``rest folds``, ``4 e l``; None where no key is meant."""
    words = line.lower().split()
    if not words:
        return None
    if _RANGE.fullmatch(words[0]):
        seats = len(words) == 2 and _WORDS.get(words[1]) == _SEATS
        return Spoken(_SEATS, seats=words[0]) if seats else None
    if _is_number(words[0]):
        if len(words) > 1 and (action := _WORDS.get(words[1])) is not None:
            return Spoken(action, int(words[0]), _behind(line, 2))
        key = NUMBERS.get(int(words[0]))
        return None if key is None else _with_number(key.action, line, 1)
    for count in (2, 1):
        action = _WORDS.get("-".join(words[:count])) if len(words) >= count else None
        if action is not None:
            return _with_number(action, line, count)
    return None


def _with_number(action: str, line: str, used: int) -> Spoken:
    words = line.split()
    takes = bool(key_of(action).number) and action != _FREE_WORDS
    if takes and len(words) > used and _is_number(words[used]):
        return Spoken(action, int(words[used]), _behind(line, used + 1))
    return Spoken(action, None, _behind(line, used))


def _behind(line: str, words: int) -> str:
    """What stands behind so many words."""
    parts = line.split(maxsplit=words)
    return parts[words].strip() if len(parts) > words else ""


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 9
