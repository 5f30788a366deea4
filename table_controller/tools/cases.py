"""Running cases: each story is played at a table, and what it expects is compared with what the table says."""

from __future__ import annotations

from collections.abc import Sequence

from betline.cases import STEP, UNSUPPORTED, Case, CaseError, Entry, Expect, Failure, Result, compare
from table_controller.betting import Illegal
from table_controller.rulings import Table
from table_controller.tools.answers import Answer, TooManyChips, check_chips


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
            failures += compare(number, entry, answer.value)
            continue
        try:
            check_chips(entry, answer.table.state)
        except TooManyChips as error:
            raise CaseError(case.file, case.play_lines[number - 1], error.key, error.sentence) from None
        try:
            outcome = answer.table.apply(entry)
        except Exception as fault:  # one story that our program stumbles over must not hide how the others went
            failures.append(Failure(number, STEP, None, f"A fault of the program: {fault!r}."))
            break
        if outcome.error is not None and outcome.error.code == UNSUPPORTED:
            failures.append(Failure(number, UNSUPPORTED, None, outcome.error.sentence))
            break
        if outcome.error is not None and not _refusal_is_told(case.play[number:]):
            failures.append(Failure(number, STEP, None, outcome.error.sentence))
            break
        answer = Answer(outcome.table, outcome)
    return Result(case, tuple(failures))


def _refusal_is_told(rest: Sequence[Entry]) -> bool:
    """Whether the story reckons with a refused step: what follows it is an `expect`, never another step."""
    return bool(rest) and isinstance(rest[0], Expect)
