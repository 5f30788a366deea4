"""A headless Chromium that shows a page as people would see it: for pictures, benchmarks and tests.

It speaks the Chrome DevTools Protocol over a WebSocket. The browser is a program of the system, not of ours; whoever
needs it says what is missing where it is not there.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
START_S: Final = 60.0
ANSWER_S: Final = 60.0
LOOK_S: Final = 0.05
_STOP_S: Final = 5.0
_OPTIONS: Final = (
    "--headless=new", "--remote-debugging-port=0", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb",
)  # fmt: skip
_MOST_BYTES: Final = 64 * 1024 * 1024


class ChromiumError(Exception):
    """Chromium is not there, did not start, or a page did not do what was asked; says what in a sentence."""


def program() -> str | None:
    """Where Chromium is, None where it is not installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@dataclass(frozen=True, slots=True)
class Screen:
    """How large a page is shown, in its own pixels, and how many of the screen one of them takes."""

    width: int
    height: int
    scale: float = 1.0
    touch: bool = False


PHONE: Final = Screen(390, 844, scale=2.0, touch=True)
TV: Final = Screen(1920, 1080)


@dataclass(slots=True)
class _Line:
    """The connection to one browser: answers by number, and events to the page they are of."""

    socket: ClientConnection
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    answers: dict[int, queue.SimpleQueue[dict[str, Any]]] = field(default_factory=dict)
    events: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self) -> None:
        """Hands on what comes, until the browser has gone."""
        try:
            for text in self.socket:
                said = json.loads(text)
                with self.lock:
                    if "id" in said and (answer := self.answers.pop(said["id"], None)) is not None:
                        answer.put(said)
                    elif "method" in said:
                        self.events.setdefault(said.get("sessionId", ""), []).append(said)
        except ConnectionClosed:
            pass
        with self.lock:
            for waiting in self.answers.values():
                waiting.put({"error": {"message": "the browser has ended"}})
            self.answers.clear()

    def call(self, method: str, session: str = "", /, **params: Any) -> Any:
        """Asks the browser for something; raises ChromiumError."""
        number, answer = next(self.numbers), queue.SimpleQueue[dict[str, Any]]()
        with self.lock:
            self.answers[number] = answer
        asked = {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        try:
            self.socket.send(json.dumps(asked))
            said = answer.get(timeout=ANSWER_S)
        except (ConnectionClosed, queue.Empty):
            raise ChromiumError(f"Chromium did not answer {method}.") from None
        if "error" in said:
            raise ChromiumError(f"Chromium refused {method}: {said['error'].get('message', '')}.")
        return said["result"]


class Page:
    """One tab."""

    def __init__(self, line: _Line, session: str) -> None:
        self._line = line
        self._session = session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, /, **params: Any) -> Any:
        """A method of the protocol for this page; raises ChromiumError."""
        return self._line.call(method, self._session, **params)

    def show_on(self, screen: Screen) -> None:
        """Shows the page on a screen of this size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=screen.width,
            height=screen.height,
            deviceScaleFactor=screen.scale,
            mobile=screen.touch,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=screen.touch)

    def open(self, url: str) -> None:
        """Goes to an address; raises ChromiumError where nothing answers there."""
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise ChromiumError(f"{url} cannot be opened: {answer['errorText']}.")

    def value(self, expression: str) -> Any:
        """What a JavaScript expression comes to, a promise waited for; raises ChromiumError where it throws."""
        said = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in said:
            details = said["exceptionDetails"]
            raise ChromiumError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return said["result"].get("value")

    def wait_for(self, expression: str, within_s: float = ANSWER_S) -> Any:
        """The first value of an expression that is true, True for an element.

        Raises ChromiumError where it does not become so in time.
        """
        deadline_s = time.monotonic() + within_s
        while True:
            try:
                there, found = self.value(f"(it => [Boolean(it), it instanceof Node || it])({expression})")
            except ChromiumError:  # a page that is just being loaded has no document
                if time.monotonic() > deadline_s:
                    raise
                there = False
            if there:
                return found
            if time.monotonic() > deadline_s:
                raise ChromiumError(f"{expression} did not become true within {within_s:g} s.")
            time.sleep(LOOK_S)

    def text(self, element: str) -> str:
        """What people read in the element with this id; empty where it is hidden."""
        found = f"document.getElementById({json.dumps(element)})"
        return str(self.value(f"{found}?.checkVisibility() ? {found}.innerText : ''"))

    def picture(self, *, clear: bool = False, form: str = "png", quality: int | None = None) -> bytes:
        """What is shown, as a picture; `clear` leaves out the white that a browser puts behind a page."""
        if clear:
            self.call("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
        wanted = {"format": form, **({} if quality is None else {"quality": quality})}
        return base64.b64decode(self.call("Page.captureScreenshot", **wanted)["data"])

    def pdf(self) -> bytes:
        """The page as it is printed."""
        printed = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(printed["data"])

    def events(self, method: str) -> list[dict[str, Any]]:
        """What the browser has told of this page so far, by the name of the event."""
        with self._line.lock:
            return [one["params"] for one in self._line.events.get(self._session, ()) if one["method"] == method]

    def complaints(self) -> list[str]:
        """Errors of scripts, and what the page's policy has forbidden."""
        thrown = [one["exceptionDetails"] for one in self.events("Runtime.exceptionThrown")]
        logged = [one["entry"] for one in self.events("Log.entryAdded")]
        return [one.get("exception", {}).get("description", one["text"]) for one in thrown] + [
            one["text"] for one in logged if one["level"] == "error"
        ]


class Chromium:
    """A browser that runs; `page` opens tabs in it."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    def page(self, screen: Screen = TV, *, apart: bool = False) -> Page:
        """A new tab; `apart` shares no cookies with the others."""
        inside = self._line.call("Target.createBrowserContext") if apart else {}
        target = self._line.call("Target.createTarget", url="about:blank", **inside)["targetId"]
        session = self._line.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self._line, session)
        page.show_on(screen)
        return page


@contextmanager
def chromium(*more: str) -> Iterator[Chromium]:
    """A browser of its own with an empty profile; `more` are options of its command line. Raises ChromiumError."""
    found = program()
    if found is None:
        raise ChromiumError("Chromium is not installed: apt install chromium.")
    with tempfile.TemporaryDirectory(prefix="betline-chromium-", ignore_cleanup_errors=True) as folder:
        options = [*_OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else []), *more]
        process = subprocess.Popen(
            [found, *options, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            line = _Line(connect(_address(process, Path(folder)), max_size=_MOST_BYTES, compression=None))
            reading = threading.Thread(target=line.read, name="chromium", daemon=True)
            reading.start()
            try:
                yield Chromium(line)
            finally:
                line.socket.close()
                reading.join(_STOP_S)
        finally:
            _end(process)


def _address(process: subprocess.Popen[bytes], folder: Path) -> str:
    """Where the browser listens, as it writes it into its profile. Raises ChromiumError."""
    file = folder / "DevToolsActivePort"
    deadline_s = time.monotonic() + START_S
    while True:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        if len(lines) >= 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        if process.poll() is not None or time.monotonic() > deadline_s:
            raise ChromiumError("Chromium did not start: try chromium --headless by hand.")
        time.sleep(LOOK_S)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
