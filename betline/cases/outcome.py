"""What came of a case: what it expected is compared with what somebody says, and told to people and machines."""

from __future__ import annotations

import json as json_format
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from betline.cases.expect import Expect, ExpectedPot
from betline.cases.read import Case

UNSUPPORTED = "unsupported"
STEP = "step"
"""The key of a failure that is about a step, not about an expectation."""
SOME_OF = ("cites", "alerts", "questions")
"""Keys that name what must be among others; `questions` is asked by tests alone (`virtual_table.pytest_plugin`)."""
PART_OF = ("announce", "error")
"""Keys that name a part of a text."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold, or a step that could not be done; `step` counts the entries of `play`."""

    step: int
    key: str
    expected: object
    got: object

    def __str__(self) -> str:
        if self.key in (UNSUPPORTED, STEP):
            return f"step {self.step}: {self.key}: {self.got}"
        return f"step {self.step}: {self.difference}"

    @property
    def difference(self) -> str:
        """What was expected and what is, without where."""
        return f"{self.key}: expected {_text(self.expected)}, got {_text(self.got)}"


@dataclass(frozen=True, slots=True)
class Skip:
    """Why a case was not played: one word of a fixed vocabulary, and the sentence with its step."""

    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a case went, and how long it took."""

    case: Case
    failures: tuple[Failure, ...]
    skip: Skip | None = None
    seconds: float = 0.0
    asked: str = ""
    """Where people were asked instead of a ruling, with its step, because of a planned fault: no more was played."""

    @property
    def passed(self) -> bool:
        """Everything held."""
        return not self.failures and self.skip is None and not self.asked

    def as_json(self, *, acted: bool = False, faults: str = "") -> dict[str, Any]:
        """The line of `--json`; where cases are acted out it says besides whether this one was skipped, and why; with a
        plan of faults, which, and whether people were asked.
        """
        failures = [
            {"step": f.step, "key": f.key, "expected": plain(f.expected), "got": plain(f.got)} for f in self.failures
        ]
        reason = None if self.skip is None else self.skip.reason
        skipped = {"skipped": self.skip is not None, "reason": reason} if acted else {}
        under = {"asked": bool(self.asked), "why": self.asked or None, "faults": faults} if faults else {}
        return {"id": self.case.id, "passed": self.passed, **skipped, **under, "failures": failures}

    def as_line(self) -> str:
        """The line for people."""
        if self.skip is not None:
            return f"SKIP {self.case.id}: {self.skip.sentence}"
        if self.asked:
            return f"ASK {self.case.id}: {self.asked}"
        if self.passed:
            return f"PASS {self.case.id}"
        return f"FAIL {self.case.id}: {self.failed_in_words}"

    @property
    def failed_in_words(self) -> str:
        """All failures in one line."""
        return "; ".join(str(failure) for failure in self.failures)


def compare(number: int, expect: Expect, value: Callable[[str], object]) -> list[Failure]:
    """What does not hold of the expectations of an entry; ``value`` says what a key is now."""
    failures = []
    for key, expected in expect.values.items():
        got = value(key)
        if not holds(key, expected, got):
            failures.append(Failure(number, key, expected, _named(expected, got)))
    return failures


def holds(key: str, expected: object, got: object) -> bool:
    """Whether a key is as a case expects it."""
    if key in SOME_OF:
        return isinstance(expected, frozenset) and isinstance(got, frozenset) and expected <= got
    if key in PART_OF:
        return isinstance(got, str) and str(expected) in got
    return expected == _named(expected, got)


def plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, ExpectedPot):
        return {"amount": value.amount, "seats": list(value.seats)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted([plain(item) for item in value], key=lambda item: (item, "") if type(item) is int else (0, item))
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def _named(expected: object, got: object) -> object:
    """Of a mapping from seats only those that the case names; who is not there has nothing."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return {seat: got.get(seat, () if isinstance(value, tuple) else 0) for seat, value in expected.items()}
    return got


def _text(value: object) -> str:
    return json_format.dumps(plain(value)) if not isinstance(value, str) else value
