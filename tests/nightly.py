"""Which nightly tests a run plays, and what it says at its end of the tests that it left out or that were slow.

A test that proves by many seeds, pictures or examples, or that is slow, is marked `nightly`. pytest plays all tests,
`--daily` those that are not nightly, and `--nightly-part K/N` of the nightly ones every Nth, beginning with the Kth,
so N runs with K = 1 to N play all; `nightly(every_part=True)` is played in each of them. Of a test with the parameter
`seed` the first seed is daily and the others are nightly; of a test that is marked `one_in(N)` every Nth case is daily.
A property is tried on few examples daily, and on all in the part that it belongs to.
"""

from __future__ import annotations

import os
import resource
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

SLOW_S = 2.0
"""Processor time of a test that should be cheaper, or nightly."""
FEWER = 5
FEWER_EXAMPLES = 20
"""Of a property that names no number, in a daily run; else Hypothesis tries 100."""
LEFT_OUT = "BETLINE_LEFT_OUT"
"""The environment's name of a file that gets what was left out as well: lines such as `3 tests, no C compiler`."""
_CPU_S = "cpu_s"
_started_s = pytest.StashKey[float]()


@dataclass(frozen=True, slots=True)
class Part:
    """One of `of` parts of the nightly tests, numbered from 1."""

    number: int
    of: int

    def holds(self, place: int) -> bool:
        """Whether the nightly test at this place, counted from 0, belongs to the part."""
        return place % self.of == self.number - 1


_fewer = [False]


def read_part(text: str) -> Part:
    """K/N as a part; raises ValueError with a sentence."""
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Part(int(number), int(of))
    raise ValueError(f"--nightly-part is K/N with K from 1 to N, such as 3/8; not {text!r}.")


def examples(count: int) -> int:
    """How many examples a property is tried on: `count`, or a fifth of it in a daily run."""
    return count // FEWER if _fewer[0] else count


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--daily", action="store_true", help="leave out the tests marked nightly")
    parser.addoption("--nightly-part", metavar="K/N", help="play part K of N of the tests marked nightly, nothing else")


def _part(config: pytest.Config) -> Part | None:
    text = config.getoption("nightly_part")
    return None if text is None else read_part(text)


def pytest_configure(config: pytest.Config) -> None:
    try:
        part = _part(config)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    _fewer[0] = config.getoption("daily")
    if _fewer[0] and part is not None:
        raise pytest.UsageError("Give --daily or --nightly-part, not both.")
    if _fewer[0]:
        settings.register_profile("fewer", settings.default, max_examples=FEWER_EXAMPLES)
        settings.load_profile("fewer")


def pytest_report_header(config: pytest.Config) -> str | None:
    part = _part(config)
    if part is not None:
        again = f"--nightly-part {part.number}/{part.of}"
        return f"nightly tests: part {part.number} of {part.of} (this part again: {again}; all: ./run test --nightly)"
    return "without the nightly tests (all: ./run test --nightly)" if config.getoption("daily") else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _mark_cases(items)
    part = _part(config)
    if part is not None:
        played = _of_part(items, part)
    elif config.getoption("daily"):
        played = [item for item in items if not item.get_closest_marker("nightly")]
    else:
        return
    chosen = set(played)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = played


def _mark_cases(items: list[pytest.Item]) -> None:
    """Marks as nightly the further seeds of a test, and what `one_in` leaves to the night."""
    first_seeds: dict[str, object] = {}
    counted: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.split("[")[0]
        seeded = {} if not hasattr(item, "callspec") else item.callspec.params
        if "seed" in seeded and first_seeds.setdefault(test, seeded["seed"]) != seeded["seed"]:
            item.add_marker("nightly")
        one_in = item.get_closest_marker("one_in")
        if one_in is not None and not item.get_closest_marker("nightly"):
            if counted[test] % one_in.args[0]:
                item.add_marker("nightly")
            counted[test] += 1


def _of_part(items: list[pytest.Item], part: Part) -> list[pytest.Item]:
    """The cases of one test go to the parts in turn, so that the parts take about the same time."""
    played = []
    place = 0
    for item in items:
        marks = list(item.iter_markers("nightly"))
        if any(mark.kwargs.get("every_part") for mark in marks):
            played.append(item)
        elif marks or getattr(getattr(item, "function", None), "is_hypothesis_test", False):
            if part.holds(place):
                played.append(item)
            place += 1
    return played


def _spent_s() -> float:
    """Processor time of this program and of those that it started and that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    item.stash[_started_s] = _spent_s()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    try:
        return (yield)
    finally:
        spent_s = _spent_s() - item.stash[_started_s]
        if spent_s > SLOW_S and not any(item.iter_markers("nightly")) and not any(item.iter_markers("hil")):
            item.user_properties.append((_CPU_S, round(spent_s, 1)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    slow = {
        report.nodeid: dict(report.user_properties)[_CPU_S]
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        if report.when == "call" and _CPU_S in dict(report.user_properties)
    }
    if slow:
        worst = ", ".join(f"{name} ({slow[name]} s)" for name in sorted(slow, key=slow.__getitem__, reverse=True)[:5])
        line = f"slow: {len(slow)} tests took over {SLOW_S:g} s and are not marked nightly: {worst}"
        terminalreporter.line(line)
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped if _has_reason(report))
    if reasons:
        left_out = [f"{count} tests, {reason}" for reason, count in reasons.most_common()]
        terminalreporter.line(f"left out: {'; '.join(left_out)}")
        if os.environ.get(LEFT_OUT):
            with Path(os.environ[LEFT_OUT]).open("a", encoding="utf-8") as file:
                print(*left_out, sep="\n", file=file)


def _has_reason(report: pytest.TestReport) -> bool:
    return isinstance(report.longrepr, tuple)
