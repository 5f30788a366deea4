"""How long people take, and the world's clock, which is the monotonic clock of this machine."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass


class Stopped(Exception):
    """The evening was ended from outside."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long people take, in seconds, before ``speed`` divides it."""

    think_s: tuple[float, float]
    follow_s: tuple[float, float]
    between_hands_s: float
    look_s: float
    dealer_haste: float

    @classmethod
    def lively(cls) -> Pauses:
        """As people at a table play: to be watched."""
        return cls((0.6, 2.2), (0.5, 1.2), 2.5, 0.8, 1.0)

    @classmethod
    def short(cls) -> Pauses:
        """For runs that nobody watches."""
        return cls((0.05, 0.2), (0.2, 0.4), 0.2, 0.05, 2.4)


class Pace:
    """Lets time pass for one evening, until it is stopped from outside."""

    def __init__(self, pauses: Pauses, speed: float, stop: threading.Event) -> None:
        self.pauses = pauses
        self._speed = speed
        self._stop = stop

    @staticmethod
    def now_s() -> float:
        """The world's time."""
        return time.monotonic()

    @property
    def stopped(self) -> bool:
        """Whether the evening was ended."""
        return self._stop.is_set()

    def pause(self, seconds: float) -> None:
        """A pause that ``--speed`` shortens; raises Stopped."""
        self.sleep(seconds / self._speed)

    def until(self, moment_s: float) -> None:
        """Waits for a moment of the world's time; raises Stopped."""
        self.sleep(moment_s - time.monotonic())

    def sleep(self, seconds: float) -> None:
        """Waits in real time; raises Stopped."""
        if self._stop.wait(max(0.0, seconds)):
            raise Stopped
