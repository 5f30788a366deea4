"""The clock by which a virtual table is played: this machine's, or a laboratory's in simulated time."""

from __future__ import annotations

import threading
import time
from typing import Protocol

from betline.units import NS_PER_MS


class Stopped(Exception):
    """The evening was ended from outside."""


class Clock(Protocol):
    """Tells the time and lets it pass. World, controller link and people share one."""

    @property
    def stopped(self) -> bool:
        """Whether the evening was ended."""
        ...

    def now_s(self) -> float:
        """The world's time."""
        ...

    def wall_ms(self) -> int:
        """The time for people, in milliseconds since 1970."""
        ...

    def sleep(self, seconds: float) -> None:
        """Lets so much time pass; raises Stopped."""
        ...

    def wait(self, changed: threading.Condition, seconds: float) -> None:
        """Waits until ``changed``, which the caller holds, is notified, or so much time has passed; it may be less."""
        ...


class HostClock:
    """The clock of this machine, until the evening is stopped from outside."""

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    def now_s(self) -> float:
        return time.monotonic()

    def wall_ms(self) -> int:
        return time.time_ns() // NS_PER_MS

    def sleep(self, seconds: float) -> None:
        if self._stop.wait(max(0.0, seconds)):
            raise Stopped

    def wait(self, changed: threading.Condition, seconds: float) -> None:
        changed.wait(seconds)
