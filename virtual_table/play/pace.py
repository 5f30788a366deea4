"""How long people take at a virtual table."""

from __future__ import annotations

from dataclasses import dataclass

from virtual_table.play.clock import Clock


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
    """Lets time pass for one evening, by its clock."""

    def __init__(self, pauses: Pauses, speed: float, clock: Clock) -> None:
        self.pauses = pauses
        self._speed = speed
        self._clock = clock

    def now_s(self) -> float:
        """The world's time."""
        return self._clock.now_s()

    @property
    def stopped(self) -> bool:
        """Whether the evening was ended."""
        return self._clock.stopped

    def pause(self, seconds: float) -> None:
        """A pause that ``--speed`` shortens; raises Stopped."""
        self.sleep(seconds / self._speed)

    def until(self, moment_s: float) -> None:
        """Waits for a moment of the world's time; raises Stopped."""
        self.sleep(moment_s - self._clock.now_s())

    def sleep(self, seconds: float) -> None:
        """Lets so much time pass; raises Stopped."""
        self._clock.sleep(seconds)
