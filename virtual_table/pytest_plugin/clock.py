"""The clock of a table in a test: simulated, so that an hour costs nothing, or this machine's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from virtual_table.play.clock import Clock as TableClock

LOOK_S: Final = 0.05


class Clock:
    """Tells the table's time and lets it pass."""

    def __init__(self, clock: TableClock) -> None:
        self._clock = clock
        self._began_s = clock.now_s()

    @property
    def now_s(self) -> float:
        """Seconds since the table was there."""
        return self._clock.now_s() - self._began_s

    def let(self, seconds: float) -> None:
        """Lets so much time pass; what is due meanwhile happens."""
        self._clock.sleep(seconds)

    def until(self, holds: Callable[[], bool], within_s: float = 10.0) -> bool:
        """Lets time pass until something holds; False where it does not in that time."""
        until_s = self._clock.now_s() + within_s
        while not holds():
            left_s = until_s - self._clock.now_s()
            if left_s <= 0:
                return False
            self._clock.sleep(min(LOOK_S, left_s))
        return True
