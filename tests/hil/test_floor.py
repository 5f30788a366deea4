"""The floor at a real broker: two controllers, a ruling of one taken by name, one that hangs and one that dies."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from textual.pilot import Pilot

from betline import topics
from betline.broker import free_port
from betline.bus import HOST_CLOCK, Bus, HostClock, MqttBus
from betline.chromium import Chromium
from betline.messages.table import TableState
from betline.options import Address
from betline.people.roll import write_staff
from betline.readiness import await_broker, await_controller
from betline.supervise import Supervisor
from betline.topics import Namespace, SiteNamespace
from cardroom.floor.desk import TableFiles, desks_at
from cardroom.floor.ear import Ear
from cardroom.floor.screen.app import FloorApp
from cardroom.floor.screen.ruling import RulingDialog
from cardroom.floor.screen.tables import TablesScreen
from cardroom.floor.screen.widgets import Drawing
from tests.browser import browser, needs_chromium
from tests.hil.test_web_console import LAPTOP, ROWS, press, reads
from tests.unit.service.room import SETUP
from tests.unit.service.staff import ANN, STAFF, Visitor
from virtual_table.bench.start_up import controller_line

__all__ = ["browser"]

pytestmark = [pytest.mark.hil, pytest.mark.timeout(180), pytest.mark.nightly]
SITE, TABLES = "grand", ("table-1", "table-2")
WAIT_S = 30.0


@dataclass
class Desk:
    """The bus of one table for the dealer, and what was heard of it."""

    console: Bus
    elsewhere: HostClock = HOST_CLOCK
    states: list[TableState] = field(default_factory=list)

    def until(self, holds: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < deadline_s
            time.sleep(0.01)

    def ruling_waits(self) -> None:
        """A ruling comes to wait; the table's staff is enrolled."""
        ann = Visitor(self)
        assert ann.signs_in(ANN, "4711").ok
        assert ann.asks("setup", **SETUP).ok
        assert ann.asks("cards-out").ok
        ann.asks("says", seat=4, text="if you bet, I will raise")
        self.until(lambda: any(one.kind == "floor" for one in self.states[-1].questions))


@dataclass
class Site:
    address: Address
    parts: Supervisor
    desks: dict[str, Desk]

    def controller(self, table: str) -> subprocess.Popen[bytes]:
        [found] = [part.process for part in self.parts.parts if part.name == table]
        assert found is not None
        return found


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    address = Address("127.0.0.1", free_port())
    write_staff(tmp_path / "people.toml", STAFF)
    with Supervisor(tmp_path) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        desks = {}
        for table in TABLES:
            parts.start(table, [*controller_line("home-six", address, tmp_path, table), "--site", SITE])
        for table in TABLES:
            await_controller(parts, address, Namespace(SITE, table))
            desk = desks[table] = Desk(MqttBus(address.host, address.port, Namespace(SITE, table), "console"))
            desk.console.subscribe(topics.STATE, lambda received, desk=desk: desk.states.append(received.body))
            desk.until(lambda desk=desk: bool(desk.states))
        yield Site(address, parts, desks)
        for desk in desks.values():
            desk.console.close()


@dataclass
class Hall:
    app: FloorApp
    pilot: Pilot[int]

    async def until(self, holds: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < deadline_s, self.text("rows")
            await asyncio.sleep(0.02)
            await self.pilot.pause()

    def text(self, part: str) -> str:
        return self.app.screen_stack[0].query_one(f"#{part}", Drawing)._canvas.text

    def row(self, table: str) -> str:
        return next((line for line in self.text("rows").splitlines() if table in line), "")

    @property
    def title(self) -> str:
        return " ".join(str(one.content) for one in self.app.screen.query("#dialog Static"))  # type: ignore[attr-defined]


@asynccontextmanager
async def floor_of(site: Site) -> AsyncIterator[Hall]:
    bus = MqttBus(site.address.host, site.address.port, SiteNamespace(SITE), "floor")
    try:
        ear = Ear(bus, SITE, time.monotonic)
        ear.start()
        app = FloorApp(ear, desks_at(site.address, SITE), TableFiles({}))
        async with app.run_test(size=(120, 40)) as pilot:
            yield Hall(app, pilot)
    finally:
        bus.close()


async def test_a_ruling_of_one_table_is_taken_by_name_and_the_other_plays_on(site: Site) -> None:
    site.desks["table-2"].ruling_waits()
    quiet = site.desks["table-1"].states[-1]
    async with floor_of(site) as hall:
        await hall.until(lambda: "RULING seat 4" in hall.row("table-2") and hall.row("table-1").endswith("now"))
        screen = hall.app.screen
        assert isinstance(screen, TablesScreen)
        assert screen.shown is not None
        assert screen.shown.rows[0].name == "table-2"
        await hall.pilot.press("y")
        await hall.until(lambda: "being reached" not in hall.title)
        await hall.pilot.press("1")
        await hall.until(lambda: "Ann" in hall.title)
        await hall.pilot.press(*"4711", "enter")
        await hall.until(lambda: not isinstance(hall.app.screen, RulingDialog))
        await hall.until(lambda: "RULING" not in hall.row("table-2"))
        assert hall.text("message").strip().startswith("✓ table-2: ")
    ruled = site.desks["table-2"].states[-1]
    assert not any(one.kind == "floor" for one in ruled.questions)
    assert [one.by for one in ruled.rulings if one.by][-1:] == ["Ann"]
    assert site.desks["table-1"].states[-1].phase == quiet.phase == "idle"


async def test_a_controller_that_dies_or_hangs_is_never_shown_as_fresh(site: Site) -> None:
    async with floor_of(site) as hall:
        await hall.until(lambda: all(hall.row(table).endswith("now") for table in TABLES))
        site.controller("table-1").send_signal(signal.SIGSTOP)
        try:
            await hall.until(lambda: any(word in hall.row("table-1") for word in ("SILENT", "OFFLINE")))
            assert hall.row("table-2").endswith("now")
        finally:
            site.controller("table-1").send_signal(signal.SIGCONT)
        await hall.until(lambda: hall.row("table-1").endswith("now"))
        site.controller("table-2").kill()
        await hall.until(lambda: "OFFLINE" in hall.row("table-2"))


def test_one_document_of_all_tables_is_printed(site: Site) -> None:
    site.desks["table-2"].ruling_waits()
    line = [sys.executable, "-m", "betline", "floor", "--broker", str(site.address), "--json"]
    said = subprocess.run(line, capture_output=True, text=True, check=True, timeout=60)
    document = json.loads(said.stdout)
    assert document["site"] == SITE
    assert [one["table"] for one in document["tables"]] == ["table-2", "table-1"]
    assert [one["fresh"] for one in document["tables"]] == [True, True]
    assert document["tables"][0]["ruling"]["seat"] == 4


@needs_chromium
def test_the_floor_in_a_browser_takes_a_ruling_too(site: Site, browser: Chromium) -> None:
    site.desks["table-2"].ruling_waits()
    port = free_port()
    words = ["--table", "home-six", "--id", "table-1", "--site", SITE, "--broker", str(site.address)]
    site.parts.start("web", ["web", *words, "--floor", "--port", str(port)])
    site.desks["table-1"].until(lambda: "/floor." in site.parts.log_of("web").read_text())
    page = browser.page(LAPTOP, apart=True)
    page.open(f"http://127.0.0.1:{port}/floor")
    reads(page, "RULING seat 4")
    press(page, "y")
    reads(page, "its digit decides")
    page.wait_for(f"!{ROWS}?.includes('being reached')", WAIT_S)
    press(page, "1")
    reads(page, "the PIN · Enter")
    press(page, *"4711", "Enter")
    reads(page, "✓ table-2:")
    assert [one.by for one in site.desks["table-2"].states[-1].rulings if one.by][-1:] == ["Ann"]
    assert page.complaints() == []
