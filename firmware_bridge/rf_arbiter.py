"""Whose field may be on: neighbouring readers take turns, since one's field disturbs and powers the other's tags.

A reader asks for its turn before each round and gives it back after it. It waits while a neighbour has its turn, or has
waited for longer; so neighbours alternate, and readers that are no neighbours read at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping


class RfArbiter:
    """The turns of all readers of a table; its methods may be called from any thread and never wait."""

    def __init__(self, neighbours: Mapping[str, frozenset[str]]) -> None:
        """`neighbours` by reader; a pair that is named on one side only counts all the same."""
        names = {*neighbours, *(other for others in neighbours.values() for other in others)}
        self._neighbours = {
            one: frozenset(
                other
                for other in names
                if other != one and (other in neighbours.get(one, ()) or one in neighbours.get(other, ()))
            )
            for one in names
        }
        self._lock = threading.Lock()
        self._reading: set[str] = set()
        self._waiting: dict[str, Callable[[], None]] = {}

    def is_shared(self, reader: str) -> bool:
        """Whether the reader has neighbours at all."""
        return bool(self._neighbours.get(reader))

    def begin(self, reader: str, wake: Callable[[], None]) -> bool:
        """Take the turn; if it must be waited for, `wake` is called when it is worth asking again."""
        with self._lock:
            near = self._neighbours.get(reader, frozenset())
            ahead = near.intersection(self._first_in_line(reader))
            if near & self._reading or ahead:
                self._waiting.setdefault(reader, wake)
                return False
            self._waiting.pop(reader, None)
            self._reading.add(reader)
            return True

    def end(self, reader: str) -> None:
        """Give the turn back, or the place in the line; a reader that has neither loses nothing."""
        with self._lock:
            if reader not in self._reading and reader not in self._waiting:
                return
            self._reading.discard(reader)
            self._waiting.pop(reader, None)
            near = self._neighbours.get(reader, frozenset())
            woken = [wake for name, wake in self._waiting.items() if name in near]
        for wake in woken:
            wake()

    def _first_in_line(self, reader: str) -> list[str]:
        """Who has waited for longer than `reader`, the longest first."""
        line = list(self._waiting)
        return line[: line.index(reader)] if reader in self._waiting else line
