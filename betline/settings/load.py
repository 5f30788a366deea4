"""Finding and reading settings files: shipped ones by name, a site's own by path.

The wheel carries ``config/`` inside ``betline/_config``; a checkout has it beside the packages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from betline.settings.chips import ChipSet
from betline.settings.house_rules import HouseRules
from betline.settings.model import Settings, SettingsError, describe, nearest
from betline.settings.table import TableSettings

DEFAULT_TABLE = "casino-oval"
PROFILES = ("tda", "cash", "home")

AnySettings = TypeVar("AnySettings", bound=Settings)


def config_dir() -> Path:
    """The folder of the shipped configuration, in a wheel or in a checkout; raises SettingsError."""
    package = Path(__file__).resolve().parent.parent
    for candidate in (package / "_config", package.parent / "config"):
        if (candidate / "tables").is_dir():
            return candidate
    raise SettingsError("The shipped configuration is missing: install betline again.")


def shipped(kind: str) -> tuple[str, ...]:
    """The names of the shipped files of a kind: ``tables``, ``chip_sets`` or ``house_rules``."""
    return tuple(sorted(path.stem for path in (config_dir() / kind).glob("*.toml")))


def load_table(name_or_path: str | Path = DEFAULT_TABLE) -> TableSettings:
    """A table by its shipped name or its file; raises SettingsError."""
    return _load(_find(name_or_path, "tables", "table"), TableSettings)


def load_chip_set(name_or_path: str | Path) -> ChipSet:
    """A chip set by its shipped name or its file; raises SettingsError."""
    return _load(_find(name_or_path, "chip_sets", "chip set"), ChipSet)


def load_house_rules(profile: str | Path = "cash", options: Mapping[str, Any] | None = None) -> HouseRules:
    """House rules: a profile (or a file that starts from one) with some options set otherwise; raises SettingsError."""
    path = _find(profile, "house_rules", "house rules profile")
    merged = dict(_profile_options(path))
    where = f"{path}"
    if options:
        for key in options:
            _require_known(key, where="house")
        merged.update(options)
        where = "house"
    return parse(HouseRules, merged, where)


def parse(model: type[AnySettings], data: object, where: str) -> AnySettings:
    """Validates data that came from ``where``; raises SettingsError with the first finding in a sentence."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        unknown_first = sorted(error.errors(), key=lambda finding: finding["type"] != "extra_forbidden")
        findings = [describe(finding, model) for finding in unknown_first]
        more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
        raise SettingsError(f"{where}: {findings[0]}{more}") from None


@cache
def _profile_options(path: Path) -> Mapping[str, Any]:
    data = read_toml(path)
    base = data.pop("profile", None)
    for key in data:
        _require_known(key, where=str(path))
    if base is None:
        return data
    return {**_profile_options(_find(base, "house_rules", "house rules profile")), **data}


def _require_known(key: str, where: str) -> None:
    if key not in HouseRules.model_fields:
        raise SettingsError(f"{where}: {key} is not a house rule option; {nearest(key, HouseRules.model_fields)}")


def _load(path: Path, model: type[AnySettings]) -> AnySettings:
    return parse(model, read_toml(path), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The contents of a TOML file; raises SettingsError with the line where it is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}.") from None


def _find(name_or_path: str | Path, kind: str, what: str) -> Path:
    text = str(name_or_path)
    if text in shipped(kind):
        return config_dir() / kind / f"{text}.toml"
    path = Path(text)
    if path.suffix == ".toml" or "/" in text:
        if path.is_file():
            return path.resolve()
        raise SettingsError(f"There is no file {text}; give the path of a TOML file, or a shipped name.")
    raise SettingsError(f"There is no {what} {text}; {nearest(text, shipped(kind))}")
