"""Case files into frozen cases; every error names the file, the line and the key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TypeAlias

from betline.cases.expect import Expect, read_expect
from betline.cases.marks import Marked, MarkedError, load
from betline.fields import FieldError, Fields, Path, dotted, list_of, text
from betline.settings import SettingsError
from betline.steps import Step, TableSetup, parse_step, read_setup

SUFFIXES = (".yaml", ".yml")
_KEBAB = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")

Entry: TypeAlias = Step | Expect


class CaseError(Exception):
    """A case file cannot be used: which file, which line (from 1; 0: none), which key, and what would be right."""

    def __init__(self, file: FilePath, line: int, key: str, sentence: str) -> None:
        place = f"{file}:{line}" if line else str(file)
        super().__init__(f"{place}: {f'{key}: ' if key else ''}{sentence}")
        self.file = file
        self.line = line
        self.key = key
        self.sentence = sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A story at a table and what must be true after each line of it."""

    id: str
    source: str
    category: str
    note: str
    setup: TableSetup
    play: tuple[Entry, ...]
    file: FilePath
    line: int
    play_lines: tuple[int, ...]
    """The line of each entry of `play`."""


def case_files(paths: Iterable[FilePath]) -> Iterator[FilePath]:
    """The files that some paths name, those of a folder in the order of their names; raises CaseError."""
    for path in paths:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
            if not found:
                raise CaseError(path, 0, "", "it holds no case file (*.yaml).")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise CaseError(path, 0, "", "there is no such file or folder.")


def read_cases(paths: Iterable[FilePath]) -> tuple[Case, ...]:
    """All cases of some files and folders; raises CaseError for the first that is wrong, ids named twice included."""
    cases: list[Case] = []
    seen: dict[str, Case] = {}
    for file in case_files(paths):
        for case in read_file(file):
            if case.id in seen:
                other = seen[case.id]
                raise CaseError(file, case.line, "id", f"{case.id} is also at {other.file}:{other.line}.")
            seen[case.id] = case
            cases.append(case)
    return tuple(cases)


def read_file(file: FilePath) -> tuple[Case, ...]:
    """The cases of one file; raises CaseError."""
    try:
        return parse_cases(file.read_text(encoding="utf-8"), file)
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(file, 1, "", f"cannot be read: {error}.") from None


def parse_cases(content: str, file: FilePath, *, lenient: bool = False) -> tuple[Case, ...]:
    """The cases of a text that came from `file`; raises CaseError.

    `lenient`: a case without an id will do, and one that is not in a list.
    """
    try:
        marked = load(content)
    except MarkedError as error:
        raise CaseError(file, error.line, "", error.sentence) from None
    alone = lenient and isinstance(marked.data, Mapping)
    if not alone and (not isinstance(marked.data, list) or not marked.data):
        raise CaseError(file, 1, "", "must be a case, or a list of cases." if lenient else "must be a list of cases.")
    try:
        if alone:
            return (read_case(marked.data, (), marked, file, lenient=lenient),)
        return tuple([
            read_case(data, (number,), marked, file, lenient=lenient) for number, data in enumerate(marked.data)
        ])  # fmt: skip
    except FieldError as error:
        key = dotted(error.path if alone else error.path[1:])
        raise CaseError(file, marked.line(error.path), key, error.sentence) from None
    except SettingsError as error:
        raise CaseError(file, 1, "house", str(error)) from None


def read_case(data: object, path: Path, marked: Marked, file: FilePath, *, lenient: bool = False) -> Case:
    """One case from plain data; raises FieldError and SettingsError."""
    fields = Fields(data, path)
    number = fields.optional("id", _id, "") if lenient else fields.required("id", _id)
    play_path = (*path, "play")
    play = fields.required("play", list_of(_entry, least=1))
    case = Case(
        id=number,
        source=fields.optional("source", text, ""),
        category=fields.optional("category", text, ""),
        note=fields.optional("note", text, ""),
        setup=read_setup(fields),
        play=play,
        file=file,
        line=marked.line(path),
        play_lines=tuple([marked.line((*play_path, entry)) for entry in range(len(play))]),
    )
    fields.done()
    return case


def _id(value: object, path: Path) -> str:
    name = text(value, path)
    if not _KEBAB.fullmatch(name):
        raise FieldError(path, f"must be words joined by hyphens, not {name!r}.")
    return name


def _entry(value: object, path: Path) -> Entry:
    if isinstance(value, dict) and "expect" in value:
        fields = Fields(value, path)
        expect = fields.required("expect", read_expect)
        fields.done()
        return expect
    return parse_step(value, path)
