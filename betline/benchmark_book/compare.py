"""What got slower, or otherwise worse, from one book to another, beyond noise.

A figure's noise is the range of its runs. The machine may have been slower too: the yardstick beside the later run over
that beside the earlier one widens what a figure may differ by, never what it must. Where a book has a single run of a
suite, its figures are given `SINGLE` either way; no difference under `LEAST` is named. Counts that should be 0 are
named where they rose at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from betline.benchmark_book.book import Book, Chapter
from betline.benchmark_book.figures import Better, Path, better, numbers

SINGLE: Final = 0.15
LEAST: Final = 0.05
COUNTS: Final = frozenset({"wrong", "inferred_wrong", "lost", "twice", "unequal", "stalls", "unruled"})


@dataclass(frozen=True, slots=True)
class Range:
    """The least, the middle and the greatest of a figure's runs, and how many runs there were."""

    least: float
    middle: float
    most: float
    runs: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that differs beyond noise; ``factor`` is the later middle over the earlier, where both are above 0."""

    figure: Path
    before: Range
    after: Range
    worse: bool
    factor: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs, worst first, and how many figures were compared."""

    differences: tuple[Difference, ...]
    compared: int
    machine_slower: Mapping[str, float]
    """How many times as long the machine took for the same work, by suite."""
    before_alone: tuple[str, ...]
    """Suites of which only the earlier book has figures."""
    after_alone: tuple[str, ...]


def compare(before: Book, after: Book) -> Comparison:
    """Holds every figure of the later book against the earlier's."""
    found: list[Difference] = []
    slower: dict[str, float] = {}
    compared = 0
    for name in [one for one in before.chapters if one in after.chapters]:
        drift = _middle(after.chapters[name].yardstick_ms) / _middle(before.chapters[name].yardstick_ms)
        slower[name] = drift
        one, other = _ranges(before.chapters[name]), _ranges(after.chapters[name])
        for path in one.keys() & other.keys():
            compared += 1
            difference = _difference((name, *path), one[path], other[path], drift)
            found += [difference] if difference else []
    found.sort(key=lambda one: (not one.worse, -_badness(one), one.figure))
    return Comparison(tuple(found), compared, slower, _alone(before, after), _alone(after, before))


def _alone(one: Book, other: Book) -> tuple[str, ...]:
    return tuple(sorted(one.chapters.keys() - other.chapters.keys()))


def as_json(found: Comparison) -> dict[str, Any]:
    """The document of ``betline bench compare --json``; a figure's noise is the range of its runs."""

    def told(*, worse: bool) -> list[dict[str, Any]]:
        return [
            {"figure": one.figure, "before": asdict(one.before), "after": asdict(one.after), "factor": one.factor}
            for one in found.differences
            if one.worse is worse
        ]

    return {
        "compared": found.compared, "worse": told(worse=True), "better": told(worse=False),
        "noise": {"single": SINGLE, "least": LEAST}, "machine_slower": found.machine_slower,
        "missing": sorted((*found.before_alone, *found.after_alone)),
    }  # fmt: skip


def _ranges(chapter: Chapter) -> dict[Path, Range]:
    values: dict[Path, list[float]] = {}
    for run in chapter.runs:
        for path, value in numbers(run):
            if better(path) is not None:
                values.setdefault(path, []).append(value)
    return {
        path: Range(min(found), sorted(found)[len(found) // 2], max(found), len(found))
        for path, found in values.items()
    }


def _difference(figure: Path, before: Range, after: Range, drift: float) -> Difference | None:
    factor = after.middle / before.middle if before.middle > 0 and after.middle > 0 else None
    if COUNTS & set(figure):
        if after.middle == before.middle:
            return None
        return Difference(figure, before, after, after.middle > before.middle, factor)
    lower = better(figure) is Better.LOWER
    # times rise where the machine is slower, and rates fall: a rise of the one and a fall of the other is allowed for
    slower, faster = max(1.0, drift) - 1, max(1.0, 1 / drift) - 1
    up, down = (slower, faster) if lower else (faster, slower)
    rose = _low(after) > _raised(_high(before), up) and after.middle > _raised(before.middle, up + LEAST * (1 + up))
    fell = _raised(_high(after), down) < _low(before) and _raised(after.middle, down) < _raised(before.middle, -LEAST)
    if not (rose or fell):
        return None
    return Difference(figure, before, after, rose if lower else fell, factor)


def _raised(value: float, share: float) -> float:
    """The value and so much of its size above it, also where it is negative."""
    return value + share * abs(value)


def _low(one: Range) -> float:
    return _raised(one.least, -SINGLE) if one.runs == 1 else one.least


def _high(one: Range) -> float:
    return _raised(one.most, SINGLE) if one.runs == 1 else one.most


def _badness(one: Difference) -> float:
    """How far a figure moved, whichever way: the difference as a share of the smaller of the two."""
    smaller = min(abs(one.before.middle), abs(one.after.middle))
    return abs(one.after.middle - one.before.middle) / smaller if smaller else float("inf")


def _middle(times: tuple[float, ...]) -> float:
    return sorted(times)[len(times) // 2] if times else 1.0
