"""The folder of a set-up: its answers, and the files made from them, which keep what people changed by hand."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from betline.options import FAILED, UserError, write_private
from betline.settings import SettingsError, load_chip_set, load_table
from betline.settings.load import read_toml
from betline.settings.site_changes import flat_moves
from betline.setup.files import ANSWERS, CHIPS, TABLE, answers_of, answers_text, files_of
from betline.setup.question import Answers
from betline.tables.check import findings
from betline.tables.finding import Finding
from betline.tables.writing import moved

KEPT = ".before"
"""Behind the name of a file that somebody had changed by hand, once it is written anew."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, what was kept aside, and what `betline table check` says of the table."""

    files: tuple[Path, ...]
    kept: tuple[Path, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a table's files are."""

    path: Path

    @property
    def table(self) -> Path:
        """The table file."""
        return self.path / TABLE

    def chip_set(self, answers: Answers) -> str:
        """The chip set for other verbs: a shipped name or the file."""
        return str(self.path / CHIPS) if answers["chips.set"] == "own" else answers["chips.set"]

    def answers(self) -> dict[str, str]:
        """What was answered so far; raises SettingsError."""
        return read_answers(self.path / ANSWERS) if (self.path / ANSWERS).exists() else {}

    def keep(self, answers: Answers) -> None:
        """Writes the answers down; raises UserError."""
        try:
            write_private(self.path / ANSWERS, answers_text(answers))
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def write(self, answers: Answers, before: Answers | None = None) -> Written:
        """Writes all files of complete answers, or none; raises SettingsError and UserError.

        ``before`` are the complete answers of the last time: a file that is not as they made it was changed by hand,
        and is kept. Things that were moved on the table stay moved.
        """
        made, last = files_of(answers), files_of(before) if before else {}
        made[TABLE] = self._with_moves(made[TABLE])
        if TABLE in last:
            last[TABLE] = self._with_moves(last[TABLE])
        with tempfile.TemporaryDirectory(prefix="betline-setup-") as name:
            for file, text in made.items():
                (Path(name) / file).write_text(text, encoding="utf-8")
            try:
                found = findings(load_table(Path(name) / TABLE))
            except SettingsError as error:
                raise SettingsError(str(error).replace(str(Path(name).resolve()), str(self.path))) from None
            if CHIPS in made:
                load_chip_set(Path(name) / CHIPS)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            kept = tuple(k for file, text in made.items() if (k := self._put(file, text, last.get(file))))
        except OSError as error:
            raise _unwritable(self.path, error) from None
        self.keep(answers)
        return Written(tuple(self.path / file for file in (*made, ANSWERS)), kept, found)

    def _put(self, file: str, text: str, last: str | None) -> Path | None:
        path = self.path / file
        kept = None
        if path.exists():
            there = path.read_text(encoding="utf-8", errors="replace")
            if there not in (text, last):
                kept = path.with_name(path.name + KEPT)
                path.replace(kept)
        path.write_text(text, encoding="utf-8")
        return kept

    def _with_moves(self, text: str) -> str:
        if not self.table.exists():
            return text
        for name, by in flat_moves(read_toml(self.table).get("moved", {})):
            text = moved(text, name, tuple(by))
        return text


def read_answers(path: Path) -> dict[str, str]:
    """The answers in a file; raises SettingsError."""
    if not path.is_file():
        raise SettingsError(f"There is no file {path}; give the answers of an earlier betline setup.")
    return answers_of(read_toml(path), str(path))


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(f"{path} cannot be written ({error.strerror}); name another folder with --dir.", FAILED)
