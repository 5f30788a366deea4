"""The story that `betline rule` is asked about, from a file or from flags, played at a table up to its last step."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from betline.cases import Case, CaseError, Expect, parse_cases, read_case
from betline.cases.marks import Marked, MarkedError, load
from betline.fields import FieldError, dotted
from betline.options import UserError
from betline.settings import HouseRules, SettingsError
from betline.steps import Step, TableSetup
from table_controller.betting import Illegal
from table_controller.rulings import Outcome, Table
from table_controller.tools.answers import Answer, TooManyChips, check_chips

STANDARD_INPUT = Path("-")
COMMAND_LINE = Path("the command line")


@dataclass(frozen=True, slots=True)
class Refused:
    """A step before the last one that was refused; the story went on without it. `number` counts from 1."""

    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Story:
    """A story played step by step."""

    setup: TableSetup
    steps: tuple[Step, ...]
    begun: Table
    outcomes: tuple[Outcome, ...]
    """What became of each step."""

    @property
    def step(self) -> Step:
        """The last step: the one that is ruled on."""
        return self.steps[-1]

    @property
    def before(self) -> Table:
        """The table that the last step comes to."""
        return self.outcomes[-2].table if len(self.outcomes) > 1 else self.begun

    @property
    def outcome(self) -> Outcome:
        """What became of it."""
        return self.outcomes[-1]

    @property
    def refused(self) -> tuple[Refused, ...]:
        """The steps before it that were refused."""
        errors = [(number, outcome.error) for number, outcome in enumerate(self.outcomes[:-1], start=1)]
        return tuple([Refused(number, error.sentence) for number, error in errors if error is not None])

    @property
    def answer(self) -> Answer:
        """What the table says now."""
        return Answer(self.outcome.table, self.outcome)


def from_file(path: Path, case_id: str | None = None) -> Case:
    """The one case of a file, or the one of that id; `-` is standard input. Raises CaseError."""
    try:
        content = sys.stdin.read() if path == STANDARD_INPUT else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise CaseError(path, 1, "", f"cannot be read: {reason}.") from None
    cases = parse_cases(content, path, lenient=True)
    if case_id is None and len(cases) == 1:
        return cases[0]
    named = [case.id for case in cases if case.id]
    if case_id is None:
        raise CaseError(path, cases[1].line, "id", f"there are {len(cases)} cases: name one with --case.")
    for case in cases:
        if case.id == case_id:
            return case
    listed = f"; there are {', '.join(named[:10])}{', ...' if len(named) > 10 else ''}" if named else ""
    raise CaseError(path, 1, "id", f"there is no case {case_id}{listed}.")


def from_flags(keys: Mapping[str, str], before: Sequence[str], act: str) -> Case:
    """A case of which each key came as YAML on the command line; raises UserError that names the flag."""
    data: dict[str, Any] = {key: _yaml(_flag(key), text) for key, text in keys.items()}
    numbers = range(1, len(before) + 1)
    data["play"] = [_yaml(f"--before {number}", text) for number, text in zip(numbers, before, strict=True)]
    data["play"].append(_yaml("--act", act))
    try:
        return read_case(data, (), Marked(), COMMAND_LINE, lenient=True)
    except FieldError as error:
        first, *rest = error.path or ("",)
        where = _flag(str(first))
        if first == "play" and rest:
            where, rest = _step_flag(int(rest[0]) + 1, len(data["play"])), rest[1:]
        key = f" {dotted(tuple(rest))}:" if rest else ""
        raise UserError(f"{where}:{key} {error.sentence}") from None
    except SettingsError as error:
        raise UserError(f"--house: {error}") from None


def play(case: Case) -> Story:
    """Plays the case at a table without its expectations; raises CaseError, or UserError for one from flags."""
    entries = [
        (line, entry) for line, entry in zip(case.play_lines, case.play, strict=True) if not isinstance(entry, Expect)
    ]
    if not entries:
        raise CaseError(case.file, case.line, "play", "names no step: what is to be ruled on?")
    steps = tuple([step for _, step in entries])
    try:
        table = Table.begin(case.setup)
    except Illegal as refusal:
        raise _wrong(case, case.line, "seats", refusal.sentence) from None
    outcomes: list[Outcome] = []
    for number, (line, step) in enumerate(entries, start=1):
        now = outcomes[-1].table if outcomes else table
        try:
            check_chips(step, now.state)
        except TooManyChips as error:
            where = line if case.file != COMMAND_LINE else number
            raise _wrong(case, where, error.key, error.sentence, steps=len(steps)) from None
        outcomes.append(now.apply(step))
    return Story(case.setup, steps, table, tuple(outcomes))


def replayed_under(story: Story, house: HouseRules) -> Story | None:
    """The same story under other house rules; None where it makes no hand, or came to its last step otherwise."""
    try:
        begun = Table.begin(replace(story.setup, house=house))
    except Illegal:
        return None
    outcomes: list[Outcome] = []
    for step in story.steps:
        outcomes.append((outcomes[-1].table if outcomes else begun).apply(step))
    again = Story(story.setup, story.steps, begun, tuple(outcomes))
    return again if _before_the_last(again) == _before_the_last(story) else None


def _before_the_last(story: Story) -> tuple[object, ...]:
    """What the players saw of a story before its last step."""
    answer = Answer(story.before)
    keys = ("street", "next", "call", "bets", "stacks", "pot", "pots", "held", "button", "hand_over")
    rulings = [
        None if (ruling := outcome.ruling) is None else (ruling.ruling, ruling.seat, ruling.to, ruling.offers)
        for outcome in story.outcomes[:-1]
    ]
    return (*[answer.value(key) for key in keys], story.before.state.standing, rulings)


def _yaml(flag: str, text: str) -> Any:
    try:
        return load(text).data
    except MarkedError as error:
        raise UserError(f"{flag}: {error.sentence}") from None


def _wrong(case: Case, line: int, key: str, sentence: str, steps: int = 0) -> Exception:
    """The error of a case: with file and line, or with the flag where it came from flags."""
    if case.file != COMMAND_LINE:
        return CaseError(case.file, line, key, sentence)
    if steps:
        return UserError(f"{_step_flag(line, steps)}: {key}: {sentence}")
    return UserError(f"{_flag(key)}: {sentence}")


def _step_flag(number: int, steps: int) -> str:
    return "--act" if number == steps else f"--before {number}"


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"
