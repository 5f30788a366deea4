"""The console in a browser, whole: broker, controller, `betline web`, a console behind the page, Chromium."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.chromium import Chromium, ChromiumError, Page, Screen
from betline.messages.table import TableState
from betline.options import Address
from betline.readiness import await_broker, await_controller
from betline.supervise import Supervisor
from betline.topics import Namespace
from tests.browser import browser, needs_chromium
from tests.provisioned import listens
from tests.unit.web.serving import WAIT_S

__all__ = ["browser"]

pytestmark = [pytest.mark.hil, pytest.mark.timeout(180), needs_chromium]
NAMES = Namespace("home", "home-six")
HAND = ("1 e s 400 Ann", "2 e s 400 Bob", "3 e s 300 Cleo", "next hand", "deal")
LAPTOP = Screen(1280, 720)
ROWS = "document.querySelector('.xterm-rows')?.innerText"


@dataclass(frozen=True)
class Table:
    """A table without a sensor, its pages, and what was heard of it."""

    parts: Supervisor
    words: list[str]
    port: int
    states: list[TableState]

    def consoles(self) -> list[psutil.Process]:
        """The consoles that the server has started and that live."""
        return psutil.Process(self.web.pid).children(recursive=True)

    @property
    def web(self) -> subprocess.Popen[bytes]:
        [found] = [part.process for part in self.parts.parts if part.name == "web"]
        assert found is not None
        return found

    def opens(self, browser: Chromium, screen: Screen = LAPTOP) -> Page:
        page = browser.page(screen, apart=True)
        page.open(f"http://127.0.0.1:{self.port}/console")
        return page


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    broker, port = Address("127.0.0.1", free_port()), free_port()
    words = ["--table", "home-six", "--broker", str(broker)]
    people = tmp_path / "people.toml"
    states: list[TableState] = []
    with Supervisor(tmp_path) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(broker)])
        await_broker(parts, broker)
        journal = ["--journal", str(tmp_path / "journal.sqlite"), "--people", str(people)]
        parts.start("controller", ["controller", *words, *journal])
        parts.start("web", ["web", *words, "--console", "--port", str(port)])
        await_controller(parts, broker, NAMES)
        console = [sys.executable, "-m", "betline", "console", "--plain", *words]
        subprocess.run(console, input="".join(f"{line}\n" for line in HAND), text=True, check=True, timeout=60)
        bus = MqttBus("127.0.0.1", broker.port, NAMES, "tester")
        bus.subscribe(topics.STATE, lambda received: states.append(received.body))  # type: ignore[arg-type]
        try:
            waits(lambda: bool(states) and "/console." in parts.log_of("web").read_text())
            yield Table(parts, words, port, states)
        finally:
            bus.close()


def waits(true: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)


def reads(page: Page, words: str, where: str = ROWS) -> None:
    """Waits until people read this there."""
    try:
        page.wait_for(f"{where}?.includes({json.dumps(words)})", WAIT_S)
    except ChromiumError:
        raise AssertionError(f"{words} is not in\n{page.value(where)}") from None


def press(page: Page, *keys: str) -> None:
    """Presses keys as a keyboard does."""
    for key in keys:
        text = {"Enter": "\r", "Escape": ""}.get(key, key if len(key) == 1 else "")
        code = {"Enter": 13, "Escape": 27, "F6": 117}.get(key, ord(key.upper()[0]))
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)


def test_a_key_in_the_browser_is_an_act_at_the_table_and_a_closed_page_ends_its_console(
    browser: Chromium, table: Table
) -> None:
    page = table.opens(browser)
    for words in ("1 Ann", "SEAT 1  Ann", "TO CALL"):
        reads(page, words)
    [console] = table.consoles()
    assert console.environ()["TEXTUAL_DRIVER"].endswith("WebDriver")
    to_act = table.states[-1].to_act
    press(page, "f")
    waits(lambda: table.states[-1].to_act != to_act)
    reads(page, f"Seat {to_act} folds")
    assert page.complaints() == []
    page.call("Page.close")
    waits(lambda: not table.consoles())
    assert table.web.poll() is None


@pytest.mark.nightly
def test_a_console_that_dies_and_a_server_that_ends_are_said_and_it_starts_again(
    browser: Chromium, table: Table
) -> None:
    page = table.opens(browser)
    reads(page, "Ann")
    [console] = table.consoles()
    console.kill()
    reads(page, "The console was closed.", "document.getElementById('ended').innerText")
    page.value("document.getElementById('again').click()")
    page.wait_for("document.getElementById('ended').hidden")
    reads(page, "1 Ann")
    [other] = table.consoles()
    assert other.pid != console.pid
    table.web.kill()
    reads(page, "The connection to the table's server is lost.", "document.getElementById('ended').innerText")
    waits(lambda: not other.is_running() or other.status() == psutil.STATUS_ZOMBIE)
    waits(lambda: listens(table.port))  # the server is started again by whoever looks after it
    page.value("document.getElementById('again').click()")
    reads(page, "1 Ann")


@pytest.mark.nightly
def test_who_quits_the_console_is_asked_and_may_start_it_again(browser: Chromium, table: Table) -> None:
    page = table.opens(browser)
    reads(page, "Ann")
    press(page, "q")
    reads(page, "Only this console closes")
    press(page, "Enter")
    reads(page, "The console was closed.", "document.getElementById('ended').innerText")


@pytest.mark.nightly
def test_a_tap_on_a_tablet_presses_the_key_that_is_named_there(browser: Chromium, table: Table) -> None:
    page = table.opens(browser, Screen(1280, 800, 1.0, touch=True))
    reads(page, "SEAT 1  Ann")
    to_act = table.states[-1].to_act
    lines = page.value(f"({ROWS}).split('\\n')")
    row = next(place for place, line in enumerate(lines) if "F fold" in line)
    shape = "(({ width, height }) => [width, height])(document.querySelector('.xterm-screen').getBoundingClientRect())"
    width, height = page.value(shape)
    x = (lines[row].index("F fold") + 3) * width / max(map(len, lines))
    page.call("Input.synthesizeTapGesture", x=x, y=(row + 0.5) * height / len(lines))
    waits(lambda: table.states[-1].to_act != to_act)


@pytest.mark.nightly
def test_who_works_there_signs_in_by_pin_and_no_secret_stands_on_a_command_line(
    browser: Chromium, table: Table, tmp_path: Path
) -> None:
    add = [sys.executable, "-m", "betline", "people", "add", "Ann", "--role", "floor", "--pin-file", "-"]
    subprocess.run(
        [*add, "--people", str(tmp_path / "people.toml")], input="471147\n", text=True, check=True, capture_output=True
    )
    page = table.opens(browser)
    reads(page, "nobody signed in")
    press(page, "F6", *"471147", "Enter")
    reads(page, "Ann (floor)")
    [console] = table.consoles()
    assert "471147" not in " ".join(console.cmdline()) + json.dumps(console.environ())
    to_act = table.states[-1].to_act
    press(page, "f")
    waits(lambda: table.states[-1].to_act != to_act)
