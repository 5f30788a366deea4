"""The bridge: all readers of one table to the bus.

Threads: each reader's driver thread owns its port, its state machine and its zones' evidence, and publishes the zones'
snapshots; the caller's thread (`run`) looks at the drivers' statuses and publishes presence and health; the bus's own
thread tells which seat acts, and only hands that on.
"""

from __future__ import annotations

import importlib.metadata
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from betline.bus import Bus, Received
from betline.messages import Birth, Health, Presence, TableState
from betline.settings import Reader, TableSettings
from betline.topics import DEVICE_BIRTH, DEVICE_HEALTH, DEVICE_STATUS, STATE, ZONE_CHIPS, topic
from firmware_bridge.driver import DriverStatus, ReaderDriver
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.link import NS_A_MS, ReaderLink, RoundOver
from firmware_bridge.ports import BY_ID, locate
from firmware_bridge.protocols.catalogue import family
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.register import ChipRegister
from firmware_bridge.schedule import Channel, Need
from firmware_bridge.zone_feed import ZoneFeed

DEVICE: Final = "bridge"
WATCH_S: Final = 0.1
HEALTH_S: Final = 2.0


class BridgeError(Exception):
    """The table's readers cannot be served as its file describes them."""


@dataclass(slots=True)
class _Device:
    """One reader: its driver, and what the bus was told of it."""

    driver: ReaderDriver
    feeds: dict[str, ZoneFeed]
    told: Presence | None = None


class BridgeService:
    """Serves a table's readers until it is stopped. `told` gets a sentence when a reader's state changes."""

    def __init__(
        self,
        table: TableSettings,
        bus: Bus,
        register: ChipRegister,
        *,
        by_id: Path = BY_ID,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Raises BridgeError if the table has no readers, UnsupportedFamilyError if one's family is not built yet."""
        if not table.readers:
            raise BridgeError(f"The table {table.name} has no readers: add [[readers]] to its file.")
        self._table = table
        self._bus = bus
        self._register = register
        self._told = told
        self._stop = threading.Event()
        self._acting: frozenset[str] = frozenset()
        self._began_ns = time.monotonic_ns()
        self._devices = {reader.id: self._device(reader, by_id) for reader in table.readers}

    def run(self) -> None:
        """Serve until `stop` is called from another thread or a signal handler."""
        self._began_ns = time.monotonic_ns()
        self._bus.publish(topic(DEVICE_BIRTH, DEVICE), self._birth())
        self._bus.subscribe(STATE, self._on_state)
        for device in self._devices.values():
            device.driver.start()
        next_health_s = 0.0
        try:
            while not self._stop.wait(WATCH_S):
                self._tell_presence()
                if time.monotonic() >= next_health_s:
                    next_health_s = time.monotonic() + HEALTH_S
                    self._tell_health()
        finally:
            for device in self._devices.values():
                device.driver.stop()
            for name in self._devices:
                self._bus.publish(topic(DEVICE_STATUS, name), Presence(state="offline", detail="the bridge stopped"))

    def stop(self) -> None:
        """Make `run` end."""
        self._stop.set()

    def _device(self, reader: Reader, by_id: Path) -> _Device:
        wire = family(reader.protocol)
        if reader.antennas[0].antenna > wire.traits.antennas:
            raise BridgeError(f"The reader {reader.id} has no antenna {reader.antennas[0].antenna}.")
        channels = tuple(_channels(reader))
        feeds = {
            channel.zone: ZoneFeed(
                channel.zone, reader.id, self._register, ZoneEvidence(window=self._table.sensing.window_rounds)
            )
            for channel in channels
        }
        driver = ReaderDriver(
            reader.id,
            lambda: locate(reader.port, by_id),
            LineSettings(reader.baud, wire.traits.line.parity),
            ReaderLink(wire, channels),
            lambda over: self._on_round(feeds[over.channel.zone], over),
        )
        return _Device(driver, feeds)

    def _birth(self) -> Birth:
        return Birth(
            role="bridge",
            version=importlib.metadata.version("betline"),
            table=self._table.name,
            config_hash=self._table.config_hash(),
            seats=tuple(seat.number for seat in self._table.seats),
            capabilities=tuple(sorted({reader.protocol for reader in self._table.readers})),
        )

    def _on_round(self, feed: ZoneFeed, over: RoundOver) -> None:
        snapshot = feed.after(over)
        if snapshot is not None:
            self._bus.publish(topic(ZONE_CHIPS, feed.zone), snapshot)

    def _on_state(self, received: Received) -> None:
        state = received.body
        if not isinstance(state, TableState):
            return
        acting = frozenset() if state.to_act is None else frozenset({f"seat-{state.to_act}"})
        if acting != self._acting:
            self._acting = acting
            for device in self._devices.values():
                device.driver.attend(acting)

    def _tell_presence(self) -> None:
        now_ns = time.monotonic_ns()
        for name, device in self._devices.items():
            presence = self._presence(device.driver.status, now_ns)
            before = device.told
            if presence is None or before == presence:
                continue
            device.told = presence
            self._bus.publish(topic(DEVICE_STATUS, name), presence)
            if before is None or before.state != presence.state:
                why = f": {presence.detail}" if presence.detail and presence.state != "online" else ""
                self._told(f"{name} is {presence.state}{why}")

    def _presence(self, status: DriverStatus, now_ns: int) -> Presence | None:
        """A reader is as good as its last complete round is young; None while a new one may still give its first.

        A reader that only ever refuses tells nothing of its zones either. The time that it usually takes over an
        answer is no silence.
        """
        sensing = self._table.sensing
        silent_ms = (now_ns - (status.round_ns or self._began_ns)) / NS_A_MS - status.usual_ms
        detail = "" if status.trouble is None else status.trouble.sentence
        if silent_ms >= sensing.offline_ms:
            return Presence(state="offline", detail=detail)
        if silent_ms >= sensing.stale_ms:
            return Presence(state="stale", detail=detail)
        return None if status.round_ns is None else Presence(state="online", detail=detail)

    def _tell_health(self) -> None:
        for name, device in self._devices.items():
            status = device.driver.status
            counters = {key: float(value) for key, value in asdict(status.health).items()}
            counters["parity_refused"] = float(status.parity_refused)
            counters["unknown_chips"] = float(sum(len(feed.unknown) for feed in device.feeds.values()))
            counters["unpublishable_tags"] = float(sum(feed.unpublishable for feed in device.feeds.values()))
            self._bus.publish(topic(DEVICE_HEALTH, name), Health(counters=counters))


def _channels(reader: Reader) -> Iterator[Channel]:
    """The zones of a reader; one that serves its first output only is asked without antenna selection."""
    selects = len(reader.antennas) > 1 or reader.antennas[0].antenna > 1
    for served in reader.antennas:
        need = Need.SEAT if served.zone.startswith("seat-") else Need.SLOW
        yield Channel(served.zone, served.antenna if selects else None, need)
