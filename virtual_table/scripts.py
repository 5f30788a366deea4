"""Finding scripts: a path, or the name of a shipped one; each becomes hands to play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from betline.settings import TableSettings, config_dir
from betline.settings.model import nearest
from virtual_table.case_script import scripts_of
from virtual_table.phh_script import script_of
from virtual_table.random_play import RandomSession
from virtual_table.script import HandScript, ScriptError

ENDINGS = (".phh", ".yaml", ".yml")


def shipped_scripts() -> tuple[str, ...]:
    """The names of the scripts that come with Betline."""
    return tuple(sorted(path.name for path in (config_dir() / "scripts").iterdir() if path.suffix in ENDINGS))


def find(name_or_path: str) -> Path:
    """The file of a script; raises ScriptError."""
    if name_or_path in shipped_scripts():
        return config_dir() / "scripts" / name_or_path
    path = Path(name_or_path)
    if path.suffix not in ENDINGS:
        raise ScriptError(f"{name_or_path} is no script: give a .phh or .yaml file, or a name of --script list.")
    if not path.is_file():
        raise ScriptError(f"There is no script {name_or_path}; {nearest(name_or_path, shipped_scripts())}")
    return path


def hands_of(path: Path) -> tuple[HandScript, ...]:
    """The hands of a script file, in order; raises ScriptError, PhhError or CaseError."""
    return (script_of(path),) if path.suffix == ".phh" else scripts_of(path)


def random_hands(table: TableSettings, seed: int, hands: int | None) -> tuple[Mapping[int, int], Iterator[HandScript]]:
    """The first stacks, and random hands at the table, so many or without end."""
    stacks = {seat.number: table.starting_stack for seat in table.seats}
    session = RandomSession(table.game, stacks, button=max(stacks), seed=seed)
    return stacks, islice(session.hands(), hands)
