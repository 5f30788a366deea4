"""The pages before axe (tests/axe) in a real Chromium: no violation on any, in both themes, on a TV and a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from betline.bus import MemoryBus
from betline.chromium import PHONE, TV, Chromium, Screen
from betline.messages.views import ActView
from table_controller.web.console import Consoles
from table_controller.web.gate import Gate
from table_controller.web.refused import Refused
from tests.browser import browser, needs_chromium
from tests.unit.console.controller import TABLE, Controller
from tests.unit.web.serving import NAMES, Served, served, view
from tests.unit.web.test_console import Fake
from tests.unit.web.test_remote import desk

__all__ = ["browser"]

pytestmark = needs_chromium
AXE = Path(__file__).parents[2] / "axe" / "axe.min.js"
PAGES = {
    "/board": "document.querySelector('.seat')",
    "/seat/2": "document.getElementById('who').innerText.endsWith('to act')",
    "/overlay": "document.querySelector('.seat')",
    "/remote": "document.querySelector('#keys button')",
    "/": "document.querySelector('#seats a')",
    "/console": "document.querySelector('.xterm-rows')?.innerText.includes('Seat 3')",
    "/floor": "document.querySelector('.xterm-rows')?.innerText.includes('Seat 3')",
}
"""By page, what is there once it shows the table."""


@cache
def axe() -> str:
    return AXE.read_text(encoding="utf-8")


@contextmanager
def pages() -> Iterator[Served]:
    """A server with every page, whose console shows one line."""

    async def starts(columns: int, rows: int) -> Fake:
        return Fake(columns, rows)

    console, floor = Consoles(starts, Gate(), Refused()), Consoles(starts, Gate(), Refused(), "/floor", "floor screen")
    with served(remote_for=TABLE, console=console, floor=floor) as server:
        Controller(MemoryBus(server.hub, NAMES, "controller"))
        yield server


def violations(browser: Chromium, url: str, there: str, screen: Screen) -> list[dict[str, Any]]:
    page = browser.page(screen, apart=True)
    page.open(url)
    page.wait_for(there, 20)
    page.value(f"{axe()}; true")
    found: list[dict[str, Any]] = page.value(
        "axe.run(document, {resultTypes: ['violations'], iframes: false})"
        ".then((found) => found.violations.map((one) => "
        "({id: one.id, help: one.help, where: one.nodes.map((node) => node.html).slice(0, 3)})))"
    )
    page.call("Page.close")
    return found


@pytest.mark.one_in(10)
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("theme", ["dark", "bright"])
@pytest.mark.parametrize("screen", [PHONE, TV], ids=["phone", "tv"])
def test_axe_finds_no_violation(browser: Chromium, path: str, theme: str, screen: Screen) -> None:
    with pages() as server:
        server.says(view(1, last_act=ActView(seat=3, act="bet", to=300, text="Seat 3 bets 300")))
        server.says(view(1), "stream")
        assert violations(browser, f"{server.origin}{path}?theme={theme}", PAGES[path], screen) == []


def test_axe_finds_what_is_wrong(browser: Chromium) -> None:
    with desk() as (server, _):
        page = browser.page(PHONE, apart=True)
        page.open(f"{server.origin}/remote")
        page.wait_for(PAGES["/remote"], 20)
        page.value("document.getElementById('asks').remove(); document.documentElement.removeAttribute('lang')")
        page.value(f"{axe()}; true")
        found = page.value("axe.run().then((found) => found.violations.map((one) => one.id))")
        assert {"html-has-lang", "label"} <= set(found)
