"""What we tell Home Assistant before its own code: `python -m tests.home_assistant PYTHON`.

PYTHON is one in whose environment `homeassistant` is installed, for example with
`python3.13 -m venv ha && ha/bin/pip install homeassistant paho-mqtt PyTurboJPEG numpy`, then `ha/bin/python`. Checked
are the device's payload and each component by the schemas of its MQTT integration, what its template engine makes of a
state, the blueprints, and when its automation says an announcement.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from betline.buttons import MEANINGS
from betline.home_assistant import Places
from betline.settings import load_table
from table_controller.happenings.telling import Telling
from table_controller.home.discovery import device_payload, without_old

BLUEPRINTS: Final = Path(__file__).parents[1] / "table_controller" / "home" / "blueprints"
SAID: Final = (
    ("unknown", "Seat 2: call 300", True),
    ("Seat 2: call 300", "Seat 3: call 300", True),
    ("unavailable", "Seat 2: call 300", False),
    ("Seat 2: call 300", "unavailable", False),
    ("Seat 2: call 300", "unknown", False),
    ("unavailable", "unknown", False),
)
"""How the entity Announcement changes, and whether that is said aloud."""
THERE: Final = """
import asyncio, os, shutil, tempfile
import json, sys
from homeassistant.components.blueprint.models import Blueprint
from homeassistant.components.blueprint.schemas import BLUEPRINT_SCHEMA
from homeassistant.components.mqtt import binary_sensor, button, device_trigger, discovery, event, sensor
from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA
from homeassistant.const import __version__
from homeassistant.helpers.template import Template
from homeassistant.setup import async_setup_component
from homeassistant.util import yaml
from homeassistant.core import CoreState, HomeAssistant
from homeassistant import bootstrap, config_entries, loader

async def says(hass, folder, given):
    file = next(one for one in given["blueprints"] if one.endswith("say_the_announcement.yaml"))
    os.makedirs(folder + "/blueprints/automation/betline")
    shutil.copy(file, folder + "/blueprints/automation/betline")
    hass.set_state(CoreState.running)
    said = []
    hass.services.async_register("tts", "speak", lambda call: said.append(call.data["message"]))
    known = {"announcement": "sensor.announcement", "engine": "tts.a", "player": "media_player.a"}
    uses = {"path": "betline/say_the_announcement.yaml", "input": known}
    assert await async_setup_component(hass, "automation", {"automation": [{"alias": "says", "use_blueprint": uses}]})
    await hass.async_block_till_done()
    assert hass.states.get("automation.says").state == "on"
    found = []
    for before, after, _ in given["said"]:
        hass.states.async_set("sensor.announcement", before)
        await hass.async_block_till_done()
        said.clear()
        hass.states.async_set("sensor.announcement", after)
        await hass.async_block_till_done()
        found.append(said == [after])
    return found

async def main():
    folder = tempfile.mkdtemp()
    hass = HomeAssistant(folder)
    hass.config.config_dir = folder
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    loader.async_setup(hass)
    await bootstrap.async_load_base_functionality(hass)
    schemas = {
        "sensor": sensor.DISCOVERY_SCHEMA, "binary_sensor": binary_sensor.DISCOVERY_SCHEMA,
        "event": event.DISCOVERY_SCHEMA, "button": button.DISCOVERY_SCHEMA,
        "device_automation": device_trigger.TRIGGER_DISCOVERY_SCHEMA,
    }
    given = json.load(sys.stdin)
    for name in ("payload", "farewell"):
        payload = given[name]
        DEVICE_DISCOVERY_SCHEMA(json.loads(json.dumps(payload)))
        shared = {key: payload[key] for key in ("device", "origin", "availability", "availability_mode", "qos")}
        for component in payload["components"].values():
            kind = component.pop("platform")
            if component:  # else it is a farewell
                schemas[kind]({**json.loads(json.dumps(shared)), **component} if kind != "device_automation" else
                              {"device": shared["device"], **component})
    def shown(template, value):
        known = {"value_json": value, "value": json.dumps(value)}
        return Template(template, hass).async_render(known, parse_result=False)
    found = {}
    for state in given["states"]:
        found = {name: shown(one["value_template"], state) for name, one in given["payload"]["components"].items()
                 if "value_template" in one}
        for one in given["payload"]["components"].values():
            if "json_attributes_template" in one:
                json.loads(shown(one["json_attributes_template"], state))
    for file in given["blueprints"]:
        Blueprint(yaml.load_yaml(file), expected_domain="automation", schema=BLUEPRINT_SCHEMA)
    said = await says(hass, folder, given)
    json.dump({"version": __version__, "shown": found, "said": said}, sys.stdout)
    await hass.async_stop(force=True)
    shutil.rmtree(folder)

asyncio.run(main())
"""


def given() -> dict[str, Any]:
    """What is put before it: the device of a shipped table, one with a seat less after it, states, blueprints."""
    table = load_table("home-six")
    seats = [seat.number for seat in table.seats]
    places = Places("home", table.name)
    payload = device_payload(places, table.title, seats, version("betline"), tuple(MEANINGS))
    smaller = device_payload(places, table.title, seats[:-1], version("betline"))
    full = dict.fromkeys(Telling().state(), 7) | {"to_act": 2, "street": "flop", "announcement": "Seat 2: call 300"}
    return {
        "payload": payload,
        "farewell": without_old(smaller, payload),
        "states": [Telling().state(), full],
        "blueprints": sorted(map(str, BLUEPRINTS.glob("*.yaml"))),
        "said": SAID,
    }


def main(python: str) -> int:
    """Runs the check in another environment; returns the exit status."""
    done = subprocess.run([python, "-c", THERE], input=json.dumps(given()), capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip().splitlines()[-1], file=sys.stderr)
        return 1
    found = json.loads(done.stdout)
    assert found["shown"]["to_act"] == "2", found
    assert (found["shown"]["seat_2"], found["shown"]["seat_3"]) == ("ON", "OFF"), found
    assert found["said"] == [is_said for _, _, is_said in SAID], found["said"]
    print(f"Home Assistant {found['version']} takes the device with all its components, the states and the blueprints.")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
