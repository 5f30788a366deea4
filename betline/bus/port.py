"""The bus as the rooms see it: publish, subscribe, close; and what a received message is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from betline.clock_offset import ClockOffset
from betline.messages.common import Body, Envelope
from betline.topics import Topic, TopicKind
from betline.units import NS_PER_MS


@dataclass(frozen=True, slots=True)
class HostClock:
    """The clocks of this machine; tests bring those of another."""

    mono_ns: Callable[[], int] = time.monotonic_ns
    wall_ns: Callable[[], int] = time.time_ns


HOST_CLOCK: Final = HostClock()


@dataclass(frozen=True, slots=True)
class Received:
    """One message that arrived: where, from whom, what, when; and how to read its sender's times.

    A retained message that the broker kept says nothing of how old it is. Where nothing else was heard of its sender
    yet, it is read as though it had just been sent.
    """

    topic: Topic
    envelope: Envelope
    body: Body
    retained: bool
    arrived_ns: int
    """Our monotonic clock when it arrived, before it waited in any queue."""
    offset_ns: int
    """What our monotonic clock is ahead of its sender's, as far as is known (`betline.clock_offset`)."""
    repeated: bool = False
    """It has been delivered before: QoS 1 may do so, and whoever recorded it. Only commands are handed on then."""

    def local_ns(self, sender_ns: int) -> int:
        """A time of the sender's monotonic clock, on ours."""
        return sender_ns + self.offset_ns

    @property
    def sent_ns(self) -> int:
        """When it was sent, on our monotonic clock."""
        return self.local_ns(self.envelope.mono_ns)

    def void_ns(self, expires_ms: int) -> int:
        """When something in it expires, on our monotonic clock; `expires_ms` is a time of its sender's wall clock.

        It is counted from the sending, so no wall clock need be right.
        """
        return self.sent_ns + (expires_ms - self.envelope.ts_ms) * NS_PER_MS


Handler = Callable[[Received], None]
"""Called on the bus's own thread: it must only enqueue."""


UnreadHandler = Callable[[Topic, str], None]
"""Called on the bus's own thread with the topic of a message that cannot be read, and why."""


Guard = Callable[[Topic], bool | None]
"""Whether what comes on a topic is read at all; None where it is not, and is nothing to be counted either."""
NAMED_DROPPERS: Final = 32
OTHERS: Final = "others"


@dataclass(slots=True)
class BusCounters:
    """What the bus did and dropped since it was opened."""

    published: int = 0
    received: int = 0
    malformed: int = 0
    foreign: int = 0
    duplicates: int = 0
    refused: int = 0
    connects: int = 0
    last_problem: str = ""
    problems: dict[str, int] = field(default_factory=dict)
    dropped_by: dict[str, int] = field(default_factory=dict)
    """Messages dropped by who sent them, or by topic where that cannot be read; `others` beyond the first 32."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def dropped(self, who: str) -> None:
        """Counts a dropped message of a sender."""
        with self._lock:
            name = who if who in self.dropped_by or len(self.dropped_by) < NAMED_DROPPERS else OTHERS
            self.dropped_by[name] = self.dropped_by.get(name, 0) + 1

    def problem(self, kind: str, sentence: str) -> None:
        """Counts a drop by kind and keeps the newest sentence."""
        with self._lock:
            self.problems[kind] = self.problems.get(kind, 0) + 1
        self.last_problem = sentence


BesideHandler = Callable[[str, bytes, bool], None]
"""Called with the topic, its bytes, and whether the broker had kept it, on the bus's own thread."""


class Bus(Protocol):
    """One client of the bus at one table.

    ``publish`` never blocks on the broker: while it is away, retained messages are kept (the newest of each topic)
    and published after the reconnect; events are dropped and counted, since the journal is what is trusted.
    """

    @property
    def sender(self) -> str:
        """The name this client signs its messages with."""
        ...

    @property
    def boot_id(self) -> str:
        """The id of this life of the program."""
        ...

    @property
    def connected(self) -> bool:
        """Whether a broker has accepted this client."""
        ...

    @property
    def counters(self) -> BusCounters:
        """What was published, received and dropped."""
        ...

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        """The clock offset of each sender that was heard, by name."""
        ...

    def publish(self, topic: Topic, body: Body) -> None:
        """Sends a message; raises TypeError where the body is not the one that the topic carries."""
        ...

    def subscribe(self, kind: TopicKind, handler: Handler) -> None:
        """Calls the handler with every message of a kind, retained ones first."""
        ...

    def hear_only(self, guard: Guard) -> None:
        """Drops from now on, unread and counted, what comes on a topic that the guard does not let in."""
        ...

    def when_subscribed(self, handler: Callable[[], None]) -> None:
        """Calls the handler once the broker has confirmed all subscriptions made so far, and after each reconnect."""
        ...

    def announce(self) -> None:
        """Says online, now and after each reconnect, for a client that was made with ``announces=False``."""
        ...

    def clock_leapt(self, from_ns: int) -> None:
        """Our monotonic clock leapt: the clock offset of each sender is learned anew from what arrives from then on."""
        ...

    def on_connection(self, handler: Callable[[bool], None]) -> None:
        """Calls the handler with True after each connect and with False after each loss, on the bus's thread."""
        ...

    def close(self) -> None:
        """Says offline and leaves."""
        ...
