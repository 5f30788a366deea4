"""The bus in simulated time: messages arrive some milliseconds later, in the order in which they were sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from betline.bus import Bus, Received
from betline.bus.port import BusCounters, Guard, Handler
from betline.bus.wire import WILL_SEQ
from betline.clock_offset import ClockOffset
from betline.messages.common import Body, Envelope, Presence
from betline.topics import Topic, TopicKind
from virtual_table.laboratory.agenda import Agenda

DELAY_S = (0.0008, 0.004)


class SimulatedHub:
    """What a broker is: it keeps retained messages and hands each message to all who have subscribed to its kind."""

    def __init__(self, agenda: Agenda, chance: Random) -> None:
        self.agenda = agenda
        self._chance = chance
        self._handlers: dict[TopicKind, list[tuple[SimulatedBus, Handler]]] = {}
        self._retained: dict[str, tuple[Topic, Envelope, Body]] = {}
        self._last_s = 0.0
        self._boots: dict[str, int] = {}
        self._clients: list[SimulatedBus] = []
        self._wills: list[tuple[Topic, Envelope, Body]] = []
        self.there = True
        """Whether anybody has a broker."""
        self.later_s = 0.0
        """How much later than usual messages come."""

    def boot_id(self, sender: str) -> str:
        """The id of the next life of a program."""
        self._boots[sender] = self._boots.get(sender, 0) + 1
        return f"{sender}-{self._boots[sender]}"

    def send(self, topic: Topic, envelope: Envelope, body: Body) -> None:
        """Takes a message; it arrives a little later."""
        self._last_s = max(self._last_s, self.agenda.now_s() + self._chance.uniform(*DELAY_S) + self.later_s)
        self.agenda.at(self._last_s, lambda: self._deliver(topic, envelope, body))

    def _deliver(self, topic: Topic, envelope: Envelope, body: Body) -> None:
        if not self.there:
            return
        if topic.kind.retained:
            self._retained[topic.path] = (topic, envelope, body)
        received = Received(topic, envelope, body, False, self.agenda.now_ns, 0)
        for bus, handler in tuple(self._handlers.get(topic.kind, ())):
            if bus.connected:
                handler(received)

    def subscribe(self, bus: SimulatedBus, kind: TopicKind, handler: Handler) -> None:
        """Hands every message of a kind to the handler from now on, and what is retained of it at once."""
        self._handlers.setdefault(kind, []).append((bus, handler))
        if self.there:
            self._tell_retained(kind, handler)

    def _tell_retained(self, kind: TopicKind, handler: Handler) -> None:
        for topic, envelope, body in tuple(self._retained.values()):
            if topic.kind is kind:
                handler(Received(topic, envelope, body, True, self.agenda.now_ns, 0))

    def join(self, bus: SimulatedBus) -> None:
        """A client, until it leaves."""
        self._clients.append(bus)

    def will(self, topic: Topic, envelope: Envelope, body: Body) -> None:
        """The last will of a client that is gone; told when the broker is there."""
        if self.there:
            self.send(topic, envelope, body)
        else:
            self._wills.append((topic, envelope, body))

    def go_away(self) -> None:
        """The broker is away: what was under way is lost."""
        self.there = False
        for bus in tuple(self._clients):
            bus.connection(there=False)

    def come_back(self, *, forgets: bool = False) -> None:
        """The broker is there again, without what it had kept if it ``forgets``; the clients find it as real ones do:
        they subscribe, get what is kept, and publish what they have it keep.
        """
        self.there = True
        if forgets:
            self._retained.clear()
        wills, self._wills = self._wills, []
        for topic, envelope, body in wills:
            self.send(topic, envelope, body)
        for bus in tuple(self._clients):
            for kind, handlers in tuple(self._handlers.items()):
                for one, handler in tuple(handlers):
                    if one is bus:
                        self._tell_retained(kind, handler)
            bus.connection(there=True)

    def leave(self, bus: SimulatedBus) -> None:
        """Drops a client and its subscriptions."""
        self._clients.remove(bus)
        for kind, handlers in self._handlers.items():
            self._handlers[kind] = [one for one in handlers if one[0] is not bus]


class SimulatedBus(Bus):
    """One client of the hub."""

    def __init__(self, hub: SimulatedHub, sender: str, presence: Topic | None = None) -> None:
        self._hub = hub
        self._sender = sender
        self._boot_id = hub.boot_id(sender)
        self._presence = presence
        self._seq = 0
        self._alive = True
        self._retained: dict[str, tuple[Topic, Body]] = {}
        self._connection_handlers: list[Callable[[bool], None]] = []
        self._subscribed_handlers: list[Callable[[], None]] = []
        hub.join(self)
        self._counters = BusCounters(connects=1)
        if presence is not None:
            self.publish(presence, Presence(state="online"))

    @property
    def sender(self) -> str:
        return self._sender

    @property
    def boot_id(self) -> str:
        return self._boot_id

    @property
    def connected(self) -> bool:
        return self._alive and self._hub.there

    @property
    def counters(self) -> BusCounters:
        return self._counters

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        return {}

    def publish(self, topic: Topic, body: Body) -> None:
        if self._alive and topic.kind.retained:
            self._retained[topic.path] = (topic, body)
        if not self.connected:
            return
        self._counters.published += 1
        self._send(topic, body, self._seq)
        self._seq += 1

    def subscribe(self, kind: TopicKind, handler: Handler) -> None:
        self._hub.subscribe(self, kind, handler)

    def on_connection(self, handler: Callable[[bool], None]) -> None:
        self._connection_handlers.append(handler)
        handler(self.connected)

    def when_subscribed(self, handler: Callable[[], None]) -> None:
        self._subscribed_handlers.append(handler)
        if self.connected:
            handler()

    def connection(self, *, there: bool) -> None:
        """The broker has gone or come back: what it is to keep is published once more."""
        if there:
            for topic, body in tuple(self._retained.values()):
                self.publish(topic, body)
        for tell in tuple(self._connection_handlers):
            tell(there)
        for ask in tuple(self._subscribed_handlers) if there else ():
            ask()

    def announce(self) -> None:
        """Every client here says online as it joins."""

    def hear_only(self, guard: Guard) -> None:
        """Nobody floods a simulated bus: all is heard."""

    def clock_leapt(self, from_ns: int) -> None:
        """There is one clock, and it does not leap."""

    def close(self) -> None:
        self._gone(self._seq)

    def drop(self) -> None:
        """Dies as a killed process does: its last will is published."""
        self._gone(WILL_SEQ)

    def _gone(self, seq: int) -> None:
        if not self._alive:
            return
        self._alive = False
        self._hub.leave(self)
        if self._presence is not None:
            self._hub.will(self._presence, self._envelope(seq), Presence(state="offline"))

    def _send(self, topic: Topic, body: Body, seq: int) -> None:
        self._hub.send(topic, self._envelope(seq), body)

    def _envelope(self, seq: int) -> Envelope:
        agenda, sender = self._hub.agenda, self._sender
        return Envelope.model_construct(
            sender=sender, boot_id=self._boot_id, seq=seq, ts_ms=agenda.wall_ms(sender), mono_ns=agenda.now_ns
        )
