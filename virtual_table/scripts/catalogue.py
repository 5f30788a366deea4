"""Finding scripts: a path, or the name of a shipped one; each becomes hands to play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from betline.settings import TableSettings, config_dir, shipped
from betline.settings.model import nearest
from betline.steps import SitDown
from virtual_table.scripts.case_script import scripts_of
from virtual_table.scripts.chip_sets import lacking_for
from virtual_table.scripts.evening_script import EveningScript, is_evening_script, read_evening_script
from virtual_table.scripts.phh_script import script_of
from virtual_table.scripts.random_evening import RandomEvening
from virtual_table.scripts.script import HandScript, Playable, ScriptError

ENDINGS = (".phh", ".yaml", ".yml")


def shipped_scripts() -> tuple[str, ...]:
    """The names of the scripts that come with Betline."""
    return tuple(sorted(path.name for path in (config_dir() / "scripts").iterdir() if path.suffix in ENDINGS))


def find(name_or_path: str) -> Path:
    """The file of a script; the extension of a shipped one may be left out. Raises ScriptError."""
    for name in shipped_scripts():
        if name_or_path in (name, Path(name).stem):
            return config_dir() / "scripts" / name
    path = Path(name_or_path)
    if path.suffix not in ENDINGS:
        raise ScriptError(f"{name_or_path} is not a script: give a .phh or .yaml file, or a name of --script list.")
    if not path.is_file():
        raise ScriptError(f"There is no script {name_or_path}; {nearest(name_or_path, shipped_scripts())}")
    return path


def hands_of(path: Path, table: TableSettings) -> Playable:
    """The hands of a script file, in order; cases that cannot be acted out at the table are skipped.

    Raises ScriptError, also where no hand is left, PhhError or CaseError.
    """
    found = Playable((script_of(path),)) if path.suffix == ".phh" else scripts_of(path)
    there = {seat.number for seat in table.seats}
    hands, skipped = [], list(found.skipped)
    for script in found.hands:
        missing = sorted(set(script.seats) - there)
        if missing:
            skipped.append(f"{script.title}: it needs seat {missing[0]}, which the table {table.name} does not have.")
        elif lack := lacking_for(script, table.chip_set):
            skipped.append(f"{script.title}: {lack}.")
        else:
            hands.append(script)
    if skipped and not hands:
        raise ScriptError(skipped[0])
    return Playable(tuple(hands), tuple(skipped))


def best_chips_for(path: Path, table: TableSettings) -> tuple[Playable, str]:
    """The hands of a script and the chip set that plays most of them, the table's own where none is better.

    Raises what `hands_of` raises.
    """
    found: dict[str, Playable] = {}
    for name in dict.fromkeys((table.chip_set, *shipped("chip_sets"))):
        with suppress(ScriptError):
            found[name] = hands_of(path, table.model_copy(update={"chip_set": name}))
    if not found:
        return hands_of(path, table), table.chip_set
    best = max(found, key=lambda name: len(found[name].hands))
    return found[best], best


HAS_ITS_HANDS = "A script of hands is played as it is written: leave --hands out."


def evening_of(
    table: TableSettings, script: str | None, seed: int, hands: int | None
) -> tuple[tuple[SitDown, ...], Iterator[HandScript]]:
    """Who sits down first and the hands to play: those of a script, or random ones.

    Raises ScriptError, PhhError or CaseError.
    """
    if script is None:
        return random_hands(table, seed, hands)
    path = find(script)
    if is_evening_script(path):
        return random_hands(table, seed, hands, read_evening_script(path))
    if hands is not None:
        raise ScriptError(HAS_ITS_HANDS)
    return (), iter(hands_of(path, table).hands)


def random_hands(
    table: TableSettings, seed: int, hands: int | None, script: EveningScript | None = None
) -> tuple[tuple[SitDown, ...], Iterator[HandScript]]:
    """Who sits down first, and random hands at the table: so many, or without end.

    An evening script is played to its end if no number is given.
    """
    played = RandomEvening(table, seed, script)
    wanted = len(script.hands) if hands is None and script is not None else hands
    return played.first, islice(played.hands(), wanted)
