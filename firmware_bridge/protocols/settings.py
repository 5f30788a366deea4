"""What a table file may set of one reader: names, what is allowed, and what each does, as data of its family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SettingValue = str | float


class SettingError(ValueError):
    """A reader cannot be set like that; the text names what is allowed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting that is one of some words."""

    name: str
    says: str
    """What it does, and what holds without it."""
    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return f"one of {', '.join(self.words)}"

    def allows(self, value: SettingValue) -> bool:
        return value in self.words


@dataclass(frozen=True, slots=True)
class Amount:
    """A setting that is a number from `least` to `most`."""

    name: str
    says: str
    """What it does, and what holds without it."""
    least: float
    most: float

    @property
    def allowed(self) -> str:
        return f"a number from {self.least:g} to {self.most:g}"

    def allows(self, value: SettingValue) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and self.least <= float(value) <= self.most


Setting = Choice | Amount


def named_value(text: str) -> tuple[str, SettingValue]:
    """The name and the value of NAME=VALUE; what reads as a number is one. Raises SettingError."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise SettingError(f"write --setting NAME=VALUE, not {text!r}")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def checked(family: str, settings: tuple[Setting, ...], values: Mapping[str, SettingValue]) -> None:
    """Whether a reader of the family can be set so. Raises SettingError."""
    known = {setting.name: setting for setting in settings}
    for name, value in values.items():
        if not known:
            raise SettingError(f"a reader of the family {family} takes no settings: take {name} out")
        if name not in known:
            names = "; ".join(f"{setting.name} ({setting.says}; {setting.allowed})" for setting in settings)
            raise SettingError(f"a reader of the family {family} has no setting {name}; its settings are {names}")
        if not known[name].allows(value):
            said = f"the setting {name} of a reader of the family {family}"
            raise SettingError(f"{said} must be {known[name].allowed}, not {value!r}")
