"""The text of a table file: a new one of ten lines, and one with a thing moved, its other lines as they were."""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.layout import FormName
from betline.settings import SettingsError, TableSettings, load_table
from betline.settings.site_changes import flat_moves

_SECTION: Final = re.compile(r"^\[moved\][^\n]*\n(?:(?!\[)[^\n]*\n?)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a new table file says."""

    name: str
    title: str
    form: FormName
    width: float
    depth: float
    in_inches: bool = False
    over_rail: bool = False
    seats: int = 8
    dealer: bool = True
    readers: str | None = "feig"
    antennas_each: int = 1
    camera: str | None = "usb:0"
    chip_set: str = "home"
    house: str = "home"
    limit: str = "no-limit"
    streets: str = "holdem"
    blinds: tuple[int, int] = (1, 2)
    starting_stack: int = 200

    def text(self) -> str:
        """The file, with a word on each thing that can be changed."""
        size = f"[{_number(self.width)}, {_number(self.depth)}]"
        streets = "" if self.streets == "holdem" else f', streets = "{self.streets}"'
        measured = "over the rail" if self.over_rail else "the felt, inside the rail"
        lines = [
            "# A table that is laid out by its form: betline table draw shows it, betline table edit moves one thing.",
            f'name = "{self.name}"',
            f'title = "{self.title}"',
            f'chip_set = "{self.chip_set}"  # or a TOML file of your own chips',
            f"starting_stack = {self.starting_stack}",
            f'game = {{ limit = "{self.limit}", blinds = [{self.blinds[0]}, {self.blinds[1]}]{streets} }}',
            f'house = {{ profile = "{self.house}" }}  # home, cash or tda; docs/rules.md',
            "",
            "[shape]",
            f'form = "{self.form}"',
            f"size_{'in' if self.in_inches else 'mm'} = {size}  # {measured}",
            *(["over_rail = true"] if self.over_rail else []),
            f"seats = {self.seats}",
            *([] if self.dealer else ["dealer = false  # the players deal"]),
            *([f'readers = "{self.readers}"'] if self.readers else []),
            *([f"antennas_each = {self.antennas_each}"] if self.readers and self.antennas_each > 1 else []),
            *([f'camera = "{self.camera}"'] if self.camera else []),
        ]
        if self.readers:
            lines += [
                "",
                "# Where each reader is plugged in: betline bridge ports lists them.",
                "# [ports]",
                '# reader-1 = "usb:A50285BI"',
            ]
        return "\n".join(lines) + "\n"


def moved(text: str, name: str, by: tuple[float, ...]) -> str:
    """The text of a table file in which a thing lies so much further; what was moved before is added up."""
    moves = _moves(text)
    before = moves.get(name, (0.0,) * len(by))
    if len(before) != len(by):
        raise SettingsError(f"{name} is moved by {len(before)} numbers in the file already; give as many.")
    moves[name] = tuple(one + other for one, other in zip(before, by, strict=True))
    return _with_moves(text, moves)


def moved_back(text: str, name: str) -> str:
    """The text in which a thing lies where it lay first; raises SettingsError where it was not moved."""
    moves = _moves(text)
    if name not in moves:
        listed = f"moved are {', '.join(moves)}" if moves else "nothing is"
        raise SettingsError(f"{name} is not moved in this file; {listed}.")
    del moves[name]
    return _with_moves(text, moves)


def replace_checked(path: Path, text: str) -> TableSettings:
    """Puts a new text in place of a table file, but only one that can be loaded; raises SettingsError and OSError."""
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".toml", dir=path.parent)
    written = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            table = load_table(written)
        except SettingsError as error:
            raise SettingsError(str(error).replace(str(written.resolve()), str(path))) from None
        if path.exists():
            written.chmod(path.stat().st_mode & 0o777)
        else:
            written.chmod(0o644)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)
    return table


def _moves(text: str) -> dict[str, tuple[float, ...]]:
    found = tomllib.loads(text).get("moved", {})
    if found and not _SECTION.search(text):
        raise SettingsError("what is moved does not stand in a section [moved] of its own; write it so first.")
    return {name: tuple(offset) for name, offset in flat_moves(found)}


def _with_moves(text: str, moves: Mapping[str, tuple[float, ...]]) -> str:
    rows = [f'"{name}" = [{", ".join(map(_number, by))}]' for name, by in moves.items() if any(by)]
    section = "\n".join(("[moved]", *rows)) + "\n" if rows else ""
    if _SECTION.search(text):
        return _SECTION.sub(lambda _: section + ("\n" if section else ""), text, count=1).rstrip("\n") + "\n"
    return f"{text.rstrip(chr(10))}\n\n{section}" if section else text


def _number(value: float) -> str:
    return f"{value:g}" if value != int(value) else str(int(value))
