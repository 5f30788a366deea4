"""What is asked when: Leitner's boxes. Pure; a day is a number, and chance comes in.

A right answer moves a question one box on and a wrong one back to the first; the box says after how many days it comes
again. With right and wrong for grades and some hundred questions a learnt model of memory (SM-2, FSRS) would have
nothing to learn from, and this can be reckoned by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Any, Final

DAYS: Final = (0, 1, 3, 7, 16, 35)
"""After how many days a question of each box comes again."""
_NONE: Final = object()
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


def after(card: Card | None, day: int, *, right: bool, again: bool = False) -> Card:
    """The card after an answer on a day.

    `again`, in the same sitting after a miss, it is not counted: right, the question waits in its box for the next day.
    """
    card = card or Card(0, day)
    if again:
        return Card(0, day + right, card.seen, card.right)
    box = min(card.box + 1, len(DAYS) - 1) if right else 0
    return Card(box, day + DAYS[box], card.seen + 1, card.right + right)


def due(cards: Mapping[str, Card], day: int, chance: Random) -> list[str]:
    """The questions that are asked again from this day on: what was missed first, then what has waited longest."""
    ids = sorted([name for name, card in cards.items() if card.due <= day])
    chance.shuffle(ids)
    return sorted(ids, key=lambda name: (cards[name].box, cards[name].due))


def later(cards: Mapping[str, Card], day: int) -> list[str]:
    """The questions that come due after this day, the next ones first."""
    return sorted([name for name, card in cards.items() if card.due > day], key=lambda name: (cards[name].due, name))


def in_turn(rows: Iterable[Sequence[Any]], chance: Random) -> Iterator[Any]:
    """One of each row in turn, in an order by chance within it."""
    mixed = [chance.sample(row, len(row)) for row in rows]
    for turn in zip_longest(*mixed, fillvalue=_NONE):
        yield from [one for one in turn if one is not _NONE]
