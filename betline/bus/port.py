"""The bus as the rooms see it: publish, subscribe, close; and what a received message is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from betline.messages.common import Body, Envelope
from betline.topics import Topic, TopicKind


@dataclass(frozen=True, slots=True)
class Received:
    """One message that arrived: where, from whom, what."""

    topic: Topic
    envelope: Envelope
    body: Body
    retained: bool


Handler = Callable[[Received], None]
"""Called on the bus's own thread: it must only enqueue."""


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

    def problem(self, kind: str, sentence: str) -> None:
        """Counts a drop by kind and keeps the newest sentence."""
        self.problems[kind] = self.problems.get(kind, 0) + 1
        self.last_problem = sentence


class Bus(Protocol):
    """One client of the bus at one table.

    ``publish`` never blocks on the broker: while it is away, retained messages are kept (the newest a topic) and told
    again after the reconnect; events are dropped and counted, since the journal is what is trusted.
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

    def publish(self, topic: Topic, body: Body) -> None:
        """Sends a message; raises TypeError where the body is not the one that the topic carries."""
        ...

    def subscribe(self, kind: TopicKind, handler: Handler) -> None:
        """Calls the handler with every message of a kind, retained ones first."""
        ...

    def on_connection(self, handler: Callable[[bool], None]) -> None:
        """Calls the handler with True after each connect and with False after each loss, on the bus's thread."""
        ...

    def close(self) -> None:
        """Says offline and leaves."""
        ...
