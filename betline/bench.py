"""The benchmarks: suites found by name in the rooms that own them, run one after another and reported.

A suite is a module with `measure(progress, *, full) -> Report`. It measures within some minutes, `full` for as long as
it likes, and raises UserError where it cannot measure. A target that was missed is reported and fails nothing: on a
slow or busy machine it says little. A suite that takes more options names them in `TAKES`; they come as keywords, only
where they were given.
"""

from __future__ import annotations

import importlib
import json as json_format
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TextIO

from betline.options import DONE, FAILED, UserError

SUITES: dict[str, str] = {
    "engine": "table_controller.tools.bench.engine",
    "rulings": "table_controller.tools.bench.rulings",
    "journal": "table_controller.tools.bench.journal",
    "sensing": "virtual_table.bench.sensing",
    "bus": "virtual_table.bench.bus",
    "kills": "virtual_table.bench.kills",
    "cheats": "virtual_table.bench.cheats",
    "keys": "virtual_table.bench.keys",
    "web": "virtual_table.bench.web",
    "console": "virtual_table.bench.console",
    "floor": "virtual_table.bench.floor",
    "small": "virtual_table.bench.small",
    "startup": "virtual_table.bench.start_up",
    "chain": "virtual_table.bench.chain",
    "growth": "virtual_table.bench.growth",
    "tables": "virtual_table.bench.tables",
    "site": "virtual_table.site.scale",
    "record": "cardroom.bench.record",
    "readers": "virtual_table.bench.readers",
    "vision": "virtual_table.bench.vision",
    "camera": "virtual_table.bench.camera",
}
"""The module of each suite."""
MOST_TABLES: Final = 500
Given = int | Path | tuple[int, ...]
"""The value of an option; several numbers where a suite says in `SEVERAL` that it takes them."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line for people; `target` and `met` where it has a target."""

    what: str
    measured: str
    target: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a suite found: its object of the JSON, its lines, and sentences that say how much it measured."""

    json: Mapping[str, Any]
    figures: tuple[Figure, ...]
    measured: tuple[str, ...]
    beside: Mapping[str, Any] = field(default_factory=dict)
    """What stands in the JSON beside the suite's own key."""
    missing: str = ""
    """A sentence that says what could not be measured beside all that was; the run fails then."""


class Progress:
    """How far a suite is: a bar that is drawn over on a terminal, else a line at the beginning and at each tenth."""

    def __init__(self, suite: str, stream: TextIO) -> None:
        self._suite = suite
        self._stream = stream
        self._bar = stream.isatty()
        self._drawn = ""
        self._tenth = 0
        if not self._bar:
            print(f"{suite}: measuring", file=stream, flush=True)

    def at(self, done: int, total: int, what: str) -> None:
        """So much of the whole is done, and this is measured now."""
        if self._bar:
            filled = 24 * done // total
            self._draw(f"{self._suite} [{'#' * filled}{'.' * (24 - filled)}] {what}")
        elif 10 * done // total > self._tenth:
            self._tenth = 10 * done // total
            print(f"{self._suite}: {self._tenth}0 %, {what}", file=self._stream, flush=True)

    def end(self) -> None:
        """Wipes the bar."""
        if self._bar:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _draw(self, text: str) -> None:
        if text != self._drawn:
            self._stream.write(f"\r{text:<{len(self._drawn)}}")
            self._stream.flush()
            self._drawn = text


def run_suites(
    names: Sequence[str],
    *,
    full: bool = False,
    json: bool = False,
    options: Mapping[str, Given] | None = None,
    out: TextIO | None = None,
    err: TextIO | None = None,
) -> int:
    """Runs the suites named, or all, and prints their reports; returns the exit status.

    Each of ``options`` goes to the suites that take it. Raises UserError for a suite that there is not, and for an
    option that none of those named takes.
    """
    out, err = out or sys.stdout, err or sys.stderr
    options = options or {}
    reports: dict[str, Report] = {}
    status = DONE
    for name, suite in chosen_suites(names, options).items():
        progress = Progress(name, err)
        try:
            report = measure_one(suite, progress, full=full, options=options)
        except UserError as error:
            print(f"betline: {name}: {error}", file=err)
            status = error.status
            continue
        finally:
            progress.end()
        reports[name] = report
        print("\n".join(_lines(name, report)), file=err if json else out, flush=True)
        if report.missing:
            print(f"betline: {name}: {report.missing}", file=err)
            status = FAILED
    if json:
        found: dict[str, Any] = {name: report.json for name, report in reports.items()}
        for report in reports.values():
            found |= report.beside
        print(json_format.dumps(found), file=out)
    return status


def chosen_suites(names: Sequence[str], options: Mapping[str, Given]) -> dict[str, ModuleType]:
    """The suites named, or all; raises UserError for one that there is not, and for an option that none takes."""
    for name in names:
        if name not in SUITES:
            raise UserError(f"There is no suite {name}; say which of {', '.join(SUITES)} is meant, or none for all.")
    chosen = {name: importlib.import_module(SUITES[name]) for name in names or SUITES}
    for option in options:
        if not any(option in _takes(suite) for suite in chosen.values()):
            raise UserError(f"None of {', '.join(chosen)} takes --{option.replace(chr(95), chr(45))}.")
    for option, value in options.items():
        for name, suite in chosen.items():
            if isinstance(value, tuple) and option in _takes(suite) and option not in getattr(suite, "SEVERAL", ()):
                raise UserError(f"{name} takes one number with --{option}, not {len(value)}.")
    return chosen


def read_counts(option: str, text: str, most: int) -> int | tuple[int, ...]:
    """Reads N or N,N,...: numbers from 1 to the most that rise; raises UserError."""
    parts = text.split(",")
    counts = tuple(int(part) for part in parts if part.isascii() and part.isdecimal())
    if len(counts) != len(parts) or sorted(set(counts)) != list(counts) or not 1 <= counts[0] <= counts[-1] <= most:
        raise UserError(f"{option} {text}: write numbers from 1 to {most} that rise, such as 50 or 1,10,50.")
    return counts[0] if len(counts) == 1 else counts


def measure_one(suite: ModuleType, progress: Progress, *, full: bool, options: Mapping[str, Given]) -> Report:
    """One run of a suite with those of the options that it takes; raises UserError where it cannot measure."""
    measure: Callable[..., Report] = suite.measure
    taken = {option: value for option, value in options.items() if option in _takes(suite)}
    return measure(progress, full=full, **taken)


def _takes(suite: ModuleType) -> Sequence[str]:
    """The options that a suite takes beside `full`."""
    taken: Sequence[str] = getattr(suite, "TAKES", ())
    return taken


def _lines(name: str, report: Report) -> list[str]:
    rows = [(f.what, f.measured, f.target, {None: "", True: "met", False: "MISSED"}[f.met]) for f in report.figures]
    rows.insert(0, (name, "measured", "target", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    table = [
        f"{what:<{widths[0]}}  {measured:>{widths[1]}}  {target:>{widths[2]}}  {met}".rstrip()
        for what, measured, target, met in rows
    ]
    return [*table, *report.measured, f"Machine: {machine()}."]


def machine() -> str:
    """Where this was measured."""
    cores = len(os.sched_getaffinity(0))
    return f"Python {platform.python_version()}, {cores} cores, {platform.system()} {platform.machine()}"
