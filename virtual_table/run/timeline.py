"""Carries the events of a plan out in real time, in a thread, and ends each after its time."""

from __future__ import annotations

import heapq
import itertools
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from virtual_table.faults.event import FaultEvent
from virtual_table.faults.plan import Occurrence

End = Callable[[], None]
Strike = Callable[[str, FaultEvent], tuple[str, End] | None]
"""Begins a fault; gives by what it is known and how it ends, None where it ends by itself."""
LOOK_S: Final = 0.1


class Standing:
    """How many faults strike the same thing now; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = Counter[str]()

    def begins(self, what: str) -> None:
        """One more."""
        with self._lock:
            self._count[what] += 1

    def ends(self, what: str) -> bool:
        """One less; whether that was the last."""
        with self._lock:
            self._count[what] -= 1
            return not self._count[what]


@contextmanager
def carried_out(
    coming: Iterator[Occurrence],
    strike: Strike,
    notify: Callable[[str], None],
    begun: Callable[[], bool] = lambda: True,
    standing: Standing | None = None,
) -> Iterator[None]:
    """Strikes as planned while the context is open, timed from when `begun` is true; then ends what still lasts.

    `notify` gets a sentence for each event. Of two faults that strike the same the last one that ends makes it whole,
    of several timelines too where they share what is ``standing``.
    """
    over = threading.Event()
    timeline = _Timeline(coming, strike, notify, begun, over, standing or Standing())
    thread = threading.Thread(target=timeline.run, name="faults")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class _Timeline:
    def __init__(
        self,
        coming: Iterator[Occurrence],
        strike: Strike,
        notify: Callable[[str], None],
        begun: Callable[[], bool],
        over: threading.Event,
        standing: Standing,
    ) -> None:
        self._coming = coming
        self._strike = strike
        self._notify = notify
        self._begun = begun
        self._over = over
        self._ends: list[tuple[float, int, str, End]] = []
        self._standing = standing
        self._order = itertools.count()

    def run(self) -> None:
        while not self._begun():
            if self._over.wait(LOOK_S):
                return
        began_s = time.monotonic()
        upcoming = next(self._coming, None)
        while upcoming is not None or self._ends:
            next_s = upcoming.at_s if upcoming is not None else math.inf
            ends_s = self._ends[0][0] if self._ends else math.inf
            if self._over.wait(max(0.0, began_s + min(next_s, ends_s) - time.monotonic())):
                break
            if upcoming is not None and next_s < ends_s:
                self._begin(upcoming)
                upcoming = next(self._coming, None)
            else:
                self._end()
        while self._ends:
            self._end()

    def _begin(self, one: Occurrence) -> None:
        for name in one.on:
            for_s = "" if one.event.lasts_s == math.inf else f", for {one.event.lasts_s:g} s"
            self._notify(f"fault: {one.event.what} on {name}{for_s}.")
            struck = self._strike(name, one.event)
            if struck is not None:
                what, end = struck
                self._standing.begins(what)
                heapq.heappush(self._ends, (one.at_s + one.event.lasts_s, next(self._order), what, end))

    def _end(self) -> None:
        _, _, what, end = heapq.heappop(self._ends)
        if self._standing.ends(what):
            end()
