"""How far somebody is: by topic how many questions there are, were asked, are known, and are due. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from table_controller.training.asking import Question
from table_controller.training.deck import Topic
from table_controller.training.leitner import KNOWN_FROM, Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Of one topic."""

    topic: str
    title: str
    questions: int
    met: int
    """Asked at least once."""
    known: int
    due: int
    answers: int
    right: int


def progress(
    topics: Iterable[Topic], questions: Mapping[str, Question], cards: Mapping[str, Card], day: int
) -> tuple[Progress, ...]:
    """How each topic stands on a day."""
    found = []
    for topic in topics:
        ids = [name for name, question in questions.items() if question.topic == topic.name]
        met = [cards[name] for name in ids if name in cards]
        found.append(
            Progress(
                topic=topic.name, title=topic.title, questions=len(ids), met=len(met),
                known=sum(card.box >= KNOWN_FROM for card in met), due=sum(card.due <= day for card in met),
                answers=sum(card.seen for card in met), right=sum(card.right for card in met),
            )
        )  # fmt: skip
    return tuple(found)


def as_table(rows: Iterable[Progress]) -> str:
    """The lines for people."""
    width = max([len(row.title) for row in rows], default=0)
    lines = [f"{'':<{width}}  questions   met  known   due  right"]
    for row in rows:
        share = f"{100 * row.right // row.answers:>4} %" if row.answers else "     -"
        lines.append(f"{row.title:<{width}}  {row.questions:>9} {row.met:>5} {row.known:>6} {row.due:>5} {share}")
    return "\n".join(lines)
