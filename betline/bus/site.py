"""One client for all tables of a site: it hears every table there, and says to which one it speaks.

Each table that is heard has its own numbers and clocks, as it has with a client of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from betline.bus.inbox import Inbox
from betline.bus.mqtt import MqttBus
from betline.bus.port import BusCounters, Received
from betline.clock_offset import ClockOffset
from betline.login import Login
from betline.messages.common import Body
from betline.topics import NAME, ROOT, Namespace, Topic, TopicKind

MOST_TABLES: Final = 1000
SiteHandler = Callable[[str, Received], None]
"""Called with the table's name and the message, on the bus's own thread: it must only enqueue."""


class SiteInbox(Inbox):
    """What arrives, sorted by table; a table is known once something of it arrives."""

    def __init__(self, names: Namespace, counters: BusCounters) -> None:
        super().__init__(names, counters)
        self._root, self._site, self._counts = f"{ROOT}/{names.site}/", names.site, counters
        self._tables: dict[str, Inbox] = {}
        self._wanted: list[tuple[TopicKind, SiteHandler]] = []

    def hear(self, kind: TopicKind, handler: SiteHandler) -> None:
        """Registers a handler for a kind of topics of every table."""
        self._wanted.append((kind, handler))
        for table, inbox in self._tables.items():
            inbox.add(kind, partial(handler, table))

    @property
    def kinds(self) -> list[TopicKind]:
        """The kinds somebody asked for."""
        return [kind for kind, _ in self._wanted]

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        """The clock offset of each sender that was heard, as TABLE/SENDER."""
        return {
            f"{table}/{sender}": offset for table, one in self._tables.items() for sender, offset in one.offsets.items()
        }

    def take(self, full_topic: str, payload: bytes, *, retained: bool, arrived_ns: int) -> None:
        """Hands a message to its table's inbox."""
        table = full_topic.removeprefix(self._root).partition("/")[0]
        inbox = self._tables.get(table)
        if inbox is None:
            if not full_topic.startswith(self._root) or not NAME.match(table):
                self._counts.foreign += 1
                return
            if len(self._tables) >= MOST_TABLES:
                self._counts.problem("tables", f"{full_topic} was dropped: {MOST_TABLES} tables are known already.")
                return
            inbox = self._tables[table] = Inbox(Namespace(self._site, table), self._counts)
            for kind, handler in self._wanted:
                inbox.add(kind, partial(handler, table))
        inbox.take(full_topic, payload, retained=retained, arrived_ns=arrived_ns)


class SiteBus(MqttBus):
    """A client of the bus for a whole site; its name stands where a table's answers to it go.

    Of topics that have who asked in their name it hears its own only.
    """

    def __init__(self, host: str, port: int, site: str, sender: str, *, login: Login | None = None) -> None:
        self._names = Namespace(site, sender)  # both stand in topics, so they are checked as such
        super().__init__(host, port, self._names, sender, login=login)

    def _new_inbox(self) -> Inbox:
        self._by_table = SiteInbox(self._names, self._counters)
        return self._by_table

    def hear(self, kind: TopicKind, handler: SiteHandler) -> None:
        """Calls the handler with every message of a kind, of every table, retained ones first."""
        self._by_table.hear(kind, partial(self._guarded, handler))
        with self._lock:
            if self.connected:
                self._subscribe([kind])

    def say(self, table: str, topic: Topic, body: Body) -> bool:
        """Sends a message to one table; False where no broker is there to take it."""
        if type(body) is not topic.kind.body:
            raise TypeError(f"{topic.path} carries {topic.kind.body.__name__}, not {type(body).__name__}")
        with self._lock:
            if not self.connected:
                return False
            self._send(topic, body, Namespace(self._names.site, table).full(topic.path))
        return True

    def _subscribe(self, kinds: Sequence[TopicKind]) -> None:
        wanted = [(f"{ROOT}/{self._names.site}/+/{self._path(kind)}", kind.qos) for kind in dict.fromkeys(kinds)]
        _, mid = self._client.subscribe(wanted)
        if mid is not None:
            self._unconfirmed.add(mid)

    def _path(self, kind: TopicKind) -> str:
        return kind.pattern.replace("+", self._sender) if kind.named == "asker" else kind.pattern
