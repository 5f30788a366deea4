"""Which table a verb is about where none was named: the only one that this machine has; of several it asks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import platformdirs

from betline import logs
from betline.options import SITE_DEFAULT, UserError, state_folder
from betline.settings import DEFAULT_TABLE, shipped

SYSTEM: Final = Path("/etc/betline")
_OF_A_TABLE: Final = frozenset({"seats", "shape", "based_on"})


def the_table(named: str | None) -> str:
    """The table file or shipped name to use: what was named, else the only table of this machine, which is said.

    A machine on which there is none yet has the one that comes with Betline. Raises UserError where there are several.
    """
    if named is not None:
        return named
    found = _only()
    if found is None:
        return DEFAULT_TABLE
    logs.say(f"Table {found}: the only table here.")
    return found


def _only() -> str | None:
    """The only table of this machine, None where there is none."""
    files, played = table_files(), _played()
    unknown = sorted(played - {_name(file) for file in files} - set(shipped("tables")))
    choices = [str(file) for file in files]
    choices += sorted(played & set(shipped("tables")) - {_name(file) for file in files})
    if len(choices) == 1 and not unknown:
        return choices[0]
    if not choices and not unknown:
        return None
    elsewhere = [f"{name} (its file is not here: name it)" for name in unknown]
    raise UserError(f"Say which table with --table: {', '.join((*choices, *elsewhere))}.")


def table_files() -> tuple[Path, ...]:
    """The table files in this folder and beside the settings of this user and of this machine."""
    settings = Path(platformdirs.user_config_dir("betline", appauthor=False))
    found: dict[Path, Path] = {}
    for folder in (Path(), settings, SYSTEM):
        for file in sorted(folder.glob("*.toml")):
            if _is_table(file):
                found.setdefault(file.resolve(), file)
    return tuple(found.values())


def journals(site: str) -> tuple[Path, ...]:
    """The journals in this user's state folder, of one site unless it is the usual one."""
    prefix = "" if site == SITE_DEFAULT else f"{site}-"
    return tuple(sorted(state_folder().glob(f"{prefix}*.journal")))


def _played() -> set[str]:
    """Tables of the usual site that have a journal here."""
    start = f"{SITE_DEFAULT}-"
    return {file.stem.removeprefix(start) for file in journals(SITE_DEFAULT) if file.stem.startswith(start)}


def _is_table(file: Path) -> bool:
    return bool(_OF_A_TABLE & _keys(file).keys())


def _name(file: Path) -> str:
    return str(_keys(file).get("name", file.stem))


def _keys(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
