"""The detector's numbers changed by a person: what each does, its range, and the file that keeps them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs
import tomli_w

from betline.settings import SettingsError, read_toml
from betline.settings.model import nearest
from vision.tuning.thresholds import ORDERED, Thresholds, Unit


class TuningError(Exception):
    """A number that cannot be set so; the text is a sentence for a person."""


@dataclass(frozen=True, slots=True)
class Knob:
    """One number that may be tuned."""

    name: str
    unit: Unit
    least: float
    most: float
    default: float
    whole: bool
    meaning: str

    def written(self, value: float) -> str:
        """A value as a person reads it, with its unit."""
        return f"{value:g} {self.unit}"


def _knobs() -> dict[str, Knob]:
    defaults = Thresholds()
    return {
        field.name: Knob(
            field.name,
            field.metadata["unit"],
            field.metadata["least"],
            field.metadata["most"],
            getattr(defaults, field.name),
            isinstance(getattr(defaults, field.name), int),
            field.metadata["meaning"],
        )
        for field in dataclasses.fields(Thresholds)
        if field.metadata
    }


KNOBS: Final[Mapping[str, Knob]] = _knobs()


def knob(name: str) -> Knob:
    """The knob of a name; raises TuningError."""
    if name not in KNOBS:
        raise TuningError(
            f"The detector has no number {name}{nearest(name, KNOBS)}; betline vision tune --list shows all."
        )
    return KNOBS[name]


def tuned(thresholds: Thresholds, values: Mapping[str, float]) -> Thresholds:
    """The numbers with some set otherwise; raises TuningError for one that is not known, out of range or no whole."""
    changes: dict[str, Any] = {}
    for name, value in values.items():
        known = knob(name)
        if not known.least <= value <= known.most:
            raise TuningError(
                f"{name} {value:g} is out of its range: give {known.least:g} to {known.written(known.most)}."
            )
        if known.whole and value != int(value):
            raise TuningError(f"{name} is a whole number of {known.unit}: give {value:.0f}, not {value:g}.")
        changes[name] = int(value) if known.whole else float(value)
    found = dataclasses.replace(thresholds, **changes)
    for low, high in ORDERED:
        if getattr(found, low) > getattr(found, high):
            raise TuningError(f"{low} may not be more than {high}, which is {getattr(found, high)}: set that first.")
    return found


def changed(thresholds: Thresholds) -> dict[str, float]:
    """The numbers that are not at their default."""
    return {
        name: getattr(thresholds, name) for name, known in KNOBS.items() if getattr(thresholds, name) != known.default
    }


def default_path(table_name: str) -> Path:
    """Where a table's tuning is kept, in the user's state folder."""
    return Path(platformdirs.user_state_dir("betline", appauthor=False)) / "tuning" / f"{table_name}.toml"


def read(path: Path) -> dict[str, float]:
    """The kept numbers, none where there is no file; raises TuningError for a file that holds anything else."""
    if not path.is_file():
        return {}
    try:
        content = read_toml(path)
    except SettingsError as error:
        raise TuningError(str(error)) from None
    for name, value in content.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TuningError(f"{path}: {name} is no number; correct it, or delete the file.")
    try:
        tuned(Thresholds(), content)
    except TuningError as error:
        raise TuningError(f"{path}: {error}") from None
    return content


def keep(path: Path, values: Mapping[str, float]) -> None:
    """Writes numbers for the next start, in one step; one at its default is not written. Raises OSError."""
    kept = {name: value for name, value in sorted(values.items()) if value != KNOBS[name].default}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(tomli_w.dumps(kept), encoding="utf-8")
    beside.replace(path)
