"""Reads the last hands back from the journal for whoever asks, on a thread of its own: no ruling waits for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.messages.recall import Recalled, RecalledHand
from table_controller.accounts.recall import recall
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader

WAITING: Final = 4
"""Wishes that may wait; more are refused."""


@dataclass(frozen=True, slots=True)
class _Wish:
    command_id: str
    hands: int


class Recalling:
    """The hands of one journal; ``publish`` is called on its thread, and safe there."""

    def __init__(self, journal: Path, publish: Callable[[Recalled], None]) -> None:
        self._journal = journal
        self._publish = publish
        self._wishes: queue.Queue[_Wish] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None

    def ask(self, command_id: str, hands: int) -> None:
        """Publishes so many of the last hands soon, or why that cannot be done."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="recall", daemon=True)
            self._thread.start()
        try:
            self._wishes.put_nowait(_Wish(command_id, hands))
        except queue.Full:
            self._publish(_none(command_id, "The journal is being read for somebody else: ask again in a moment."))

    def _run(self) -> None:
        while True:
            wish = self._wishes.get()
            for message in self._answers(wish):
                self._publish(message)

    def _answers(self, wish: _Wish) -> list[Recalled]:
        try:
            with JournalReader(self._journal) as reader:
                found, names = recall(reader, wish.hands), reader.names()
            hands = [RecalledHand.model_validate(hand.as_json(names)) for hand in found]
        except (JournalError, ValueError) as error:
            return [_none(wish.command_id, f"The hands cannot be read: {error} Look at it: betline journal verify.")]
        if not hands:
            return [_none(wish.command_id, "")]
        return [
            Recalled(command_id=wish.command_id, number=number, of=len(hands), hand=hand)
            for number, hand in enumerate(hands, 1)
        ]


def _none(command_id: str, problem: str) -> Recalled:
    return Recalled(command_id=command_id, number=0, of=0, hand=None, problem=problem)
