"""One sitting: which question comes now, what an answer changes, and how it stands. Pure; days and chance come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Final

from table_controller.training import leitner
from table_controller.training.asking import Mode, Question, questions_of
from table_controller.training.deck import Topic, case_named
from table_controller.training.leitner import Card
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


def questions_in(name: str, topic: Topic, mode: Mode, house: House | None, seed: int) -> tuple[Question, ...]:
    """Every question of one case, under the rules of a house or the case's own."""
    return tuple([
        question
        for moment in moments_of(case_named(name), house)
        for question in questions_of(moment, topic.name, topic.asks, mode, seed)
    ])  # fmt: skip


def all_questions(topics: Iterable[Topic], mode: Mode, house: House | None, seed: int) -> dict[str, Question]:
    """Every question of some topics by its id. It takes a second or two."""
    return {
        question.id: question
        for topic in topics
        for name in topic.cases
        for question in questions_in(name, topic, mode, house, seed)
    }


def dealt(
    topics: Iterable[Topic], mode: Mode, house: House | None, cards: Mapping[str, Card], count: int, day: int, seed: int
) -> Sitting:
    """A new sitting: what is due, then what is new, easy topics first, then what comes due next.

    Of one moment one question is asked: the next would give it away. The same seed, day and cards deal the same.
    """
    chance = Random(seed)
    hand = _Hand(tuple(topics), mode, house, seed, count)
    for name in leitner.due(cards, day, chance):
        hand.take_named(name)
    for topic, case in _new_cases(hand.topics, chance):
        if hand.is_full:
            break
        new = [one for one in hand.questions(case, topic) if one.id not in cards]
        hand.take(chance.sample(new, len(new)))
    for name in leitner.later(cards, day):
        hand.take_named(name)
    return begin(chance.sample(hand.found, len(hand.found)), cards, day)


def _new_cases(topics: tuple[Topic, ...], chance: Random) -> Iterator[tuple[Topic, str]]:
    """The cases of all topics in turn, level by level."""
    for level in sorted({topic.level for topic in topics}):
        rows = [[(topic, case) for case in topic.cases] for topic in topics if topic.level == level]
        yield from leitner.in_turn(rows, chance)


class _Hand:
    """The questions that are dealt so far; a case is read when it is asked for."""

    def __init__(self, topics: tuple[Topic, ...], mode: Mode, house: House | None, seed: int, count: int) -> None:
        self.topics = topics
        self.found: list[Question] = []
        self._moments: set[tuple[str, int]] = set()
        self._mode, self._house, self._seed, self._count = mode, house, seed, count
        self._topic_of = {case: topic for topic in topics for case in topic.cases}

    @property
    def is_full(self) -> bool:
        """There are as many as were asked for."""
        return len(self.found) >= self._count

    def questions(self, case: str, topic: Topic) -> tuple[Question, ...]:
        """All that a case can be asked."""
        return questions_in(case, topic, self._mode, self._house, self._seed)

    def take(self, questions: Iterable[Question]) -> None:
        """The first of these whose moment is not asked yet, while there is room."""
        for question in questions:
            moment = question.moment.case, question.moment.number
            if not self.is_full and moment not in self._moments:
                self._moments.add(moment)
                self.found.append(question)
                return

    def take_named(self, name: str) -> None:
        """The question of this id, where it is one of these topics, this mode and this house, and still there."""
        mode, _, case = name.split("/")[:3] if name.count("/") > 3 else ("", "", "")
        topic = self._topic_of.get(case)
        if topic is not None and mode == self._mode and not self.is_full:
            self.take([one for one in self.questions(case, topic) if one.id == name])
