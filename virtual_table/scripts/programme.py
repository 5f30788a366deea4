"""An evening that a script tells: who sits down, and hand by hand who leaves, is away, is back, comes and straddles.

How the hands are played is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from betline.cases.marks import MarkedError, load
from betline.settings import Settings, SettingsError, parse
from betline.steps import Leave, Return, SitOut
from virtual_table.scripts.comings import Comings
from virtual_table.scripts.guests import Guests
from virtual_table.scripts.script import Change, ScriptError


class Break(Settings):
    """What happens before one hand of the evening, in this order."""

    leave: tuple[int, ...] = Field(default=(), description="seats whose players leave")
    away: tuple[int, ...] = Field(default=(), description="seats whose players are absent from now on")
    back: tuple[int, ...] = Field(default=(), description="seats whose players return")
    come: tuple[int, ...] = Field(default=(), description="empty seats that new players take")
    straddle: bool = Field(default=False, description="the seat under the gun straddles")

    def changes(self, comings: Comings, guests: Guests) -> Iterator[Change]:
        """The changes, each made before the next is asked for; raises ScriptError for one that nobody can make."""
        for seat in self.leave:
            _check(seat in comings.free_to_go(guests), f"seat {seat} cannot leave now")
            yield Leave(seat=seat)
        for seat in self.away:
            _check(seat in comings.free_to_go(guests), f"seat {seat} cannot go away now")
            yield SitOut(seat=seat)
        for seat in self.back:
            _check(comings.may_return(guests, seat), f"seat {seat} cannot come back now")
            yield Return(seat=seat)
        for seat in self.come:
            _check(seat in comings.empty(guests), f"nobody can sit down in seat {seat} now")
            yield comings.sits(seat)


class Programme(Settings):
    """The script of an evening."""

    seats: tuple[int, ...] = Field(min_length=4, description="who sits down before the first hand")
    hands: tuple[Break, ...] = Field(min_length=1, description="what happens before each hand")


def is_programme(path: Path) -> bool:
    """Whether a file tells of an evening; a case file is a list."""
    return path.suffix != ".phh" and isinstance(_read(path), dict)


def programme_of(path: Path) -> Programme:
    """The evening of a file; raises ScriptError."""
    try:
        return parse(Programme, _read(path), path.name)
    except SettingsError as error:
        raise ScriptError(str(error)) from None


def _read(path: Path) -> object:
    try:
        return load(path.read_text(encoding="utf-8")).data
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path.name} cannot be read: {error}.") from None
    except MarkedError as error:
        raise ScriptError(f"{path.name}, line {error.line}: {error.sentence}") from None


def _check(can: bool, sentence: str) -> None:
    if not can:
        raise ScriptError(f"The evening's script asks for what does not go: {sentence}.")
