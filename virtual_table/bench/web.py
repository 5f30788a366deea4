"""The suite `web`: from a ruling on the bus to changed pixels in a page, what a page weighs, and what 500 readers cost.

Broker, controller and `betline web` are processes of their own; this program is bridge and console, as in the suite
`bus`. Chromium shows the board on a TV's screen and the seat page on a phone's. The time runs from when the controller
has published the board's view of a ruling, by its own clock, to the second frame after the page has changed: by then
the first is painted. The console in a browser has changed when another seat stands there to act. Readers follow the
board from another process; some of them take nothing from the server.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from sys import maxsize
from typing import Any, Final

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus, Received
from betline.chromium import PHONE, TV, Chromium, ChromiumError, Page, chromium
from betline.messages.views import TableView
from betline.options import FAILED, UserError, namespace
from betline.scratch import scratch_folder
from betline.supervise import Supervisor
from virtual_table.bench.bus import TABLE, TARGET_MS, Table, table_on
from virtual_table.play.report import quantiles

ACTS, FULL_ACTS = 30, 300
READERS: Final = 500
ASLEEP: Final = 5
"""So many of them take nothing."""
PIXELS_MS: Final = 100.0
WEIGHT_KB: Final = 100.0
PAGES: Final = {"board": ("/board", TV), "seat": ("/seat/1", PHONE), "overlay": ("/overlay", TV)}
CONSOLE: Final = "console"
START_S: Final = 30.0
SHOWN_S: Final = 5.0
_WATCH: Final = """
window.shown = [];
new MutationObserver(() => {
  const version = Number(document.documentElement.dataset.version);
  requestAnimationFrame(() => requestAnimationFrame(() => window.shown.push([version, Date.now()])));
}).observe(document.documentElement, { attributeFilter: ["data-version"] });
"""
_WATCH_CONSOLE: Final = """
window.shown = [];
let seat = "";
new MutationObserver(() => {
  const now = document.querySelector(".xterm-rows").textContent.match(/► SEAT (\\d+)/)?.[1] ?? "";
  if (now === seat) return;
  seat = now;
  requestAnimationFrame(() => requestAnimationFrame(() => window.shown.push([Number(now), Date.now()])));
}).observe(document.querySelector(".xterm-rows"), { childList: true, characterData: true, subtree: true });
"""
_READY_CONSOLE: Final = "document.querySelector('.xterm-rows')?.textContent.includes('BETLINE')"


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures pages, then readers; raises UserError where the parts or Chromium do not start."""
    acts = FULL_ACTS if full else ACTS
    with table_on("embedded") as table:
        progress.at(0, 3, "rulings without the pages")
        quiet = table.measured(acts, lambda _address, _root: contextlib.nullcontext())
        with _web(table) as (port, process):
            progress.at(1, 3, "pages in Chromium")
            pixels, weights = _pixels(table, port, acts)
            progress.at(2, 3, f"rulings with {READERS} readers")
            before_mb = _memory_mb(process)
            crowded = table.measured(acts, lambda _address, _root: _crowd(port))
            grown_mb = round(_memory_mb(process) - before_mb, 1)
    without, within = quantiles(quiet.ms), quantiles(crowded.ms)
    times = {name: quantiles(ms) for name, ms in pixels.items()}
    figures = [
        Figure(
            f"{name}: ruling to pixels, ms p50/p95",
            f"{ms['p50']}/{ms['p95']}",
            "p95 < 100",
            ms["p95"] is not None and ms["p95"] < PIXELS_MS,
        )
        for name, ms in times.items()
    ]
    figures += [
        Figure(f"{name}: weight of the page, kB", f"{kb:g}", "< 100", kb < WEIGHT_KB) for name, kb in weights.items()
    ]
    met = not crowded.unruled and within["p99"] is not None and within["p99"] < TARGET_MS
    figures += [
        Figure("settled to announced without pages, ms p50/p99", f"{without['p50']}/{without['p99']}"),
        Figure(f"with {READERS} readers, ms p50/p99", f"{within['p50']}/{within['p99']}", "p99 < 20", met),
        Figure(f"memory of the server, {READERS} readers, MB", f"+{grown_mb:g}"),
    ]
    document = {
        "pixels_ms": times, "weight_kb": weights, "ruling_ms": without, "ruling_ms_with_readers": within,
        "unruled": quiet.unruled + crowded.unruled, "readers": READERS, "asleep": ASLEEP, "grown_mb": grown_mb,
    }  # fmt: skip
    return Report(document, tuple(figures), (f"{acts} acts in each condition; {ASLEEP} of the readers take nothing.",))


@contextmanager
def _web(table: Table) -> Iterator[tuple[int, int]]:
    """`betline web` for a table: its port, and its process."""
    port = free_port()
    with scratch_folder("betline-web-") as folder, Supervisor(folder) as parts:
        part = parts.start(
            "web", ["web", "--table", TABLE, "--broker", str(table.address), "--port", str(port), "--console"]
        )
        deadline_s = time.monotonic() + START_S
        while not _answers(port):
            parts.check()
            if time.monotonic() > deadline_s:
                raise UserError(f"The web server did not start; see {parts.log_of('web')}.", FAILED)
            time.sleep(0.05)
        assert part.process is not None
        yield port, part.process.pid


def _answers(port: int) -> bool:
    try:
        with socket.create_connection((LOOPBACK, port), 1):
            return True
    except OSError:
        return False


# --- pixels


class _Said:
    """When the controller published each version of the board's view, by its own clock in milliseconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_ms: dict[int, int] = {}
        self._turn: dict[int, int] = {}
        """By version the seat to act, 0 where none is."""

    def heard(self, received: Received) -> None:
        """Remembers when a view of the board was sent."""
        if isinstance(received.body, TableView) and received.body.audience == "board" and not received.retained:
            with self._lock:
                self._at_ms[received.body.version] = received.envelope.ts_ms
                self._turn[received.body.version] = received.body.turn.seat if received.body.turn else 0

    def forget(self) -> None:
        """Begins anew."""
        with self._lock:
            self._at_ms.clear()
            self._turn.clear()

    def until(self, shown: list[tuple[int, int]]) -> list[float]:
        """How long each version took to be shown; of one that a newer one overtook, until that was."""
        with self._lock:
            said = sorted(self._at_ms.items())
        found = ((at_ms, next((ms for number, ms in shown if number >= version), None)) for version, at_ms in said)
        return [float(max(0, ms - at_ms)) for at_ms, ms in found if ms is not None]

    def until_turn(self, shown: list[tuple[int, int]]) -> list[float]:
        """How long each change of the seat to act took to be shown, where nothing overtook it."""
        with self._lock:
            turns = [(self._at_ms[version], seat) for version, seat in sorted(self._turn.items())]
        changes = [new for old, new in pairwise(turns) if new[1] and new[1] != old[1]]
        ends_ms = [at_ms for at_ms, _ in changes[1:]] + [maxsize]
        found = [
            next((ms - at_ms for place, ms in shown if place == seat and at_ms <= ms < end_ms), None)
            for (at_ms, seat), end_ms in zip(changes, ends_ms, strict=True)
        ]
        return [float(ms) for ms in found if ms is not None]


def _pixels(table: Table, port: int, acts: int) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Times in milliseconds and weights in kB, by page."""
    said = _Said()
    bus = MqttBus(table.address.host, table.address.port, namespace("home", TABLE), "bench-web")
    try:
        if not bus.wait_connected(START_S):
            raise UserError("The broker did not let this program in.", FAILED)
        with chromium() as browser:
            pages = {name: _opened(browser, port, name) for name in PAGES}
            pages[CONSOLE] = _console(browser, port)
            bus.subscribe(topics.VIEW, said.heard)
            weights = {name: _weight_kb(page) for name, page in pages.items()}
            times = {}
            for name, page in pages.items():
                page.call("Page.bringToFront")
                page.value("window.shown.length = 0")
                said.forget()
                table.measured(max(1, acts // len(pages)), lambda _address, _root: contextlib.nullcontext())
                time.sleep(SHOWN_S / 10)
                shown = [(int(what), int(ms)) for what, ms in page.value("window.shown")]
                times[name] = said.until_turn(shown) if name == CONSOLE else said.until(shown)
    except ChromiumError as error:
        raise UserError(str(error), FAILED) from None
    finally:
        bus.close()
    return times, weights


def _opened(browser: Chromium, port: int, name: str) -> Page:
    path, screen = PAGES[name]
    page = browser.page(screen)
    page.open(f"http://{LOOPBACK}:{port}{path}")
    page.wait_for("document.documentElement.dataset.version", START_S)
    page.value(_WATCH)
    return page


def _console(browser: Chromium, port: int) -> Page:
    page = browser.page(TV)
    page.open(f"http://{LOOPBACK}:{port}/console")
    page.wait_for(_READY_CONSOLE, START_S)
    page.value(_WATCH_CONSOLE)
    return page


def _weight_kb(page: Page) -> float:
    """All that a page has loaded, unpacked; what it follows is not in it."""
    loaded = "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]"
    return round(float(page.value(f"{loaded}.reduce((sum, one) => sum + one.decodedBodySize, 0)")) / 1000, 1)


# --- readers


def _follow(port: int, readers: int, asleep: int, ready: Any) -> None:
    """Follows the board that many times; runs as a process of its own until it is ended."""
    chosen, lines = selectors.DefaultSelector(), []
    request = f"GET /events/board HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\n\r\n".encode()
    for number in range(readers):
        line = socket.socket()
        if number < asleep:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect((LOOPBACK, port))
        line.sendall(request)
        line.recv(1)
        line.setblocking(False)
        lines.append(line)
        if number >= asleep:
            chosen.register(line, selectors.EVENT_READ)
    ready.set()
    while True:
        for key, _ in chosen.select():
            with contextlib.suppress(BlockingIOError):
                key.fileobj.recv(65536)  # type: ignore[union-attr]


@contextmanager
def _crowd(port: int, readers: int = READERS, asleep: int = ASLEEP) -> Iterator[None]:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=_follow, args=(port, readers, asleep, ready), daemon=True)
    process.start()
    try:
        if not ready.wait(START_S):
            raise UserError(f"The web server did not take {readers} readers.", FAILED)
        yield
    finally:
        process.terminate()
        process.join()


def _memory_mb(process: int) -> float:
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6
