"""The bus over an MQTT 3.1.1 broker (OASIS standard, 2014): paho behind the ``Bus`` port.

paho never sets TCP_NODELAY; without it a publication from inside a handler waits for a delayed acknowledgement (36 to
78 ms on loopback). Callbacks run on paho's network thread and only enqueue; one that raises would end that thread, and
the program would hear nothing more, so it is counted and logged instead.
"""

from __future__ import annotations

import logging
import random
import socket
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline.bus.faults import Faults
from betline.bus.inbox import Inbox
from betline.bus.outage import Outage
from betline.bus.port import HOST_CLOCK, BesideHandler, BusCounters, Guard, Handler, HostClock, UnreadHandler
from betline.bus.trouble import Trouble
from betline.bus.wire import WILL_SEQ, encode, ends_another_life
from betline.clock_offset import ClockOffset
from betline.login import Login, LoginError
from betline.messages.common import Body, Envelope, Presence
from betline.topics import Namespace, Topic, TopicKind
from betline.units import NS_PER_MS

_log = logging.getLogger(__name__)

KEEPALIVE_S = 5
FIRST_RETRY_S = 0.2
RETRY_GROWTH = 1.5
MAX_RETRY_S = 2.0
COMPLAIN_AFTER_S = 2.0
"""Programs that start together find each other sooner; a missing broker is reported only after that, once an outage."""
CLOSE_WAIT_S = 1.0


class MqttBus:
    """One client of an MQTT broker; implements ``Bus``.

    It connects in the background and again after each loss, with a jittered back-off of 0.2 s growing by half to 2 s.
    ``presence`` is the retained topic on which it says online and the broker, as its last will, offline. It says so
    once the broker has confirmed its subscriptions, so that nothing is missed that is sent to a client that is online;
    one with ``announces=False`` not before `announce` either. Where another program of its name has left, it publishes
    its presence and all that it has the broker keep once more: the other one's offline is not how it is. The
    presence has the number of exceptions in callbacks, each a fault of this program for which a message was dropped.
    """

    def __init__(
        self,
        host: str,
        port: int,
        namespace: Namespace,
        sender: str,
        *,
        presence: Topic | None = None,
        announces: bool = True,
        login: Login | None = None,
        clock: HostClock = HOST_CLOCK,
    ) -> None:
        self._clock = clock
        self._namespace = namespace
        self._sender = sender
        self._boot_id = uuid.uuid4().hex[:12]
        self._presence = presence
        self._own_presence = "" if presence is None else namespace.full(presence.path)
        self._counters = BusCounters()
        self._inbox = self._new_inbox()
        self._faults = Faults(self._counters, clock, self._tell_faults)
        self._guarded = self._faults.guarded
        self._seq = 0
        self._lock = threading.Lock()
        self._retained: dict[str, tuple[Topic, Body]] = {}
        self._beside: list[str] = []
        self._connection_handlers: list[Callable[[bool], None]] = []
        self._subscribed_handlers: list[Callable[[], None]] = []
        self._announces = announces
        self._said_online = False
        self._unconfirmed: set[int] = set()
        self._subscribed = threading.Event()
        self._connected = threading.Event()
        self._closing = threading.Event()
        self._chance = random.Random()  # its thread draws from no other's numbers
        self._address = (host, port)
        self._login = login
        self._outage = Outage(host, port, login)
        self._secret = False
        self._was_connected = False
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=f"{sender}-{self._boot_id}", clean_session=True
        )
        self._client.on_socket_open = _no_delay
        self._client.on_connect = partial(self._guarded, self._on_connect)
        self._client.on_disconnect = partial(self._guarded, self._on_disconnect)
        self._client.on_message = partial(self._guarded, self._on_message)
        self._client.on_subscribe = partial(self._guarded, self._on_subscribe)
        self._client.max_queued_messages_set(1000)
        self._thread = threading.Thread(target=self._keep_connected, name=f"bus-{sender}", daemon=True)
        self._thread.start()

    def _new_inbox(self) -> Inbox:
        return Inbox(self._namespace, self._counters)

    @property
    def sender(self) -> str:
        return self._sender

    @property
    def boot_id(self) -> str:
        return self._boot_id

    @property
    def connected(self) -> bool:
        return self._connected.is_set()

    @property
    def counters(self) -> BusCounters:
        return self._counters

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        return self._inbox.offsets

    @property
    def trouble(self) -> Trouble | None:
        """Why there is no connection; None while there is one, or before anything was tried."""
        return None if self.connected else self._outage.trouble

    def kept(self) -> tuple[tuple[Topic, Body], ...]:
        """Its retained messages as it sent them last."""
        with self._lock:
            return tuple(self._retained.values())

    def wait_connected(self, timeout_s: float) -> bool:
        """Waits until a broker has accepted this client; False where none did in time."""
        return self._connected.wait(timeout_s)

    def publish(self, topic: Topic, body: Body) -> None:
        if type(body) is not topic.kind.body:
            raise TypeError(f"{topic.path} carries {topic.kind.body.__name__}, not {type(body).__name__}")
        with self._lock:
            if topic.kind.retained:
                self._retained[topic.path] = (topic, body)
            if not self.connected:
                if not topic.kind.retained:
                    self._counters.problem("unsent", f"A message on {topic.path} was not sent: no broker.")
                return
            self._send(topic, body)

    def subscribe(self, kind: TopicKind, handler: Handler) -> None:
        self._inbox.add(kind, partial(self._guarded, handler))
        with self._lock:
            if self.connected:
                self._subscribe([kind])

    def hear_only(self, guard: Guard) -> None:
        self._inbox.hear_only(guard)

    def when_unread(self, handler: UnreadHandler) -> None:
        """Calls the handler for every message that cannot be read."""
        self._inbox.when_unread(partial(self._guarded, handler))

    def hear_beside(self, pattern: str, handler: BesideHandler) -> None:
        """Calls the handler with what a broker itself says on such topics beside the bus, what it keeps first."""

        def arrived(_client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
            self._guarded(handler, message.topic, bytes(message.payload), message.retain)

        self._client.message_callback_add(pattern, arrived)
        with self._lock:
            self._beside.append(pattern)
            if self.connected:
                self._client.subscribe(pattern, 1)

    def when_subscribed(self, handler: Callable[[], None]) -> None:
        with self._lock:
            self._subscribed_handlers.append(handler)
            there = self._subscribed.is_set()
        if there:
            handler()

    def announce(self) -> None:
        with self._lock:
            self._announces = True
            if self._subscribed.is_set():
                self._say_online()

    def clock_leapt(self, from_ns: int) -> None:
        self._inbox.clock_leapt(from_ns)

    def on_connection(self, handler: Callable[[bool], None]) -> None:
        self._connection_handlers.append(handler)
        if self.connected:
            handler(True)

    def close(self) -> None:
        if self._closing.is_set():
            return
        if self._presence is not None and self._said_online and self.connected:
            with self._lock:
                sent = self._send(self._presence, Presence(state="offline"))
            _wait(sent)
        self._closing.set()
        self._client.disconnect()
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_WAIT_S)

    # --- the network thread ---------------------------------------------------------------------------------------

    def _keep_connected(self) -> None:
        retry_s = FIRST_RETRY_S
        alone_since_s = time.monotonic()
        while not self._closing.is_set():
            try:
                self._set_will()
                self._log_in()
                self._client.connect(*self._address, keepalive=KEEPALIVE_S)
                self._client.loop_forever(retry_first_connection=False)
            except (OSError, ValueError, LoginError) as error:
                self._outage.look(str(error))
            else:
                if not self._was_connected and not self._closing.is_set():
                    self._outage.look("")
            if not self._was_connected and time.monotonic() - alone_since_s > COMPLAIN_AFTER_S:
                self._complain()
            if self._was_connected:
                retry_s = FIRST_RETRY_S
                alone_since_s = time.monotonic()
                self._was_connected = False
            self._closing.wait(retry_s * self._chance.uniform(0.7, 1.3))
            retry_s = min(retry_s * RETRY_GROWTH, MAX_RETRY_S)

    def _log_in(self) -> None:
        """Gives paho user, password and certificates as their files hold them now; raises LoginError."""
        if self._login is None:
            return
        if self._login.user is not None:
            self._client.username_pw_set(self._login.user, self._login.password())
        context = self._login.context()
        if context is not None and not self._secret:
            self._secret = True
            self._client.tls_set_context(context)
            self._client.on_socket_register_write = _written_by_the_loop
            self._client.loop(0)  # makes what wakes the network thread for a publication; loop_forever does not

    def _complain(self) -> None:
        complaint = self._outage.complaint()
        if complaint is not None:
            self._counters.last_problem = complaint
            _log.warning(complaint)

    def _set_will(self) -> None:
        if self._presence is not None:
            will = encode(self._envelope(WILL_SEQ), Presence(state="offline", detail="lost"))
            self._client.will_set(self._namespace.full(self._presence.path), will, qos=1, retain=True)

    def _on_connect(self, _client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self._counters.refused += 1
            if _is_bad_login(reason):
                self._outage.login_refused()
            self._counters.problem("refused", f"The broker refused {self._sender}: {reason}.")
            return
        self._counters.connects += 1
        again = self._outage.ends()
        if again is not None:
            _log.warning(again)
        self._was_connected = True
        with self._lock:
            self._connected.set()
            self._unconfirmed.clear()
            kinds = self._inbox.kinds
            if self._own_presence:
                self._client.subscribe(self._own_presence, 1)
            if kinds:
                self._subscribe(kinds)
            for pattern in self._beside:
                self._client.subscribe(pattern, 1)
            for topic, body in self._retained.values():
                self._send(topic, body)
        for handler in self._connection_handlers:
            self._guarded(handler, True)
        if not kinds:
            self._all_confirmed()

    def _on_subscribe(self, _client: paho.Client, _data: Any, mid: int, _reasons: Any, _properties: Any) -> None:
        with self._lock:
            self._unconfirmed.discard(mid)
            waits = bool(self._unconfirmed) or self._subscribed.is_set()
        if not waits:
            self._all_confirmed()

    def _all_confirmed(self) -> None:
        with self._lock:
            self._subscribed.set()
            handlers = list(self._subscribed_handlers)
            if self._announces:
                self._say_online()
        for handler in handlers:
            self._guarded(handler)

    def _on_disconnect(self, client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        was = self._connected.is_set()
        self._connected.clear()
        self._subscribed.clear()
        if was and not self._closing.is_set():
            self._counters.problem("lost", self._outage.begins(str(reason)))
            _log.warning(self._counters.last_problem)
        if was:
            for handler in self._connection_handlers:
                self._guarded(handler, False)
        client.disconnect()  # ends paho's own reconnect loop: ours backs off

    def _tell_faults(self) -> None:
        """Says with its presence that this program has a fault, so that people learn of it at the table."""
        if self._presence is None:
            return
        with self._lock:
            if not self._said_online or self._closing.is_set():
                return
            said = self._retained.get(self._presence.path)
            if said is None:
                self._say_online()
            else:
                self._send(*said)

    def _on_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        arrived_ns = self._clock.mono_ns()
        if (
            message.topic == self._own_presence
            and not message.retain
            and ends_another_life(bytes(message.payload), self._boot_id)
        ):
            self._say_all_again()
        self._inbox.take(message.topic, bytes(message.payload), retained=message.retain, arrived_ns=arrived_ns)

    def _say_all_again(self) -> None:
        """Another program by this name has ended: what the broker keeps of it now is not how we are."""
        with self._lock:
            if not self._said_online or self._closing.is_set():
                return
            if self._presence is not None and self._presence.path not in self._retained:
                self._say_online()
            for topic, body in self._retained.values():
                self._send(topic, body)

    def _subscribe(self, kinds: Sequence[TopicKind]) -> None:
        wanted = [(self._namespace.full(kind.pattern), kind.qos) for kind in dict.fromkeys(kinds)]
        _, mid = self._client.subscribe(wanted)
        if mid is not None:
            self._unconfirmed.add(mid)

    def _say_online(self) -> None:
        if self._presence is not None:
            self._said_online = True
            self._send(self._presence, Presence(state="online"))

    # --- sending ----------------------------------------------------------------------------------------------------

    def _send(self, topic: Topic, body: Body, full: str = "") -> paho.MQTTMessageInfo:
        if topic == self._presence and isinstance(body, Presence):
            body = body.model_copy(update={"faults": self._faults.number})
        envelope = self._envelope(self._seq)
        self._seq += 1
        self._counters.published += 1
        return self._client.publish(
            full or self._namespace.full(topic.path), encode(envelope, body), topic.kind.qos, topic.kind.retained
        )

    def _envelope(self, seq: int) -> Envelope:
        return Envelope(
            sender=self._sender,
            boot_id=self._boot_id,
            seq=seq,
            ts_ms=self._clock.wall_ns() // NS_PER_MS,
            mono_ns=self._clock.mono_ns(),
        )


def _no_delay(_client: paho.Client, _data: Any, sock: Any) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _is_bad_login(reason: Any) -> bool:
    return str(reason) in ("Bad user name or password", "Not authorized")


def _written_by_the_loop(_client: paho.Client, _data: Any, _sock: Any) -> None:
    """With this paho writes on the network thread only: an SSL object is not for two threads at a time."""


def _wait(sent: paho.MQTTMessageInfo) -> None:
    try:
        sent.wait_for_publish(CLOSE_WAIT_S)
    except (RuntimeError, ValueError):
        return
