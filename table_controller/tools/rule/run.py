"""`betline rule` as a function: a case in, its page or its JSON out, the exit status back."""

from __future__ import annotations

import json as json_format
import sys
from typing import Any, TextIO

from betline.cases import Case, plain
from betline.options import DONE
from table_controller.tools.answers import Answer
from table_controller.tools.rule.options import OtherRuling, other_rulings
from table_controller.tools.rule.page import explained
from table_controller.tools.rule.story import Story, play


def run_rule(
    case: Case, *, json: bool = False, why: bool = False, out: TextIO | None = None, err: TextIO | None = None
) -> int:
    """Rules on the last step of a case and prints it; raises CaseError or UserError for a case that is wrong."""
    out, err = out or sys.stdout, err or sys.stderr
    story = play(case)
    if not json:
        print(explained(story, other_rulings(story)), file=out)
        return DONE
    for refused in story.refused:
        print(f"betline: step {refused.number} was refused, the story goes on: {refused.sentence}", file=err)
    found = story.answer.as_json()
    if why:
        found["why"] = _why(story)
    print(json_format.dumps(found), file=out)
    return DONE


def _why(story: Story) -> dict[str, Any]:
    """How the ruling came about: its rule and arithmetic, that of held acts, the options that decided."""
    ruling, error = story.outcome.ruling, story.outcome.error
    steps = [
        *(ruling.reckoning if ruling else story.outcome.reckoning),
        *[s for held in story.outcome.settled for s in held.reckoning],
    ]
    return {
        "rule": ruling.rule if ruling else "",
        "sentence": ruling.sentence if ruling else error.sentence if error else "",
        "reckoning": [{**step._asdict(), "amounts": dict(step.amounts)} for step in steps],
        "options": [_option(other) for other in other_rulings(story)],
    }


def _option(other: OtherRuling) -> dict[str, Any]:
    return {
        "option": other.option,
        "rule": other.rule,
        "value": plain(other.value),
        "other": plain(other.other),
        "would": Answer(other.outcome.table, other.outcome).as_json(),
    }
