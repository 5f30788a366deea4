"""The bus: the same promises kept by the broker's client and by its twin in memory."""

import itertools
import json
import random
import socket
import subprocess
import sys
import threading
import time

import pytest

from betline import topics
from betline.broker import free_port
from betline.bus import HOST_CLOCK, HostClock, MemoryBus, MemoryHub, MqttBus
from betline.bus.outage import Outage
from betline.bus.wire import WILL_SEQ, SenderClocks
from betline.messages.common import Command, Envelope, Presence
from betline.messages.table import Event, Prompt
from betline.topics import Namespace, topic
from betline.units import NS_PER_MS, NS_PER_S

NAMESPACE = Namespace("home", "oval")
PRESENCE = topic(topics.DEVICE_STATUS, "one")


def until(condition, timeout_s=30.0):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)


@pytest.fixture
def broker():
    port = free_port()
    process = _start_broker(port)
    yield port, process
    process.terminate()
    process.wait()


def _start_broker(port):
    return subprocess.Popen([sys.executable, "-m", "betline", "broker", "--quiet", "--broker", f"127.0.0.1:{port}"])


@pytest.fixture(params=["memory", "mqtt"])
def join(request):
    """A function that makes clients of one bus."""
    clients = []
    if request.param == "memory":
        hub = MemoryHub()

        def make(sender, presence=None, clock=HOST_CLOCK):
            clients.append(MemoryBus(hub, NAMESPACE, sender, presence=presence, clock=clock))
            return clients[-1]
    else:
        port, _ = request.getfixturevalue("broker")

        def make(sender, presence=None, clock=HOST_CLOCK):
            clients.append(MqttBus("127.0.0.1", port, NAMESPACE, sender, presence=presence, clock=clock))
            assert clients[-1].wait_connected(8)
            return clients[-1]

    yield make
    for client in clients:
        client.close()


def event(number):
    return Event(journal_seq=number, hand_no=1, type="x", data={})


def test_events_arrive_in_order_with_their_senders_life_and_number(join):
    got = []
    listener, speaker = join("two"), join("one")
    listener.subscribe(topics.EVENT, got.append)
    time.sleep(0.1)
    for number in range(20):
        speaker.publish(topic(topics.EVENT), event(number))
    until(lambda: len(got) == 20)
    assert [r.body.journal_seq for r in got] == list(range(20))
    assert {r.envelope.boot_id for r in got} == {speaker.boot_id}
    assert [b.envelope.seq - a.envelope.seq for a, b in itertools.pairwise(got)] == [1] * 19


ANOTHER_HOST = HostClock(
    lambda: time.monotonic_ns() - 8 * 3600 * NS_PER_S, lambda: time.time_ns() + 5 * 3600 * NS_PER_S
)


def test_a_message_is_stamped_as_it_arrives_and_its_senders_times_are_read_on_the_receivers_clock(join):
    got = []
    listener, speaker = join("two"), join("one", clock=ANOTHER_HOST)
    listener.subscribe(topics.EVENT, got.append)
    time.sleep(0.1)
    for number in range(20):
        speaker.publish(topic(topics.EVENT), event(number))
        time.sleep(0.005)
    began_ns = time.monotonic_ns()
    speaker.publish(topic(topics.EVENT), event(20))
    until(lambda: len(got) == 21)
    last = got[-1]
    assert began_ns <= last.arrived_ns <= time.monotonic_ns()
    assert began_ns <= last.sent_ns <= last.arrived_ns
    assert abs(last.offset_ns - 8 * 3600 * NS_PER_S) < 50 * NS_PER_MS
    assert last.void_ns(last.envelope.ts_ms + 3000) == last.sent_ns + 3 * NS_PER_S
    assert abs(listener.offsets["one"].at(last.arrived_ns) - last.offset_ns) == 0


@pytest.mark.nightly
def test_what_the_broker_kept_for_long_is_no_measure_of_an_offset(join):
    speaker = join("one", clock=ANOTHER_HOST)
    speaker.publish(topic(topics.SEAT_PROMPT, 3), Prompt(seat=3, active=True, text="call 5"))
    time.sleep(0.4)
    late, got = join("late"), []
    late.subscribe(topics.SEAT_PROMPT, got.append)
    until(lambda: got)
    assert got[0].retained
    assert "one" not in late.offsets
    speaker.publish(topic(topics.SEAT_PROMPT, 3), Prompt(seat=3, active=False, text=""))
    until(lambda: len(got) == 2)
    assert abs(got[1].offset_ns - 8 * 3600 * NS_PER_S) < 200 * NS_PER_MS


def _sent(mono_ns, seq=1, boot_id="b"):
    return Envelope(sender="one", boot_id=boot_id, seq=seq, ts_ms=0, mono_ns=mono_ns)


def test_a_new_life_of_a_sender_has_a_clock_of_its_own_and_a_lost_one_is_learned_anew():
    clocks = SenderClocks()
    assert clocks.arrived(_sent(0), 5 * NS_PER_MS, retained=False) == 5 * NS_PER_MS
    rebooted = clocks.arrived(_sent(7, boot_id="c"), 3600 * NS_PER_S, retained=False)
    assert rebooted == 3600 * NS_PER_S - 7
    assert clocks.offsets["one"].at(3600 * NS_PER_S) == rebooted
    clocks.arrived(_sent(0, seq=WILL_SEQ, boot_id="c"), 7200 * NS_PER_S, retained=False)
    slept = clocks.arrived(_sent(NS_PER_S, boot_id="c"), 7300 * NS_PER_S, retained=False)
    assert slept == 7299 * NS_PER_S


def test_the_clocks_of_many_senders_are_bounded_in_memory():
    clocks = SenderClocks()
    for number in range(2000):
        clocks.arrived(_sent(0, boot_id=str(number)), number, retained=False)
    assert len(clocks._offsets) == 256
    assert clocks.offsets["one"].quickest.at_ns == 1999


def test_retained_state_reaches_who_comes_later_and_events_do_not(join):
    speaker = join("one")
    speaker.publish(topic(topics.SEAT_PROMPT, 3), Prompt(seat=3, active=True, text="call 5"))
    speaker.publish(topic(topics.EVENT), event(1))
    speaker.publish(topic(topics.COMMAND, "act"), Command(id="12345678", expires_ms=0))
    time.sleep(0.2)
    late, prompts, events = join("late"), [], []
    late.subscribe(topics.EVENT, events.append)
    late.subscribe(topics.COMMAND, events.append)
    late.subscribe(topics.SEAT_PROMPT, prompts.append)
    until(lambda: prompts)
    assert prompts[0].retained
    assert not events
    assert late.counters.problems == {}, "the broker has kept what nobody may retain"


def test_presence_is_online_then_offline_upon_leaving(join):
    seen = []
    join("watcher").subscribe(topics.DEVICE_STATUS, lambda r: seen.append(r.body.state))
    one = join("one", PRESENCE)
    until(lambda: seen == ["online"])
    one.close()
    until(lambda: seen == ["online", "offline"])


@pytest.mark.nightly
def test_a_body_of_the_wrong_kind_is_refused(join):
    with pytest.raises(TypeError, match="carries Event"):
        join("one").publish(topic(topics.EVENT), Presence(state="online"))


def _raw(**changes):
    good = {"sender": "x", "boot_id": "b", "seq": 1, "ts_ms": 0, "mono_ns": 0}
    return json.dumps({**good, "journal_seq": 1, "hand_no": 1, "type": "x", "data": {}, **changes}).encode()


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff\xfe",
        b"not json",
        b"[1,2]",
        b"{}",
        _raw(journal_seq="many"),
        _raw(seq=None),
        b"9" * 300_000,
        _raw(data={"text": "9" * 262_144}),
    ],
)
def test_malformed_messages_are_counted_and_change_nothing(payload):
    hub, got = MemoryHub(), []
    bus = MemoryBus(hub, NAMESPACE, "one")
    bus.subscribe(topics.EVENT, got.append)
    hub.inject(NAMESPACE.full("event"), payload)
    assert not got
    assert bus.counters.malformed == (1 if payload else 0)


def test_foreign_topics_are_counted_and_dropped():
    hub, got = MemoryHub(), []
    bus = MemoryBus(hub, NAMESPACE, "one")
    bus.subscribe(topics.EVENT, got.append)
    for name in ("betline/v1/home/other/event", "betline/v1/home/oval/evnt", "homeassistant/status"):
        hub.inject(name, _raw())
    assert not got
    assert bus.counters.foreign == 3


def test_a_retained_event_is_counted_and_does_not_happen_again():
    hub, got = MemoryHub(), []
    hub.inject(NAMESPACE.full("event"), _raw(), retained=True)
    bus = MemoryBus(hub, NAMESPACE, "one")
    bus.subscribe(topics.EVENT, got.append)
    assert not got
    assert bus.counters.problems == {"retained": 1}


def test_a_duplicate_is_delivered_once():
    hub, got = MemoryHub(), []
    bus = MemoryBus(hub, NAMESPACE, "one")
    bus.subscribe(topics.EVENT, got.append)
    for _ in range(3):
        hub.inject(NAMESPACE.full("event"), _raw(seq=7))
    hub.inject(NAMESPACE.full("event"), _raw(seq=6))
    assert [r.envelope.seq for r in got] == [7, 6]
    assert bus.counters.duplicates == 2


def test_last_will_says_offline_for_a_killed_client():
    hub, seen = MemoryHub(), []
    MemoryBus(hub, NAMESPACE, "watcher").subscribe(topics.DEVICE_STATUS, lambda r: seen.append(r.body.state))
    MemoryBus(hub, NAMESPACE, "one", presence=PRESENCE).drop()
    assert seen == ["online", "offline"]


def test_client_survives_the_brokers_restart_and_tells_its_retained_state_again(broker):
    port, process = broker
    speaker = MqttBus("127.0.0.1", port, NAMESPACE, "one")
    assert speaker.wait_connected(8)
    speaker.publish(topic(topics.SEAT_PROMPT, 3), Prompt(seat=3, active=True, text="call 5"))
    process.terminate()
    process.wait()
    until(lambda: not speaker.connected)
    speaker.publish(topic(topics.EVENT), event(1))
    assert speaker.counters.problems["unsent"] == 1
    again = _start_broker(port)
    try:
        assert speaker.wait_connected(15)
        listener, got = MqttBus("127.0.0.1", port, NAMESPACE, "two"), []
        listener.subscribe(topics.SEAT_PROMPT, got.append)
        until(lambda: got)
        assert got[0].body.text == "call 5"
        listener.close()
        speaker.close()
    finally:
        again.terminate()
        again.wait()


def test_a_client_that_tries_again_and_again_takes_no_number_of_a_test_that_draws_by_a_seed(monkeypatch):
    tried = threading.Semaphore(0)
    monkeypatch.setattr(Outage, "look", lambda *_: tried.release())
    drawn = random.getstate()
    bus = MqttBus("127.0.0.1", free_port(), NAMESPACE, "one")
    try:
        assert all(tried.acquire(timeout=30) for _ in range(2))
    finally:
        bus.close()
    assert random.getstate() == drawn


def test_a_client_without_a_broker_says_so_once_and_says_when_there_is_one(monkeypatch, caplog):
    monkeypatch.setattr("betline.bus.mqtt.COMPLAIN_AFTER_S", 0.0)
    port = free_port()
    bus = MqttBus("127.0.0.1", port, NAMESPACE, "one")
    until(lambda: caplog.messages)
    process = _start_broker(port)
    try:
        assert bus.wait_connected(8)
        until(lambda: len(caplog.messages) == 2)
    finally:
        bus.close()
        process.terminate()
        process.wait()
    assert caplog.messages == [
        f"There is no broker at 127.0.0.1:{port}, nothing listens there: start it, or name another with --broker. It "
        "is tried again.",
        f"The broker at 127.0.0.1:{port} is there.",
    ]


def test_nagle_is_off_on_the_clients_socket(broker):
    port, _ = broker
    bus = MqttBus("127.0.0.1", port, NAMESPACE, "one")
    assert bus.wait_connected(8)
    assert bus._client.socket().getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    bus.close()


@pytest.mark.parametrize("name", ["", "Upper", "a/b", "+", "#", "ä", "x" * 64])
def test_names_that_cannot_be_topic_levels_are_refused(name):
    with pytest.raises(ValueError, match="level of a topic"):
        topic(topics.ZONE_CHIPS, name)
    with pytest.raises(ValueError, match="level of a topic"):
        Namespace(name, "oval")


def test_a_handler_that_raises_is_counted_and_logged_and_the_client_hears_on(broker, caplog):
    got, beside, ready = [], [], threading.Event()

    def faulty(received):
        got.append(received.body.journal_seq)
        raise KeyError("seat-11")

    listener = MqttBus("127.0.0.1", broker[0], NAMESPACE, "two")
    speaker = MqttBus("127.0.0.1", broker[0], NAMESPACE, "one")
    listener.subscribe(topics.EVENT, faulty)
    listener.subscribe(topics.EVENT, lambda received: beside.append(received.body.journal_seq))
    listener.when_subscribed(ready.set)
    assert speaker.wait_connected(8)
    assert ready.wait(8)
    for number in (1, 2, 3):
        speaker.publish(topic(topics.EVENT), event(number))
    until(lambda: len(got) == 3 and len(beside) == 3)

    assert (got, beside) == ([1, 2, 3], [1, 2, 3])
    assert listener.counters.problems == {"program-fault": 3}
    assert "KeyError('seat-11') at" in listener.counters.last_problem
    assert [line for line in caplog.messages if "seat-11" in line] == [listener.counters.last_problem]
    for client in (listener, speaker):
        client.close()


@pytest.mark.nightly
def test_a_handler_of_the_connection_that_raises_does_not_end_it(broker):
    def faulty(there):
        raise RuntimeError("no such screen")

    port, process = broker
    client = MqttBus("127.0.0.1", port, NAMESPACE, "two")
    client._connection_handlers.append(faulty)
    assert client.wait_connected(8)
    process.kill()
    process.wait()
    until(lambda: not client.connected)
    again = _start_broker(port)
    try:
        until(lambda: client.connected and client.counters.problems.get("program-fault", 0) >= 2)
    finally:
        client.close()
        again.terminate()
        again.wait()
