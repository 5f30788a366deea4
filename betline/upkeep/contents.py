"""Which files a backup has: what lies in a table's folders, and the settings files that a table file names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.settings import SettingsError
from betline.settings.load import config_dir, read_toml
from betline.upkeep.errors import UpkeepError
from betline.upkeep.places import JOURNAL_KEY, Places

STATE, CONFIG, TABLES, ELSEWHERE = "state", "config", "tables", "elsewhere"
"""The folders of a backup."""
_PASSING: Final = ("-wal", "-shm", ".lock", ".part", ".cards", ".tmp")
"""What belongs to a running program: nothing that a restored table needs, or private cards of the hand in progress."""
_LOGS: Final = "logs"
_SET_ASIDE: Final = (".before-", "replaced-")
"""What an earlier restore has set aside."""
_PICTURES: Final = ".rings"
_SECRET_NAMES: Final = (JOURNAL_KEY, "password", "passwords", "passwd")
_SECRET_ENDINGS: Final = (".key", "key.pem")


@dataclass(frozen=True, slots=True)
class Kept:
    """One file: what it is called in the backup, and where it lies."""

    name: str
    source: Path


def kept(
    places: Places,
    tables: Iterable[Path] = (),
    elsewhere: Iterable[Path] = (),
    *,
    pictures: bool = False,
    secrets: bool = True,
) -> tuple[Kept, ...]:
    """The files to keep, each once, anchors before the journals that they belong to.

    Raises UpkeepError (``missing``, ``unreadable``) and SettingsError.
    """
    found: dict[Path, Kept] = {}
    for folder, name in ((places.state, STATE), (places.config, CONFIG)):
        for path in _below(folder, pictures):
            found.setdefault(path.resolve(), Kept(f"{name}/{path.relative_to(folder)}", path))
    named = list(dict.fromkeys(file for table in tables for file in settings_files(table)))
    top = _common(named)
    for path in named:
        found.setdefault(path, Kept(f"{TABLES}/{path.relative_to(top)}", path))
    for number, path in enumerate(elsewhere, 1):
        if not path.is_file():
            raise UpkeepError("missing", f"There is no file {path}; name one that is there.")
        found.setdefault(path.resolve(), Kept(f"{ELSEWHERE}/{number}/{path.name}", path.absolute()))
    chosen = [one for one in found.values() if secrets or not is_secret(one.source)]
    return tuple(sorted(chosen, key=lambda one: (not one.name.endswith(".anchors"), one.name)))


def is_secret(path: Path) -> bool:
    """Whether a file holds a key or a password."""
    return path.name in _SECRET_NAMES or path.name.endswith(_SECRET_ENDINGS)


def settings_files(table: Path) -> tuple[Path, ...]:
    """A table file and the files of its site that it names, itself first; those that Betline ships are left out.

    Raises SettingsError for a file that is missing or cannot be read.
    """
    found: list[Path] = []
    _gather(table.resolve(), found)
    return tuple(found)


def _gather(path: Path, found: list[Path]) -> None:
    if path in found or path.is_relative_to(config_dir()):
        return
    data = read_toml(path)
    found.append(path)
    house = data.get("house")
    named = [data.get("based_on"), data.get("chip_set"), data.get("profile")]
    if isinstance(house, dict):
        named.append(house.get("profile"))
    for one in named:
        if isinstance(one, str) and (beside := path.parent / one).is_file():
            _gather(beside.resolve(), found)


def _below(folder: Path, pictures: bool) -> Iterator[Path]:
    def failed(error: OSError) -> None:
        raise UpkeepError("unreadable", f"{error.filename} cannot be read ({error.strerror}); do it as its owner.")

    if not folder.exists():
        return
    for here, folders, files in os.walk(folder, onerror=failed):
        folders[:] = sorted(one for one in folders if _is_kept_folder(one, pictures))
        for name in sorted(files):
            path = Path(here, name)
            passing = name.endswith(_PASSING) or any(mark in name for mark in _SET_ASIDE)
            if not passing and path.is_file() and not path.is_symlink():
                yield path


def _is_kept_folder(name: str, pictures: bool) -> bool:
    return name != _LOGS and not name.startswith(_SET_ASIDE) and (pictures or not name.endswith(_PICTURES))


def _common(paths: list[Path]) -> Path:
    return Path(os.path.commonpath([path.parent for path in paths])) if paths else Path("/")


def require_readable_table(table: str) -> Path | None:
    """The file of a table that is not a shipped one; None for a shipped name. Raises SettingsError."""
    path = Path(table)
    if path.is_file():
        return path
    if path.suffix == ".toml" or "/" in table:
        raise SettingsError(f"There is no file {table}; give the path of a TOML file, or a shipped name.")
    return None
