"""A question, and what is said after it, as lines: the screen draws them, `--text` prints them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from table_controller.training import felt
from table_controller.training.asking import Question
from table_controller.training.explaining import Explanation
from table_controller.training.sitting import Asked, Sitting

Look = Literal["text", "bold", "dim", "good", "bad", "accent"]


class Said(NamedTuple):
    """One line before it is wrapped; `head` stands before it, and what is wrapped stands under its text."""

    text: str
    look: Look = "text"
    head: str = ""


RIGHT_MARK, WRONG_MARK = "✓", "✖"
_NOT_UNDERSTOOD: Final = "Type the number of an answer."
_NO_AMOUNT: Final = "Type an amount in digits."


def asked(question: Question, *, seats: bool = False) -> Iterator[Said]:
    """The scene and the question; with `seats` the table in words too."""
    yield Said(" ".join(question.scene))
    if seats:
        yield from [Said(line, "dim") for line in felt.in_words(question.table)]
    yield Said("")
    yield Said(question.asks, "bold")


def choices(question: Question, given: str | None = None) -> Iterator[Said]:
    """The choices; once an answer was `given` the right one and a wrong one are marked."""
    for place, choice in enumerate(question.choices, start=1):
        if given is None:
            yield Said(choice.text, head=f"{place}  ")
        elif choice.meaning == question.right:
            yield Said(choice.text, "good", f"{RIGHT_MARK}  ")
        elif choice.meaning == given:
            yield Said(choice.text, "bad", f"{WRONG_MARK}  ")
        else:
            yield Said(choice.text, "dim", "   ")


def verdict(question: Question, given: str) -> Said:
    """Whether the answer was right, and what is."""
    if given == question.right:
        return Said(f"Right: {_inside(question.right_text)}.", "good", f"{RIGHT_MARK} ")
    said = f" Not {int(given):,}." if not question.choices and given.isdigit() else ""
    return Said(f"Wrong. The answer: {_inside(question.right_text)}.{said}", "bad", f"{WRONG_MARK} ")


def explanation(told: Explanation) -> Iterator[Said]:
    """Why, the arithmetic, the rules, the floor, other houses."""
    if told.why:
        yield Said(told.why)
    yield from [Said(line, head="· ") for line in told.arithmetic]
    if told.rules:
        yield Said("Rules", "accent")
        yield from [Said(text, head=f"{number:<7}") for number, text in told.rules]
    if told.floor:
        yield Said("The floor", "accent")
        yield Said(told.floor)
    if told.elsewhere:
        yield Said("In a house with another option", "accent")
        yield from [Said(line, head="· ") for line in told.elsewhere]


def complaint(question: Question) -> str:
    """What is said where an answer is none."""
    return _NOT_UNDERSTOOD if question.choices else _NO_AMOUNT


def place(sitting: Sitting, now: Asked) -> str:
    """Which question it is."""
    return "once more" if now.again else f"{sitting.asked + 1} of {sitting.of}"


def standing(sitting: Sitting) -> str:
    """How it stands, short."""
    streak = f" · {sitting.streak} in a row" if sitting.streak > 1 else ""
    return f"{sitting.right} right, {sitting.missed} missed{streak}"


def summary(sitting: Sitting) -> Iterator[Said]:
    """What is said at the end."""
    if not sitting.asked:
        yield Said("Nothing was answered.")
        return
    yield Said(f"{sitting.right} of {sitting.asked} right at the first try; {sitting.best} in a row at best.", "bold")
    if sitting.missed:
        yield Said("What was missed comes first next time.")
    else:
        yield Said("Nothing was missed. Each of these comes again, later and later.")


def _inside(text: str) -> str:
    """An answer in the middle of a sentence."""
    text = text.rstrip(".")
    return text if text.startswith(('"', "Seat", "You", "Yes", "No")) else f"{text[:1].lower()}{text[1:]}"
