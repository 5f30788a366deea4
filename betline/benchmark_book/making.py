"""Making a book: every suite some times, a yardstick beside each, and three files."""

from __future__ import annotations

import json as json_format
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TextIO

from betline import bench
from betline.benchmark_book import surroundings
from betline.benchmark_book.book import Book, Chapter, read, to_json
from betline.benchmark_book.compare import as_json, compare
from betline.benchmark_book.page import lines, page, picture
from betline.options import DONE, FAILED, UserError


def make(
    names: Sequence[str],
    folder: Path,
    *,
    repeat: int = 1,
    full: bool = False,
    options: Mapping[str, bench.Given] | None = None,
    err: TextIO | None = None,
) -> int:
    """Measures the suites, each ``repeat`` times, and writes page, data and charts into the folder, named by the date.

    Where there is a book of the day its other suites stay, so that a book can be made in parts. A suite that cannot
    measure, or not all, is named; returns FAILED where one was. Raises UserError for names and options that there are
    not, and where the folder cannot be read or written.
    """
    err = err or sys.stderr
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder {folder} cannot be made ({error.strerror}); name another with --book.") from None
    chosen = bench.chosen_suites(names, options or {})
    date = datetime.now(tz=UTC).date().isoformat()
    there = folder / f"{date}.json"
    before = read(there) if there.exists() else Book(date, {}, {}, {})
    machine = surroundings.machine()
    chapters = dict(before.chapters)
    left_out = {name: why for name, why in before.left_out.items() if name not in chosen}
    failed: dict[str, str] = {}
    lacking: dict[str, str] = {}
    for name, suite in chosen.items():
        try:
            chapters[name], missing = _chapter(name, suite, repeat, full=full, options=options or {}, err=err)
            if missing:
                lacking[name] = missing
        except UserError as error:
            failed[name] = str(error)
        in_order = {one: chapters[one] for one in bench.SUITES if one in chapters}
        _write(folder, Book(date, machine, surroundings.versions(), in_order, {**left_out, **failed}))
    print(f"betline: the book is {folder / date}.md, .json and .svg.", file=err)
    for name, why in failed.items():
        print(f"betline: {name} was not measured: {why}", file=err)
    for name, what in lacking.items():
        print(f"betline: {name}: {what}", file=err)
    return FAILED if failed or lacking else DONE


def _chapter(
    name: str, suite: ModuleType, repeat: int, *, full: bool, options: Mapping[str, bench.Given], err: TextIO
) -> tuple[Chapter, str]:
    """All runs of one suite, and what its last one could not measure; raises UserError where one cannot measure."""
    begun, yardstick_ms = time.monotonic(), surroundings.yardstick_ms()
    reports: list[bench.Report] = []
    for run in range(repeat):
        progress = bench.Progress(name if repeat == 1 else f"{name} {run + 1}/{repeat}", err)
        try:
            reports.append(bench.measure_one(suite, progress, full=full, options=options))
        finally:
            progress.end()
    last = reports[-1]
    chapter = Chapter(
        surroundings.commit(),
        tuple({**report.json, **report.beside} for report in reports),
        last.figures,
        (*last.measured, last.missing) if last.missing else last.measured,
        round(time.monotonic() - begun, 1),
        (yardstick_ms, surroundings.yardstick_ms()),
    )
    return chapter, last.missing


def _write(folder: Path, book: Book) -> None:
    """Writes the three files, after each suite: what was measured stays where a later one is interrupted."""
    files = {".json": to_json(book), ".md": page(book, folder), ".svg": picture(book)}
    for suffix, text in files.items():
        try:
            (folder / f"{book.date}{suffix}").write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{folder / book.date}{suffix} cannot be written ({error.strerror}).", FAILED) from None


def told(before: Path, after: Path, *, json: bool = False, out: TextIO | None = None) -> int:
    """Prints what got worse and better from one book to the other; FAILED where something got worse."""
    found = compare(read(before), read(after))
    text = json_format.dumps(as_json(found)) if json else "\n".join(lines(found, before.stem, after.stem))
    print(text, file=out or sys.stdout)
    return FAILED if any(one.worse for one in found.differences) else DONE
