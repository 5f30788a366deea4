"""The game: structure, variant, blinds."""

from __future__ import annotations

import math
import re

from betline.settings import ChipSet
from betline.setup.question import AnswerError, Answers, Choice, Found, Question
from betline.setup.sections import chips

_STREETS = (
    Choice("holdem", "Texas hold'em"),
    Choice("omaha", "Omaha"),
)
_LIMITS = (
    Choice("no-limit", "No-limit", "A bet may be as large as the stack."),
    Choice("pot-limit", "Pot-limit", "A bet may be as large as the pot; Betline counts it."),
)


def questions(answers: Answers, _found: Found) -> tuple[Question, ...]:
    """Variant, structure, blinds. Other games stand in the table file: docs/levels.md."""
    omaha = answers.get("game.streets") == "omaha"
    return (
        Question("game.streets", "What is played first?", "Other games can be added to the table file later.",
                 _STREETS, "holdem"),
        Question("game.limit", "How much may be bet?", "The betting structure.", _LIMITS,
                 "pot-limit" if omaha else "no-limit"),
        Question("game.blinds", "How large are the blinds?",
                 "Small and big blind in chips' worth, the big blind is the least bet.", usual=_usual(answers),
                 check=lambda text: _blinds(answers, text)),
    )  # fmt: skip


def blinds(answers: Answers) -> tuple[int, int]:
    """Small and big blind."""
    small, _, big = answers["game.blinds"].partition("/")
    return int(small), int(big)


def _usual(answers: Answers) -> str:
    """The lowest chip and twice as much."""
    chip_set = _chip_set(answers)
    least = 1 if chip_set is None else chip_set.chips[0].value
    return f"{least}/{2 * least}"


def _chip_set(answers: Answers) -> ChipSet | None:
    known = "chips.set" in answers and (answers["chips.set"] != chips.OWN or "chips.values" in answers)
    return chips.chip_set(answers) if known else None


def _blinds(answers: Answers, text: str) -> str:
    found = re.fullmatch(r"(\d{1,7})\s*/\s*(\d{1,7})", text)
    if found is None or not 0 < int(found[1]) <= int(found[2]):
        raise AnswerError(f"game.blinds cannot be {text!r}; write the small and the big blind as 1/2.")
    small, big = int(found[1]), int(found[2])
    chip_set = _chip_set(answers)
    if chip_set is not None:
        least = math.gcd(*(chip.value for chip in chip_set.chips))
        if small % least or big % least:
            raise AnswerError(f"game.blinds: {text} cannot be put out in chips of {least} and more; take multiples.")
    return f"{small}/{big}"
