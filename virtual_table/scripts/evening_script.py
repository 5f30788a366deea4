"""An evening that follows a script: who sits down, and hand by hand who leaves, sits out, returns, comes and straddles.

The play of the hands is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from betline.cases.marks import MarkedError, load
from betline.settings import Settings, SettingsError, parse
from betline.steps import Leave, Return, SitOut
from virtual_table.scripts.guests import Guests
from virtual_table.scripts.script import Change, ScriptError
from virtual_table.scripts.seat_changes import SeatChanges


class BeforeHand(Settings):
    """What happens before one hand of the evening, in this order."""

    leave: tuple[int, ...] = Field(default=(), description="seats whose players leave")
    away: tuple[int, ...] = Field(default=(), description="seats whose players are absent from now on")
    back: tuple[int, ...] = Field(default=(), description="seats whose players return")
    come: tuple[int, ...] = Field(default=(), description="empty seats that new players take")
    straddle: bool = Field(default=False, description="the seat under the gun straddles")

    def changes(self, choices: SeatChanges, guests: Guests) -> Iterator[Change]:
        """The changes, each made before the next is asked for; raises ScriptError for an impossible one."""
        for seat in self.leave:
            _check(seat in choices.free_to_go(guests), f"seat {seat} cannot leave now")
            yield Leave(seat=seat)
        for seat in self.away:
            _check(seat in choices.free_to_go(guests), f"seat {seat} cannot go away now")
            yield SitOut(seat=seat)
        for seat in self.back:
            _check(choices.may_return(guests, seat), f"seat {seat} cannot come back now")
            yield Return(seat=seat)
        for seat in self.come:
            _check(seat in choices.empty(guests), f"nobody can sit down in seat {seat} now")
            yield choices.sits(seat)


class EveningScript(Settings):
    """The script of an evening."""

    seats: tuple[int, ...] = Field(min_length=4, description="who sits down before the first hand")
    hands: tuple[BeforeHand, ...] = Field(min_length=1, description="what happens before each hand")


def is_evening_script(path: Path) -> bool:
    """Whether a file is the script of an evening; a case file is a list."""
    return path.suffix != ".phh" and isinstance(_read(path), dict)


def read_evening_script(path: Path) -> EveningScript:
    """The evening of a file; raises ScriptError."""
    try:
        return parse(EveningScript, _read(path), path.name)
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
        raise ScriptError(f"The evening's script asks for the impossible: {sentence}.")
