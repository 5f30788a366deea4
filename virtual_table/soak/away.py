"""How long nobody at a table could hear its controller, as a soak sees it from outside.

It was killed and had not started yet, or the broker was away: the console says so, the dealer waits, play stops.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from betline.bus import Received
from betline.messages.common import Presence
from virtual_table.play.link import PATIENCE_S

TOO_LONG_S: Final = PATIENCE_S
"""Beyond this it is a finding: a dealer would have sent for somebody."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One time in which the controller could not be heard; ``at_s`` is when it began, from the begin of the soak.

    ``load`` is the average number of programs that wanted to run, of the minute in which it ended (getloadavg(3)).
    """

    at_s: float
    lasted_s: float
    load: float

    @property
    def too_long(self) -> bool:
        """Whether nobody waits so long at a table."""
        return self.lasted_s > TOO_LONG_S

    @property
    def sentence(self) -> str:
        """What is said of it."""
        return (
            f"The controller could not be heard for {self.lasted_s:.0f} s, from {self.at_s:.0f} s on: it or the broker "
            f"was away or still starting, at a load of {self.load:.1f} on {os.cpu_count()} processors."
        )


class Gaps:
    """Takes the gaps down, from a connection of its own to the broker."""

    def __init__(
        self,
        now_s: Callable[[], float] = time.monotonic,
        load: Callable[[], float] = lambda: os.getloadavg()[0],
    ) -> None:
        self._now_s = now_s
        self._load = load
        self._begun_s = now_s()
        self._since_s: float | None = None
        self._gaps: list[Gap] = []

    def connection(self, there: bool) -> None:
        """The broker was lost, or is there again: then the controller is heard once it says so itself."""
        if not there:
            self._begins()

    def status(self, received: Received) -> None:
        """What the controller, or its last will, says of itself."""
        if not isinstance(received.body, Presence):
            return
        if received.body.state == "offline":
            self._begins()
        else:
            self._ends()

    def until_now(self) -> tuple[Gap, ...]:
        """All of them, the one that lasts included."""
        return (*self._gaps, *([] if self._since_s is None else [self._gap(self._since_s)]))

    def _begins(self) -> None:
        if self._since_s is None:
            self._since_s = self._now_s()

    def _ends(self) -> None:
        if self._since_s is not None:
            self._gaps.append(self._gap(self._since_s))
            self._since_s = None

    def _gap(self, since_s: float) -> Gap:
        return Gap(since_s - self._begun_s, self._now_s() - since_s, self._load())
