"""Faults of this program itself: a callback that raises is counted and told, and ends nothing."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable

from betline.bus.port import BusCounters, HostClock
from betline.bus.sparing import SparingLog

_log = logging.getLogger(__name__)

FAULT = "program-fault"
"""The kind under which an exception in a callback is counted."""
TOLD_EVERY_S = 2.0
"""A program says on the bus that it has faults at most this often."""


class Faults:
    """Calls callbacks; an exception is counted and logged with its place, and ``tell`` is called, not too often.

    ``tell`` is called on the thread that raised, or on a timer's for the last of many.
    """

    def __init__(self, counters: BusCounters, clock: HostClock, tell: Callable[[], None]) -> None:
        self._counters = counters
        self._clock = clock
        self._tell = tell
        self._log = SparingLog(_log)
        self._lock = threading.Lock()
        self._told_s = -TOLD_EVERY_S
        self._waiting: threading.Timer | None = None

    @property
    def number(self) -> int:
        """How many there were."""
        return self._counters.problems.get(FAULT, 0)

    def guarded(self, callback: Callable[..., None], *args: object) -> None:
        """Calls back; an exception of it is a fault, for which a message was dropped."""
        try:
            callback(*args)
        except Exception as error:
            place = _place(error)
            sentence = f"A fault of this program, {error!r} at {place}: a message was dropped. Please report it."
            self._counters.problem(FAULT, sentence)
            self._log.warn(place, sentence, self._clock.mono_ns())
            self._tell_in_time()

    def _tell_in_time(self) -> None:
        with self._lock:
            if self._waiting is not None:
                return
            wait_s = self._told_s + TOLD_EVERY_S - time.monotonic()
            if wait_s > 0:  # the last of many must be told too
                self._waiting = threading.Timer(wait_s, self._waited)
                self._waiting.daemon = True
                self._waiting.start()
                return
            self._told_s = time.monotonic()
        self._tell()

    def _waited(self) -> None:
        with self._lock:
            self._waiting = None
        self._tell_in_time()


def _place(error: Exception) -> str:
    """The file and line that raised."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{at.filename}:{at.lineno}"
