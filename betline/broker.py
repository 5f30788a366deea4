"""The embedded MQTT 3.1.1 broker: amqtt on the loopback interface, in a process of its own.

Five things of amqtt are put right here. Its anonymous plugin marks every client anonymous and then drops what is queued
for persistent sessions. It walks over its subscriptions while others subscribe, and then loses the message in hand, or
never reads from the client that connects. A client that connects is sent what is retained for others. And one queue
for all lets a client that floods it delay everybody else. What a client that reads slowly has not taken is kept without
limit, each message as a task of its own; to go over thousands of them costs Python's garbage collector 60 ms and more,
in which nobody is served. A real table uses mosquitto with the shipped configuration (config/broker).
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from amqtt.adapters import StreamReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker, RetainedApplicationMessage
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler
from amqtt.plugins.base import BaseAuthPlugin
from amqtt.session import Session

_log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 1883


READS_PER_S = 3000.0
"""How much is read of one client: a message takes some seven reads, its confirmation of one three; a bridge sends 130
messages a second. Who sends more is read later: its own connection fills up, and nobody else's messages wait."""
READS_AT_ONCE = 1500.0


MOST_WAITING_BYTES = 8_000_000
"""What may wait for one client. One that is further behind is cut off; it connects again and gets what is retained."""
MESSAGE_BYTES = 2_000
"""What a message that waits costs besides its content."""
UNDER_WAY: Final = 50
SIGN_S: Final = 1.0
"""Messages that one client has been sent and has not confirmed yet; the next ones wait."""


class BrokerError(Exception):
    """The broker cannot serve; the text says why and what to do."""


class LoopbackAuth(BaseAuthPlugin):  # type: ignore[misc]  # amqtt has no type marker
    """Admits every client: the listener is on loopback, so a client is a program of this machine."""

    async def authenticate(self, *, session: Session) -> bool:
        """True, and the session is not marked anonymous."""
        return session is not None


K = TypeVar("K")
V = TypeVar("V")


class _Steady(dict[K, V]):
    """A mapping that may change while somebody walks over it: the walk is over what it was."""

    def __iter__(self) -> Iterator[K]:
        return iter(list(super().keys()))

    def items(self) -> Any:
        return list(super().items())


class _PacedReader(StreamReaderAdapter):  # type: ignore[misc]
    """Reads of one client no faster than `READS_PER_S` for long."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__(reader)
        self._left = READS_AT_ONCE
        self._at_s = time.monotonic()

    async def read(self, n: int = -1) -> bytes:
        """The next bytes, later where the client has used up its share."""
        now_s = time.monotonic()
        self._left = min(READS_AT_ONCE, self._left + (now_s - self._at_s) * READS_PER_S) - 1
        self._at_s = now_s
        if self._left < 0:
            await asyncio.sleep(-self._left / READS_PER_S)
        return bytes(await super().read(n))


class _Writer(StreamWriterAdapter):  # type: ignore[misc]
    """Writes to one client, and can cut it off."""

    def cut_off(self) -> None:
        """Ends the connection without waiting for the client to take what was written."""
        self.is_closed = True
        self._writer.transport.abort()


_Message = tuple[str, bytes, int | None, bool]
"""Topic, content, QoS, and whether it is one that the broker retained."""


class _Outbox:
    """What waits for one client, in its order: `UNDER_WAY` messages as tasks of amqtt, the others as plain values."""

    def __init__(self, handler: BrokerProtocolHandler) -> None:
        self._handler = handler
        self._waiting: deque[_Message] = deque()
        self._under_way: dict[asyncio.Task[object], int] = {}
        self._waiting_bytes = 0

    async def mqtt_publish(self, topic: str, data: bytes, qos: int | None, retain: bool) -> None:
        """Sends a message after those before it; returns without waiting for that."""
        self._waiting_bytes += len(data) + MESSAGE_BYTES
        self._waiting.append((topic, bytes(data), qos, retain))
        self._send()

    def _send(self) -> None:
        while self._waiting and len(self._under_way) < UNDER_WAY:
            message = self._waiting.popleft()
            task: asyncio.Task[object] = asyncio.ensure_future(self._handler.mqtt_publish(*message))
            self._under_way[task] = len(message[1]) + MESSAGE_BYTES
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[object]) -> None:
        self._waiting_bytes -= self._under_way.pop(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.debug(f"A message was not confirmed: {error!r}")
        writer = self._handler.writer
        if task.cancelled() or writer is None or getattr(writer, "is_closed", False):
            self._keep_for_later()
        self._send()

    def _keep_for_later(self) -> None:
        """The client has gone: what waits is kept where its session outlives the connection."""
        session = self._handler.session
        for topic, data, qos, _ in self._waiting:
            self._waiting_bytes -= len(data) + MESSAGE_BYTES
            if session is not None and not session.clean_session and qos:
                session.retained_messages.put_nowait(RetainedApplicationMessage(None, topic, data, qos))
        self._waiting.clear()

    def too_full(self, client: str | None) -> bool:
        """Whether the client is too far behind; it is cut off then."""
        if self._waiting_bytes < MOST_WAITING_BYTES:
            return False
        writer = self._handler.writer
        if isinstance(writer, _Writer) and not writer.is_closed:
            _log.warning(f"{client} reads too slowly and was cut off: start it again, or stop it.")
            self._waiting.clear()
            writer.cut_off()
        return True


_OUTBOX: Final = "betline_outbox"
"""The handler of a connection has its outbox with it, so that both go when the client does."""


class _Broker(Broker):  # type: ignore[misc]
    """amqtt's broker, fair to its clients."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(config)
        self._subscriptions: dict[str, Any] = _Steady()

    def _get_handler(self, session: Session) -> Any:
        """What takes messages for a session; None where it is not connected or too far behind."""
        handler = super()._get_handler(session)
        if handler is None:
            return None
        outbox = vars(handler).setdefault(_OUTBOX, _Outbox(handler))
        return None if outbox.too_full(session.client_id) else outbox

    async def stream_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, listener_name: str
    ) -> None:
        await self._client_connected(listener_name, _PacedReader(reader), _Writer(writer))

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        if any(one is session for one, _ in self._subscriptions.get(subscription[0], ())):
            await super()._publish_retained_messages_for_subscription(subscription, session)


def free_port() -> int:
    """A loopback port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether a program could listen on this loopback port at this moment."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def serve(
    port: int = DEFAULT_PORT,
    listening: Callable[[], None] = lambda: None,
    serves: Callable[[], None] = lambda: None,
) -> None:
    """Serves until SIGTERM or SIGINT; raises BrokerError if the port is taken.

    ``listening`` is called once it does, ``serves`` each second while its loop turns.
    """
    logging.getLogger("amqtt").setLevel(logging.CRITICAL)  # it logs tracebacks of what we tell in a sentence
    logging.getLogger("transitions").setLevel(logging.ERROR)
    asyncio.run(_serve(port, listening, serves))


async def _serve(port: int, listening: Callable[[], None], serves: Callable[[], None]) -> None:
    broker = _Broker(
        {
            "listeners": {"default": {"type": "tcp", "bind": f"{LOOPBACK}:{port}"}},
            "plugins": {"betline.broker.LoopbackAuth": {}},
        }
    )
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stop.set)
    try:
        await broker.start()
    except Exception as error:
        raise BrokerError(
            f"The broker cannot listen on {LOOPBACK}:{port} ({error.__cause__ or error}); "
            "stop what uses that port or name another with --broker."
        ) from None
    gc.freeze()  # what was imported stays, and need not be looked over again and again
    listening()
    try:
        while not stop.is_set():
            serves()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(stop.wait(), SIGN_S)
    finally:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(broker.shutdown(), timeout=3)
