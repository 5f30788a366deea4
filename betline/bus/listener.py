"""From the bus's thread to a program's own: what the bus brings waits in a bounded queue until the program takes it.

A program that is slow holds up nobody, and what it cannot take any more is dropped, counted and logged.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Collection
from typing import Final

from betline.bus.port import Bus, Received
from betline.topics import TopicKind

LOOK_S: Final = 0.2
MOST_WAITING: Final = 1000
SILENT_S: Final = 15.0
"""The state and the views of a table are retained: one that plays is heard long before."""

log = logging.getLogger(__name__)


class Listener:
    """A client of the bus that takes one message after the other."""

    def __init__(
        self,
        bus: Bus,
        kinds: Collection[TopicKind],
        take: Callable[[Received], None],
        serves: Callable[[], None] = lambda: None,
        most_waiting: int = MOST_WAITING,
        silent_s: float = SILENT_S,
    ) -> None:
        """`take` gets each message of these kinds; `serves` is called after each turn of `run`.

        Where nothing comes within `silent_s`, that is said once.
        """
        self._bus, self._kinds, self._take, self._serves = bus, kinds, take, serves
        self._most_waiting, self._silent_s = most_waiting, silent_s
        self._settled = False
        """Whether something was heard, or it was said that nothing was."""
        self._waiting: queue.Queue[Received] = queue.Queue(most_waiting)
        self._stopping = threading.Event()
        self.dropped = 0

    def start(self) -> None:
        """Begins to listen."""
        for kind in self._kinds:
            self._bus.subscribe(kind, self._on_message)

    def run(self) -> None:
        """Works until `stop` is called from another thread or a signal handler."""
        silent_until_s = time.monotonic() + self._silent_s
        while not self._stopping.is_set():
            self.pump(LOOK_S)
            self._serves()
            if not self._settled and time.monotonic() >= silent_until_s:
                self._settled = True
                log.warning(
                    "Nothing was heard of the table in %g s: is its controller running, and are --table, --site and "
                    "--broker right?",
                    self._silent_s,
                )

    def pump(self, timeout_s: float) -> None:
        """Takes one message, waiting so long for it at most."""
        try:
            received = self._waiting.get(timeout=timeout_s)
        except queue.Empty:
            return
        self._settled = True
        self._take(received)

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()

    def _on_message(self, received: Received) -> None:
        try:
            self._waiting.put_nowait(received)
        except queue.Full:
            self.dropped += 1
            if self.dropped % self._most_waiting == 1:
                log.warning(
                    "The table says more than can be taken: %d wait, messages dropped so far: %d.",
                    self._most_waiting,
                    self.dropped,
                )
