"""The chips: a shipped set, or one of the house's own."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from betline.settings import ChipSet, load_chip_set, shipped
from betline.settings.load import parse
from betline.setup.question import AnswerError, Answers, Choice, Found, Question

OWN = "own"
_COLOURS = {
    "white": "#e8e4da", "red": "#b5282c", "blue": "#2a4fa3", "green": "#2c7a3f", "black": "#222222",
    "purple": "#6a3a8c", "yellow": "#d9b32c", "orange": "#d9772c", "pink": "#d88aa5", "grey": "#808488",
    "brown": "#6b4428",
}  # fmt: skip
_EDGE = {True: "#222222", False: "#e8e4da"}


def questions(answers: Answers, _found: Found) -> tuple[Question, ...]:
    """The chip set; for a set of the house's own its chips too."""
    sets = tuple(Choice(name, name.replace("-", " ").capitalize(), _worth(name)) for name in shipped("chip_sets"))
    own = Choice(OWN, "Our own chips", "Say their colours and what each is worth.")
    found = (
        Question(
            "chips.set",
            "Which chips do you play with?",
            "What a chip is worth; which tag is which chip is learnt afterwards, a stack at a time.",
            (*sets, own),
            "home",
        ),
    )
    if answers.get("chips.set") != OWN:
        return found
    return (
        *found,
        Question(
            "chips.values",
            "What is each chip worth?",
            f"Worth and colour, lowest first. Colours: {', '.join(_COLOURS)}.",
            usual="1 white, 5 red, 25 green, 100 black",
            must=True,
            check=_values,
        ),
    )


@cache
def _worth(name: str) -> str:
    return ", ".join(f"{chip.key.replace('-', ' ')}" for chip in load_chip_set(name).chips)


def own_chips(answers: Answers) -> tuple[tuple[int, str], ...]:
    """Worth and colour of each own chip, lowest first."""
    return tuple((int(one.split()[0]), one.split()[1]) for one in answers["chips.values"].split(", "))


def chip_set(answers: Answers) -> ChipSet:
    """The chip set that was answered."""
    if answers["chips.set"] == OWN:
        return parse(ChipSet, tomllib.loads(chip_set_text(answers)), "chips.values")
    return load_chip_set(answers["chips.set"])


def chip_set_text(answers: Answers) -> str:
    """The chip-set file of the house's own chips."""
    lines = [
        "# The house's own chips: what each type is worth tonight, and how it looks to the camera.",
        "# Teach the tags: betline chips enrol --help. Correct the colours with a photograph: betline vision chips.",
        "",
        'name = "house"',
        "diameter_mm = 39.0",
        "thickness_mm = 3.3",
    ]
    for value, colour in own_chips(answers):
        face = _COLOURS[colour]
        edge = _EDGE[colour in ("white", "yellow", "pink")]
        lines += [
            "", "[[chips]]", f'key = "{colour}-{value}"', f"value = {value}",
            f'colour = "{face}"', f'edge_colour = "{edge}"',
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _values(text: str) -> str:
    chips = []
    for one in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,9})\s+([a-z]+)\s*", one.lower())
        if found is None or found[2] not in _COLOURS or int(found[1]) == 0:
            raise AnswerError(
                f"chips.values: {one.strip()!r} is no chip; write worth and colour as 5 red. "
                f"Colours are {', '.join(_COLOURS)}."
            )
        chips.append((int(found[1]), found[2]))
    worths = [value for value, _ in chips]
    if worths != sorted(set(worths)):
        raise AnswerError("chips.values must rise from the first chip to the last, each worth once.")
    return ", ".join(f"{value} {colour}" for value, colour in chips)
