"""Running cases: each story is told to a table, and what it expects is compared with what the table says."""

from __future__ import annotations

import json as json_format
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from betline.cases import Case, CaseError, Entry, Expect, ExpectedPot, read_cases
from betline.options import DONE, FAILED, WRONG_USAGE
from betline.steps import Act
from table_controller.announce.phrases import announcement
from table_controller.announce.turn import turn_of
from table_controller.betting import Illegal
from table_controller.rulings import Outcome, Table
from table_controller.rulings.state import State

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
            {"step": f.step, "key": f.key, "expected": _plain(f.expected), "got": _plain(f.got)} for f in self.failures
        ]
        return {"id": self.case.id, "passed": self.passed, "failures": failures}

    def as_line(self) -> str:
        """The line for people."""
        if self.passed:
            return f"PASS {self.case.id}"
        return f"FAIL {self.case.id}: {'; '.join(str(failure) for failure in self.failures)}"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the table says after a step."""

    table: Table
    outcome: Outcome | None


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
    """Tells a case to a table; raises CaseError where its players push more chips than they have."""
    try:
        table = Table.begin(case.setup)
    except Illegal as refusal:
        if refusal.code == UNSUPPORTED:
            return Result(case, (Failure(1, UNSUPPORTED, None, refusal.sentence),))
        raise CaseError(case.file, case.line, "seats", refusal.sentence) from None
    failures: list[Failure] = []
    answer = _Answer(table, None)
    for number, entry in enumerate(case.play, start=1):
        if isinstance(entry, Expect):
            failures += _compare(number, entry, answer)
            continue
        _check_chips(case, number, entry, answer.table.state)
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
        answer = _Answer(outcome.table, outcome)
    return Result(case, tuple(failures))


def _refusal_is_told(rest: Sequence[Entry]) -> bool:
    """Whether the story reckons with a refused step: what follows it is an `expect`, never another step."""
    return bool(rest) and isinstance(rest[0], Expect)


def _check_chips(case: Case, number: int, step: Entry, state: State) -> None:
    """More chips than the stack holds are an error of the file (CASES.md)."""
    if not isinstance(step, Act) or state.hand is None or step.seat not in state.hand.seats:
        return
    pushed = sum(step.pushed) + sum(step.splashes) + sum(step.carries_back)
    given = 0 if step.changes is None else sum(step.changes.gives)
    lies = sum(state.in_front.get(step.seat, ())) or state.hand.bet(step.seat)
    has = state.hand.stack(step.seat) + state.hand.bet(step.seat) - lies
    taken = sum(step.takes_back)
    line = case.play_lines[number - 1]
    if taken > lies:
        raise CaseError(case.file, line, "takes_back", f"seat {step.seat} has {lies} in front, not {taken}.")
    if given > has + taken:
        raise CaseError(case.file, line, "changes", f"seat {step.seat} has {has + taken}, not {given}.")
    if pushed > has + taken + state.standing.taken_back:
        key = "chips" if len(step.motions) < 2 else "motions"
        raise CaseError(case.file, line, key, f"seat {step.seat} has {has + taken}, not {pushed}.")


def _compare(number: int, expect: Expect, answer: _Answer) -> list[Failure]:
    failures = []
    for key, expected in expect.values.items():
        got = _ASKED[key](answer)
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


def _ruled(name: str) -> Callable[[_Answer], object]:
    """A field of the last step's ruling."""

    def ask(answer: _Answer) -> object:
        ruling = answer.outcome.ruling if answer.outcome else None
        return None if ruling is None else getattr(ruling, name)

    return ask


def _ruling(answer: _Answer) -> object:
    value = _ruled("ruling")(answer)
    return None if value is None else str(value)


def _set_of(name: str) -> Callable[[_Answer], object]:
    return lambda answer: frozenset(_as_tuple(_ruled(name)(answer)))


def _as_tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _alerts(answer: _Answer) -> object:
    return frozenset(answer.outcome.alerts if answer.outcome else ())


def _binding(answer: _Answer) -> object:
    settled = answer.outcome.settled if answer.outcome else ()
    return settled[-1].binding if settled else None


def _error(answer: _Answer) -> object:
    error = answer.outcome.error if answer.outcome else None
    return None if error is None else error.code


def _of_hand(name: str, without: object = None) -> Callable[[_Answer], object]:
    """A property of the hand, or what is so without one."""

    def ask(answer: _Answer) -> object:
        hand = answer.table.state.hand
        return without if hand is None else getattr(hand, name)

    return ask


def _of_state(name: str) -> Callable[[_Answer], object]:
    return lambda answer: getattr(answer.table.state, name)


def _bound(place: int) -> Callable[[_Answer], object]:
    def ask(answer: _Answer) -> object:
        bounds = answer.table.state.raise_range
        return None if bounds is None else bounds[place]

    return ask


def _pots(answer: _Answer) -> object:
    hand = answer.table.state.hand
    return tuple([ExpectedPot(pot.amount, pot.seats) for pot in hand.pots]) if hand is not None else ()


def _placed(name: str) -> Callable[[_Answer], object]:
    def ask(answer: _Answer) -> object:
        state = answer.table.state
        placed = state.placed or state.last
        return None if placed is None else getattr(placed, name)

    return ask


def _announce(answer: _Answer) -> object:
    turn = turn_of(answer.table.state)
    return "" if turn is None else announcement(turn)


_ASKED: dict[str, Callable[[_Answer], object]] = {
    "ruling": _ruling,
    "offers": _set_of("offers"),
    "all_in": _ruled("all_in"),
    "to": _ruled("to"),
    "adds": _ruled("adds"),
    "returned": _ruled("returned"),
    "owes": _ruled("owes"),
    "held": lambda answer: frozenset(held.act.seat for held in answer.table.state.held),
    "binding": _binding,
    "cites": _set_of("cites"),
    "alerts": _alerts,
    "next": _of_state("next_seat"),
    "call": _of_hand("to_call"),
    "min_raise_to": _bound(0),
    "max_raise_to": _bound(1),
    "may": lambda answer: frozenset(str(kind) for kind in answer.table.state.may),
    "substantial": _of_state("substantial"),
    "bets": _of_hand("bets", {}),
    "stacks": _of_state("stacks"),
    "pot": _of_hand("pot", 0),
    "pots": _pots,
    "round_over": _of_hand("round_over", without=True),
    "hand_over": _of_hand("hand_over", without=True),
    "button": _placed("button"),
    "small_blind": _placed("small_blind"),
    "big_blind": _placed("big_blind"),
    "posts": _of_state("posts"),
    "street": _of_hand("street"),
    "announce": _announce,
    "error": _error,
}


def _plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, ExpectedPot):
        return {"amount": value.amount, "seats": list(value.seats)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted([_plain(item) for item in value], key=str)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def _text(value: object) -> str:
    return json_format.dumps(_plain(value)) if not isinstance(value, str) else value
