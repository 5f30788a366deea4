"""What every client does with bytes that arrive: read, check, count, hand to whoever asked for that kind."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from betline.bus.port import BusCounters, Handler, Received
from betline.bus.wire import Malformed, SenderClocks, Sequences, decode
from betline.clock_offset import ClockOffset
from betline.topics import Namespace, TopicKind

_log = logging.getLogger(__name__)


class Inbox:
    """Dispatches received bytes; a message that cannot be used is counted, logged and dropped."""

    def __init__(self, namespace: Namespace, counters: BusCounters) -> None:
        self._namespace = namespace
        self._counters = counters
        self._sequences: dict[str, Sequences] = {}
        self._clocks = SenderClocks()
        self._handlers: list[tuple[TopicKind, Handler]] = []

    def add(self, kind: TopicKind, handler: Handler) -> None:
        """Registers a handler for a kind of topics."""
        self._handlers.append((kind, handler))

    @property
    def kinds(self) -> list[TopicKind]:
        """The kinds somebody asked for."""
        return [kind for kind, _ in self._handlers]

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        """The clock offset of each sender that was heard."""
        return self._clocks.offsets

    def take(self, full_topic: str, payload: bytes, *, retained: bool, arrived_ns: int) -> None:
        """Reads one message, which arrived at a time of our monotonic clock, and hands it on."""
        topic = self._namespace.parse(full_topic)
        if topic is None:
            self._counters.foreign += 1
            self._drop("foreign", f"{full_topic} is no topic of this table.")
            return
        handlers = [handler for kind, handler in self._handlers if kind is topic.kind]
        if not handlers or not payload:
            return
        if retained and not topic.kind.retained:  # it would happen again at every reconnect
            self._drop("retained", f"A message on {topic.path} was dropped: nobody may retain that kind.")
            return
        try:
            envelope, body = decode(topic, payload)
        except Malformed as error:
            self._counters.malformed += 1
            self._drop("malformed", f"A message on {topic.path} was dropped: {error}.")
            return
        if not retained and not self._sequences.setdefault(topic.path, Sequences()).is_new(envelope):
            self._counters.duplicates += 1
            return
        self._counters.received += 1
        offset_ns = self._clocks.arrived(envelope, arrived_ns, retained=retained)
        received = Received(topic, envelope, body, retained, arrived_ns, offset_ns)
        for handler in handlers:
            handler(received)

    def _drop(self, kind: str, sentence: str) -> None:
        self._counters.problem(kind, sentence)
        _log.warning(sentence)
