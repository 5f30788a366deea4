"""A second program or run by the name of one that lives: refused, or put right once it left; a broker in use."""

import subprocess
import sys
import threading

import paho.mqtt.client as paho
import pytest

import betline.cli
from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.bus.wire import WILL_SEQ, encode
from betline.joining import BrokerChoice
from betline.messages.common import Envelope, Health, Presence
from betline.options import Address, UserError
from betline.readiness import refuse_second
from betline.topics import Namespace, topic
from tests.mosquitto import HOST, needs_mosquitto, serving
from tests.unit.betline.test_bus import until

NAMES = Namespace("home", "oval")
STATUS = topic(topics.DEVICE_STATUS, "bridge")


@pytest.fixture
def port(tmp_path):
    with serving(tmp_path, "allow_anonymous true") as port:
        yield port


def client(port, sender, presence=None):
    bus = MqttBus(HOST, port, NAMES, sender, presence=presence)
    if not bus.wait_connected(30):
        bus.close()
        pytest.fail("the broker let nobody in within 30 s")
    return bus


@needs_mosquitto
@pytest.mark.parametrize("leaves", ["by a last word", "by its last will"])
def test_the_living_says_again_what_a_second_one_by_its_name_has_overwritten(port, leaves):
    reader = topic(topics.DEVICE_STATUS, "reader-1")
    first, witness, said = client(port, "bridge", STATUS), client(port, "witness"), {}
    witness.subscribe(topics.DEVICE_STATUS, lambda one: said.update({one.topic.name: one.body.state}))
    first.publish(reader, Presence(state="online"))
    until(lambda: said == {"bridge": "online", "reader-1": "online"})

    second = client(port, "bridge", STATUS)
    second.publish(reader, Presence(state="offline"))
    until(lambda: said["reader-1"] == "offline")
    if leaves == "by a last word":
        second.close()
    else:
        second._client.loop_stop()
        second._client._sock_close()
        second._closing.set()

    until(lambda: said == {"bridge": "online", "reader-1": "online"})
    for bus in (first, witness):
        bus.close()


@needs_mosquitto
def test_a_table_that_is_played_is_refused_by_its_name_and_a_dead_one_is_not(port, monkeypatch):
    monkeypatch.setattr("betline.readiness.LIFE_S", 1.0)
    controller = client(port, "controller", topic(topics.STATUS))
    refuse_second(Address(HOST, port), Namespace("home", "other"))
    envelope = Envelope(sender="controller", boot_id="dead", seq=WILL_SEQ, ts_ms=0, mono_ns=0)
    dead = NAMES.full("status")
    controller.close()
    keeper = client(port, "keeper")
    keeper._client.publish(dead, encode(envelope, Presence(state="online")), 1, True).wait_for_publish(5)
    refuse_second(Address(HOST, port), NAMES)  # kept by the broker, and nobody lives

    lives = client(port, "controller", topic(topics.STATUS))
    until(lambda: lives._said_online)
    timer = _every(0.2, lambda: lives.publish(topic(topics.DEVICE_HEALTH, "controller"), Health(counters={})))
    with pytest.raises(UserError, match="home/oval is played on the broker"):
        refuse_second(Address(HOST, port), NAMES)
    timer.set()
    for bus in (keeper, lives):
        bus.close()


def _every(seconds, act):
    stop = threading.Event()

    def work():
        while not stop.wait(seconds):
            act()

    threading.Thread(target=work, daemon=True).start()
    return stop


@needs_mosquitto
def test_a_broker_that_listens_already_is_asked_for_or_named(port, monkeypatch):
    said = BrokerChoice(url=f"{HOST}:{port}")
    where = said.address("console")
    monkeypatch.setattr("sys.stdin", _Terminal(False))
    with pytest.raises(UserError, match="--external-broker"):
        betline.cli._starts_own(where, NAMES)
    monkeypatch.setattr("sys.stdin", _Terminal(True))
    monkeypatch.setattr("typer.confirm", lambda *_args, **_more: True)
    assert betline.cli._starts_own(where, NAMES) is False


class _Terminal:
    def __init__(self, yes):
        self._yes = yes

    def isatty(self):
        return self._yes


def test_on_a_free_port_the_embedded_broker_is_started_unless_a_file_names_one():
    said = BrokerChoice(url=f"{HOST}:{free_port()}")
    assert not said.is_kept_by_others(command_line=said)
    assert said.is_kept_by_others(command_line=BrokerChoice())
    assert BrokerChoice(url="mqtts://127.0.0.1").is_kept_by_others(BrokerChoice(url="mqtts://127.0.0.1"))
    assert betline.cli._starts_own(said.address("console"), NAMES) is True


def test_the_embedded_broker_hands_out_what_it_has_kept_to_who_asked_for_it_only():
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "betline", "broker", "--quiet", "--broker", f"{HOST}:{port}"])
    try:
        speaker = client(port, "bridge", STATUS)
        witness = client(port, "witness")
        witness.subscribe(topics.DEVICE_STATUS, lambda _: None)
        got, mine = [], []
        stranger = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="stranger")
        stranger.on_message = lambda _client, _data, message: got.append(message.topic)
        stranger.connect(HOST, port)
        stranger.subscribe([("x/y", 1), ("betline/v1/home/oval/device/+/status", 1)])
        stranger.loop_start()
        until(lambda: got)
        stranger.unsubscribe("betline/v1/home/oval/device/+/status")
        other = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="other")
        other.on_message = lambda _client, _data, message: mine.append(message.topic)
        done = []
        other.on_subscribe = lambda *_: done.append(True)
        other.connect(HOST, port)
        other.subscribe("x/y", 1)
        other.loop_start()
        until(lambda: done)
        marker = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="marker")
        marker.connect(HOST, port)
        marker.loop_start()
        marker.publish("x/y", b"end", 1)
        until(lambda: mine)
        assert mine == ["x/y"]
        for one in (stranger, other, marker):
            one.disconnect()
            one.loop_stop()
        for bus in (speaker, witness):
            bus.close()
    finally:
        process.terminate()
        process.wait()
