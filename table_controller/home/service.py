"""The program `betline home`: it hears the table on its bus, and speaks to Home Assistant on the same broker.

What Home Assistant is told is published by a connection of its own, whose last will is that the table cannot be seen
any more.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final, Protocol

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.bus import Bus, Listener
from betline.buttons import MEANINGS
from betline.home_assistant import BORN, OFFLINE, ONLINE, Places
from betline.joining import RETAINED_S, join
from betline.login import Login, LoginError
from betline.metrics.serving import served
from betline.options import DONE, FAILED, Address, UserError
from betline.settings import TableSettings
from betline.topics import Namespace
from betline.watchdog import Watchdog
from table_controller.happenings.listener import listener
from table_controller.happenings.telling import Happening, Telling
from table_controller.home.desk import Desk
from table_controller.home.discovery import DID, REFUSED, device_payload, without_old
from table_controller.home.person import Person
from table_controller.home.presses import Told

SENDER: Final = "home"
HEARD: Final = (topics.VIEW, topics.ALERT, topics.DEVICE_STATUS)
QOS: Final = 1
KEEPALIVE_S: Final = 15
LONGEST_PRESS: Final = 64


class Takes(Protocol):
    """Takes a press of a button, on any thread."""

    def __call__(self, button: str, payload: str, *, retained: bool) -> None: ...


class House:
    """Home Assistant's side: the device is described at the start, and each time that Home Assistant starts."""

    def __init__(self, address: Address, places: Places, payload: dict[str, Any]) -> None:
        """Raises UserError for a login that cannot be used."""
        self._places, self._payload = places, payload
        self._state = ""
        self._take: Takes | None = None
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"{places.device}_home")
        self._client.will_set(places.available, OFFLINE, QOS, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        login = address.login or Login()
        try:
            if login.user is not None:
                self._client.username_pw_set(login.user, login.password())
            context = login.context()
        except LoginError as error:
            raise UserError(str(error)) from None
        if context is not None:
            self._client.tls_set_context(context)
        self._client.reconnect_delay_set(1, 30)
        self._client.connect_async(address.host, address.port, KEEPALIVE_S)

    def start(self) -> None:
        """Begins to connect, and again as often as the connection is lost."""
        self._client.loop_start()

    def tell(self, telling: Telling) -> None:
        """The entities show this from now on; while the broker is away, from when it is back."""
        state = json.dumps(telling.state())
        if state != self._state:
            self._state = state
            if self._client.is_connected():
                self._client.publish(self._places.state, state, QOS, retain=True)

    def happened(self, kind: str, data: dict[str, Any]) -> None:
        """Tells something once; while Home Assistant or the broker is away it is told nobody."""
        if self._client.is_connected():
            self._client.publish(self._places.event, json.dumps(data), QOS)
            self._client.publish(self._places.trigger, kind, QOS)

    def take_presses(self, take: Takes) -> None:
        """Calls `take` with each press of a button; to be said before `start`."""
        self._take = take

    def pressed(self, told: Told) -> None:
        """Tells once what became of a press."""
        data = {"event_type": DID if told.done else REFUSED, "button": told.button, "text": told.sentence}
        if self._client.is_connected():
            self._client.publish(self._places.pressed, json.dumps({**data, "code": told.code}), QOS)

    def stop(self) -> None:
        """Says that the table cannot be seen any more, and leaves."""
        said = self._client.publish(self._places.available, OFFLINE, QOS, retain=True)
        if self._client.is_connected():
            said.wait_for_publish(2.0)
        self._client.disconnect()
        self._client.loop_stop()

    # --- on the client's thread

    def _on_connect(self, client: paho.Client, *_: Any) -> None:
        client.subscribe([(BORN, QOS), (self._places.config, QOS)])
        if self._take is not None:
            client.subscribe([(self._places.press(button), QOS) for button in MEANINGS])
        self._describe({})

    def _on_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        if message.topic == BORN:
            if message.payload == ONLINE.encode():
                self._describe({})
            return
        if message.topic.startswith(self._places.press("")):
            self._on_press(message)
            return
        try:
            before = json.loads(message.payload)
        except ValueError:
            before = {}
        if isinstance(before, dict) and without_old(self._payload, before) != self._payload:
            self._describe(before)

    def _on_press(self, message: paho.MQTTMessage) -> None:
        if self._take is not None and message.payload:  # an empty one takes away what the broker had kept
            button = message.topic.rpartition("/")[2]
            self._take(button, message.payload[:LONGEST_PRESS].decode("utf-8", "replace"), retained=message.retain)

    def _describe(self, before: dict[str, Any]) -> None:
        """Describes the device, with a farewell to what it had before; the next description has that no more."""
        if (whole := without_old(self._payload, before)) != self._payload:
            self._client.publish(self._places.config, json.dumps(whole), QOS, retain=True)
        self._client.publish(self._places.config, json.dumps(self._payload), QOS, retain=True)
        if self._state:
            self._client.publish(self._places.state, self._state, QOS, retain=True)
        self._client.publish(self._places.available, ONLINE, QOS, retain=True)


def to_house(bus: Bus, house: House, serves: Callable[[], None] = lambda: None) -> Listener:
    """The table on a bus, told to a house."""

    def tell(telling: Telling, happened: tuple[Happening, ...]) -> None:
        house.tell(telling)
        for one in happened:
            house.happened(one.kind, one.as_json())

    return listener(bus, HEARD, tell, serves)


def begin(service: Listener, house: House, within_s: float = RETAINED_S) -> None:
    """Hears what the broker keeps of the table, then speaks to the house.

    Else an announcement that still stands would be unknown for a moment, and then look like a new one.
    """
    house.tell(Telling())
    heard_by_s = time.monotonic() + within_s
    while (left_s := heard_by_s - time.monotonic()) > 0:
        service.pump(left_s)
    house.start()


def run_home(
    table: TableSettings,
    address: Address,
    names: Namespace,
    person: Person | None = None,
    metrics: Address | None = None,
) -> int:
    """Tells a table to Home Assistant until SIGTERM or SIGINT; returns the exit status. Raises UserError.

    The buttons that the table file allows are pressed in the name of ``person``.
    """
    places, buttons = Places(names.site, names.table), table.home_assistant.buttons
    seats = [seat.number for seat in table.seats]
    title = table.title or table.name
    house = House(address, places, device_payload(places, title, seats, version("betline"), buttons))
    bus = join(address, names, SENDER)
    desk, watchdog = Desk(bus, buttons, person, house.pressed), Watchdog()

    def serves() -> None:
        desk.work()
        watchdog.serves()

    service = to_house(bus, house, serves)
    if buttons:
        house.take_presses(desk.pressed)
        desk.start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: service.stop())
    try:
        service.start()
        begin(service, house)
        with served(metrics, bus):
            service.run()
    except OSError as error:
        raise UserError(f"Home Assistant's broker cannot be used ({error.strerror}).", FAILED) from None
    finally:
        desk.end()
        house.stop()
        bus.close()
    return DONE
