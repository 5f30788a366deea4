"""A web server of its own for a test: the real server on a free port, and a table that the test speaks for."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from starlette.routing import BaseRoute

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.messages.common import Presence
from betline.messages.views import SeatView, TableView, TurnView
from betline.settings import TableSettings
from betline.topics import Namespace, topic
from table_controller.web.app import Web, make_app
from table_controller.web.channels import Channels
from table_controller.web.console import Consoles
from table_controller.web.gate import Gate
from table_controller.web.remote import Remotes
from table_controller.web.running import rooms_on
from table_controller.web.server import Table, Tls, listening, serve

NAMES = Namespace("home", "table-one")
SEATS = (1, 2, 3)
WAIT_S = 20.0


def view(version: int = 1, **said: Any) -> TableView:
    """What the board may be shown: three seats, and seat 2 to act."""
    usual: dict[str, Any] = {
        "audience": "board", "version": version, "hand_no": 7, "phase": "betting", "game": "No-limit hold'em",
        "street": "flop", "button": 1, "small_blind": 2, "big_blind": 3,
        "seats": tuple(SeatView(seat=seat, name=name, status="in", stack=stack, bet=bet) for seat, name, stack, bet in
                       ((1, "Ada", 1200, 0), (2, "Ben", 900, 0), (3, "Cleo", 2400, 300))),
        "turn": TurnView(seat=2, text="Seat 2: call 300, minimum raise to 600, maximum 900", call=300, min_raise_to=600,
                         max_raise_to=900, wager="raise"),
        "pot": 750, "players": 3,
    }  # fmt: skip
    return TableView(**{**usual, **said})


@dataclass(frozen=True)
class Served:
    """A server that runs, and the bus that it listens to."""

    port: int
    hub: MemoryHub
    controller: MemoryBus
    web: Web
    table: Table

    def says(self, body: TableView, audience: str = "board") -> None:
        """The controller shows an audience something."""
        self.controller.publish(topic(topics.VIEW, audience), body)

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """One request; returns status, headers in small letters, and the body."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            line.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = line.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            line.close()

    @property
    def origin(self) -> str:
        """What a page of this server says as its origin."""
        return f"http://127.0.0.1:{self.port}"

    @contextlib.contextmanager
    def following(self, channel: str, **headers: str) -> Iterator[Events]:
        """A reader of a channel."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            line.request("GET", f"/events/{channel}", headers={k.replace("_", "-"): v for k, v in headers.items()})
            yield Events(line.getresponse())
        finally:
            line.close()


class Events:
    """What one reader gets."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer

    def block(self) -> dict[str, str]:
        """The fields of the next event."""
        found: dict[str, str] = {}
        while True:
            line = self.answer.readline().decode()
            assert line, "the stream has ended"
            if line == "\n":
                return found
            name, _, value = line.rstrip("\n").partition(": ")
            found[name] = value

    def news(self) -> dict[str, Any]:
        """What the next message shows, beats left out."""
        while "id" not in (block := self.block()):
            pass
        found: dict[str, Any] = json.loads(block["data"])
        return found

    def until(self, version: int) -> dict[str, Any]:
        """The first message whose view has this version."""
        while True:
            news = self.news()
            if news["view"] is not None and news["view"]["version"] == version:
                return news


@contextlib.contextmanager
def served(
    gate: Gate | None = None,
    tls: Tls | None = None,
    remote_for: TableSettings | None = None,
    console: Consoles | None = None,
    floor: Consoles | None = None,
) -> Iterator[Served]:
    """A server on a free port of loopback, in a thread of its own, and a controller that is online.

    ``remote_for`` is the table that the remotes are for, where there are any, ``console`` what consoles are lent, and
    ``floor`` the floor's screens.
    """
    hub = MemoryHub()
    controller = MemoryBus(hub, NAMES, "controller")
    controller.publish(topic(topics.STATUS), Presence(state="online"))
    line = listening("127.0.0.1", 0)
    ready = threading.Event()
    made: list[Any] = []

    async def main() -> None:
        channels, stop = Channels(), asyncio.Event()
        table = Table(channels, SEATS)
        web = Web(
            channels,
            gate or Gate(),
            table.feed.channels,
            remote=remote_for is not None,
            console=console is not None,
            floor=floor is not None,
        )
        loop = asyncio.get_running_loop()
        more: list[BaseRoute] = []
        if remote_for is not None:
            rooms = rooms_on(MemoryBus(hub, NAMES, "remote"), remote_for, channels, loop)
            more = Remotes(rooms, channels, web.gate, web.refused).routes()
        for screens in (one for one in (console, floor) if one is not None):
            screens.gate, screens.refused = web.gate, web.refused
            more += screens.routes()
        table.listen(MemoryBus(hub, NAMES, "web"), loop)
        made.extend((web, table, lambda: loop.call_soon_threadsafe(stop.set)))
        loop.call_soon(ready.set)
        await serve(make_app(web, more), channels, line, tls, lambda: None, stop)

    port = int(line.getsockname()[1])
    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert ready.wait(WAIT_S)
    web, table, stop = made
    try:
        yield Served(port, hub, controller, web, table)
    finally:
        stop()
        thread.join(WAIT_S)
    assert not thread.is_alive()
