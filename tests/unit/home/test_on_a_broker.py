"""`betline home` on a real mosquitto: what Home Assistant hears there, when it starts and when something is away."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.bus import MqttBus
from betline.home_assistant import Places
from betline.messages.common import Presence
from betline.messages.table import Alert
from betline.messages.views import ActView
from betline.options import Address
from betline.topics import Namespace, topic
from table_controller.home.discovery import device_payload
from table_controller.home.service import House, begin, to_house
from tests.mosquitto import HOST, needs_mosquitto, serving
from tests.unit.web.serving import view

pytestmark = needs_mosquitto
NAMES = Namespace("home", "home-six")
PLACES = Places(NAMES.site, NAMES.table)
WAIT_S = 10.0


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(tmp_path_factory.mktemp("broker"), "allow_anonymous true") as found:
        yield found


class Heard:
    """A Home Assistant of the test: all that it is told, in order."""

    def __init__(self, port: int) -> None:
        self.said: list[tuple[str, str, bool]] = []
        self._changed = threading.Condition()
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._on_message
        self.client.connect(HOST, port)
        self.client.subscribe([("homeassistant/#", 1), ("betline-home/#", 1)])
        self.client.loop_start()

    def _on_message(self, _client: Any, _data: Any, message: paho.MQTTMessage) -> None:
        with self._changed:
            self.said.append((message.topic, message.payload.decode(), message.retain))
            self._changed.notify_all()

    def of(self, place: str) -> list[str]:
        return [payload for where, payload, _ in self.said if where == place]

    def until(self, true: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(true, WAIT_S), self.said[-5:]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


class Table:
    """A table's controller, `betline home` beside it, and Home Assistant."""

    def __init__(self, port: int, seats: range = range(1, 4), heard_s: float = 0.0) -> None:
        self.heard = Heard(port)
        self.controller = MqttBus(HOST, port, NAMES, "controller", presence=topic(topics.STATUS))
        self.house = House(Address(HOST, port), PLACES, device_payload(PLACES, "Home table", seats, "0.1.0"))
        self.bus = MqttBus(HOST, port, NAMES, "home")
        self.service = to_house(self.bus, self.house)
        self.service.start()
        begin(self.service, self.house, heard_s)
        self._runs = threading.Thread(target=self.service.run)
        self._runs.start()
        self.heard.until(lambda: "online" in self.heard.of(PLACES.available))

    def close(self) -> None:
        self.service.stop()
        self._runs.join(WAIT_S)
        self.house.stop()
        for one in (self.bus, self.controller, self.heard):
            one.close()


@pytest.fixture
def table(port: int) -> Iterator[Table]:
    table = Table(port)
    yield table
    table.close()


def state(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(table.heard.of(PLACES.state)[-1])
    return found


def test_the_turn_and_what_happens_reach_home_assistant(table: Table) -> None:
    table.controller.publish(topic(topics.VIEW, "board"), view(1))
    table.heard.until(lambda: bool(table.heard.of(PLACES.state)) and state(table)["to_act"] == 2)
    act = ActView(seat=2, act="call", to=300, all_in=True, text="Seat 2 calls 300, all-in")
    table.controller.publish(topic(topics.VIEW, "board"), view(2, last_act=act, turn=None))
    table.controller.publish(topic(topics.ALERT), Alert(severity="error", code="reader-down", sentence="Look."))
    table.heard.until(lambda: "alert" in table.heard.of(PLACES.trigger))
    assert table.heard.of(PLACES.trigger) == ["act", "all-in", "alert"]
    assert json.loads(table.heard.of(PLACES.event)[0])["event_type"] == "act"
    assert state(table)["alerts"] == 1
    retained = {where for where, _, is_retained in table.heard.said if is_retained}
    assert not retained & {PLACES.event, PLACES.trigger}


def test_when_home_assistant_starts_the_table_is_described_again(table: Table) -> None:
    before = len(table.heard.of(PLACES.config))
    table.heard.client.publish("homeassistant/status", "online", 1)
    table.heard.until(lambda: len(table.heard.of(PLACES.config)) > before)
    assert json.loads(table.heard.of(PLACES.config)[-1])["device"]["name"] == "Home table"


def test_a_program_that_dies_is_said_by_the_broker_and_one_that_ends_says_it_itself(port: int) -> None:
    table = Table(port)
    table.house._client._sock_close()  # as if it had been killed
    table.heard.until(lambda: table.heard.of(PLACES.available)[-1] == "offline")
    table.heard.until(lambda: table.heard.of(PLACES.available)[-1] == "online")
    said = table.heard
    table.service.stop()
    table.house.stop()
    said.until(lambda: said.of(PLACES.available)[-1] == "offline")
    table.close()


def test_a_program_that_begins_in_mid_turn_says_the_turn_before_it_says_that_it_is_there(port: int) -> None:
    """Else the announcement would be unknown for a moment, and then be said aloud once more."""
    before = Table(port)
    before.controller.publish(topic(topics.VIEW, "board"), view(1))
    before.heard.until(lambda: bool(before.heard.of(PLACES.state)) and state(before)["to_act"] == 2)
    before.close()
    table = Table(port, heard_s=0.5)
    said = [(where, payload) for where, payload, is_retained in table.heard.said if not is_retained]
    shown = [json.loads(payload)["to_act"] for where, payload in said if where == PLACES.state]
    table.close()
    assert shown
    assert set(shown) == {2}


def test_entities_of_seats_that_are_gone_are_taken_out(port: int) -> None:
    Table(port, range(1, 7)).close()
    table = Table(port, range(1, 4))
    table.heard.until(
        lambda: any(
            json.loads(one)["components"].get("seat_6") == {"platform": "binary_sensor"}
            for one in table.heard.of(PLACES.config)
        )
    )
    table.heard.until(lambda: "seat_6" not in json.loads(table.heard.of(PLACES.config)[-1])["components"])
    time.sleep(0.2)  # the farewell comes back to who said it
    said = [json.loads(one)["components"] for one in table.heard.of(PLACES.config)]
    assert sum("seat_6" in one and len(one["seat_6"]) == 1 for one in said) == 1
    table.close()


def test_a_controller_that_goes_makes_the_entities_unavailable(table: Table, port: int) -> None:
    """Home Assistant reads the controller's own presence, by the template that it was given."""
    from jinja2 import Environment

    [ours, controllers] = json.loads(table.heard.of(PLACES.config)[-1])["availability"]
    assert ours["topic"] == PLACES.available
    heard = list[str]()
    watcher = paho.Client(CallbackAPIVersion.VERSION2)
    watcher.on_message = lambda _c, _d, message: heard.append(message.payload.decode())
    watcher.connect(HOST, port)
    watcher.subscribe(controllers["topic"], 1)
    watcher.loop_start()
    shown = Environment(autoescape=False).from_string(controllers["value_template"])
    for wanted in ("online", "offline"):
        table.controller.publish(topic(topics.STATUS), Presence(state=wanted))
        deadline_s = time.monotonic() + WAIT_S
        while not heard or shown.render(value_json=json.loads(heard[-1])) != wanted:
            assert time.monotonic() < deadline_s
            time.sleep(0.02)
    watcher.disconnect()
    watcher.loop_stop()
