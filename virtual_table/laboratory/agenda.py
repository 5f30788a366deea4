"""Simulated time: what is due next happens next, and no time passes meanwhile."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable

from betline.units import NS_PER_S

START_S = 1000.0
"""When a laboratory begins, on its monotonic clock."""
START_WALL_MS = 1_700_000_000_000
PEOPLE = "world"
"""Who players and dealer are on the bus."""


class Agenda:
    """Everything that is going to happen, in order; a `virtual_table.play.clock.Clock` for whoever waits for it."""

    def __init__(self) -> None:
        self._now_s = START_S
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._added = 0
        self.wall_steps_ms: dict[str, int] = {}
        """By program how far its wall clock has been set off the others."""
        self._before: list[Callable[[], None]] = []

    # --- for what happens by itself

    def at(self, when_s: float, act: Callable[[], None]) -> None:
        """Calls ``act`` then, or next where that is over; what is due together happens as it was added."""
        self._added += 1
        heapq.heappush(self._due, (max(when_s, self._now_s), self._added, act))

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Calls ``act`` so much later."""
        self.at(self._now_s + seconds, act)

    def every(self, seconds: float, act: Callable[[], None]) -> None:
        """Calls ``act`` again and again from now on."""

        def again() -> None:
            act()
            self.after(seconds, again)

        self.after(seconds, again)

    def before_time_passes(self, look: Callable[[], None]) -> None:
        """Calls ``look`` whenever somebody has acted and is about to let time pass."""
        self._before.append(look)

    @property
    def now_ns(self) -> int:
        """The time now on the monotonic clock of the whole laboratory."""
        return round(self._now_s * NS_PER_S)

    # --- the clock of those who act

    @property
    def stopped(self) -> bool:
        """Nobody ends an evening of the laboratory from outside."""
        return False

    def now_s(self) -> float:
        return self._now_s

    def wall_ms(self, whose: str = PEOPLE) -> int:
        """The wall clock of a program, by the name it has on the bus; of people's console if none is named."""
        return START_WALL_MS + round((self._now_s - START_S) * 1000) + self.wall_steps_ms.get(whose, 0)

    def sleep(self, seconds: float) -> None:
        until_s = self._now_s + max(0.0, seconds)
        self._look()
        while self._due and self._due[0][0] <= until_s:
            self._next()
        self._now_s = until_s

    def wait(self, changed: threading.Condition, seconds: float) -> None:
        """The next thing happens, if one is due within ``seconds``: whoever waits looks after each."""
        del changed
        self._look()
        until_s = self._now_s + max(0.0, seconds)
        if self._due and self._due[0][0] <= until_s:
            self._next()
        else:
            self._now_s = until_s

    def _look(self) -> None:
        for look in self._before:
            look()

    def _next(self) -> None:
        when_s, _, act = heapq.heappop(self._due)
        self._now_s = when_s
        act()
