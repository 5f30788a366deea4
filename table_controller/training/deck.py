"""The cases that are asked about, by topic: `config/training/topics.toml` names them, the case files tell them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from betline.cases import Case, parse_cases, shipped_cases
from betline.settings import SettingsError, config_dir
from betline.settings.model import nearest

FILE: Final = "training/topics.toml"
_BLOCK: Final = re.compile(r"(?m)^(?=- )")
"""Case files are lists: each case begins at the left border, with its id."""
_ID: Final = re.compile(r"- id: (\S+)\n")
LEVELS: Final = {1: "every shift", 2: "most evenings", 3: "other games"}
"""How often a dealer meets a topic."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What is trained together."""

    name: str
    title: str
    level: int
    """A key of `LEVELS`."""
    asks: frozenset[str]
    """The kinds of questions that teach something here (`asking.KINDS`)."""
    cases: tuple[str, ...]


def topics() -> tuple[Topic, ...]:
    """The shipped topics, in the order in which they are taught."""
    return tuple([
        Topic(one["name"], one["title"], one["level"], frozenset(one["asks"]), tuple(one["cases"]))
        for one in _file()["topics"]
    ])  # fmt: skip


def chosen(names: Iterable[str]) -> tuple[Topic, ...]:
    """The topics of these names, all of them where none is named; raises SettingsError for one that is not there."""
    known = {topic.name: topic for topic in topics()}
    wanted = tuple(dict.fromkeys(names)) or tuple(known)
    for name in wanted:
        if name not in known:
            raise SettingsError(f"There is no topic {name}; {nearest(name, known)} --topic list names them all.")
    return tuple([known[name] for name in wanted])


def case_files() -> tuple[str, ...]:
    """The names of the case files that the topics need: the wheel carries these."""
    return tuple(_file()["files"])


@cache
def case_named(name: str) -> Case:
    """One case; no other is read, for all of them take a second. Raises SettingsError where no file has it."""
    found = _stories().get(name)
    if found is None:
        raise SettingsError(f"There is no case {name} in the shipped files: install betline again.")
    file, text = found
    return parse_cases(text, file)[0]


@cache
def _stories() -> Mapping[str, tuple[Path, str]]:
    """Where each case stands, and its text."""
    found: dict[str, tuple[Path, str]] = {}
    for file in [shipped_cases() / name for name in case_files()]:
        for block in _BLOCK.split(file.read_text(encoding="utf-8")):
            if (head := _ID.match(block)) is not None:
                found[head[1]] = file, block
    return found


def _file() -> dict[str, Any]:
    return tomllib.loads((config_dir() / FILE).read_text(encoding="utf-8"))
