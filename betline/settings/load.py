"""Finding and reading settings files: shipped ones by name, a site's own by path.

The wheel carries ``config/`` inside ``betline/_config``; a checkout has it beside the packages.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from betline.settings.broker import BrokerSettings, SiteSettings, in_full, site_files
from betline.settings.chips import ChipSet
from betline.settings.house_rules import HouseRules
from betline.settings.levels import check_chips
from betline.settings.model import Settings, SettingsError, describe, nearest, place, shown
from betline.settings.shape import Shape, laid_out
from betline.settings.site_changes import with_moved, with_ports
from betline.settings.staff import StaffRules
from betline.settings.table import TableSettings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

DEFAULT_TABLE = "casino-oval"
PROFILES = ("tda", "cash", "home")
STAFF = tuple(StaffRules.model_fields)
"""The tables of a house-rules file that are about the staff, not about the game."""

AnySettings = TypeVar("AnySettings", bound=Settings)
Found = TypeVar("Found")


@cache
def config_dir() -> Path:
    """The folder of the shipped configuration, in a wheel or in a checkout; raises SettingsError."""
    package = Path(__file__).resolve().parent.parent
    for candidate in (package / "_config", package.parent / "config"):
        if (candidate / "tables").is_dir():
            return candidate
    raise SettingsError("The shipped configuration is missing: install betline again.")


@cache
def shipped(kind: str) -> tuple[str, ...]:
    """The names of the shipped files of a kind: ``tables``, ``chip_sets`` or ``house_rules``."""
    return tuple(sorted(path.stem for path in (config_dir() / kind).glob("*.toml")))


def _shipped_once(read: Callable[[Path], Found]) -> Callable[[Path], Found]:
    """Reads a shipped file once in a program, and a site's own file each time: somebody may have changed it."""
    remembered = cache(read)

    def found(path: Path, /) -> Found:
        return remembered(path) if path.is_relative_to(config_dir()) else read(path)

    return found


def load_table(name_or_path: str | Path = DEFAULT_TABLE) -> TableSettings:
    """A table by its shipped name or its file, with chips and house rules that can be used; raises SettingsError.

    A chip set or house rules that the file names by path stand beside it, wherever the program was started. A file
    with ``based_on`` has all the keys of that table but those that it names itself. A shipped table is read once.
    """
    path = _find(name_or_path, "tables", "table")
    return _read_table(path)


def table_anywhere(name_or_path: str) -> str:
    """How a table is named so that it is found from any folder: a file by its full path, a shipped one by its name.

    Raises SettingsError where there is none.
    """
    path = _find(name_or_path, "tables", "table")
    return name_or_path if name_or_path in shipped("tables") else str(path)


@_shipped_once
def _read_table(path: Path) -> TableSettings:
    table = parse(TableSettings, _table_keys(path), str(path))
    try:
        chips = load_chip_set(table.chip_set)
        check_chips(table.game, table.levels, table.rotation, chips)
    except (SettingsError, ValueError) as error:
        raise SettingsError(f"{path}: {_sentence(error)}") from None
    load_house_rules(table.house.profile, table.house.options, where=f"{path}: house.options")
    return table


def _table_keys(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The keys of a table file over those of the table that it is based on; files that they name by their full path."""
    if path in above:
        raise SettingsError(f"{path}: based_on leads back to this file; start from {', '.join(shipped('tables'))}.")
    own = read_toml(path)
    base = own.pop("based_on", None)
    shape, moved, ports = (own.pop(key, None) for key in ("shape", "moved", "ports"))
    rotation = own.get("rotation")
    games = rotation.get("games") if isinstance(rotation, dict) else None
    if "game" not in own and isinstance(games, list) and games and isinstance(games[0], dict):
        own["game"] = {key: value for key, value in games[0].items() if key != "name"}
    house = own.get("house")
    if isinstance(own.get("broker"), dict):
        own["broker"] = in_full(own["broker"], path.parent)
    try:
        if isinstance(own.get("chip_set"), str):
            own["chip_set"] = _full("chip_sets", "chip set", own["chip_set"], path.parent)
        if isinstance(house, dict) and isinstance(house.get("profile"), str):
            profile = _full("house_rules", "house rules profile", house["profile"], path.parent)
            own["house"] = {**house, "profile": profile}
        if shape is not None:
            own = _shaped(own, laid_out(parse(Shape, shape, "shape")))
        if base is None:
            return _changed(own, moved, ports)
        if not isinstance(base, str):
            raise SettingsError(f"based_on must be a text, not {shown(base)}.")
        start = _find(base, "tables", "table", path.parent)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None
    for key in ("name", "title"):
        if key not in own:
            raise SettingsError(f"{path}: {key} is missing; a table based on another needs its own.")
    below = _table_keys(start, (*above, path))
    try:
        return _changed({**below, **own}, moved, ports)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def _shaped(own: dict[str, Any], laid: dict[str, Any]) -> dict[str, Any]:
    """What a shape stands for, under what the file says itself; of the felt it may say a part, as its colour."""
    felt = own.get("felt", {})
    return {**laid, **own, "felt": {**laid["felt"], **felt} if isinstance(felt, dict) else felt}


def _changed(keys: dict[str, Any], moved: object, ports: object) -> dict[str, Any]:
    if ports is not None:
        keys = with_ports(keys, ports)
    return keys if moved is None else with_moved(keys, moved)


def _full(kind: str, what: str, name: str, folder: Path) -> str:
    """A shipped name as it is, a path in full."""
    found = _find(name, kind, what, folder)
    return name if name in shipped(kind) else str(found)


def _sentence(error: Exception) -> str:
    text = str(error)
    return text if isinstance(error, SettingsError) else f"{text[:1].upper()}{text[1:]}."


def load_chip_set(name_or_path: str | Path) -> ChipSet:
    """A chip set by its shipped name or its file; raises SettingsError."""
    return _load(_find(name_or_path, "chip_sets", "chip set"), ChipSet)


def load_house_rules(
    profile: str | Path = "cash", options: Mapping[str, Any] | None = None, *, where: str = "house"
) -> HouseRules:
    """House rules: a profile (or a file that starts from one) with some options set otherwise; raises SettingsError.

    ``where`` says in an error where the options came from.
    """
    path = _find(profile, "house_rules", "house rules profile")
    rules = _profile(path)
    if not options:
        return rules
    for key in options:
        _require_known(key, where)
    return parse(HouseRules, {**_profile_options(path), **options}, where)


@_shipped_once
def _profile(path: Path) -> HouseRules:
    return parse(HouseRules, _profile_options(path), str(path))


def parse(model: type[AnySettings], data: object, where: str) -> AnySettings:
    """Validates data that came from ``where``; raises SettingsError with the first finding in a sentence.

    Validated as JSON, which pydantic can read strictly and yet take a list for a tuple: ``"5"`` and ``true`` are no 5.
    """
    try:
        return model.model_validate_json(json.dumps(data, default=str), strict=True)
    except TypeError:
        raise SettingsError(f"{where}: every key must be a plain word.") from None
    except ValidationError as error:
        findings: dict[object, str] = {}
        for finding in sorted(error.errors(), key=_telling):
            findings.setdefault(place(finding, model), describe(finding, model))
        first, *others = findings.values()
        more = f" ({len(others)} more)" if others else ""
        raise SettingsError(f"{where}: {first}{more}") from None


def _telling(finding: ErrorDetails) -> int:
    """Which of several findings says most to the person who mends the file."""
    order = ("extra_forbidden", "literal_error")
    return order.index(finding["type"]) if finding["type"] in order else len(order)


def _profile_options(path: Path, above: tuple[Path, ...] = ()) -> Mapping[str, Any]:
    """The options of a house-rules file over those of the profile that it starts from."""
    if path in above:
        raise SettingsError(f"{path}: profile leads back to this file; start from {', '.join(PROFILES)}.")
    data = _contents(path)
    options = {key: value for key, value in data.items() if key not in ("profile", *STAFF)}
    for key in options:
        _require_known(key, str(path))
    base = _profile_below(data, path)
    return options if base is None else {**_profile_options(base, (*above, path)), **options}


def _profile_below(data: Mapping[str, Any], path: Path) -> Path | None:
    """The file of the profile that a house-rules file starts from; None where it starts from none."""
    if "profile" not in data:
        return None
    if not isinstance(data["profile"], str):
        raise SettingsError(f"{path}: profile must be a text, not {shown(data['profile'])}.")
    return _find(data["profile"], "house_rules", "house rules profile", path.parent)


def load_staff_rules(profile: str | Path = "cash") -> StaffRules:
    """What a house-rules file says of its staff, over what the profile says that it starts from; raises SettingsError.

    Which commands there are is not known here: `betline.people.rights` looks at that.
    """
    path = _find(profile, "house_rules", "house rules profile")
    load_house_rules(profile)
    return parse(StaffRules, _staff_tables(path), str(path))


def _staff_tables(path: Path) -> dict[str, Any]:
    data = _contents(path)
    base = _profile_below(data, path)
    found = {} if base is None else _staff_tables(base)
    for table in STAFF:
        own, below = data.get(table, {}), found.get(table, {})
        merged = {**below, **own} if isinstance(own, dict) and isinstance(below, dict) else own
        if merged:
            found[table] = merged
    return found


@_shipped_once
def _contents(path: Path) -> Mapping[str, Any]:
    return read_toml(path)


def _require_known(key: str, where: str) -> None:
    if key not in HouseRules.model_fields:
        hint = nearest(key, ("profile", *HouseRules.model_fields))
        raise SettingsError(f"{where}: {key} is not a house rule option; {hint}")


def load_site_broker() -> BrokerSettings | None:
    """What the site's file says of the broker; None where there is no such file. Raises SettingsError."""
    for path in site_files():
        if path.is_file():
            said = read_toml(path)
            if isinstance(said.get("broker"), dict):
                said["broker"] = in_full(said["broker"], path.parent)
            return parse(SiteSettings, said, str(path)).broker
    return None


def _load(path: Path, model: type[AnySettings]) -> AnySettings:
    return parse(model, read_toml(path), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The contents of a TOML file; raises SettingsError with the line where it is not TOML."""
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is no text file; give the path of a TOML file.") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}); make it readable or name another.") from None
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        last = f"at line {max(len(content.splitlines()), 1)}, the end of the file"
        raise SettingsError(
            f"{path} is not valid TOML: {str(error).replace('at end of document', last)}; mend that line."
        ) from None
    except RecursionError:
        raise SettingsError(f"{path} is not valid TOML: it is nested too deeply.") from None


def _find(name_or_path: str | Path, kind: str, what: str, folder: Path | None = None) -> Path:
    """The file of a shipped name or a path, which is taken from ``folder`` where it is relative."""
    text = str(name_or_path)
    if text in shipped(kind):
        return config_dir() / kind / f"{text}.toml"
    path = Path(text)
    if not text or (path.suffix != ".toml" and "/" not in text and not path.exists()):
        raise SettingsError(f"There is no {what} {text or 'without a name'}; {nearest(text, shipped(kind))}")
    found = path if folder is None else folder / path
    if found.is_file():
        return found.resolve()
    if found.is_dir():
        raise SettingsError(f"{found} is a folder; give the path of a TOML file in it, or a shipped name.")
    raise SettingsError(f"There is no file {found}; give the path of a TOML file, or a shipped name.")
