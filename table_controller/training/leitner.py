"""What is asked when: Leitner's boxes. Pure; a day is a number, and chance comes in.

A right answer moves a question one box on and a wrong one back to the first; the box says after how many days it comes
again. With right and wrong for grades and some hundred questions a learnt model of memory (SM-2, FSRS) would have
nothing to learn from, and this can be reckoned by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Final, NamedTuple

DAYS: Final = (0, 1, 3, 7, 16, 35)
"""After how many days a question of each box comes again."""
KNOWN_FROM: Final = 3
"""A question counts as known from this box on: right three times in a row, on different days."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a question that was asked before."""

    box: int
    due: int
    """The day from which it is asked again."""
    seen: int = 0
    """How often it was asked, without the times that it came back in the same sitting."""
    right: int = 0
    """How often of these the answer was right."""


class Candidate(NamedTuple):
    """A question that may be asked; of one `moment` a sitting asks one question only: the next would give it away."""

    id: str
    moment: str
    topic: str
    level: int


def after(card: Card | None, day: int, *, right: bool, again: bool = False) -> Card:
    """The card after an answer on a day.

    `again`, in the same sitting after a miss, it is not counted: right, the question waits in its box for the next day.
    """
    card = card or Card(0, day)
    if again:
        return Card(0, day + right, card.seen, card.right)
    box = min(card.box + 1, len(DAYS) - 1) if right else 0
    return Card(box, day + DAYS[box], card.seen + 1, card.right + right)


def chosen(
    pool: Iterable[Candidate], cards: Mapping[str, Card], count: int, day: int, chance: Random
) -> tuple[str, ...]:  # fmt: skip
    """The ids of at most so many questions: those that are due, then new ones of all topics in turn, easy first.

    Where these are not enough, those that come due next.
    """
    candidates = list(pool)
    chance.shuffle(candidates)
    due = [one for one in candidates if one.id in cards and cards[one.id].due <= day]
    later = [one for one in candidates if one.id in cards and cards[one.id].due > day]
    due.sort(key=lambda one: (cards[one.id].box, cards[one.id].due))
    later.sort(key=lambda one: cards[one.id].due)
    fresh = _in_turn([one for one in candidates if one.id not in cards])
    found: dict[str, str] = {}
    for one in (*due, *fresh, *later):
        if len(found) == count:
            break
        found.setdefault(one.moment, one.id)
    ids = list(found.values())
    chance.shuffle(ids)
    return tuple(ids)


def _in_turn(candidates: list[Candidate]) -> list[Candidate]:
    """The topics in turn, level by level."""
    found: list[Candidate] = []
    for level in sorted({one.level for one in candidates}):
        by_topic: defaultdict[str, list[Candidate]] = defaultdict(list)
        for one in candidates:
            if one.level == level:
                by_topic[one.topic].append(one)
        for row in zip_longest(*by_topic.values()):
            found += [one for one in row if one is not None]
    return found
