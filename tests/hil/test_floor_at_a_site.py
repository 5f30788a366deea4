"""The floor at a provisioned site: TLS, accounts, access lists and bridges as `provision site` makes them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect

from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.supervise import Supervisor
from betline.topics import SiteNamespace
from cardroom.floor.desk import TableFiles, desks_at
from cardroom.floor.ear import Ear
from cardroom.floor.screen.app import FloorApp
from cardroom.floor.screen.ruling import RulingDialog
from tests.hil.test_floor import Desk, Hall
from tests.mosquitto import needs_mosquitto
from tests.site import SITE, TestSite, wait
from tests.tables_at_site import join_table, start_table

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240), pytest.mark.nightly, needs_mosquitto]
PIT_OF = {"table-1": "pit-a", "table-2": "pit-b"}
SITE_FILE = f'name = "{SITE}"\ntime_zone = "Europe/Vienna"\nbroker = {{ hosts = ["site.lan"] }}\n' + "".join(
    f'[[pits]]\nname = "{pit}"\nhosts = ["{pit}.lan"]\ntables = [{{ name = "{table}", file = "home-six" }}]\n'
    for table, pit in PIT_OF.items()
)


@dataclass
class Bridged:
    site: TestSite
    parts: Supervisor
    desks: dict[str, Desk]


@pytest.fixture
def bridged(tmp_path: Path) -> Iterator[Bridged]:
    site = TestSite(tmp_path, {pit: [table] for table, pit in PIT_OF.items()})
    desks: dict[str, Desk] = {}
    try:
        with Supervisor(tmp_path) as parts:
            for table in PIT_OF:
                start_table(site, parts, table)
            for table in PIT_OF:
                bus = join_table(parts, site.address("console", table), table, "console")
                desk = desks[table] = Desk(bus)
                bus.subscribe(topics.STATE, lambda received, desk=desk: desk.states.append(received.body))
                desk.until(lambda desk=desk: bool(desk.states))
            yield Bridged(site, parts, desks)
    finally:
        for desk in desks.values():
            desk.console.close()
        site.close()


def shows(hall: Hall, table: str, word: str) -> Callable[[], bool]:
    return lambda: word in hall.row(table)


async def test_a_ruling_is_taken_over_a_bridge_and_a_pit_that_is_cut_off_is_named(bridged: Bridged) -> None:
    bridged.desks["table-2"].ruling_waits()
    address = bridged.site.address("floor")
    bus = MqttBus(address.host, address.port, SiteNamespace(SITE), "floor", login=address.login)
    try:
        ear = Ear(bus, SITE, time.monotonic)
        ear.start()
        app = FloorApp(ear, desks_at(address, SITE), TableFiles({}))
        async with app.run_test(size=(120, 40)) as pilot:
            hall = Hall(app, pilot)
            await hall.until(shows(hall, "table-2", "RULING seat 4"))
            await hall.until(lambda: hall.row("table-1").endswith("now"))
            await hall.until(lambda: {one.pit for one in ear.look().links.values() if one.stands} == {"pit-a", "pit-b"})
            await pilot.press("y")
            await hall.until(lambda: "being reached" not in hall.title)
            await pilot.press("1")
            await hall.until(lambda: "Ann" in hall.title)
            await pilot.press(*"4711", "enter")
            await hall.until(lambda: not isinstance(app.screen, RulingDialog))
            await hall.until(lambda: "RULING" not in hall.row("table-2"))

            bridged.site.lines["pit-a"].set("cut")
            await hall.until(lambda: "CUT OFF FROM THE SITE: pit-a" in hall.text("links"))
            await hall.until(shows(hall, "table-1", "SILENT"))
            assert hall.row("table-2").endswith("now")
            assert "pit-b" not in hall.text("links")
            bridged.site.lines["pit-a"].set("whole")
            await hall.until(lambda: hall.row("table-1").endswith("now"))
            await hall.until(lambda: not app.screen_stack[0].query_one("#links").display)
    finally:
        bus.close()
    assert [one.by for one in bridged.desks["table-2"].states[-1].rulings if one.by][-1:] == ["Ann"]


def test_the_floor_in_a_browser_names_a_cut_pit_with_its_tables(bridged: Bridged) -> None:
    port, file = free_port(), bridged.site.folder / "whole-site.toml"
    file.write_text(SITE_FILE)
    where = [*bridged.site.options(), "--table", "home-six", "--id", "table-1"]
    bridged.parts.start("web", ["web", *where, "--floor", "--site-file", str(file), "--port", str(port)])
    wait(lambda: "/floor." in bridged.parts.log_of("web").read_text(), "the pages are there")
    line_at = f"ws://127.0.0.1:{port}/floor/line?columns=120&rows=40"
    with connect(line_at, origin=f"http://127.0.0.1:{port}", proxy=None) as line:  # type: ignore[arg-type]
        shown = Screened(line)
        shown.until("table-2")
        bridged.site.lines["pit-a"].set("cut")
        shown.until("CUT OFF FROM THE SITE: pit-a")
        shown.until("(table-1)")


class Screened:
    """What a screen behind a page has written."""

    def __init__(self, line: ClientConnection) -> None:
        self._line, self.text = line, ""

    def until(self, words: str) -> None:
        until_s = time.monotonic() + 60
        while words not in self.text:
            assert time.monotonic() < until_s, self.text[-2000:]
            with suppress(TimeoutError):
                piece = self._line.recv(1)
                self.text += piece.decode(errors="replace") if isinstance(piece, bytes) else piece


def test_the_document_of_a_site_has_its_tables_and_the_links_of_its_pits(bridged: Bridged) -> None:
    file = bridged.site.folder / "whole-site.toml"
    file.write_text(SITE_FILE)
    words = ["floor", *bridged.site.options(), "--site-file", str(file)]
    bridged.site.lines["pit-b"].set("cut")
    document = {}
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s and [one["stands"] for one in document.get("links", ())] != [True, False]:
        done = subprocess.run(
            [sys.executable, "-m", "betline", *words, "--json"], capture_output=True, text=True, check=False, timeout=60
        )
        with suppress(ValueError):
            document = json.loads(done.stdout)
    assert [(one["pit"], one["stands"]) for one in document["links"]] == [("pit-a", True), ("pit-b", False)]
    assert [one["tables"] for one in document["links"]] == [["table-1"], ["table-2"]]
    assert {one["table"]: one["pit"] for one in document["tables"]} == PIT_OF
    assert {one["table"]: one["fresh"] for one in document["tables"]} == {"table-1": True, "table-2": False}
