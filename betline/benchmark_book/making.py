"""Making a book: every suite some times, the yardstick between them, and three files."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from betline import bench
from betline.bench import Progress, Report, chosen_suites, measure_one
from betline.benchmark_book import surroundings
from betline.benchmark_book.book import Book, Chapter, read, to_json
from betline.benchmark_book.compare import compare
from betline.benchmark_book.page import lines, page, picture
from betline.options import DONE, FAILED, UserError


def make(
    names: Sequence[str],
    folder: Path,
    *,
    repeat: int = 1,
    full: bool = False,
    options: Mapping[str, int] | None = None,
    err: TextIO | None = None,
) -> int:
    """Measures the suites, each ``repeat`` times, and writes DATE.json, DATE.md and DATE.svg into the folder.

    A suite that cannot measure is left out and named; returns FAILED where one was. Raises UserError for names and
    options that there are not, and where the folder cannot be written to.
    """
    err = err or sys.stderr
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder {folder} cannot be made ({error.strerror}); name another with --book.") from None
    chosen = chosen_suites(names, options or {})
    machine, yardstick = surroundings.machine(), [surroundings.yardstick_ms()]
    chapters: dict[str, Chapter] = {}
    left_out: dict[str, str] = {}
    for name, suite in chosen.items():
        begun = time.monotonic()
        reports: list[Report] = []
        for run in range(repeat):
            progress = Progress(name if repeat == 1 else f"{name} {run + 1}/{repeat}", err)
            try:
                reports.append(measure_one(suite, progress, full=full, options=options or {}))
            except UserError as error:
                left_out[name] = str(error)
                break
            finally:
                progress.end()
        yardstick.append(surroundings.yardstick_ms())
        if reports:
            last = reports[-1]
            runs = tuple({**report.json, **report.beside} for report in reports)
            chapters[name] = Chapter(runs, last.figures, last.measured, round(time.monotonic() - begun, 1))
    date = datetime.now(tz=UTC).date().isoformat()
    book = Book(date, surroundings.commit(), machine, surroundings.versions(), tuple(yardstick), chapters, left_out)
    files = {".json": to_json(book), ".md": page(book, f"{date}.svg"), ".svg": picture(book)}
    for suffix, text in files.items():
        try:
            (folder / f"{date}{suffix}").write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{folder / date}{suffix} cannot be written ({error.strerror}).", FAILED) from None
    print(f"betline: the book is {folder / date}.md, .json and .svg.", file=err)
    for name, why in left_out.items():
        print(f"betline: {name} was not measured: {why}", file=err)
    return FAILED if left_out else DONE


def told(before: Path, after: Path, out: TextIO | None = None) -> int:
    """Prints what got worse and better from one book to the other; FAILED where something got worse."""
    found = compare(read(before), read(after))
    print("\n".join(lines(found, before.stem, after.stem)), file=out or sys.stdout)
    return FAILED if any(one.worse for one in found.differences) else DONE
