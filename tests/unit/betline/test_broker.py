"""The embedded broker: what it puts right of amqtt, so that no client is lost and none is drowned."""

import asyncio
import gc
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import paho.mqtt.client as paho
import pytest
from amqtt.session import Session
from paho.mqtt.enums import CallbackAPIVersion

from betline import broker, topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.messages.table import Prompt
from betline.topics import Namespace, topic

NAMES = Namespace("home", "oval")


def test_it_is_reached_at_the_address_of_loopback_only():
    """Linux answers for all of 127.0.0.0/8, so 127.0.0.2 stands for every other address of this machine."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "betline", "broker", "--quiet", "--broker", f"127.0.0.1:{port}"])
    try:
        deadline_s = time.monotonic() + 15
        while broker.is_free(port) and time.monotonic() < deadline_s:
            time.sleep(0.02)
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port), timeout=5)
    finally:
        process.terminate()
        process.wait()


def test_subscriptions_may_change_while_a_message_is_handed_on():
    """Else the message in hand is lost to whoever had not got it yet, and a client that connects just then is too."""
    subscriptions = broker._Steady({"a": [], "b": []})
    seen = []
    for name, _ in subscriptions.items():
        subscriptions[f"{name}-more"] = []
        seen.append(name)
    for name in subscriptions:
        del subscriptions[name]
    assert seen == ["a", "b"]
    assert not subscriptions


def test_a_client_that_sends_more_than_any_program_does_is_read_later(monkeypatch):
    now_s, slept = [100.0], []

    async def sleep(seconds):
        slept.append(seconds)
        now_s[0] += seconds

    monkeypatch.setattr(broker.time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(broker.asyncio, "sleep", sleep)

    async def read(count):
        stream = asyncio.StreamReader()
        stream.feed_data(b"x" * count)
        paced = broker._PacedReader(stream)
        for _ in range(count):
            assert await paced.read(1) == b"x"

    asyncio.run(read(int(broker.READS_AT_ONCE)))
    assert slept == []
    asyncio.run(read(int(broker.READS_AT_ONCE + 2 * broker.READS_PER_S)))
    assert sum(slept) == pytest.approx(2.0, abs=0.01)


@pytest.mark.nightly
def test_a_client_that_connects_gets_only_what_it_asks_for():
    port = free_port()
    line = [sys.executable, "-m", "betline", "broker", "--quiet", "--broker", f"127.0.0.1:{port}"]
    with subprocess.Popen(line) as process:
        speaker = MqttBus("127.0.0.1", port, NAMES, "one")
        heard = threading.Event()
        speaker.subscribe(topics.SEAT_PROMPT, lambda _: heard.set())
        assert speaker.wait_connected(10)
        speaker.publish(topic(topics.SEAT_PROMPT, 3), Prompt(seat=3, active=True, text="call 5"))
        assert heard.wait(8)
        got, subscribed = [], threading.Event()
        late = paho.Client(CallbackAPIVersion.VERSION2, client_id="late")
        late.on_message = lambda _client, _data, message: got.append(message.topic)
        late.on_connect = lambda client, *_: client.subscribe(NAMES.full("event"))
        late.on_subscribe = lambda *_: subscribed.set()
        late.connect("127.0.0.1", port)
        late.loop_start()
        assert subscribed.wait(8)
        time.sleep(0.3)
        late.loop_stop()
        speaker.close()
        process.terminate()
    assert got == []


def connected(port: int, name: str, qos: int) -> socket.socket:
    """A client of MQTT 3.1.1 by hand: it subscribes to everything and then reads nothing."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(10)
    client.connect(("127.0.0.1", port))
    opening = b"\x00\x04MQTT\x04\x02\x00\x00" + len(name).to_bytes(2, "big") + name.encode()
    client.sendall(b"\x10" + bytes([len(opening)]) + opening)
    assert client.recv(4)[:1] == b"\x20"
    client.sendall(b"\x82\x06\x00\x01\x00\x01#" + bytes([qos]))
    assert client.recv(5)[:1] == b"\x90"
    return client


def ends(client: socket.socket) -> bool:
    """Whether the broker has ended a connection."""
    try:
        while client.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


@contextmanager
def serving() -> Iterator[int]:
    """The embedded broker in a process of its own; gives its port."""
    port = free_port()
    line = [sys.executable, "-m", "betline", "broker", "--quiet", "--broker", f"127.0.0.1:{port}"]
    with subprocess.Popen(line) as process:
        try:
            speaker = MqttBus("127.0.0.1", port, NAMES, "first")
            assert speaker.wait_connected(20)
            speaker.close()
            yield port
        finally:
            process.terminate()


@pytest.mark.one_in(2)
@pytest.mark.timeout(60)
@pytest.mark.parametrize("qos", [0, 1])
def test_a_client_that_reads_nothing_is_cut_off_and_nobody_else_waits_for_it(qos: int):
    count, size = 60, 300_000
    with serving() as port, connected(port, "slow", qos) as slow:
        heard, subscribed = threading.Semaphore(0), threading.Event()
        reader = paho.Client(CallbackAPIVersion.VERSION2, client_id="reader")
        reader.on_message = lambda *_: heard.release()
        reader.on_subscribe = lambda *_: subscribed.set()
        reader.connect("127.0.0.1", port)
        reader.loop_start()
        reader.subscribe("large", 1)
        assert subscribed.wait(8)
        for _ in range(count):
            reader.publish("large", b"x" * size, 0)
            assert heard.acquire(timeout=10)
        reader.loop_stop()
        assert ends(slow)


class Handler:
    """amqtt's side of one client: a message is under way until it is confirmed."""

    class Writer:
        is_closed = False

    def __init__(self) -> None:
        self.writer = self.Writer()
        self.session = Session()
        self.sent: list[str] = []
        self.open: list[asyncio.Future[None]] = []

    async def mqtt_publish(self, topic, _data, _qos, _retain):
        self.sent.append(topic)
        confirmed = asyncio.get_running_loop().create_future()
        self.open.append(confirmed)
        await confirmed


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_what_waits_for_a_client_that_does_not_read_makes_no_work_for_the_others() -> None:
    async def filled() -> None:
        handler = Handler()
        outbox = broker._Outbox(handler)
        before = len(gc.get_objects())
        for number in range(3000):
            await outbox.mqtt_publish(f"{number}", b"x" * 100, 1, False)
        await settle()
        gc.collect()  # values that hold no others are looked at once and then no more
        assert len(asyncio.all_tasks()) <= broker.UNDER_WAY + 1
        assert len(gc.get_objects()) - before < 3000

    asyncio.run(filled())


def test_a_broker_that_stops_begins_no_message_that_nobody_will_send() -> None:
    handler = Handler()

    async def stopped_while_a_client_does_not_read() -> None:
        outbox = broker._Outbox(handler)
        for number in range(3 * broker.UNDER_WAY):
            await outbox.mqtt_publish(f"{number}", b"x", 1, False)
        await settle()

    asyncio.run(stopped_while_a_client_does_not_read())
    assert len(handler.sent) == broker.UNDER_WAY


def test_messages_reach_a_slow_client_in_their_order_and_none_twice() -> None:
    async def read() -> None:
        handler = Handler()
        outbox = broker._Outbox(handler)
        for number in range(4 * broker.UNDER_WAY):
            await outbox.mqtt_publish(f"{number}", b"x", 1, False)
        await settle()
        assert len(handler.sent) == broker.UNDER_WAY
        while handler.open:
            handler.open.pop(0).set_result(None)
            await settle()
        assert handler.sent == [str(number) for number in range(4 * broker.UNDER_WAY)]
        assert outbox._waiting_bytes == 0

    asyncio.run(read())


def test_a_message_that_was_never_confirmed_holds_up_none_behind_it() -> None:
    async def read() -> None:
        handler = Handler()
        outbox = broker._Outbox(handler)
        for number in range(broker.UNDER_WAY + 1):
            await outbox.mqtt_publish(f"{number}", b"x", 1, False)
        await settle()
        handler.open[0].set_exception(TimeoutError("no PUBACK"))
        await settle()
        assert handler.sent[-1] == str(broker.UNDER_WAY)

    asyncio.run(read())


@pytest.mark.parametrize(("clean", "kept"), [(True, 0), (False, 2)])
def test_what_waits_for_a_client_that_has_gone_is_kept_for_a_session_that_stays(clean: bool, kept: int) -> None:
    async def gone() -> None:
        handler = Handler()
        handler.session.clean_session = clean
        outbox = broker._Outbox(handler)
        for number in range(broker.UNDER_WAY + 3):
            await outbox.mqtt_publish(f"{number}", b"x", 1 if number < broker.UNDER_WAY + 2 else 0, False)
        await settle()
        handler.writer.is_closed = True
        handler.open[0].set_exception(TimeoutError("no PUBACK"))
        await settle()
        assert len(handler.sent) == broker.UNDER_WAY
        assert handler.session.retained_messages.qsize() == kept

    asyncio.run(gone())
