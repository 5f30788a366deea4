"""A button in Home Assistant begins a hand, on a mosquitto as `betline provision` makes it, and can do nothing else."""

from __future__ import annotations

import json
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.home_assistant import Places
from betline.login import read_folder
from betline.options import Address
from betline.settings import HomeAssistantSettings
from betline.topics import topic
from table_controller.home.desk import Desk
from table_controller.home.discovery import device_payload
from table_controller.home.person import Person
from table_controller.home.presses import PRESS
from table_controller.home.service import House
from tests.mosquitto import HOST, needs_mosquitto
from tests.provisioned import NAMES, TABLE, WAIT_S, make
from tests.provisioned import House as Broker
from tests.unit.service.staff import ANN, Visitor
from tests.unit.service.test_commands_on_mosquitto import Hall, bare, raw

pytestmark = [
    needs_mosquitto,
    pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"),
]
PLACES = Places(NAMES.site, NAMES.table)
WITH_BUTTON = TABLE.model_copy(update={"home_assistant": HomeAssistantSettings(buttons=("next-hand",))})
ITS_USER, ITS_WORD = "homeassistant", "a-word-of-its-own"
ITS_RIGHTS = f"""
user {ITS_USER}
topic read homeassistant/#
topic write homeassistant/status
topic read betline-home/#
topic write betline-home/{NAMES.site}/{NAMES.table}/press/+
topic read betline/v1/{NAMES.site}/{NAMES.table}/status
"""
"""As docs/home-assistant.md says."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """The files of `betline provision`, and behind them those of Home Assistant's own user."""
    broker = make(tmp_path_factory.mktemp("house"), WITH_BUTTON)
    files = broker.folder / "logins" / "mosquitto"
    with (files / "access.acl").open("a", encoding="utf-8") as access:
        access.write(ITS_RIGHTS)
    subprocess.run(["mosquitto_passwd", "-b", str(files / "passwords"), ITS_USER, ITS_WORD], check=True)
    broker.restart()
    yield broker
    broker.stop()


class HomeAssistant:
    """What a house's own program says and hears."""

    def __init__(self, broker: Broker) -> None:
        self.heard: list[tuple[str, str]] = []
        login = broker.login("home")  # the broker wants a certificate of its authority; whose it is does not matter
        context = ssl.create_default_context(cafile=str(login / "ca.pem"))
        context.load_cert_chain(login / "cert.pem", login / "key.pem")
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.username_pw_set(ITS_USER, ITS_WORD)
        self.client.tls_set_context(context)
        self.client.on_message = lambda _c, _d, message: self.heard.append((message.topic, message.payload.decode()))
        self.client.connect(HOST, broker.port)
        self.client.subscribe([("homeassistant/#", 1), (f"{PLACES.base}/#", 1)])
        self.client.loop_start()

    def says(self, place: str, payload: str, *, retain: bool = False) -> None:
        self.client.publish(place, payload, 1, retain).wait_for_publish(WAIT_S)

    def of(self, place: str) -> list[Any]:
        return [json.loads(payload) for where, payload in self.heard if where == place]

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        self.client._reset_sockets()


class Evening:
    """A controller with staff, `betline home` beside it, and Home Assistant."""

    def __init__(self, broker: Broker, folder: Path) -> None:
        self.hall = Hall(broker, folder, staff=True)
        ann = Visitor(self.hall)
        assert ann.signs_in(ANN, "4711").ok
        assert ann.asks("seat-players", seats=[1, 2, 3]).ok
        self.home_assistant = HomeAssistant(broker)
        pin = folder / "pin"
        pin.write_text("0815\n", encoding="utf-8")
        pin.chmod(0o600)
        url, login = read_folder(broker.login("home"))
        payload = device_payload(PLACES, "Home table", range(1, 4), "0.1.0", ("next-hand",))
        self.house = House(Address(url.host, url.port, login), PLACES, payload)
        self.bus = self.hall.join("home")
        self.desk = Desk(self.bus, ("next-hand",), Person("Bob", pin), self.house.pressed)
        self.house.take_presses(self.desk.pressed)
        self.desk.start()

    def until(self, holds: Callable[[], bool]) -> None:
        def works() -> bool:
            self.desk.work()
            return holds()

        self.hall.until(works)

    def close(self) -> None:
        self.desk.end()
        self.house.stop()
        self.home_assistant.leave()
        self.hall.leaving.close()


@pytest.fixture
def evening(broker: Broker, tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(broker, tmp_path)
    yield evening
    evening.close()


def test_a_press_begins_the_next_hand_in_its_persons_name(evening: Evening) -> None:
    evening.house.start()
    evening.until(lambda: bool(evening.home_assistant.of(PLACES.config)))
    button = evening.home_assistant.of(PLACES.config)[-1]["components"]["button_next_hand"]
    evening.home_assistant.says(button["command_topic"], button["payload_press"])
    evening.until(lambda: evening.hall.state.hand_no == 1)
    evening.until(lambda: bool(evening.home_assistant.of(PLACES.pressed)))
    [said] = evening.home_assistant.of(PLACES.pressed)
    assert (said["event_type"], said["button"], said["code"]) == ("done", "next-hand", "ok")
    assert evening.hall.journalled("next-hand") == 1


def test_a_press_that_the_broker_kept_begins_no_hand_when_the_program_starts(evening: Evening) -> None:
    place = PLACES.press("next-hand")
    evening.home_assistant.says(place, PRESS, retain=True)
    try:
        evening.house.start()
        evening.until(lambda: bool(evening.desk.refused))
    finally:
        evening.home_assistant.says(place, "", retain=True)
    assert evening.desk.refused == {"retained": 1}
    assert evening.hall.journalled("next-hand") == 0


@pytest.mark.parametrize("verb", ["act", "clock", "recall", "override"])
def test_the_account_cannot_say_what_no_button_is(evening: Evening, verb: str) -> None:
    raw(evening.bus, topic(topics.COMMAND, verb), bare(seat=1, action="bet", word="a-lie"))
    raw(evening.hall.console, topic(topics.COMMAND, "recall"), bare(word="the truth"))
    evening.until(lambda: evening.hall.has_arrived("the truth"))
    assert not evening.hall.has_arrived("a-lie")


def test_home_assistant_itself_can_command_nothing(evening: Evening) -> None:
    for verb in ("next-hand", "act"):
        evening.home_assistant.says(NAMES.full(f"command/{verb}"), '{"word": "a-lie"}')
    raw(evening.hall.console, topic(topics.COMMAND, "recall"), bare(word="the truth"))
    evening.until(lambda: evening.hall.has_arrived("the truth"))
    assert not evening.hall.has_arrived("a-lie")
