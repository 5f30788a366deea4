"""What Home Assistant is told of a table: one device with its components (MQTT discovery, a payload a device). Pure.

https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload names the keys.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from betline.buttons import MEANINGS
from betline.home_assistant import OFFLINE, ONLINE, Places
from betline.settings import Button
from table_controller.happenings.telling import HAPPENINGS
from table_controller.home.presses import PRESS

_SENSORS: Final = {
    "to_act": ("Seat to act", "mdi:account-clock"),
    "to_call": ("To call", "mdi:poker-chip"),
    "minimum": ("Minimum", "mdi:arrow-collapse-down"),
    "maximum": ("Maximum", "mdi:arrow-collapse-up"),
    "pot": ("Pot", "mdi:sack"),
    "street": ("Street", "mdi:cards-playing"),
    "hand": ("Hand", "mdi:counter"),
    "level": ("Level", "mdi:stairs"),
    "announcement": ("Announcement", "mdi:bullhorn"),
}
"""By the field of the state: the entity's name and its picture. What is not so now is unknown there."""
_PROBLEMS: Final = {
    "alerts": ("Alerts", "alert", "mdi:alert"),
    "sensors": ("Sensors", "sensors_text", "mdi:access-point"),
}
"""By the field that counts: the name, the field with the words, the picture."""
DID: Final = "done"
REFUSED: Final = "refused"
ENDS: Final = (DID, REFUSED)
"""What may become of a press."""


def device_payload(
    places: Places, title: str, seats: Iterable[int], version: str, buttons: Iterable[Button] = ()
) -> dict[str, Any]:
    """The table as one device, with the buttons that its house allows."""
    return {
        "device": {
            "identifiers": [places.device],
            "name": title,
            "manufacturer": "Betline",
            "model": "Electronic dealer",
            "sw_version": version,
        },
        "origin": {"name": "Betline", "sw_version": version},
        "availability": [
            {"topic": places.available, "payload_available": ONLINE, "payload_not_available": OFFLINE},
            {
                "topic": places.controller,
                "value_template": "{{ 'online' if value_json.state == 'online' else 'offline' }}",
            },
        ],
        "availability_mode": "all",
        "qos": 1,
        "components": {**dict(_components(places, seats)), **dict(_pressed(places, tuple(buttons)))},
    }


def without_old(payload: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The payload with a farewell to each component that the table had before and has no more.

    What was only a farewell before gets none: the broker sends ours back, and it would be answered for ever.
    """
    known = before.get("components")
    if not isinstance(known, dict):
        return payload
    gone = {
        name: {"platform": component["platform"]}
        for name, component in known.items()
        if name not in payload["components"]
        and isinstance(component, dict)
        and "platform" in component
        and len(component) > 1
    }
    return {**payload, "components": {**payload["components"], **gone}}


def _components(places: Places, seats: Iterable[int]) -> Iterable[tuple[str, dict[str, Any]]]:
    for field, (title, icon) in _SENSORS.items():
        shown = f"{{{{ value_json.{field} }}}}"
        yield field, _entity(places, field, "sensor", title, icon, value_template=shown)
    for field, (title, words, icon) in _PROBLEMS.items():
        shown = f"{{{{ 'ON' if value_json.{field} else 'OFF' }}}}"
        told = f"{{{{ {{'count': value_json.{field}, 'text': value_json.{words}}} | tojson }}}}"
        yield (
            field,
            _entity(
                places, field, "binary_sensor", title, icon, value_template=shown, device_class="problem",
                json_attributes_topic=places.state, json_attributes_template=told,
            ),
        )  # fmt: skip
    for seat in seats:
        shown = f"{{{{ 'ON' if value_json.to_act == {seat} else 'OFF' }}}}"
        title = f"Seat {seat} to act"
        yield f"seat_{seat}", _entity(places, f"seat_{seat}", "binary_sensor", title, "mdi:seat", value_template=shown)
    happens = {"state_topic": places.event, "event_types": list(HAPPENINGS)}
    yield "event", _entity(places, "event", "event", "Table", "mdi:cards") | happens
    for happening in HAPPENINGS:
        name = happening.replace("-", "_")
        yield (
            f"trigger_{name}",
            {
                "platform": "device_automation",
                "automation_type": "trigger",
                "type": name,
                "subtype": "table",
                "topic": places.trigger,
                "payload": happening,
            },
        )


def _pressed(places: Places, buttons: Collection[Button]) -> Iterable[tuple[str, dict[str, Any]]]:
    """The buttons, and the event that says what became of a press."""
    for button in buttons:
        meaning, name = MEANINGS[button], f"button_{button.replace('-', '_')}"
        entity = _entity(places, name, "button", meaning.title, meaning.icon)
        del entity["state_topic"]
        yield name, {**entity, "command_topic": places.press(button), "payload_press": PRESS, "retain": False}
    if buttons:
        told = {"state_topic": places.pressed, "event_types": list(ENDS)}
        yield "pressed", _entity(places, "pressed", "event", "Button pressed", "mdi:gesture-tap-button") | told


def _entity(places: Places, name: str, platform: str, title: str, icon: str, **more: Any) -> dict[str, Any]:
    return {
        "platform": platform,
        "unique_id": f"{places.device}_{name}",
        "object_id": f"{places.device}_{name}",
        "name": title,
        "icon": icon,
        "state_topic": places.state,
        **more,
    }
