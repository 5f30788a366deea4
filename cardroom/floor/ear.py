"""Listens to all tables of a site and folds what comes into the newest `Floor`.

The bus calls on its own thread; what it brings is folded there under a lock, and the screen is woken once until it
has looked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from betline import topics
from betline.bus import Bus, Received
from betline.bus.port import BesideHandler, UnreadHandler
from betline.provision.crossings import link_topic
from betline.topics import NAME, SiteTopic, Topic
from betline.units import NS_PER_S
from cardroom.floor.floor import Floor
from cardroom.floor.table import CONTROLLER

HEARD: Final = (topics.STATUS, topics.BIRTH, topics.STATE, topics.STAFF, topics.DEVICE_HEALTH)
"""All of it is said by a table's controller; its health comes every 2 s, and is how a quiet table is heard."""


class SiteBus(Bus, Protocol):
    """A client of the bus in the namespace of a whole site."""

    def when_unread(self, handler: UnreadHandler) -> None:
        """Calls the handler for every message that cannot be read."""
        ...

    def hear_beside(self, pattern: str, handler: BesideHandler) -> None:
        """Calls the handler with what the broker itself says on such topics."""
        ...


class Ear:
    """What was heard of a site so far."""

    def __init__(
        self, bus: SiteBus, site: str, now_s: Callable[[], float], pits: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        """``pits``: the tables of each pit, where the site's file was read."""
        self._bus, self._site, self._now_s = bus, site, now_s
        self._lock = threading.Lock()
        self._wake: Callable[[], object] = lambda: None
        self._woken = False
        self._floor = Floor(site, lost_s=now_s(), pits=pits)

    def start(self) -> None:
        """Begins to listen."""
        self._bus.hear_only(_is_wanted)
        self._bus.when_unread(self._on_unread)
        for kind in HEARD:
            self._bus.subscribe(kind, self._on_message)
        self._bus.hear_beside(link_topic(self._site), self._on_link)
        self._bus.on_connection(self._on_connection)

    def wakes(self, wake: Callable[[], object]) -> None:
        """Who is called on the bus's thread when there is something new to look at."""
        with self._lock:
            self._wake, self._woken = wake, False

    def look(self) -> Floor:
        """The floor as it is known now."""
        with self._lock:
            self._woken = False
            return self._floor

    # --- on the bus's thread -----------------------------------------------------------------------------------------

    def _on_message(self, received: Received) -> None:
        if isinstance(received.topic, SiteTopic):
            at_s = received.arrived_ns / NS_PER_S
            table, envelope, body = received.topic.table, received.envelope, received.body
            with self._lock:
                self._floor = self._floor.heard(table, envelope, body, at_s, retained=received.retained)
            self._ring()

    def _on_unread(self, topic: Topic, why: str) -> None:
        if isinstance(topic, SiteTopic):
            with self._lock:
                self._floor = self._floor.not_read(topic.table, why, self._now_s())
            self._ring()

    def _on_link(self, topic: str, payload: bytes, retained: bool) -> None:
        """Mosquitto's own word on a bridge: 1 or 0, and nothing where it was wiped (mosquitto.conf(5))."""
        pit = topic.rpartition("/")[2]
        if not NAME.match(pit) or payload not in (b"0", b"1", b""):
            return
        with self._lock:
            if payload:
                self._floor = self._floor.linked(pit, self._now_s(), stands=payload == b"1", retained=retained)
            else:
                self._floor = self._floor.unlinked(pit)
        self._ring()

    def _on_connection(self, there: bool) -> None:
        with self._lock:
            self._floor = self._floor.connected(there, self._now_s())
        self._ring()

    def _ring(self) -> None:
        with self._lock:
            if self._woken:
                return
            self._woken = True
        self._wake()


def _is_wanted(topic: Topic) -> bool | None:
    """Of what devices say only the controller's own is read."""
    return True if topic.kind is not topics.DEVICE_HEALTH or topic.name == CONTROLLER else None
