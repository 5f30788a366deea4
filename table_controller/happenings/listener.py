"""Hears the table on its bus, and hands on what has happened and how the table stands now.

A thread of the bus puts what it brings into a queue; the thread of `run` takes it out, so a slow listener holds up
nobody. The queue is bounded: more than it holds is dropped, counted and logged.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Collection
from typing import Final

from betline.bus import Bus, Received
from betline.topics import TopicKind
from table_controller.happenings.telling import Happening, Telling

LOOK_S: Final = 0.5
MOST_WAITING: Final = 1000

log = logging.getLogger(__name__)


class Listener:
    """The table on a bus, told to `tell` after each message."""

    def __init__(
        self,
        bus: Bus,
        kinds: Collection[TopicKind],
        tell: Callable[[Telling, tuple[Happening, ...]], None],
        serves: Callable[[], None] = lambda: None,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """`kinds` are the topics that it hears; `serves` is called while it works, for a watchdog."""
        self._bus, self._kinds, self._tell, self._serves = bus, kinds, tell, serves
        self._inbox: queue.Queue[Received] = queue.Queue(most_waiting)
        self._most_waiting = most_waiting
        self._telling = Telling()
        self._stopping = threading.Event()
        self.dropped = 0

    def start(self) -> None:
        """Begins to listen."""
        for kind in self._kinds:
            self._bus.subscribe(kind, self._on_message)

    def run(self) -> None:
        """Works until `stop`."""
        while not self._stopping.is_set():
            self.pump(LOOK_S)
            self._serves()

    def pump(self, timeout_s: float) -> None:
        """Takes one message, waiting so long for it at most."""
        try:
            received = self._inbox.get(timeout=timeout_s)
        except queue.Empty:
            return
        self._telling, happened = self._telling.heard(received.topic, received.body)
        self._tell(self._telling, happened)

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()

    def _on_message(self, received: Received) -> None:
        try:
            self._inbox.put_nowait(received)
        except queue.Full:
            self.dropped += 1
            if self.dropped % self._most_waiting == 1:
                log.warning(
                    "The table is told too slowly: so far %d of its messages were dropped, since %d wait already.",
                    self.dropped,
                    self._most_waiting,
                )
