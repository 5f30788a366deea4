"""Which pits of a site are cut off from it, as the site's broker keeps it of their bridges (docs/site.md)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from betline.bus.port import BesideHandler
from betline.provision.crossings import link_topic

WORD_S: Final = 1.0
"""So long the broker's word on the bridges is waited for: what it keeps comes at once, or there is none."""
DOWN: Final = b"0"


class HearsBeside(Protocol):
    """A client of a broker, as far as it is needed here."""

    def hear_beside(self, pattern: str, handler: BesideHandler) -> None:
        """Calls the handler with what the broker itself says on such topics."""
        ...

    def close(self) -> None:
        """Leaves the broker."""
        ...


class Bridges:
    """The bridges of a site's pits, listened to while this is open."""

    def __init__(self, bus: HearsBeside, site: str, pits: Mapping[str, tuple[str, ...]]) -> None:
        """``pits``: the tables of each pit, by the site's file; other pits do not concern it."""
        self._bus, self._pits = bus, pits
        self._said: dict[str, bool] = {}
        self._changed = threading.Condition()
        bus.hear_beside(link_topic(site), self._on_link)

    def wait(self, patience_s: float = WORD_S) -> None:
        """Waits until the broker has said of every pit whether its bridge stands, or has had the time to."""
        with self._changed:
            self._changed.wait_for(lambda: self._said.keys() >= self._pits.keys(), patience_s)

    def cut(self) -> dict[str, str]:
        """The tables that are cut off, and the pit of each."""
        with self._changed:
            down = [pit for pit, stands in self._said.items() if not stands]
        return {table: pit for pit in down for table in self._pits[pit]}

    def close(self) -> None:
        """Leaves the broker."""
        self._bus.close()

    def _on_link(self, topic: str, payload: bytes, _retained: bool) -> None:
        """Mosquitto's own word: 1 or 0, and nothing where it was wiped (mosquitto.conf(5))."""
        pit = topic.rpartition("/")[2]
        if pit in self._pits:
            with self._changed:
                self._said[pit] = payload != DOWN
                self._changed.notify_all()


Cut = Callable[[], Mapping[str, str]]
"""The tables that are cut off now, and the pit of each."""


def nothing_cut() -> Mapping[str, str]:
    """Where no site file says which pits there are."""
    return {}
