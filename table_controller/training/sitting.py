"""One sitting: which question comes now, what an answer changes, and how it stands. Pure; days and chance come in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Final

from table_controller.training import leitner
from table_controller.training.asking import Mode, Question, questions_of
from table_controller.training.deck import Topic, cases_of
from table_controller.training.leitner import Candidate, Card
from table_controller.training.moments import House, moments_of

BACK_AFTER: Final = 3
"""So many other questions come before a missed one is asked again."""
AT_MOST_AGAIN: Final = 2
"""How often it comes back in one sitting."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the row, and how often it has come back."""

    question: Question
    again: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """How a sitting stands."""

    row: tuple[Asked, ...]
    """What is still asked; the first is asked now."""
    day: int
    cards: Mapping[str, Card] = field(default_factory=lambda: MappingProxyType({}))
    asked: int = 0
    """Questions answered, without those that came back."""
    right: int = 0
    streak: int = 0
    best: int = 0
    of: int = 0
    """How many there are in all, without those that come back."""

    @property
    def now(self) -> Asked | None:
        """What is asked now; None at the end."""
        return self.row[0] if self.row else None

    @property
    def missed(self) -> int:
        """Questions that were answered wrong the first time."""
        return self.asked - self.right


def begin(questions: Iterable[Question], cards: Mapping[str, Card], day: int) -> Sitting:
    """A sitting with these questions in their order."""
    row = tuple([Asked(question) for question in questions])
    return Sitting(row=row, day=day, cards=MappingProxyType(dict(cards)), of=len(row))


def answered(sitting: Sitting, *, right: bool) -> Sitting:
    """The sitting after an answer to what was asked: a miss comes back a little later."""
    first, *rest = sitting.row
    card = leitner.after(sitting.cards.get(first.question.id), sitting.day, right=right, again=first.again > 0)
    if not right and first.again < AT_MOST_AGAIN:
        rest.insert(min(BACK_AFTER, len(rest)), Asked(first.question, first.again + 1))
    streak = sitting.streak + 1 if right else 0
    counted = first.again == 0
    return replace(
        sitting, row=tuple(rest), cards=MappingProxyType({**sitting.cards, first.question.id: card}),
        asked=sitting.asked + counted, right=sitting.right + (counted and right), streak=streak,
        best=max(sitting.best, streak),
    )  # fmt: skip


def all_questions(topics: Iterable[Topic], mode: Mode, house: House | None, seed: int) -> dict[str, Question]:
    """Every question of some topics by its id, under the rules of a house or each under its case's own."""
    kept = tuple(topics)
    cases = cases_of(kept)
    return {
        question.id: question
        for topic in kept
        for name in topic.cases
        for moment in moments_of(cases[name], house)
        for question in questions_of(moment, topic.name, topic.asks, mode, seed)
    }


def dealt(
    topics: Iterable[Topic], mode: Mode, house: House | None, cards: Mapping[str, Card], count: int, day: int, seed: int
) -> Sitting:
    """A new sitting: what is due, then what is new. The same seed, day and cards deal the same."""
    kept = tuple(topics)
    levels = {topic.name: topic.level for topic in kept}
    questions = all_questions(kept, mode, house, seed)
    pool = [
        Candidate(one.id, f"{one.moment.case}/{one.moment.number}", one.topic, levels[one.topic])
        for one in questions.values()
    ]
    ids = leitner.chosen(pool, cards, count, day, Random(seed))
    return begin([questions[name] for name in ids], cards, day)
