"""Runs case files by one way or another, and tells people and programs what came of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO, TypeAlias

from betline.cases import Case, CaseError, Result, read_cases
from betline.cases.report import Lines, shard, write_junit
from betline.options import DONE, FAILED, INTERRUPTED, WRONG_USAGE, check_writable
from table_controller.tools.cases import run_case

Way: TypeAlias = Callable[[Sequence[Case]], Iterator[Result]]
"""What runs cases one after another and gives their results in the same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Which part of the cases is run, and how it is told."""

    json: bool = False
    junit: Path | None = None
    part: tuple[int, int] = (1, 1)
    """Which part of how many."""
    name: str = "betline cases"
    """The name of the suite for build servers."""
    acted: bool = False
    """Whether players act the cases out, so that some are skipped."""
    faults: str = ""
    """The file of the plan of faults under which they do; empty where there is none."""


def run_cases(
    paths: Iterable[Path], way: Way, telling: Telling, out: TextIO | None = None, err: TextIO | None = None
) -> int:  # fmt: skip
    """Runs files and folders of cases and prints a line a case; returns the exit status.

    0, 1 where one failed, 2 for a bad file, 130 where Ctrl-C stopped it: what was played until then is told and
    written.
    Raises UserError where JUnit's file cannot be written, before anything is played.
    """
    out, err = out or sys.stdout, err or sys.stderr
    lines, results = Lines(out, json=telling.json, acted=telling.acted, faults=telling.faults), []
    check_writable(telling.junit, "--junit")
    stopped = False
    try:
        cases = shard(read_cases(paths), *telling.part)
        show = _progress(err if err.isatty() and not out.isatty() else None, len(cases))
        try:
            for result in way(cases):
                lines.add(result)
                results.append(result)
                show(len(results), lines.failed)
        except KeyboardInterrupt:
            stopped = True
        show(0, 0)
        lines.end()
        if stopped:
            print(f"betline: stopped: {len(results)} of {len(cases)} cases were played.", file=err)
        if telling.junit is not None:
            write_junit(results, telling.junit, telling.name, telling.faults)
    except CaseError as error:
        print(str(error), file=err)
        return WRONG_USAGE
    except OSError as error:
        if telling.junit is None or error.filename is None:
            raise
        print(f"betline: {telling.junit} cannot be written ({error.strerror}): give another --junit.", file=err)
        return FAILED
    if stopped:
        return INTERRUPTED
    return FAILED if lines.failed else DONE


def on_the_rules(cases: Sequence[Case]) -> Iterator[Result]:
    """Cases on the rules alone, without a table."""
    for case in cases:
        began_s = time.perf_counter()
        yield replace(run_case(case), seconds=time.perf_counter() - began_s)


def _progress(stream: TextIO | None, total: int) -> Callable[[int, int], None]:
    """Draws how far it is over the line before, on a terminal that the lines do not go to."""

    def show(done: int, failed: int) -> None:
        if stream is not None:
            text = f"case {done} of {total}, {failed} failed" if done else ""
            stream.write(f"\r\x1b[K{text}")
            stream.flush()

    return show
