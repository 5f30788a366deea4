"""The bridge: all readers of one table to the bus.

Threads: each reader's driver thread owns its port and its state machine, and publishes its zones' snapshots; the
caller's thread (`run`) looks at the drivers' statuses, publishes presence and health, a snapshot again where the next
round is long in coming, and ends wishes; the bus's own thread says which seat acts and which zone is wanted, and
only hands that on. A reader's evidence is under its device's lock.
"""

from __future__ import annotations

import importlib.metadata
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from betline.bus import Bus, Received
from betline.messages.common import Birth, Health, Presence
from betline.messages.devices import ZoneWanted
from betline.messages.table import Alert, TableState
from betline.messages.versions import own_capability
from betline.metrics.family import Timing
from betline.settings import Reader, TableSettings, is_for_cards, is_for_chips
from betline.settings.readers import BY_ID
from betline.tally import ROUND_S, Tally
from betline.tap import Tap
from betline.topics import (
    ALERT,
    BIRTH,
    DEVICE_BIRTH,
    DEVICE_HEALTH,
    DEVICE_STATUS,
    STATE,
    ZONE_CHIPS,
    ZONE_TAGS,
    ZONE_WANTED,
    Topic,
    topic,
)
from betline.units import NS_PER_MS
from firmware_bridge.chips.keeper import ChipKeeper
from firmware_bridge.chips.near import near_zones
from firmware_bridge.chips.places import Place
from firmware_bridge.chips.register import ChipRegister, RegisterError
from firmware_bridge.chips.whereabouts import Whereabouts
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.link import ReaderLink
from firmware_bridge.needs import Needs, awaited
from firmware_bridge.ports import locate
from firmware_bridge.protocols.catalogue import configured
from firmware_bridge.protocols.doubt import sentence
from firmware_bridge.protocols.family import Identity, LineSettings
from firmware_bridge.protocols.settings import SettingError
from firmware_bridge.rf_arbiter import RfArbiter
from firmware_bridge.seating import Seating
from firmware_bridge.serial_line import SerialLine
from firmware_bridge.tapped_line import line_into
from firmware_bridge.waits import bearable_ms, channels_of
from firmware_bridge.zone_feed import ZoneFeed

DEVICE: Final = "bridge"
WATCH_S: Final = 0.1
HEALTH_S: Final = 2.0
WORD_LETTERS: Final = 64
"""A reader's words about itself are cut at this length."""


class BridgeError(Exception):
    """The table's readers cannot be served as its file describes them."""


@dataclass(slots=True)
class _Device:
    """One reader: its driver, and what was published of it."""

    family: str
    driver: ReaderDriver
    feeds: dict[str, ZoneFeed]
    lock: threading.Lock
    """Held while a feed is used and its snapshot published, so that snapshots of a zone come in order."""
    rounds_s: Tally
    published: Presence | None = None
    introduced: Identity | None = None
    """What it last said of itself."""


class BridgeService:
    """Serves a table's readers until it is stopped. `notify` gets a sentence when a reader's state changes."""

    def __init__(
        self,
        table: TableSettings,
        bus: Bus,
        register: ChipRegister,
        *,
        by_id: Path = BY_ID,
        places: Path | None = None,
        notify: Callable[[str], None] = lambda _: None,
        serves: Callable[[], None] = lambda: None,
        tap: Tap | None = None,
    ) -> None:
        """`serves` is called after each turn while every reader's thread lives. The bytes of every line are noted in
        the `tap`, for the recording of the table.

        `places` is the file in which it is kept where each chip lies, None: it is not kept.

        Raises BridgeError if the table has no readers, UnknownFamilyError if one's family has no codec.
        """
        if not table.readers:
            raise BridgeError(f"The table {table.name} has no readers: add [[readers]] to its file.")
        self._table = table
        self._bus = bus
        self._register = register
        self._chips = ChipKeeper(register, lambda known: self._whereabouts(table, known), places, notify)
        self._notify = notify
        self._serves = serves
        self._tap = tap
        self._stop = threading.Event()
        self._asked = threading.Event()
        """A controller has started: it wants to know what lies there."""
        self._needs = Needs()
        self._attended: frozenset[str] = frozenset()
        self._urgent: frozenset[str] = frozenset()
        self._needs_lock = threading.Lock()
        self._began_ns = time.monotonic_ns()
        self._turns = RfArbiter({reader.id: frozenset(reader.rf_neighbours) for reader in table.readers})
        self._devices = {reader.id: self._device(reader, by_id) for reader in table.readers}

    def run(self) -> None:
        """Serve until `stop` is called from another thread or a signal handler."""
        self._began_ns = time.monotonic_ns()
        self._bus.publish(topic(DEVICE_BIRTH, DEVICE), self._birth())
        self._bus.subscribe(STATE, self._on_state)
        self._bus.subscribe(ZONE_WANTED, self._on_wanted)
        self._bus.subscribe(BIRTH, lambda _: self._asked.set())
        self._chips.start()
        for device in self._devices.values():
            device.driver.start()
        next_health_s = 0.0
        try:
            while not self._stop.wait(WATCH_S):
                self._tell_presence()
                self._tell_identities()
                self._tell_again()
                self._attend()
                if time.monotonic() >= next_health_s:
                    next_health_s = time.monotonic() + HEALTH_S
                    self._heed_the_register()
                    self._tell_health()
                if all(device.driver.lives for device in self._devices.values()):
                    self._serves()
        finally:
            for device in self._devices.values():
                device.driver.stop()
            self._chips.stop()
            for name in self._devices:
                self._bus.publish(topic(DEVICE_STATUS, name), Presence(state="offline", detail="the bridge stopped"))

    def timings(self) -> tuple[Timing, ...]:
        """How long each reader's rounds took since the bridge began."""
        return tuple(Timing("round", name, device.rounds_s) for name, device in self._devices.items())

    def stop(self) -> None:
        """Make `run` end."""
        self._stop.set()

    def _device(self, reader: Reader, by_id: Path) -> _Device:
        try:
            wire = configured(reader.protocol, reader.settings)
        except SettingError as error:
            raise BridgeError(f"The reader {reader.id} cannot be set like that: {error}.") from None
        most = max(served.antenna for served in reader.antennas)
        if most > wire.traits.antennas:
            raise BridgeError(
                f"The reader {reader.id} has no antenna {most}: a reader of the family {reader.protocol} switches "
                f"between {wire.traits.antennas} at most. Correct the table file."
            )
        channels = channels_of(reader)
        feeds = {
            channel.zone: ZoneFeed(
                channel.zone,
                reader.id,
                self._register,
                ZoneEvidence(window=self._table.sensing.window_rounds),
                self._chips if is_for_chips(channel.zone) else None,
                self._alert,
            )
            for channel in channels
        }
        lock, rounds_s = threading.Lock(), Tally(ROUND_S)
        seating = Seating(reader.port, tuple(feeds))
        driver = ReaderDriver(
            reader.id,
            lambda: locate(reader.port, by_id),
            LineSettings(reader.baud, wire.traits.line.parity),
            ReaderLink(wire, channels, shares_field=self._turns.is_shared(reader.id), seating=seating, introduces=True),
            lambda over: self._on_round(lock, feeds[over.channel.zone], rounds_s, over),
            self._turns,
            SerialLine if self._tap is None else line_into(self._tap, reader.id),
        )
        return _Device(reader.protocol, driver, feeds, lock, rounds_s)

    def _alert(self, alert: Alert) -> None:
        self._bus.publish(topic(ALERT), alert)

    def _heed_the_register(self) -> None:
        """A chip that was enrolled, retired or put on the hot list a moment ago is that from now on."""
        try:
            if self._register.renewed():
                for alert in self._chips.looked_again():
                    self._alert(alert)
                self._notify(f"the chip register has changed: {len(self._register)} chips")
        except RegisterError as error:
            self._notify(f"{error} The register is used as it was.")

    def _whereabouts(self, table: TableSettings, known: dict[str, Place]) -> Whereabouts:
        sensing = table.sensing
        return Whereabouts(
            table.name, self._register, near_zones(table), sensing.absent_rounds, sensing.offline_ms * NS_PER_MS, known
        )

    def _birth(self) -> Birth:
        return Birth(
            role="bridge",
            version=importlib.metadata.version("betline"),
            table=self._table.name,
            config_hash=self._table.config_hash(),
            seats=tuple(seat.number for seat in self._table.seats),
            capabilities=(*sorted({reader.protocol for reader in self._table.readers}), own_capability()),
        )

    def _on_round(self, lock: threading.Lock, feed: ZoneFeed, rounds_s: Tally, over: RoundOver) -> None:
        rounds_s.note(over.cycle_ms / 1000)
        with lock:
            snapshot = feed.after(over, attended=feed.zone in self._attended)
            if snapshot is not None:
                self._bus.publish(_topic_of(feed.zone), snapshot)

    def _tell_again(self) -> None:
        asked = self._asked.is_set()
        self._asked.clear()
        for device in self._devices.values():
            if device.published is None or device.published.state != "online":
                continue
            for feed in device.feeds.values():
                with device.lock:
                    snapshot = feed.again(time.monotonic_ns(), asked=asked)
                    if snapshot is not None:
                        self._bus.publish(_topic_of(feed.zone), snapshot)

    def _on_state(self, received: Received) -> None:
        if isinstance(received.body, TableState):
            with self._needs_lock:
                self._needs = replace(self._needs, awaited=awaited(received.body))
            self._attend()

    def _on_wanted(self, received: Received) -> None:
        if isinstance(received.body, ZoneWanted):
            with self._needs_lock:
                for_ns = received.body.for_ms * NS_PER_MS
                self._needs = self._needs.wish(received.topic.name, time.monotonic_ns(), for_ns)
            self._attend()

    def _attend(self) -> None:
        """Say to the drivers which zones are to be read often, where that has changed."""
        with self._needs_lock:
            now_ns = time.monotonic_ns()
            zones, urgent = self._needs.at(now_ns), self._needs.urgent(now_ns)
            if (zones, urgent) == (self._attended, self._urgent):
                return
            self._attended, self._urgent = zones, urgent
            for device in self._devices.values():
                device.driver.attend(zones, urgent)

    def _tell_presence(self) -> None:
        now_ns = time.monotonic_ns()
        for name, device in self._devices.items():
            presence = self._presence(device, now_ns)
            before = device.published
            if presence is None or before == presence:
                continue
            device.published = presence
            self._bus.publish(topic(DEVICE_STATUS, name), presence)
            if before is None or before.state != presence.state:
                why = f": {presence.detail}" if presence.detail and presence.state != "online" else ""
                self._notify(f"{name} is {presence.state}{why}")

    def _tell_identities(self) -> None:
        for name, device in self._devices.items():
            identity = device.driver.status.identity
            if identity is None or identity == device.introduced:
                continue
            device.introduced = identity
            birth = Birth(
                role="reader",
                version=_word(identity.firmware),
                table=self._table.name,
                config_hash=self._table.config_hash(),
                serial=_word(identity.serial),
            )
            self._bus.publish(topic(DEVICE_BIRTH, name), birth)

    def _presence(self, device: _Device, now_ns: int) -> Presence | None:
        """A reader is as good as its last complete round is young; None while a new one may still give its first.

        A reader that only ever refuses says nothing of its zones either. The time that it usually takes over a
        round is no silence, nor is that of a pile where chips have begun to come.
        """
        sensing, status = self._table.sensing, device.driver.status
        with device.lock:
            grows = any(feed.evidence.grows for feed in device.feeds.values())
        bearable_for_ms = bearable_ms(device.family, status.usual_ms, grows=grows)
        silent_ms = (now_ns - (status.round_ns or self._began_ns)) / NS_PER_MS - bearable_for_ms
        detail = status.trouble.sentence if status.trouble is not None else ""
        if status.trouble is None and status.doubt is not None:
            detail = sentence(status.doubt)
        if silent_ms >= sensing.offline_ms:
            return Presence(state="offline", detail=detail)
        if silent_ms >= sensing.stale_ms:
            return Presence(state="stale", detail=detail)
        return None if status.round_ns is None else Presence(state="online", detail=detail)

    def _tell_health(self) -> None:
        for name, device in self._devices.items():
            status = device.driver.status
            counters = {key: float(value) for key, value in asdict(status.health).items()}
            counters |= {f"reader_{key}": value for key, value in status.own_counters.items()}
            counters["parity_refused"] = float(status.parity_refused)
            counters["unknown_chips"] = float(sum(len(feed.unknown) for feed in device.feeds.values()))
            counters["unpublishable_tags"] = float(sum(feed.unpublishable for feed in device.feeds.values()))
            self._bus.publish(topic(DEVICE_HEALTH, name), Health(counters=counters))


def _topic_of(zone: str) -> Topic:
    """Where a zone is published: what lies on an antenna for cards is private."""
    return topic(ZONE_TAGS if is_for_cards(zone) else ZONE_CHIPS, zone)


def _word(said: str) -> str:
    """What a reader said of itself, without what does not print: it may be noise."""
    return "".join(letter for letter in said if letter.isascii() and letter.isprintable())[:WORD_LETTERS].strip()
