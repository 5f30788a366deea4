"""A table on the screen of a real Home Assistant: `python -m tests.home_assistant_screen HASS PICTURE`.

HASS is its program, for example `ha/bin/hass` after `python3.13 -m venv ha` and `ha/bin/pip install` of
homeassistant==2025.4.4 home-assistant-frontend==20250411.0 paho-mqtt PyTurboJPEG numpy SQLAlchemy fnv-hash-fast
psutil-home-assistant Pillow hassil home-assistant-intents mutagen. The demonstration plays, `betline home` tells it,
and Home Assistant is set up by its own forms. Checked is that its entities follow the table and that buttons there
do what they say; PICTURE (PNG) shows the device's page.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from betline.chromium import Screen, chromium

BETLINE: Final = Path(sys.executable).with_name("betline")
TABLE: Final = """name = "card-room"
title = "Card room"
based_on = "tournament"

[home_assistant]
buttons = ["next-hand", "pause-clock", "resume-clock"]
"""
CONFIGURATION: Final = """homeassistant:
  name: Home
http:
  server_host: 127.0.0.1
  server_port: {port}
frontend:
config:
"""
WINDOW: Final = Screen(960, 1500)
START_S: Final = 90.0
FOLLOW_S: Final = 60.0
ANSWER_S: Final = 10.0
TURNS: Final = 4
"""So many turns of different seats are waited for."""

_Found = TypeVar("_Found")


def free_port() -> int:
    """A port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def wait_for(what: str, look: Callable[[], _Found | None], within_s: float) -> _Found:
    """What ``look`` finds; raises SystemExit with a sentence where it finds nothing in time."""
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        found = look()
        if found:
            return found
        time.sleep(0.2)
    raise SystemExit(f"{what} was not seen in {within_s:.0f} s.")


@contextmanager
def running(*command: str, said: Path) -> Iterator[None]:
    """A program that runs beside, and what it says in a file."""
    with said.open("w") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)


class Hass:
    """Home Assistant by its own HTTP interface."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.tokens: dict[str, Any] = {}

    def is_up(self) -> bool:
        """Whether it answers."""
        try:
            return bool(self.ask("/api/onboarding"))
        except (URLError, OSError):
            return False

    def ask(self, path: str, body: Any = None, *, form: bool = False) -> Any:
        """Its answer to a request, JSON both ways unless it is a form."""
        data = None if body is None else (urlencode(body) if form else json.dumps(body)).encode()
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        signed = {"Authorization": f"Bearer {self.tokens['access_token']}"} if self.tokens else {}
        with urlopen(Request(self.url + path, data, {"Content-Type": kind, **signed}), timeout=20) as answer:
            return json.load(answer)

    def set_up(self, broker_port: int) -> None:
        """Its first steps, and MQTT by its own form."""
        client = f"{self.url}/"
        owner = {"client_id": client, "name": "Home", "username": "home", "password": "home", "language": "en"}
        code = self.ask("/api/onboarding/users", owner)["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": client}
        tokens = self.ask("/auth/token", grant, form=True)
        expires_ms = int(time.time() * 1000) + 1_700_000
        self.tokens = {**tokens, "hassUrl": self.url, "clientId": client, "expires": expires_ms}
        self.ask("/api/onboarding/core_config", {})
        self.ask("/api/onboarding/analytics", {})
        self.ask("/api/onboarding/integration", {"client_id": client, "redirect_uri": f"{client}?auth_callback=1"})
        flow = self.ask("/api/config/config_entries/flow", {"handler": "mqtt"})
        broker = {"broker": "127.0.0.1", "port": broker_port}
        made = self.ask(f"/api/config/config_entries/flow/{flow['flow_id']}", broker)
        if made["type"] != "create_entry":
            raise SystemExit(f"Home Assistant's MQTT form was refused: {made.get('errors')}")

    def state(self, ending: str) -> dict[str, Any] | None:
        """The entity whose id ends so, None where it is not there or unavailable."""
        found = (one for one in self.ask("/api/states") if one["entity_id"].endswith(ending))
        entity = next(found, None)
        return None if entity is None or entity["state"] == "unavailable" else entity

    def press(self, ending: str) -> None:
        """Presses a button."""
        button = self.state(ending)
        assert button is not None, ending
        self.ask("/api/services/button/press", {"entity_id": button["entity_id"]})


def check(hass: Hass) -> set[str]:
    """The seats that Home Assistant has seen to act; its clock has been started and stopped after it."""
    wait_for("The device", lambda: hass.state("_to_act"), START_S)
    acted: set[str] = set()

    def turns() -> bool:
        entity = hass.state("_to_act")
        if entity is not None and entity["state"].isdecimal():
            acted.add(entity["state"])
        return len(acted) >= TURNS

    wait_for(f"The turn of {TURNS} seats", turns, FOLLOW_S)
    for button in ("resume-clock", "pause-clock"):
        hass.press(f"_button_{button.replace('-', '_')}")

        def done(button: str = button) -> bool:
            told = (hass.state("_pressed") or {"attributes": {}})["attributes"]
            return (told.get("button"), told.get("event_type")) == (button, "done")

        wait_for(f"That {button} was done", done, ANSWER_S)
    return acted


def take_picture(hass: Hass, file: Path) -> None:
    """The device's page, as a browser shows it."""
    with chromium() as browser:
        page = browser.page(WINDOW)
        page.open(hass.url)
        page.value(f"localStorage.hassTokens = {json.dumps(json.dumps(hass.tokens))}")
        page.open(hass.url)
        devices = "Object.values(document.querySelector('home-assistant')?.hass?.devices ?? {})"
        device = page.wait_for(f"{devices}.find(one => one.name == 'Card room')?.id", 60)
        page.open(f"{hass.url}/config/devices/device/{device}")
        time.sleep(8)  # it draws its cards one after the other, and says of none that it is the last
        file.write_bytes(page.picture())


def main(program: str, picture: str) -> int:
    """Runs the check; returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="betline-hass-", ignore_cleanup_errors=True) as name:
        folder, broker, port = Path(name), free_port(), free_port()
        (folder / "table.toml").write_text(TABLE, encoding="utf-8")
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port), encoding="utf-8")
        at = ("--table", str(folder / "table.toml"), "--broker", f"127.0.0.1:{broker}")
        demo = (str(BETLINE), "demo", "--headless", "--hands", "1000", *at)
        with (
            running(*demo, said=folder / "demo.said"),
            running(str(BETLINE), "home", *at, said=folder / "home.said"),
            running(program, "-c", str(folder), "--skip-pip", said=folder / "hass.said"),
        ):
            hass = Hass(port)
            wait_for("Home Assistant", hass.is_up, START_S)
            hass.set_up(broker)
            acted = check(hass)
            take_picture(hass, Path(picture))
    print(f"Home Assistant saw seats {', '.join(sorted(acted, key=int))} to act; its buttons run the clock.")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
