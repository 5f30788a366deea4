"""The staff: who signs in at the console."""

from __future__ import annotations

import re
from typing import get_args

from betline.settings import Role
from betline.setup.question import AnswerError, Answers, Found, Question

NOBODY = "nobody"


def questions(_answers: Answers, _found: Found) -> tuple[Question, ...]:
    """Names and roles; their PINs are typed in elsewhere, and kept in no answer."""
    return (
        Question(
            "people.staff",
            "Who signs in at the console?",
            "Name and role, with commas between: Ann floor, Bob dealer. With nobody enrolled everybody may do "
            "everything, which is usual at home.",
            usual=NOBODY,
            check=_staff,
        ),
    )


def staff(answers: Answers) -> tuple[tuple[str, str], ...]:
    """Names and roles."""
    text = answers["people.staff"]
    return () if text == NOBODY else tuple((n, r) for n, _, r in (one.rpartition(" ") for one in text.split(", ")))


def _staff(text: str) -> str:
    if text == NOBODY:
        return text
    roles = get_args(Role)
    people = []
    for one in text.split(","):
        found = re.fullmatch(r"\s*([^\"\\]*[^\"\\\s])\s+([a-z]+)\s*", one)
        if found is None or found[2] not in roles:
            raise AnswerError(f"people.staff: {one.strip()!r} is not a name and a role; roles are {', '.join(roles)}.")
        people.append(f"{' '.join(found[1].split())} {found[2]}")
    return ", ".join(people)
