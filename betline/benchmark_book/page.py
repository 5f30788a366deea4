"""The book's page in Markdown, its charts, and the lines of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, Final, NamedTuple

from betline import bench
from betline.benchmark_book.book import Book, Chapter
from betline.benchmark_book.compare import Comparison, Range
from betline.benchmark_book.figures import Path, curve
from betline.charts import Chart, Series, svg


class Growth(NamedTuple):
    """A chart of the book: what it shows, and where its lines lie in the suites' JSON."""

    title: str
    across: str
    up: str
    lines: tuple[tuple[str, Path], ...]


_SITE: Final = ("site_broker", "pit_brokers", "recorder", "database", "floor")
GROWTH: Final = (
    Growth(
        "One act, by seats",
        "seats",
        "us, p50",
        (("engine", ("growth", "engine_us_by_seats")), ("ruling", ("growth", "ruling_us_by_seats"))),
    ),
    Growth(
        "One reading in the controller, by chips",
        "chips in the zone",
        "ms, p50",
        (("new", ("growth", "new_reading_ms_by_chips")), ("repeated", ("growth", "same_reading_ms_by_chips"))),
    ),
    Growth(
        "A round of a reader, by chips",
        "chips",
        "ms",
        (("one reader", ("readers", "round_ms", "one_reader")), ("nine", ("readers", "round_ms", "nine_readers"))),
    ),
    Growth(
        "Settled to announced, by tables",
        "tables",
        "ms",
        (("p50", ("tables", "p50_ms_by_tables")), ("p95", ("tables", "p95_ms_by_tables"))),
    ),
    Growth(
        "Processor, by tables",
        "tables",
        "cores",
        (
            ("controllers", ("tables", "controllers_core_share_by_tables")),
            ("broker", ("tables", "broker_core_share_by_tables")),
        ),
    ),
    Growth(
        "Memory, by tables",
        "tables",
        "MB",
        (("controllers", ("tables", "controllers_mb_by_tables")), ("broker", ("tables", "broker_mb_by_tables"))),
    ),
    Growth(
        "An entry of a table to its row, by tables of a site",
        "tables",
        "ms",
        tuple((name, ("site", "to_row_ms_by_tables", name)) for name in ("p50", "p95", "p99")),
    ),
    Growth(
        "Processor of a site's programs, by tables",
        "tables",
        "cores",
        tuple((name.replace("_", " "), ("site", "core_share_by_tables", name)) for name in _SITE),
    ),
    Growth(
        "Memory of a site's programs, by tables",
        "tables",
        "MB",
        tuple((name.replace("_", " "), ("site", "memory_mb_by_tables", name)) for name in _SITE),
    ),
)


def charts(book: Book) -> tuple[Chart, ...]:
    """The charts of which the book has figures."""
    found = {name: chapter.runs[-1] for name, chapter in book.chapters.items()}
    drawn = [
        Chart(one.title, one.across, one.up, tuple(Series(name, curve(found, path)) for name, path in one.lines))
        for one in GROWTH
    ]
    return tuple(chart for chart in drawn if any(len(series.points) > 1 for series in chart.series))


def picture(book: Book) -> str:
    """All charts as one SVG document."""
    return svg(charts(book))


def page(book: Book, folder: FilePath) -> str:
    """The page; the charts, and the plot of a soak of the day if there is one, lie beside it in its folder."""
    soak = f"{book.date}-soak.svg"
    return "\n".join(_page(book, soak if (folder / soak).exists() else "")) + "\n"


def _page(book: Book, soak: str) -> Iterator[str]:
    yield f"# Benchmarks of {book.date}"
    yield ""
    yield "Made by `betline bench --book DIR`; docs/benchmarks.md says what each suite measures."
    yield ""
    yield from _pairs("machine", book.machine)
    yield from _pairs("version", book.versions)
    yardsticks = [one for chapter in book.chapters.values() for one in chapter.yardstick_ms] or [0.0]
    low, high = min(yardsticks), max(yardsticks)
    yield f"The same piece of work in Python took {low:g} to {high:g} ms while this was measured."
    yield ""
    if charts(book):
        yield f"![Growth with seats, chips and tables]({book.date}.svg)"
        yield ""
    if soak:
        yield "A soak, hours of play while things go wrong (docs/soak.md):"
        yield ""
        yield f"![Memory, open files, times and counts over the hours]({soak})"
        yield ""
    for name, chapter in book.chapters.items():
        yield from _chapter(name, chapter)
    for name, why in book.left_out.items():
        yield f"**{name}** was not measured: {why}"
        yield ""
    others = [name for name in bench.SUITES if name not in book.chapters and name not in book.left_out]
    if others:
        yield f"Not measured: {', '.join(others)}."
        yield ""


def _pairs(what: str, pairs: Mapping[str, Any]) -> Iterator[str]:
    yield f"| {what} | |"
    yield "| --- | --- |"
    for name, value in pairs.items():
        yield f"| {name} | {value} |"
    yield ""


def _chapter(name: str, chapter: Chapter) -> Iterator[str]:
    runs = len(chapter.runs)
    yield f"## {name}"
    yield ""
    yield "| what | measured | target | |"
    yield "| --- | --- | --- | --- |"
    for one in chapter.figures:
        met = {None: "", True: "met", False: "**missed**"}[one.met]
        yield f"| {one.what.strip()} | {one.measured} | {one.target} | {met} |"
    yield ""
    for sentence in chapter.measured:
        yield f"{sentence.rstrip()}  "
    ran = "One run" if runs == 1 else f"The last of {runs} runs"
    yield f"{ran} of commit {chapter.commit or 'unknown'}, {chapter.took_s:.0f} s in all."
    yield ""


MENTIONED: Final = 0.1


def lines(found: Comparison, before: str, after: str) -> list[str]:
    """What a comparison says to people, worse figures first."""
    worse = [one for one in found.differences if one.worse]
    best = [one for one in found.differences if not one.worse]
    told = []
    for heading, differences in (("Worse", worse), ("Better", best)):
        if differences:
            told.append(f"{heading} beyond noise, {before} and {after}:")
        for one in differences:
            times = "" if not one.factor else f" (times {one.factor:.2f})"
            told.append(f"  {'.'.join(one.figure)}: {_range(one.before)} -> {_range(one.after)}{times}")
    told.append(f"{len(worse)} worse, {len(best)} better of {found.compared} figures.")
    changed = [(name, times) for name, times in found.machine_slower.items() if abs(times - 1) > MENTIONED]
    for name, slower in changed:
        told.append(f"For the same work the machine took {slower:.2f} times as long beside {name}.")
    for book, alone in ((before, found.before_alone), (after, found.after_alone)):
        if alone:
            told.append(f"Only {book} has {', '.join(alone)}.")
    return told


def _range(one: Range) -> str:
    return f"{one.middle:g}" if one.runs == 1 else f"{one.middle:g} ({one.least:g} to {one.most:g})"
