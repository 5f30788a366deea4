"""What a test says of faults: a plan as a file, a TOML text or a mapping, or one event of it by name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from betline.settings import SettingsError
from betline.settings.load import parse
from betline.settings.model import nearest
from virtual_table.faults.event import KINDS
from virtual_table.faults.plan import NO_FAULTS, TablePlan, load_plan
from virtual_table.pytest_plugin.failures import LabError

Given: TypeAlias = TablePlan | Path | str | Mapping[str, Any]
"""A plan; a text with a line end or an equals sign is TOML, any other names a file."""
PLANS: Final = (TablePlan, Path, str, Mapping)
_OF_TOML: Final = ("\n", "=")


def plan_of(given: Given | None, beside: Path) -> TablePlan:
    """The plan; the file that a name means is looked for ``beside`` the test. Raises LabError."""
    if given is None:
        return NO_FAULTS
    if isinstance(given, TablePlan):
        return given
    try:
        if isinstance(given, Mapping):
            return parse(TablePlan, dict(given), "faults")
        if isinstance(given, str) and any(mark in given for mark in _OF_TOML):
            return parse(TablePlan, tomllib.loads(given), "faults")
        if isinstance(given, str | Path):
            return load_plan(beside / given)
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"faults is no valid TOML: {error}; mend it, or name a file.") from None
    except SettingsError as error:
        raise LabError(str(error)) from None
    raise LabError(f"faults takes a file, a TOML text or a mapping (docs/faults.md), not {given!r}.")


def event_of(what: str, on: str, for_s: float, amounts: Mapping[str, Any]) -> TablePlan:
    """The plan of one event that begins now; raises LabError, which has the nearest kind for one that there is not."""
    if what not in KINDS:
        raise LabError(f"There is no fault {what}: {nearest(what, KINDS)}")
    event = {"what": what, "on": on, "at_s": 0.0, "for_s": for_s, **amounts}
    try:
        return parse(TablePlan, {"events": [event]}, what)
    except SettingsError as error:
        raise LabError(str(error)) from None


def events_alone(plan: TablePlan) -> TablePlan:
    """The plan to begin while a table is played; raises LabError for what holds from the plugging in of a reader on."""
    for key in ("reading", "line", "readers"):
        if getattr(plan, key) != getattr(NO_FAULTS, key):
            raise LabError(
                f"[{key}] of a plan holds from the beginning: give the plan to the marker, "
                "@pytest.mark.betline(faults=...), or begin misreads or a burst."
            )
    return plan
