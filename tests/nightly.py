"""Which nightly tests a run plays, and what it says at its end of the tests that it left out or that were slow.

A test that proves by many seeds, pictures or examples is marked `nightly`. A run plays all of them, or with
`--nightly-part K/N` the Kth of N parts: each lies in one part by its name, so N runs with K = 1 to N play all. Of a
test with the parameter `seed` the first seed is played in every run, and the others are nightly.
"""

from __future__ import annotations

import os
import resource
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

SLOW_S = 2.0
"""Processor time of a test that should be cheaper, or nightly."""
FEWER = 5
FEWER_EXAMPLES = 30
"""Of a property that names no number, where only a part of the nightly tests is played; else Hypothesis tries 100."""
LEFT_OUT = "BETLINE_LEFT_OUT"
"""The environment's name of a file that gets what was left out as well: lines such as `3 tests, no C compiler`."""
_CPU_S = "cpu_s"
_started_s = pytest.StashKey[float]()


@dataclass(frozen=True, slots=True)
class Part:
    """One of `of` parts of the nightly tests, numbered from 1."""

    number: int
    of: int

    def holds(self, name: str) -> bool:
        """Whether a test or module of this name belongs to the part."""
        return crc32(name.encode()) % self.of == self.number - 1


WHOLE = Part(1, 1)
_chosen = [WHOLE]


def read_part(text: str) -> Part:
    """K/N as a part; raises ValueError with a sentence."""
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return Part(int(number), int(of))
    raise ValueError(f"--nightly-part is K/N with K from 1 to N, such as 3/8; not {text!r}.")


def examples(count: int, name: str) -> int:
    """How many examples a property of the module `name` is tried on: `count`, or a fifth if its part is not played."""
    return count if _chosen[0].holds(name) else count // FEWER


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly-part", metavar="K/N", help="of the tests marked nightly, play part K of N only")


def pytest_configure(config: pytest.Config) -> None:
    text = config.getoption("nightly_part")
    try:
        _chosen[0] = WHOLE if text is None else read_part(text)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    if _chosen[0] != WHOLE:
        settings.register_profile("fewer", settings.default, max_examples=FEWER_EXAMPLES)
        settings.load_profile("fewer")


def pytest_report_header() -> str | None:
    part = _chosen[0]
    if part == WHOLE:
        return None
    again = f"--nightly-part {part.number}/{part.of}"
    return f"nightly tests: part {part.number} of {part.of} (this part again: {again}; all: ./run test --nightly)"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = _chosen[0]
    first_seeds: dict[str, object] = {}
    for item in items:
        seeded = {} if not hasattr(item, "callspec") else item.callspec.params
        if "seed" in seeded and first_seeds.setdefault(item.nodeid.split("[")[0], seeded["seed"]) != seeded["seed"]:
            item.add_marker("nightly")
    others = [item for item in items if item.get_closest_marker("nightly") and not part.holds(item.nodeid)]
    if others:
        config.hook.pytest_deselected(items=others)
        left = set(others)
        items[:] = [item for item in items if item not in left]


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
