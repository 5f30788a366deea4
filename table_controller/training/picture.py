"""Pictures of the training for the documents: ``python -m table_controller.training.picture docs/train``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from betline.options import DONE, WRONG_USAGE
from betline.screenshot import as_document
from table_controller.training import deck, sitting
from table_controller.training.asking import Question
from table_controller.training.leitner import Card
from table_controller.training.screen.app import TrainApp

TITLE = "betline train"
QUESTIONS = (
    "dealer/tda/overchip-facing-bet-call/2/what",
    "dealer/tda/own-second-rulings-mc-450/2/amount",
    "dealer/tda/side-three-levels/7/who2",
)
"""What is asked on the pictures."""
TOPICS = ("oversized-chip", "several-chips", "side-pots")


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: how large the terminal is, and which keys are pressed before it is taken."""

    what: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()


SHOTS: dict[str, Shot] = {
    "question": Shot("a question on a terminal of 80x24", (80, 24)),
    "question-wide": Shot("a question on a terminal of 120x40", (120, 40)),
    "answer": Shot("the explanation after a wrong answer", (120, 40), ("wrong",)),
    "amount": Shot("an amount that is typed", (80, 24), ("right", "enter", "6", "0")),
    "end": Shot("the end of a sitting", (80, 24), ("right", "enter", "right", "enter", "right", "enter")),
    "help": Shot("the help", (80, 24), ("f1",)),
}
"""Every picture by the name of its file."""


def sample(names: tuple[str, ...] = QUESTIONS) -> TrainApp:
    """The training of a dealer who begins, with the questions of the pictures."""
    topics = deck.chosen(TOPICS)
    found = _questions()

    def deal(cards: Mapping[str, Card]) -> sitting.Sitting:
        return sitting.begin([found[name] for name in names], cards, 739_000)

    return TrainApp(deal, {}, lambda _: None, {topic.name: topic.title for topic in topics}, "dealer")


@cache
def _questions() -> dict[str, Question]:
    return sitting.all_questions(deck.chosen(TOPICS), "dealer", None, 1)


def keys_for(app: TrainApp, key: str) -> tuple[str, ...]:
    """The keys of a right or a wrong answer to what the application asks now; any other key is itself."""
    question = app.shown.question
    if key not in ("right", "wrong") or question is None:
        return (key,)
    if not question.choices:
        return (*(question.right if key == "right" else "1"), "enter")
    places = [
        str(place)
        for place, choice in enumerate(question.choices, 1)
        if (choice.meaning == question.right) == (key == "right")
    ]
    return (places[0],)


async def picture(shot: Shot) -> str:
    """The screen after the keys of a shot, as SVG."""
    app = sample()
    async with app.run_test(size=shot.size) as pilot:
        await pilot.pause()
        for wanted in shot.keys:
            for key in keys_for(app, wanted):
                await pilot.press(key)
            await pilot.pause()
        return as_document(app.export_screenshot(title=TITLE))


def main(arguments: list[str]) -> int:
    """Writes every picture into the folder that is named."""
    if len(arguments) != 1:
        print("Usage: python -m table_controller.training.picture FOLDER", file=sys.stderr)
        return WRONG_USAGE
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, shot in SHOTS.items():
        (folder / f"{name}.svg").write_text(asyncio.run(picture(shot)), encoding="utf-8")
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
