"""A fault inside another program: it says so on the bus, and the dealer reads one alert with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.bus import MqttBus
from betline.messages.common import Presence
from betline.settings import load_table
from betline.topics import topic
from table_controller.session.admission import BRIDGE
from tests.mosquitto import HOST, needs_mosquitto, serving
from tests.unit.betline.test_bus import until
from tests.unit.service.room import NAMES, Room

FAULTY = {BRIDGE: "bridge-fault", "overhead": "camera-fault", "voice": "voice-fault", "console": "console-fault"}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path, at=load_table("home-six"))
    yield room
    room.close()


def raised(room: Room, code: str) -> list[bool]:
    return [one.active for one in room.said(topics.ALERT) if one.code == code]


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_that_a_program_tells_of_itself_is_one_alert_and_again_only_when_it_grows(
    room: Room, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = FAULTY[name]
    client = room.bridge if name == BRIDGE else room.join(name)

    def tells(faults: int) -> float:
        client.publish(topic(topics.DEVICE_STATUS, name), Presence(state="online", faults=faults))
        room.controller.pump(0)
        return room.health.get(code.replace("-", "_"), 0)

    assert tells(0) == 0
    assert [tells(2), tells(2), tells(2)] == [2, 2, 2]
    assert raised(room, code) == [True]
    assert code in [alert.code for alert in room.state.alerts]
    (sentence,) = {one.sentence for one in room.state.alerts if one.code == code}
    assert "log" in sentence
    monkeypatch.setattr("table_controller.service.notices.PASSES_NS", 0)
    assert tells(2) == 2
    assert raised(room, code) == [True, False]
    assert tells(3) == 3
    assert raised(room, code) == [True, False, True]


def test_a_program_that_was_started_again_counts_from_nothing(room: Room) -> None:
    for _ in range(2):
        voice = room.join("voice")
        voice.publish(topic(topics.DEVICE_STATUS, "voice"), Presence(state="online", faults=1))
        room.controller.pump(0)
        voice.close()
    assert room.health["voice_fault"] == 2


def test_faults_that_stood_on_the_bus_before_the_controller_started_are_no_news(room: Room) -> None:
    voice, at = room.join("voice"), topic(topics.DEVICE_STATUS, "voice")
    voice.publish(at, Presence(state="online", faults=2))
    room.controller.pump(0)
    assert raised(room, "voice-fault") == [True]
    room.kill()
    room.open()
    room.controller.pump(0)
    assert "voice_fault" not in room.health
    assert raised(room, "voice-fault") == [True]

    voice.publish(at, Presence(state="online", faults=3))
    assert room.health["voice_fault"] == 1
    assert raised(room, "voice-fault") == [True, True]


@needs_mosquitto
def test_faults_that_come_close_together_are_all_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("betline.bus.faults.TOLD_EVERY_S", 0.3)
    at = topic(topics.DEVICE_STATUS, "voice")
    with serving(tmp_path, "allow_anonymous true") as port:
        voice, other = MqttBus(HOST, port, NAMES, "voice", presence=at), MqttBus(HOST, port, NAMES, "other")
        heard: list[int] = []

        def fails(_: object) -> None:
            raise RuntimeError

        try:
            other.subscribe(topics.DEVICE_STATUS, lambda received: heard.append(received.body.faults))
            voice.subscribe(topics.DEVICE_HEALTH, fails)
            until(lambda: heard == [0])
            for seq in (1, 2, 3):
                other._client.publish(NAMES.full("device/other/health"), _health(seq))
            until(lambda: heard[-1] == 3)
            assert len(heard) <= 3, "and no more often than it may"
        finally:
            voice.close()
            other.close()


@needs_mosquitto
def test_a_callback_that_fails_is_told_with_the_presence_also_where_the_program_says_more(tmp_path: Path) -> None:
    at = topic(topics.DEVICE_STATUS, "voice")
    with serving(tmp_path, "allow_anonymous true") as port:
        voice, other = MqttBus(HOST, port, NAMES, "voice", presence=at), MqttBus(HOST, port, NAMES, "other")
        heard: list[Presence] = []

        def fails(_: object) -> None:
            raise RuntimeError

        try:
            other.subscribe(topics.DEVICE_STATUS, lambda received: heard.append(received.body))
            voice.subscribe(topics.DEVICE_HEALTH, fails)
            until(lambda: [one.faults for one in heard] == [0])
            voice.publish(at, Presence(state="online", detail="No loudspeaker.", code="silent"))
            other._client.publish(NAMES.full("device/other/health"), _health())
            until(lambda: heard[-1].faults == 1)
            assert (heard[-1].state, heard[-1].code) == ("online", "silent")
        finally:
            voice.close()
            other.close()


def _health(seq: int = 9) -> bytes:
    return f'{{"sender":"other","boot_id":"b","seq":{seq},"ts_ms":0,"mono_ns":0,"counters":{{}}}}'.encode()
