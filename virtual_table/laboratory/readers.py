"""Bridge and readers in simulated time: the bridge's schedule, evidence, chip places and snapshots are its own code;
only ports and bytes are left out.

A round takes what one of a FEIG reader takes (docs/benchmarks.md): the air time of the tags that answered, their bytes
on the serial line, and some milliseconds of overhead, of which a second look saves the RF reset. It hears what lay in
the field when it began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from betline import topics
from betline.bus import Received
from betline.messages.common import Birth, Presence
from betline.messages.devices import ZoneWanted
from betline.messages.table import Alert, TableState
from betline.settings import Reader, TableSettings
from betline.topics import topic
from betline.units import NS_PER_MS, NS_PER_S
from firmware_bridge.chips.keeper import ChipKeeper
from firmware_bridge.chips.near import near_zones
from firmware_bridge.chips.places import Place
from firmware_bridge.chips.record import Chip
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.chips.whereabouts import Whereabouts
from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.needs import Needs, awaited
from firmware_bridge.protocols.family import TagRead
from firmware_bridge.rf_arbiter import RfArbiter
from firmware_bridge.schedule import Channel, Need, Pace, next_poll
from firmware_bridge.second_look import Searches
from firmware_bridge.waits import bearable_ms
from firmware_bridge.zone_feed import ZoneFeed
from virtual_table.laboratory.agenda import START_S, START_WALL_MS, Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub
from virtual_table.readers.antennas import Antennas
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reach import neighbours_of, tags_in_reach
from virtual_table.readers.reading import Reading
from virtual_table.table.world import World

DEVICE: Final = "bridge"
FAMILY: Final = "feig"
OVERHEAD_MS: Final = 18.0
LOOK_OVERHEAD_MS: Final = 6.0
"""Without the RF reset: 12 ms of air, one command and its answer less."""
TAG_ON_LINE_MS: Final = 1.5
WATCH_S: Final = 0.1
STRONGEST_RSSI: Final = 200
ROUNDING_MS: Final = 0.001
"""A moment in milliseconds is not quite the same in seconds: what is due within this is due."""


Tamper: TypeAlias = Callable[[tuple[FieldTag, ...], Mapping[int, str]], tuple[FieldTag, ...]]
"""From the tags that the antennas of a reader reach, and the zones of its antennas by number, to those it hears."""


@dataclass(slots=True)
class _Reader:
    """One reader: its zones, what it hears, and what it is doing."""

    name: str
    channels: tuple[Channel, ...]
    antennas: Antennas
    feeds: dict[str, ZoneFeed] = field(default_factory=dict)
    begun_ms: dict[Channel, float] = field(default_factory=dict)
    searches: Searches = field(default_factory=Searches)
    reading: bool = False
    alive: bool = True
    """Whether it answers: a dead one gives no rounds at all."""
    frozen: bool = False
    """Whether every round says what the last one did."""
    said: dict[Channel, tuple[TagRead, ...]] = field(default_factory=dict)
    """What the last round of each channel heard."""
    turn: int = 0
    """Number of its next wake; an older one is void."""
    round_ns: int | None = None
    usual_ms: float = 0.0
    published: Presence | None = None


class SimulatedBridge:
    """All readers of a table; it can be killed and started again, and each reader can die and come back."""

    def __init__(
        self,
        table: TableSettings,
        world: World,
        agenda: Agenda,
        hub: SimulatedHub,
        behaviour: Callable[[str], Behaviour],
        seed: int,
        enrolled: Iterable[Chip] = (),
    ) -> None:
        """``behaviour`` says by a reader's name how well it reads. Chips that the world has now are in the register,
        and those ``enrolled``, which nobody has put on the table yet.
        """
        self._table = table
        self._world = world
        self._agenda = agenda
        self._hub = hub
        known: dict[str, str | Chip] = {chip.uid: chip.key for chip in world.chips()}
        self.register = ChipRegister(known | {chip.uid: chip for chip in enrolled})
        self.tamper: Tamper | None = None
        """What cheats and faults make of the tags that a reader's antennas reach."""
        self._turns = RfArbiter({reader.id: frozenset(reader.rf_neighbours) for reader in table.readers})
        self._near = near_zones(table)
        self._pace = Pace()
        self._bus: SimulatedBus | None = None
        self._needs = Needs()
        self._attended: frozenset[str] = frozenset()
        self._urgent: frozenset[str] = frozenset()
        self._began_ns = 0
        self._chips = self._keeper({})
        beside = neighbours_of(table)
        self._readers = {
            reader.id: self._reader(reader, behaviour(reader.id), beside, Random(f"reader-{seed}-{number}"))
            for number, reader in enumerate(table.readers)
        }
        agenda.every(WATCH_S, self._watch)

    # --- the program

    def start(self) -> None:
        """Begins to serve; evidence and round numbers begin anew, the chips' last places are kept."""
        self._bus = SimulatedBus(self._hub, DEVICE, topic(topics.DEVICE_STATUS, DEVICE))
        self._began_ns = self._agenda.now_ns
        self._needs, self._attended, self._urgent = Needs(), frozenset(), frozenset()
        places = {uid: place for uid in self._uids() if (place := self._chips.place(uid)) is not None}
        self._chips = self._keeper(places)
        self._bus.publish(topic(topics.DEVICE_BIRTH, DEVICE), self._birth())
        for reader in self._readers.values():
            reader.feeds = {channel.zone: self._feed(reader.name, channel.zone) for channel in reader.channels}
            reader.begun_ms, reader.searches, reader.round_ns, reader.published = {}, Searches(), None, None
            reader.reading = False
            self._turns.end(reader.name)
            self._wake(reader, self._agenda.now_s())
        self._bus.subscribe(topics.STATE, self._on_state)
        self._bus.subscribe(topics.ZONE_WANTED, self._on_wanted)

    def kill(self) -> None:
        """The process dies."""
        if self._bus is not None:
            self._bus.drop()
        self._bus = None
        for reader in self._readers.values():
            reader.turn += 1

    @property
    def running(self) -> bool:
        """Whether the program is there."""
        return self._bus is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The readers."""
        return tuple(self._readers)

    def fail(self, name: str) -> None:
        """A reader falls silent: a round under way is lost too."""
        reader = self._readers[name]
        reader.alive, reader.reading = False, False
        reader.turn += 1
        self._turns.end(name)

    def freeze(self, name: str) -> None:
        """From now on every round of a reader says what the last one did."""
        self._readers[name].frozen = True

    def misread(self, name: str, reading: Reading | None) -> None:
        """From now on a reader reads so, with None as it usually does."""
        self._readers[name].antennas.misread(reading)

    def recover(self, name: str) -> None:
        """A reader answers again."""
        reader = self._readers[name]
        if not reader.alive:
            reader.alive = True
            if self._bus is not None:
                self._wake(reader, self._agenda.now_s())

    # --- making

    def _reader(
        self, reader: Reader, behaviour: Behaviour, beside: Mapping[str, tuple[str, ...]], chance: Random
    ) -> _Reader:
        zones = {served.antenna: served.zone for served in reader.antennas}

        def reach() -> tuple[FieldTag, ...]:
            tags = tuple(tags_in_reach(self._world, zones, beside, self._agenda.now_s()))
            return tags if self.tamper is None else self.tamper(tags, zones)

        channels = tuple(
            Channel(zone, antenna, Need.SEAT if zone.startswith("seat-") else Need.SLOW)
            for antenna, zone in zones.items()
        )
        return _Reader(reader.id, channels, Antennas(reach, behaviour, chance))

    def _keeper(self, places: dict[str, Place]) -> ChipKeeper:
        sensing = self._table.sensing

        def whereabouts(_: dict[str, Place]) -> Whereabouts:
            silent_ns = sensing.offline_ms * NS_PER_MS
            return Whereabouts(
                self._table.name, self.register, self._near, sensing.absent_rounds, silent_ns, dict(places)
            )

        return ChipKeeper(
            self.register, whereabouts, mono_minus_wall_ns=lambda: round(START_S * NS_PER_S) - START_WALL_MS * NS_PER_MS
        )

    def _feed(self, reader: str, zone: str) -> ZoneFeed:
        window = self._table.sensing.window_rounds
        return ZoneFeed(zone, reader, self.register, ZoneEvidence(window=window), self._chips, self._alert)

    def _uids(self) -> list[str]:
        return [chip.uid for chip in self._world.chips()]

    def _birth(self) -> Birth:
        return Birth(role="bridge", version="simulated", table=self._table.name, config_hash=self._table.config_hash())

    def _alert(self, alert: Alert) -> None:
        if self._bus is not None:
            self._bus.publish(topic(topics.ALERT), alert)

    # --- what is wanted

    def _on_state(self, received: Received) -> None:
        assert isinstance(received.body, TableState)
        self._needs = Needs(awaited(received.body), self._needs.wanted_until_ns)
        self._attend()

    def _on_wanted(self, received: Received) -> None:
        assert isinstance(received.body, ZoneWanted)
        for_ns = received.body.for_ms * NS_PER_MS
        self._needs = self._needs.wish(received.topic.name, self._agenda.now_ns, for_ns)
        self._attend()

    def _attend(self) -> None:
        now_ns = self._agenda.now_ns
        zones, urgent = self._needs.at(now_ns), self._needs.urgent(now_ns)
        if (zones, urgent) == (self._attended, self._urgent):
            return
        self._attended, self._urgent = zones, urgent
        for reader in self._readers.values():
            if not reader.reading and reader.alive:
                self._wake(reader, self._agenda.now_s())

    # --- rounds

    def _wake(self, reader: _Reader, when_s: float) -> None:
        reader.turn += 1
        turn = reader.turn

        def tick() -> None:
            if reader.turn == turn and self._bus is not None and reader.alive:
                self._tick(reader)

        self._agenda.at(when_s, tick)

    def _tick(self, reader: _Reader) -> None:
        now_ms = self._agenda.now_s() * 1000 + ROUNDING_MS
        poll = next_poll(reader.channels, reader.begun_ms, self._attended, now_ms, self._pace, self._urgent)
        if poll.at_ms > now_ms:
            self._wake(reader, poll.at_ms / 1000)
            return
        if self._turns.is_shared(reader.name) and not self._turns.begin(
            reader.name, lambda: self._wake(reader, self._agenda.now_s())
        ):
            return
        reader.begun_ms[poll.channel] = self._agenda.now_s() * 1000
        reader.reading = True
        self._read(reader, poll.channel)

    def _read(self, reader: _Reader, channel: Channel, quiet: frozenset[str] = frozenset()) -> None:
        """A round begins, or a second look, in which the tags `quiet` do not answer."""
        antenna = channel.antenna or 1
        sweep = reader.antennas.sweep([antenna], {(uid, antenna) for uid in quiet})
        overhead_ms = LOOK_OVERHEAD_MS if quiet else OVERHEAD_MS
        took_ms = overhead_ms + sweep.air_ms + TAG_ON_LINE_MS * len(sweep.heard)
        tags = tuple(TagRead(tag.uid, None, tag.antenna, round(STRONGEST_RSSI * tag.signal)) for tag in sweep.heard)
        if reader.frozen:
            tags = reader.said.get(channel, ())
        reader.said[channel] = tags
        reader.turn += 1
        turn, bus = reader.turn, self._bus

        def over() -> None:
            if reader.turn == turn and self._bus is bus:
                self._over(reader, RoundOver(channel, tags, (), took_ms, self._agenda.now_ns, quiet))

        self._agenda.after(took_ms / 1000, over)

    def _over(self, reader: _Reader, over: RoundOver) -> None:
        channel = over.channel
        reader.round_ns = over.last_byte_ns
        if not over.quiet:
            reader.usual_ms = over.cycle_ms
        snapshot = reader.feeds[channel.zone].after(over, attended=channel.zone in self._attended)
        if snapshot is not None and self._bus is not None:
            self._bus.publish(topic(topics.ZONE_CHIPS, channel.zone), snapshot)
        wants_a_look = reader.searches.want_a_look(
            channel, over.tags, over.quiet, over.cycle_ms, self._attended, self._pace
        )
        if wants_a_look and not reader.frozen:
            self._read(reader, channel, over.quiet | {tag.uid for tag in over.tags})
            return
        reader.reading = False
        self._turns.end(reader.name)
        self._wake(reader, self._agenda.now_s())

    def _watch(self) -> None:
        """Presence and snapshots that are told again, as the bridge's own loop does."""
        bus, now_ns = self._bus, self._agenda.now_ns
        if bus is None:
            return
        self._attend()
        for reader in self._readers.values():
            presence = self._presence(reader, now_ns)
            if presence is not None and presence != reader.published:
                reader.published = presence
                bus.publish(topic(topics.DEVICE_STATUS, reader.name), presence)
            if reader.published is None or reader.published.state != "online":
                continue
            for zone, feed in reader.feeds.items():
                snapshot = feed.again(now_ns)
                if snapshot is not None:
                    bus.publish(topic(topics.ZONE_CHIPS, zone), snapshot)

    def _presence(self, reader: _Reader, now_ns: int) -> Presence | None:
        """As `firmware_bridge.service` has it: a reader is as good as its last complete round is young."""
        sensing = self._table.sensing
        grows = any(feed.evidence.grows for feed in reader.feeds.values())
        bearable_for_ms = bearable_ms(FAMILY, reader.usual_ms, grows=grows)
        silent_ms = (now_ns - (reader.round_ns or self._began_ns)) / NS_PER_MS - bearable_for_ms
        if silent_ms >= sensing.offline_ms:
            return Presence(state="offline", detail="the reader does not answer")
        if silent_ms >= sensing.stale_ms:
            return Presence(state="stale", detail="the reader does not answer")
        return None if reader.round_ns is None else Presence(state="online")
