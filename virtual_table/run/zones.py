"""Which tags lie in each antenna zone of a virtual table, told on the bus to readers that are no virtual ones."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from betline.bus import Bus
from betline.messages.devices import WorldTag, WorldZone
from betline.settings import TableSettings
from betline.topics import WORLD_ZONE, topic
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reach import neighbours_of, tags_in_reach
from virtual_table.table.world import World

LOOK_S: Final = 0.03


class Zones:
    """What the antenna of each zone reaches, neighbours' chips weakly, as a reader there would find it."""

    def __init__(self, table: TableSettings, world: World) -> None:
        self._world = world
        self._beside = neighbours_of(table)
        self._antennas = {served.zone: served.antenna for reader in table.readers for served in reader.antennas}

    @property
    def names(self) -> tuple[str, ...]:
        """The zones that an antenna serves."""
        return tuple(self._antennas)

    def tags(self, zone: str, now_s: float) -> tuple[FieldTag, ...]:
        """The tags of one of these zones."""
        return tuple(tags_in_reach(self._world, {self._antennas[zone]: zone}, self._beside, now_s))


class ZoneTeller:
    """Publishes every zone once, and again when it has changed, until it is closed; a thread of its own."""

    def __init__(self, bus: Bus, zones: Zones, now_s: Callable[[], float]) -> None:
        self._bus = bus
        self._zones = zones
        self._now_s = now_s
        self._said: dict[str, WorldZone] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="zones", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._over.set()
        self._thread.join()

    def tell(self) -> None:
        """Publishes what has changed."""
        for name in self._zones.names:
            tags = sorted(self._zones.tags(name, self._now_s()))
            lies = WorldZone(tags=tuple([WorldTag(uid=t.uid, antenna=t.antenna, signal=t.signal) for t in tags]))
            if self._said.get(name) != lies:
                self._said[name] = lies
                self._bus.publish(topic(WORLD_ZONE, name), lies)

    def _run(self) -> None:
        while True:
            self.tell()
            if self._over.wait(LOOK_S):
                return
