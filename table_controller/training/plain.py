"""The training as lines, for a screen reader, a pipe or a program: `--text` and `--json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final, Protocol

from table_controller.training import felt, wording
from table_controller.training.asking import Question
from table_controller.training.explaining import Explanation, explained
from table_controller.training.leitner import Card
from table_controller.training.sitting import Asked, Sitting, answered
from table_controller.training.wording import Said

HELP: Final = (
    "Type the number of an answer, or the amount that is asked for, and press Enter.",
    "? says this, q ends the sitting; what was answered is kept.",
)
LEAVE: Final = ("q", "quit")


class Teller(Protocol):
    """What becomes of a sitting on standard output."""

    def ask(self, sitting: Sitting, now: Asked) -> Iterator[str]:
        """The lines of a question."""
        ...

    def complain(self, question: Question) -> Iterator[str]:
        """The lines after something that is no answer."""
        ...

    def help(self) -> Iterator[str]:
        """The lines of the help."""
        ...

    def tell(self, sitting: Sitting, question: Question, given: str, why: Explanation) -> Iterator[str]:
        """The lines after an answer."""
        ...

    def end(self, sitting: Sitting) -> Iterator[str]:
        """The lines at the end."""
        ...


def run(
    sitting: Sitting,
    lines: Iterable[str],
    write: Callable[[str], None],
    keep: Callable[[Mapping[str, Card]], None],
    teller: Teller,
) -> Sitting:
    """Asks until nothing is left, the input ends or somebody leaves; `keep` is given the cards after each answer."""
    typed = iter(lines)
    while (now := sitting.now) is not None:
        _write(write, teller.ask(sitting, now))
        given = _given(now.question, typed, write, teller)
        if given is None:
            break
        sitting = answered(sitting, right=given == now.question.right)
        keep(sitting.cards)
        _write(write, teller.tell(sitting, now.question, given, explained(now.question)))
    _write(write, teller.end(sitting))
    return sitting


def _given(question: Question, typed: Iterator[str], write: Callable[[str], None], teller: Teller) -> str | None:
    """What the next line that is an answer means; None where the input ends or somebody leaves."""
    for line in typed:
        word = line.strip().casefold()
        if word in LEAVE:
            return None
        if word in ("?", "help"):
            _write(write, teller.help())
            continue
        meant = question.meant(line)
        if meant is not None:
            return meant
        _write(write, teller.complain(question))
    return None


def _write(write: Callable[[str], None], lines: Iterable[str]) -> None:
    for line in lines:
        write(line)


class InWords:
    """Lines for people, one thought a line: nothing is drawn."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        """Of the topics, by name."""

    def ask(self, sitting: Sitting, now: Asked) -> Iterator[str]:
        """The place in the sitting, the scene, the table in words, the question and its choices."""
        where = wording.place(sitting, now)
        yield f"Question {where}. {self._titles[now.question.topic]}."
        yield from _plainly(wording.asked(now.question, seats=True))
        yield from _plainly(wording.choices(now.question))

    def complain(self, question: Question) -> Iterator[str]:
        """What would be an answer."""
        yield wording.complaint(question)

    def help(self) -> Iterator[str]:
        """What can be typed."""
        yield from HELP

    def tell(self, sitting: Sitting, question: Question, given: str, why: Explanation) -> Iterator[str]:
        """Right or wrong, why, and how it stands."""
        yield ""
        yield wording.verdict(question, given).text
        yield from _plainly(wording.explanation(why))
        yield f"So far: {wording.standing(sitting)}."
        yield ""

    def end(self, sitting: Sitting) -> Iterator[str]:
        """The score."""
        yield from _plainly(wording.summary(sitting))


class InJson:
    """Objects, one a line: a question, an answer, at the end the score."""

    def ask(self, sitting: Sitting, now: Asked) -> Iterator[str]:
        """The question without its answer."""
        question = now.question
        yield _object("question", {
            "id": question.id, "number": sitting.asked + (not now.again), "of": sitting.of, "again": now.again > 0,
            "mode": question.mode, "topic": question.topic, "kind": question.kind, "scene": list(question.scene),
            "table": list(felt.in_words(question.table)), "asks": question.asks,
            "choices": [choice.text for choice in question.choices] or None,
        })  # fmt: skip

    def complain(self, question: Question) -> Iterator[str]:
        """What would be an answer."""
        yield _object("error", wording.complaint(question))

    def help(self) -> Iterator[str]:
        """What can be typed."""
        yield _object("help", list(HELP))

    def tell(self, sitting: Sitting, question: Question, given: str, why: Explanation) -> Iterator[str]:
        """Whether it was right, the right answer and the explanation."""
        told = asdict(why)
        told["rules"] = dict(why.rules)
        chosen = next((one.text for one in question.choices if one.meaning == given), given)
        yield _object("answer", {
            "id": question.id, "right": given == question.right, "given": chosen, "is": question.right_text,
            "explanation": told, "asked": sitting.asked, "right_so_far": sitting.right,
        })  # fmt: skip

    def end(self, sitting: Sitting) -> Iterator[str]:
        """The score."""
        yield _object("score", {
            "asked": sitting.asked, "right": sitting.right, "of": sitting.of, "best_streak": sitting.best,
        })  # fmt: skip


def _object(name: str, value: Any) -> str:
    return json.dumps({name: value})


def _plainly(lines: Iterable[Said]) -> Iterator[str]:
    for line in lines:
        head = line.head if line.head.strip() != "·" else ""
        yield f"{head}{line.text}"
