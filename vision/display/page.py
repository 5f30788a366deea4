"""The live page: what the detector sees, in a browser on this machine.

A small HTTP server in threads of its own serves an HTML page, the pictures as motion JPEG and the state as JSON. The
detector's thread only hands over its newest frame and snapshot, and only while somebody watches; drawing and encoding
are done in the server's thread, a few times a second, and a watcher that is slow misses frames.
"""

from __future__ import annotations

import ipaddress
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

import cv2

from betline.settings import TableSettings
from betline.units import NS_PER_S
from vision.calibration.calibration import Calibration
from vision.detect.detector import Detector
from vision.detect.snapshot import Snapshot
from vision.display.html import PAGE
from vision.display.overlay import Overlay, recent
from vision.frame.events import CameraEvent
from vision.imaging.pictures import Picture
from vision.imaging.sources import Frame, Source

DEFAULT_PORT: Final = 8765
FPS: Final = 10.0
JPEG_QUALITY: Final = 80
MAX_WATCHERS: Final = 4
READ_WAIT_S: Final = 0.25
"""How long a camera is waited for before it is looked whether to stop."""
_BOUNDARY: Final = "betline-watch"
_PATIENCE_S: Final = 3.0


class WatchError(Exception):
    """The page cannot be served so; the text is a sentence for a person."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Where the page is served."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str, *, anywhere: bool = False) -> Listen:
        """Reads [HOST:]PORT; raises WatchError, also for an address that others reach unless ``anywhere``."""
        host, _, port = text.rpartition(":")
        host = host.strip("[]") or "127.0.0.1"
        if not port.isdecimal() or int(port) > 65535:
            raise WatchError(f"{text} is no address for the page; write [HOST:]PORT, for example {DEFAULT_PORT}.")
        if not anywhere and not _is_loopback(host):
            raise WatchError(
                f"{host} can be reached by others, and the page shows the table's chips; use ssh -L and no HOST, "
                "or add --watch-anywhere."
            )
        return cls(host, int(port))


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """What was last handed over."""

    picture: Picture
    snapshot: Snapshot
    events: tuple[CameraEvent, ...]
    number: int


class WatchPage:
    """Serves from its making until `close`; also a context manager. Raises WatchError where the port is taken."""

    def __init__(self, listen: Listen, table: TableSettings, calibration: Calibration) -> None:
        self._overlay = Overlay(table, calibration)
        self._changed = threading.Condition()
        self._shown: _Shown | None = None
        self._events: list[CameraEvent] = []
        self._drawn: tuple[int, bytes] | None = None
        self._drawing = threading.Lock()
        self._words = ""
        self._watchers = 0
        self._closing = False
        self._next_ns = 0
        self._host = listen.host
        page = self

        class Handler(_Handler):
            watch = page

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            address_family = _family(listen.host)

        try:
            self._http = Server((listen.host, listen.port), Handler)
        except OSError as error:
            raise WatchError(f"The page cannot be served at port {listen.port} ({error}): name another port.") from None
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.2,), name="watch-http", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """What to open in a browser on this machine."""
        return f"http://{f'[{self._host}]' if ':' in self._host else self._host}:{self.port}/"

    @property
    def loopback(self) -> bool:
        """Whether only this machine reaches the page."""
        return _is_loopback(self._host)

    @property
    def watchers(self) -> int:
        """How many streams are open now."""
        return self._watchers

    def see(self, frame: Frame, detector: Detector, events: Sequence[CameraEvent]) -> None:
        """Hands over a frame after the detector has seen it; costs next to nothing while nobody watches."""
        if events or self._events:
            self._events = [*recent(self._events, frame.t_ns), *events]
        now_ns = time.monotonic_ns()
        if self._watchers == 0 or now_ns < self._next_ns:
            return
        self._next_ns = now_ns + round(NS_PER_S / FPS)
        shown = _Shown(frame.picture, detector.snapshot(), tuple(self._events), frame.number)
        with self._changed:
            self._shown = shown
            self._changed.notify_all()

    def say(self, words: str) -> None:
        """What the page says of the camera from here on, a sentence."""
        self._words = words

    def close(self) -> None:
        """Ends all streams."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(_PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def joined(self) -> bool:
        """A stream begins; False where there are enough already."""
        with self._changed:
            if self._watchers >= MAX_WATCHERS:
                return False
            self._watchers += 1
            return True

    def left(self) -> None:
        """A stream has ended."""
        with self._changed:
            self._watchers -= 1

    def picture_after(self, number: int) -> tuple[int, bytes] | None:
        """The newest frame but ``number``, drawn and encoded once for all; None when the page is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or (self._shown is not None and self._shown.number != number))
            shown = self._shown
            if self._closing or shown is None:
                return None
        with self._drawing:  # the detector's thread must not wait for this
            if self._drawn is None or self._drawn[0] != shown.number:
                drawn = self._overlay.draw(shown.picture, shown.snapshot, shown.events, f"frame {shown.number}")
                jpeg = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
                self._drawn = (shown.number, jpeg.tobytes())
            return self._drawn

    def state(self) -> dict[str, Any]:
        """The newest snapshot as the page's table shows it."""
        shown = self._shown
        if shown is None:
            return {"frame": None, "frozen": None, "words": self._words, "seats": [], "middle": None}
        middle, spots = shown.snapshot.middle, {spot.seat: spot for spot in shown.snapshot.spots}
        seats = [
            {
                "seat": seat.zones.seat,
                "phase": seat.phase_words,
                "reason": seat.reason,
                "area_mm2": round(seat.state.settled.area_mm2),
                "footprints": seat.state.settled.footprints,
                "motions": seat.state.act.motions,
                "cards": spots[seat.zones.seat].holds,
                "cards_phase": spots[seat.zones.seat].phase,
                "cards_reason": spots[seat.zones.seat].reason,
            }
            for seat in shown.snapshot.seats
        ]
        return {
            "frame": shown.number,
            "frozen": shown.snapshot.frozen,
            "words": self._words,
            "seats": seats,
            "middle": {"phase": middle.phase, "reason": middle.reason, "found": middle.found},
        }

    def knows(self, host: str | None) -> bool:
        """Whether a request's Host is this page's: a strange site must not read it through a name of its own."""
        if not self.loopback:
            return True
        name = (host or "").rpartition(":")[0] if (host or "").rpartition(":")[2].isdecimal() else (host or "")
        return _is_loopback(name.strip("[]"))


def watch_camera(
    source: Source, detector: Detector, page: WatchPage, stop: threading.Event, notify: Callable[[str], None]
) -> None:
    """Shows frames on the page until ``stop`` is set or a recording ends; ``notify`` gets each new problem, once."""
    said = ""
    while not stop.is_set() and not source.ended:
        frame = source.read(READ_WAIT_S)
        if frame is not None:
            page.see(frame, detector, detector.process(frame.picture, frame.t_ns, frame.number))
        problem = source.problem or detector.markers_said
        if problem != said:
            said = problem
            page.say(problem)
            if problem:
                notify(problem)


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.0"
    timeout = _PATIENCE_S
    watch: WatchPage

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if not self.watch.knows(self.headers.get("Host")):
            self.send_error(403, "Open the page by the address of this machine's loopback")
        elif path == "/":
            self._whole("text/html; charset=utf-8", PAGE.encode())
        elif path == "/state.json":
            self._whole("application/json", json.dumps(self.watch.state()).encode())
        elif path == "/stream.mjpg":
            self._stream()
        else:
            self.send_error(404, "The page is at /")

    def _whole(self, kind: str, content: bytes) -> None:
        self._head(kind, len(content))
        self.wfile.write(content)

    def _head(self, kind: str, length: int | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()

    def _stream(self) -> None:
        if not self.watch.joined():
            self.send_error(503, "Enough people watch already; close another page")
            return
        try:
            self._head(f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
            number = -1
            while (shown := self.watch.picture_after(number)) is not None:
                number, jpeg = shown
                head = (
                    f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\nX-Frame: {number}\r\n"
                )
                self.wfile.write(head.encode() + b"\r\n" + jpeg + b"\r\n")
        except OSError:
            self.close_connection = True
        finally:
            self.watch.left()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written to the terminal: watchers come and go."""


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _family(host: str) -> int:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
