"""What every client does with bytes that arrive: read, check, count, hand to whoever asked for that kind."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Mapping

from betline.bus.port import BusCounters, Guard, Handler, Received, UnreadHandler
from betline.bus.sparing import SparingLog
from betline.bus.wire import Malformed, SenderClocks, Sequences, decode
from betline.clock_offset import ClockOffset
from betline.topics import COMMAND, Namespace, Topic, TopicKind

NEWER = "newer-sender"
"""The kind under which a message is counted that says more than this version knows of."""
REMEMBERED_TOPICS = 1024
"""Topics of which the numbers are remembered; a table has some hundred."""


class Inbox:
    """Dispatches received bytes; a message that cannot be used is counted, logged and dropped."""

    def __init__(self, namespace: Namespace, counters: BusCounters) -> None:
        self._namespace = namespace
        self._counters = counters
        self._sequences: OrderedDict[str, Sequences] = OrderedDict()
        self._guard: Guard = lambda _: True
        self._unread: UnreadHandler = lambda _topic, _why: None
        self._log = SparingLog(logging.getLogger(__name__))
        self._clocks = SenderClocks()
        self._handlers: list[tuple[TopicKind, Handler]] = []

    def add(self, kind: TopicKind, handler: Handler) -> None:
        """Registers a handler for a kind of topics."""
        self._handlers.append((kind, handler))

    def hear_only(self, guard: Guard) -> None:
        """Drops from now on, unread, what comes on a topic that the guard does not let in."""
        self._guard = guard

    def when_unread(self, handler: UnreadHandler) -> None:
        """Calls the handler with the topic of every message that cannot be read, and why."""
        self._unread = handler

    @property
    def kinds(self) -> list[TopicKind]:
        """The kinds somebody asked for."""
        return [kind for kind, _ in self._handlers]

    def clock_leapt(self, from_ns: int) -> None:
        """Learns the offset of every sender anew."""
        self._clocks.anew(from_ns)

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        """The clock offset of each sender that was heard."""
        return self._clocks.offsets

    def take(self, full_topic: str, payload: bytes, *, retained: bool, arrived_ns: int) -> None:
        """Reads one message, which arrived at a time of our monotonic clock, and hands it on."""
        topic = self._namespace.parse(full_topic)
        if topic is None:
            self._counters.foreign += 1
            self._drop("foreign", f"{full_topic} is no topic of this table.", arrived_ns)
            return
        handlers = [handler for kind, handler in self._handlers if kind is topic.kind]
        if not handlers or not payload:
            return
        let_in = self._guard(topic)
        if let_in is None:
            return
        if not let_in:
            self._drop(
                "strangers", f"A message on {topic.path} was dropped: the table file names none such.", arrived_ns
            )
            return
        if retained and not topic.kind.retained:  # it would happen again at every reconnect
            said = f"A message on {topic.path} was dropped: nobody may retain that kind."
            self._drop("retained", said, arrived_ns, _sender_of(topic, payload))
            return
        try:
            envelope, body, unknown = decode(topic, payload)
        except Malformed as error:
            self._counters.malformed += 1
            self._drop("malformed", f"A message on {topic.path} was dropped: {error}.", arrived_ns, topic.path)
            self._unread(topic, str(error))
            return
        if unknown:
            sentence = (
                f"{envelope.sender} is newer than this program: {unknown[0]} in its messages on {topic.path} is not "
                "known here and is left out. Update this program."
            )
            self._counters.problem(NEWER, sentence)
            self._log.warn(f"{NEWER}-{envelope.sender}", sentence, arrived_ns)
        repeated = not retained and not self._numbers_on(topic.path).is_new(envelope)
        if repeated:
            self._counters.duplicates += 1
            self._counters.dropped(envelope.sender)
            if topic.kind is not COMMAND:  # whoever asked may have lost the answer
                return
        self._counters.received += not repeated
        offset_ns = self._clocks.arrived(envelope, arrived_ns, retained=retained or repeated)
        received = Received(topic, envelope, body, retained, arrived_ns, offset_ns, repeated)
        for handler in handlers:
            handler(received)

    def _numbers_on(self, path: str) -> Sequences:
        numbers = self._sequences.setdefault(path, Sequences())
        self._sequences.move_to_end(path)
        if len(self._sequences) > REMEMBERED_TOPICS:
            self._sequences.popitem(last=False)
        return numbers

    def _drop(self, kind: str, sentence: str, now_ns: int, who: str = "") -> None:
        self._counters.problem(kind, sentence)
        if who:
            self._counters.dropped(who)
        self._log.warn(kind, sentence, now_ns)


def _sender_of(topic: Topic, payload: bytes) -> str:
    """Who says to have sent a message; its topic where that cannot be read."""
    try:
        envelope, _, _ = decode(topic, payload)
    except Malformed:
        return topic.path
    return envelope.sender
