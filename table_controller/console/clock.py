"""The console's three readings of time behind one port, so that tests can hold it still."""

from __future__ import annotations

import time
from typing import Protocol

from betline.units import NS_PER_MS


class Clock(Protocol):
    """What the console asks of time."""

    def steady_s(self) -> float:
        """Seconds that only rise, for ages and pauses."""
        ...

    def wall_ms(self) -> int:
        """Milliseconds since 1970, for the expiry of commands."""
        ...

    def time_of_day(self) -> str:
        """Hours, minutes and seconds here, for the log."""
        ...


class SystemClock:
    """The machine's own time."""

    def steady_s(self) -> float:
        return time.monotonic()

    def wall_ms(self) -> int:
        return time.time_ns() // NS_PER_MS

    def time_of_day(self) -> str:
        return time.strftime("%H:%M:%S")
