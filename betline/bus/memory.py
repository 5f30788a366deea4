"""The bus without a broker: clients of one ``MemoryHub``, with the same bytes, retention and last wills."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator, Mapping

from betline.bus.inbox import Inbox
from betline.bus.port import HOST_CLOCK, BesideHandler, BusCounters, Guard, Handler, HostClock, UnreadHandler
from betline.bus.wire import WILL_SEQ, encode
from betline.clock_offset import ClockOffset
from betline.messages.common import Body, Envelope, Presence
from betline.topics import Namespace, Topic, TopicKind
from betline.units import NS_PER_MS


class MemoryHub:
    """What a broker is to MQTT clients: it keeps retained messages and hands each message to every client."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._clients: list[MemoryBus] = []
        self._retained: dict[str, bytes] = {}

    def inject(self, full_topic: str, payload: bytes, *, retained: bool = False) -> None:
        """Publishes raw bytes, as any client of a broker could."""
        with self._lock:
            if retained:
                if payload:
                    self._retained[full_topic] = payload
                else:
                    self._retained.pop(full_topic, None)
            for client in list(self._clients):
                self._hand(client, full_topic, payload, retained=False)

    def join(self, client: MemoryBus) -> None:
        """Adds a client."""
        with self._lock:
            self._clients.append(client)

    def leave(self, client: MemoryBus) -> None:
        """Removes a client."""
        with self._lock:
            if client in self._clients:
                self._clients.remove(client)

    def replay_retained(self, client: MemoryBus) -> None:
        """Gives a client what is retained, as a broker does upon a subscription."""
        with self._lock:
            for full_topic, payload in self._retained.items():
                self._hand(client, full_topic, payload, retained=True)

    def _hand(self, client: MemoryBus, full_topic: str, payload: bytes, *, retained: bool) -> None:
        client.deliver(full_topic, payload, retained=retained)


class SiteHub(MemoryHub):
    """The hub of several tables: each client gets what is of its table, or of a table of its site."""

    def _hand(self, client: MemoryBus, full_topic: str, payload: bytes, *, retained: bool) -> None:
        if client.hears(full_topic):
            super()._hand(client, full_topic, payload, retained=retained)


class MemoryBus:
    """One client of a hub; implements ``Bus``."""

    def __init__(
        self,
        hub: MemoryHub,
        namespace: Namespace,
        sender: str,
        *,
        presence: Topic | None = None,
        announces: bool = True,
        clock: HostClock = HOST_CLOCK,
    ) -> None:
        self._hub = hub
        self._clock = clock
        self._namespace = namespace
        self._sender = sender
        self._boot_id = uuid.uuid4().hex[:12]
        self._seq = 0
        self._presence = presence
        self._counters = BusCounters()
        self._inbox = Inbox(namespace, self._counters)
        self._beside: list[tuple[str, BesideHandler]] = []
        self._lock = threading.Lock()
        self._connected = True
        hub.join(self)
        self._counters.connects = 1
        self._announced = False
        if announces:
            self.announce()

    @property
    def sender(self) -> str:
        return self._sender

    @property
    def boot_id(self) -> str:
        return self._boot_id

    @property
    def connected(self) -> bool:
        return self._connected

    @property
    def counters(self) -> BusCounters:
        return self._counters

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        return self._inbox.offsets

    def publish(self, topic: Topic, body: Body) -> None:
        if type(body) is not topic.kind.body:
            raise TypeError(f"{topic.path} carries {topic.kind.body.__name__}, not {type(body).__name__}")
        with self._lock:
            envelope = self._envelope(self._seq)
            self._seq += 1
        self._counters.published += 1
        self._hub.inject(self._namespace.full(topic.path), encode(envelope, body), retained=topic.kind.retained)

    def subscribe(self, kind: TopicKind, handler: Handler) -> None:
        self._inbox.add(kind, handler)
        self._hub.replay_retained(self)

    def hear_only(self, guard: Guard) -> None:
        self._inbox.hear_only(guard)

    def when_unread(self, handler: UnreadHandler) -> None:
        """Calls the handler for every message that cannot be read."""
        self._inbox.when_unread(handler)

    def hear_beside(self, pattern: str, handler: BesideHandler) -> None:
        """Calls the handler with what a broker itself says on such topics beside the bus, what it keeps first."""
        self._beside.append((pattern, handler))
        self._hub.replay_retained(self)

    def when_subscribed(self, handler: Callable[[], None]) -> None:
        handler()

    def announce(self) -> None:
        if self._presence is not None and not self._announced:
            self._announced = True
            self.publish(self._presence, Presence(state="online"))

    def clock_leapt(self, from_ns: int) -> None:
        self._inbox.clock_leapt(from_ns)

    def on_connection(self, handler: Callable[[bool], None]) -> None:
        handler(self._connected)

    def hears(self, full_topic: str) -> bool:
        """Whether a topic is of its table, or of a table of its site, or was asked for beside these."""
        return self._namespace.covers(full_topic) or any(self._heard_beside(full_topic))

    def deliver(self, full_topic: str, payload: bytes, *, retained: bool) -> None:
        """Takes a message from the hub."""
        beside = tuple(self._heard_beside(full_topic))
        for handler in beside:
            handler(full_topic, payload, retained)
        if beside:
            return
        self._inbox.take(full_topic, payload, retained=retained, arrived_ns=self._clock.mono_ns())

    def _heard_beside(self, full_topic: str) -> Iterator[BesideHandler]:
        theirs = full_topic.split("/")
        for pattern, handler in self._beside:
            mine = pattern.split("/")
            if len(mine) == len(theirs) and all(m in ("+", t) for m, t in zip(mine, theirs, strict=True)):
                yield handler

    def drop(self) -> None:
        """Dies as a killed process does: the hub publishes the last will."""
        self._leave(WILL_SEQ)

    def close(self) -> None:
        self._leave(self._seq if self._announced else None)

    def _leave(self, seq: int | None) -> None:
        if not self._connected:
            return
        self._connected = False
        self._hub.leave(self)
        if self._presence is not None and seq is not None:
            payload = encode(self._envelope(seq), Presence(state="offline"))
            self._hub.inject(self._namespace.full(self._presence.path), payload, retained=True)

    def _envelope(self, seq: int) -> Envelope:
        return Envelope(
            sender=self._sender,
            boot_id=self._boot_id,
            seq=seq,
            ts_ms=self._clock.wall_ns() // NS_PER_MS,
            mono_ns=self._clock.mono_ns(),
        )
