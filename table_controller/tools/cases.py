"""Running cases: each story is played at a table, and what it expects is compared with what the table says."""

from __future__ import annotations

import json as json_format
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from betline.cases import Case, CaseError, Entry, Expect, read_cases
from betline.options import DONE, FAILED, WRONG_USAGE
from table_controller.betting import Illegal
from table_controller.rulings import Table
from table_controller.tools.answers import Answer, TooManyChips, check_chips, plain

UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold, or a step that could not be done; `step` counts the entries of `play`."""

    step: int
    key: str
    expected: object
    got: object

    def __str__(self) -> str:
        if self.key in (UNSUPPORTED, "step"):
            return f"step {self.step}: {self.key}: {self.got}"
        return f"step {self.step}: {self.key}: expected {_text(self.expected)}, got {_text(self.got)}"


@dataclass(frozen=True, slots=True)
class Result:
    """How a case went."""

    case: Case
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Everything held."""
        return not self.failures

    def as_json(self) -> dict[str, Any]:
        """The line of `--json`."""
        failures = [
            {"step": f.step, "key": f.key, "expected": plain(f.expected), "got": plain(f.got)} for f in self.failures
        ]
        return {"id": self.case.id, "passed": self.passed, "failures": failures}

    def as_line(self) -> str:
        """The line for people."""
        if self.passed:
            return f"PASS {self.case.id}"
        return f"FAIL {self.case.id}: {'; '.join(str(failure) for failure in self.failures)}"


def run_cases(
    paths: Iterable[Path], *, json: bool = False, out: TextIO | None = None, err: TextIO | None = None
) -> int:  # fmt: skip
    """Runs files and folders of cases and prints a line a case; returns the exit status (0, 1 failed, 2 bad file)."""
    out, err = out or sys.stdout, err or sys.stderr
    results: list[Result] = []
    try:
        for case in read_cases(paths):
            result = run_case(case)
            results.append(result)
            print(json_format.dumps(result.as_json()) if json else result.as_line(), file=out)
    except CaseError as error:
        print(str(error), file=err)
        return WRONG_USAGE
    failed = sum(not result.passed for result in results)
    if not json:
        print(f"{len(results) - failed} passed, {failed} failed", file=out)
    return FAILED if failed else DONE


def run_case(case: Case) -> Result:
    """Plays a case at a table; raises CaseError where its players push more chips than they have."""
    try:
        table = Table.begin(case.setup)
    except Illegal as refusal:
        if refusal.code == UNSUPPORTED:
            return Result(case, (Failure(1, UNSUPPORTED, None, refusal.sentence),))
        raise CaseError(case.file, case.line, "seats", refusal.sentence) from None
    failures: list[Failure] = []
    answer = Answer(table)
    for number, entry in enumerate(case.play, start=1):
        if isinstance(entry, Expect):
            failures += _compare(number, entry, answer)
            continue
        try:
            check_chips(entry, answer.table.state)
        except TooManyChips as error:
            raise CaseError(case.file, case.play_lines[number - 1], error.key, error.sentence) from None
        try:
            outcome = answer.table.apply(entry)
        except Exception as fault:  # one story that our program stumbles over must not hide how the others went
            failures.append(Failure(number, "step", None, f"A fault of the program: {fault!r}."))
            break
        if outcome.error is not None and outcome.error.code == UNSUPPORTED:
            failures.append(Failure(number, UNSUPPORTED, None, outcome.error.sentence))
            break
        if outcome.error is not None and not _refusal_is_told(case.play[number:]):
            failures.append(Failure(number, "step", None, outcome.error.sentence))
            break
        answer = Answer(outcome.table, outcome)
    return Result(case, tuple(failures))


def _refusal_is_told(rest: Sequence[Entry]) -> bool:
    """Whether the story reckons with a refused step: what follows it is an `expect`, never another step."""
    return bool(rest) and isinstance(rest[0], Expect)


def _compare(number: int, expect: Expect, answer: Answer) -> list[Failure]:
    failures = []
    for key, expected in expect.values.items():
        got = answer.value(key)
        if not _holds(key, expected, got):
            failures.append(Failure(number, key, expected, _named(expected, got)))
    return failures


def _holds(key: str, expected: object, got: object) -> bool:
    if key in ("cites", "alerts"):
        return isinstance(expected, frozenset) and isinstance(got, frozenset) and expected <= got
    if key in ("announce", "error"):
        return isinstance(got, str) and str(expected) in got
    return expected == _named(expected, got)


def _named(expected: object, got: object) -> object:
    """Of a mapping from seats only those that the case names; who is not there has nothing."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return {seat: got.get(seat, () if isinstance(value, tuple) else 0) for seat, value in expected.items()}
    return got


def _text(value: object) -> str:
    return json_format.dumps(plain(value)) if not isinstance(value, str) else value
