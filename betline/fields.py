"""Reading plain data (what JSON and YAML give) strictly: every error names its key, unknown keys are errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from pydantic import ValidationError

from betline.settings import GameSettings
from betline.settings.model import complaint, nearest, place, shown

Path = tuple[str | int, ...]
Chips = tuple[int, ...]
"""Chips of one motion by their values, largest first; their order on the felt means nothing."""
Value = TypeVar("Value")
Default = TypeVar("Default")
Word = TypeVar("Word", bound=str)

SEATS = range(1, 11)


class FieldError(Exception):
    """A value cannot be read: the path of keys that leads to it, and a sentence that says what would be right."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(f"{dotted(path)}: {sentence}" if path else sentence)
        self.path = path
        self.sentence = sentence


def dotted(path: Path) -> str:
    """A path as people write it: ``play.3.chips``."""
    return ".".join(str(part) for part in path)


class Fields:
    """The keys of one mapping, taken one by one; `done` refuses those that nobody asked for."""

    def __init__(self, data: object, path: Path = ()) -> None:
        if not isinstance(data, Mapping):
            raise FieldError(path, f"must be a mapping, not {shown(data)}.")
        self._data = data
        self.path = path
        self._known: list[str] = []

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        if key not in self._known:
            self._known.append(key)
        return key in self._data

    def required(self, key: str, read: Callable[[object, Path], Value]) -> Value:
        """The value of a key that must be there."""
        if not self.has(key):
            raise self.missing(key, "is missing.")
        return read(self._data[key], (*self.path, key))

    def optional(self, key: str, read: Callable[[object, Path], Value], default: Default) -> Value | Default:
        """The value of a key, or the default."""
        return self.required(key, read) if self.has(key) else default

    def missing(self, key: str, sentence: str) -> FieldError:
        """The error for a key that is not there; it names the key that was probably meant for it, if there is one."""
        for written in self._data:
            if written not in self._known and nearest(str(written), [key]).startswith("did you mean"):
                return FieldError((*self.path, str(written)), f"is not a known key; did you mean {key}?")
        return FieldError((*self.path, key), sentence)

    def done(self) -> None:
        """Raises FieldError for a key that is not known here."""
        for key in self._data:
            if key not in self._known:
                raise FieldError((*self.path, str(key)), f"is not a known key; {nearest(str(key), self._known)}")


def whole(value: object, path: Path) -> int:
    """An amount of at least 0."""
    if type(value) is not int or value < 0:
        raise FieldError(path, f"must be a whole number of at least 0, not {shown(value)}.")
    return value


def positive(value: object, path: Path) -> int:
    """An amount of at least 1."""
    if type(value) is not int or value < 1:
        raise FieldError(path, f"must be a whole number of at least 1, not {shown(value)}.")
    return value


def seat(value: object, path: Path) -> int:
    """A seat, 1 to 10."""
    if type(value) is not int or value not in SEATS:
        raise FieldError(path, f"must be a seat from 1 to 10, not {shown(value)}.")
    return value


def seat_or_none(value: object, path: Path) -> int | None:
    """A seat, or null where there is none."""
    return None if value is None else seat(value, path)


def flag(value: object, path: Path) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise FieldError(path, f"must be true or false, not {shown(value)}.")
    return value


def true(value: object, path: Path) -> bool:
    """Nothing but true: the step has no argument."""
    if value is not True:
        raise FieldError(path, f"must be true, not {shown(value)}.")
    return True


def text(value: object, path: Path) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise FieldError(path, f"must be a text, not {shown(value)}.")
    return value


def one_of(*words: Word) -> Callable[[object, Path], Word]:
    """One of some words."""

    def read(value: object, path: Path) -> Word:
        for word in words:
            if value == word:
                return word
        raise FieldError(path, f"cannot be {shown(value)}; {nearest(str(value), words)}")

    return read


def list_of(read: Callable[[object, Path], Value], *, least: int = 0) -> Callable[[object, Path], tuple[Value, ...]]:
    """A list whose items are read alike."""

    def read_list(value: object, path: Path) -> tuple[Value, ...]:
        if not isinstance(value, (list, tuple)):
            raise FieldError(path, f"must be a list, not {shown(value)}.")
        if len(value) < least:
            raise FieldError(path, f"must name at least {least}.")
        return tuple([read(item, (*path, number)) for number, item in enumerate(value)])

    return read_list


def by_seat(read: Callable[[object, Path], Value]) -> Callable[[object, Path], dict[int, Value]]:
    """A mapping from seats; JSON writes the seats as texts."""

    def read_mapping(value: object, path: Path) -> dict[int, Value]:
        if not isinstance(value, Mapping):
            raise FieldError(path, f"must be a mapping from seats, not {shown(value)}.")
        found = {}
        for key, item in value.items():
            number = seat(int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else key, (*path, key))
            found[number] = read(item, (*path, key))
        return found

    return read_mapping


def chips(value: object, path: Path) -> Chips:
    """Chips as a list of values, or as value: count; largest first."""
    if isinstance(value, Mapping):
        found: list[int] = []
        for key, count in value.items():
            denomination = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else key
            if type(denomination) is not int or denomination < 1:
                raise FieldError((*path, key), "must be the value of a chip.")
            number = positive(count, (*path, key))
            if number > 10_000:
                raise FieldError((*path, key), f"{number} chips of one kind cross no line.")
            found += [denomination] * number
    else:
        found = list(list_of(positive)(value, path))
    if not found:
        raise FieldError(path, "must name at least one chip.")
    return tuple(sorted(found, reverse=True))


def game(value: object, path: Path) -> GameSettings:
    """The game being dealt (docs/case-format.md, `game`)."""
    try:
        return GameSettings.model_validate(value)
    except ValidationError as error:
        finding = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        raise FieldError((*path, *place(finding, GameSettings)), complaint(finding, GameSettings)) from None
