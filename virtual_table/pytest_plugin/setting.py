"""Which table a test plays at, in the words of a case: game, house rules, seats; and how well its sensors do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from betline.options import UserError
from betline.settings import SettingsError, TableSettings, load_house_rules, load_table
from betline.settings.load import parse
from betline.settings.model import nearest
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.pytest_plugin.plans import PLANS, Given
from virtual_table.run.run_table import with_readers
from virtual_table.scripts.chip_sets import fitting_chip_set
from virtual_table.scripts.script import ScriptError
from virtual_table.table.identifiers import form_of
from virtual_table.table.things import WorldError

STANDARD: Final[Mapping[str, Any]] = {
    "table": "home-six",
    "chips": "tournament",
    "game": {"limit": "no-limit", "blinds": (50, 100)},
    "house": {"profile": "tda"},
    "stack": 10_000,
}
"""The table of a test that says nothing else: six seats, no-limit hold'em 50/100, 10,000 each."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the marker `betline` says. All of it may be left out."""

    table: str | None = None
    """A shipped table or a table file; with its own game, house rules and chips where the test names no others."""
    game: Mapping[str, Any] = field(default_factory=dict)
    """As `game` of a case."""
    house: Mapping[str, Any] = field(default_factory=dict)
    """As `house` of a case: `profile`, and options that override it."""
    seats: Mapping[int, int] = field(default_factory=dict)
    """As `seats` of a case: who sits there with which stack; by default everybody."""
    stack: int | None = None
    """The stack of everybody, where `seats` does not say."""
    chips: str | None = None
    """A shipped chip set or a file of one; another is taken where it cannot make the stacks."""
    readers: str | None = None
    """The family of all readers."""
    camera: bool | None = None
    """Whether a camera watches; by default a simulated one does, and a live one where `--betline-frames` is given."""
    noise: bool = False
    """Whether readers and camera miss and imagine as much as measured ones do; else they do nothing of it."""
    faults: Given | None = None
    """What goes wrong, as a plan (docs/faults.md): a file beside the test, a TOML text or a mapping."""
    seed: int = 1
    live: bool = False
    """Whether the real programs are played with."""


def _is_whole(value: object) -> bool:
    return type(value) is int and value > 0


def _is_stacks(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(_is_whole, (*value, *value.values())))


_FILE: Final = ("a name or a file", lambda value: isinstance(value, str | Path))
_FILES: Final = ("table", "chips")
_YES_NO: Final = ("True or False", lambda value: isinstance(value, bool))
_TAKES: Final[Mapping[str, tuple[str, Callable[[object], bool]]]] = {
    "table": _FILE,
    "game": ("a mapping, such as {'limit': 'no-limit', 'blinds': [50, 100]}", lambda value: isinstance(value, Mapping)),
    "house": ("a mapping, such as {'profile': 'tda'}", lambda value: isinstance(value, Mapping)),
    "seats": ("a stack for each seat, such as {1: 5000, 2: 5000}", _is_stacks),
    "stack": ("a whole number above 0", _is_whole),
    "chips": _FILE,
    "readers": ("the family of all readers, such as 'feig'", lambda value: isinstance(value, str)),
    "camera": _YES_NO,
    "noise": _YES_NO,
    "faults": (
        "a plan: a file, a TOML text or a mapping",
        lambda value: isinstance(value, PLANS),
    ),
    "seed": ("a whole number", lambda value: type(value) is int),
    "live": _YES_NO,
}
"""What each argument takes, in words, and whether a value is that."""


def setting_of(said: Mapping[str, Any]) -> Setting:
    """The setting of the marker's arguments; raises LabError for one that there is not."""
    known = [one.name for one in fields(Setting)]
    for name in said:
        if name not in known:
            raise LabError(f"The marker betline has no {name}: {nearest(name, known)}")
        takes, fits = _TAKES[name]
        if said[name] is not None and not fits(said[name]):
            raise LabError(f"{name} of the marker betline takes {takes}, not {said[name]!r}.")
    given = dict(said)
    given |= {name: str(said[name]) for name in _FILES if said.get(name) is not None}
    setting = Setting(**given)
    if setting.table is not None:
        return setting
    standard = {name: value for name, value in STANDARD.items() if name not in said}
    return replace(setting, **standard)


def table_of(setting: Setting) -> TableSettings:
    """The table's settings; raises LabError with a sentence."""
    assert setting.table is not None
    try:
        table = load_table(setting.table)
        update: dict[str, Any] = {"levels": (), "rotation": None} if setting.game else {}
        if setting.game:
            update["game"] = parse(type(table.game), dict(setting.game), "game")
        if setting.house:
            options = {name: value for name, value in setting.house.items() if name != "profile"}
            profile = setting.house.get("profile", table.house.profile)
            load_house_rules(profile, options)
            update["house"] = table.house.model_copy(update={"profile": profile, "options": options})
        if setting.stack is not None:
            update["starting_stack"] = setting.stack
        table = table.model_copy(update=update)
        strange = sorted(set(setting.seats) - {seat.number for seat in table.seats})
        if strange:
            raise LabError(f"The table {table.name} has no seat {strange[0]}.")
        stacks = list(setting.seats.values()) or [table.starting_stack]
        chips = fitting_chip_set(setting.chips or table.chip_set, stacks, (*stacks, *table.game.blinds))
        table = table.model_copy(update={"chip_set": chips})
        if setting.readers is not None:
            table = with_readers(table, setting.readers)
        form_of(table.readers)
    except (SettingsError, ScriptError, UserError, WorldError) as error:
        raise LabError(str(error)) from None
    return table if setting.camera is not False else table.model_copy(update={"cameras": ()})


def stacks_of(setting: Setting, table: TableSettings) -> dict[int, int]:
    """Who sits there with which stack."""
    return dict(setting.seats) or dict.fromkeys((seat.number for seat in table.seats), table.starting_stack)
