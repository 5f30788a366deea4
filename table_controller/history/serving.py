"""The program beside the controller: it publishes how far the journal is, and answers who asks for entries.

It only reads, in a process of its own: whatever a site asks and however slowly it listens, the controller is not
touched. Questions wait in a short queue; one that finds it full is dropped, and asked again by who asked.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from betline.bus.port import Bus, Received
from betline.messages.common import Body
from betline.messages.history import HistoryAsk, HistoryErase, HistoryErased, HistoryHead
from betline.topics import (
    HISTORY_ASK,
    HISTORY_ENTRIES,
    HISTORY_ERASE,
    HISTORY_ERASED,
    HISTORY_HEAD,
    HISTORY_JOURNALS,
    HISTORY_NAMES,
    TopicKind,
    topic,
)
from table_controller.history.answers import Answering, erase
from table_controller.history.shelf import Shelf
from table_controller.journal.errors import JournalError

_log = logging.getLogger(__name__)

LOOK_S: Final = 0.05
"""How often it is looked whether the journal has grown."""
TELL_S: Final = 0.2
"""How far the journal is is told at most this often."""
WAITING: Final = 64
_ON: Final[dict[str, TopicKind]] = {
    "journals": HISTORY_JOURNALS, "entries": HISTORY_ENTRIES, "names": HISTORY_NAMES,
}  # fmt: skip


class HistoryServer:
    """Answers on the bus of one table."""

    def __init__(
        self,
        bus: Bus,
        shelf: Shelf,
        *,
        may_erase: bool,
        key: Path | None = None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bus, self._shelf, self._may_erase, self._now_s = bus, shelf, may_erase, now_s
        self._key, self._answering = key, Answering(shelf)
        self._waiting: queue.Queue[tuple[str, Body]] = queue.Queue(WAITING)
        self._version: int | None = None
        self._told: HistoryHead | None = None
        self._told_s = -TELL_S
        self._said = ""
        self.answered = 0
        self.dropped = 0

    def start(self) -> None:
        """Begins to hear questions."""
        self._bus.subscribe(HISTORY_ASK, self._heard)
        self._bus.subscribe(HISTORY_ERASE, self._heard)

    def pump(self) -> None:
        """Answers one question, or waits a moment for one; and tells how far the journal is where it has grown."""
        try:
            who, asked = self._waiting.get(timeout=LOOK_S)
        except queue.Empty:
            self._look()
            return
        self._look()
        if isinstance(asked, HistoryAsk):
            self._bus.publish(topic(_ON[asked.want], who), self._answering.answer(asked))
        elif isinstance(asked, HistoryErase):
            self._bus.publish(topic(HISTORY_ERASED, who), self._erased(asked))
        self.answered += 1

    def _erased(self, wish: HistoryErase) -> HistoryErased:
        if self._may_erase:
            return erase(self._shelf, wish, self._key)
        said = (
            "This table lets no site erase: do it there, betline journal erase, or start its history with --may-erase."
        )
        return HistoryErased(ask=wish.id, ok=False, sentence=said)

    def _heard(self, received: Received) -> None:
        try:
            self._waiting.put_nowait((received.topic.path.rpartition("/")[2], received.body))
        except queue.Full:
            self.dropped += 1

    def _look(self) -> None:
        """Tells how far the journal is, where it has grown and was not told just now."""
        now_s = self._now_s()
        if now_s - self._told_s < TELL_S:
            return
        try:
            live = self._shelf.live()
            version = live.version
            if version == self._version and self._told is not None and self._told.end.journal == live.id:
                return
            head = HistoryHead(end=live.end(live=True))
        except JournalError as error:
            if str(error) != self._said:
                self._said = str(error)
                _log.warning("%s It is looked at again.", error)
            return
        self._version, self._said = version, ""
        if head != self._told:
            self._told, self._told_s = head, now_s
            self._bus.publish(topic(HISTORY_HEAD), head)
