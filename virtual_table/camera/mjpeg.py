"""Serves the virtual camera's newest frame as MJPEG over HTTP on loopback, to any number of watchers.

Each part carries ``X-Mono-Ns``, the monotonic time in nanoseconds that the frame shows (off by some milliseconds, as
cameras' times are), and ``X-Frame``, its number. A frame is drawn and encoded once for all watchers, and not at all
without any. A watcher that is slower than the camera misses frames; it never gets old ones.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np

from betline.settings import Camera
from betline.units import NS_PER_S
from virtual_table.camera.optics import Image
from virtual_table.camera.renderer import Renderer
from virtual_table.camera.sensor import Light
from virtual_table.camera.view_faults import SOUND, ViewFaults
from virtual_table.table.things import Scene, WorldError
from virtual_table.table.world import World

JPEG_QUALITY: Final = 85
_log = logging.getLogger(__name__)
_BOUNDARY = "betline-frame"
_STILL_VARIANTS = 12  # encoded pictures of an unchanged scene, that differ only in their noise
_WATCHER_PATIENCE_S = 2.0
_STAMP_SD_NS = 2e6
_STAMP_MOST_NS = 6e6


@dataclass(frozen=True, slots=True)
class EncodedFrame:
    """One frame as it goes to the watchers."""

    number: int
    mono_ns: int
    jpeg: bytes


class FrameEncoder:
    """Draws scenes and encodes them; an unchanged scene is encoded a few times only.

    A real camera's frames of an unchanged scene differ by the sensor's noise. After some such frames are encoded, they
    are sent again in a changing order, which costs nothing.
    """

    def __init__(self, renderer: Renderer, seed: int, quality: int = JPEG_QUALITY) -> None:
        self._renderer = renderer
        self._rng = np.random.default_rng([seed, 0x1F])
        self._quality = quality
        self._variants: list[bytes] = []
        self._last = -1
        self._newest: bytes | None = None
        self._shown = SOUND
        self.faults = SOUND
        """What is wrong with the pictures from now on."""

    def encode(self, scene: Scene) -> bytes:
        """The JPEG of a scene, as the camera is now."""
        faults = self.faults
        if not faults.frozen or self._newest is None:
            self._newest = self._encode(scene, faults)
        return self._newest

    def _encode(self, scene: Scene, faults: ViewFaults) -> bytes:
        picture = faults.seen(self._renderer.clean_frame(scene))
        if self._renderer.changed or faults != self._shown:
            self._shown = faults
            self._variants.clear()
        if len(self._variants) < _STILL_VARIANTS:
            self._variants.append(jpeg(self._renderer.noisy(picture), self._quality))
            self._last = len(self._variants) - 1
        else:
            step = int(self._rng.integers(1, _STILL_VARIANTS))
            self._last = (self._last + step) % _STILL_VARIANTS
        return self._variants[self._last]

    def dark(self) -> bytes:
        """The JPEG of what a covered lens sees."""
        size = (self._renderer.height_px, self._renderer.width_px, 3)
        return jpeg(np.zeros(size, dtype=np.uint8), self._quality)


def jpeg(picture: Image, quality: int = JPEG_QUALITY) -> bytes:
    """The picture, (H, W, 3) uint8 BGR, as JPEG."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data.tobytes())


class MjpegServer:
    """The virtual camera on ``http://127.0.0.1:port/``, until `close`; also a context manager.

    The world's time is the monotonic clock in seconds, less ``zero_s``. ``port`` 0 takes a free one. Raises WorldError
    if the port cannot be had.
    """

    def __init__(
        self,
        world: World,
        camera: Camera,
        port: int = 0,
        seed: int = 0,
        light: Light | None = None,
        zero_s: float = 0.0,
    ) -> None:
        self._world = world
        self._zero_s = zero_s
        self._seed = seed
        self._encoder = FrameEncoder(Renderer(world.table, world.chip_set, camera, seed, light), seed)
        self._period_ns = NS_PER_S // camera.fps
        self._fresh = threading.Condition()
        self._newest: EncodedFrame | None = None
        self._watchers = 0
        self._closing = False
        self._covered = False
        self.failure: Exception | None = None
        server = self

        class Handler(_WatcherHandler):
            camera = server

        try:
            self._http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        except OSError as error:
            sentence = f"The virtual camera cannot serve on port {port} ({error}): give another port."
            raise WorldError("port-taken", sentence) from None
        self._http.daemon_threads = True
        self._threads = [
            threading.Thread(target=self._http.serve_forever, args=(0.2,), name="mjpeg-http", daemon=True),
            threading.Thread(target=self._film, name="mjpeg-camera", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """Where `vision run` finds the camera."""
        return f"http://127.0.0.1:{self.port}/"

    @property
    def watchers(self) -> int:
        """How many are connected now."""
        return self._watchers

    def suffer(self, faults: ViewFaults) -> None:
        """From now on its pictures are so faulty."""
        self._encoder.faults = faults

    def close(self) -> None:
        """Ends all streams and threads."""
        with self._fresh:
            self._closing = True
            self._fresh.notify_all()
        self._http.shutdown()
        self._http.server_close()
        for thread in self._threads:
            thread.join(timeout=2.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def cover(self) -> None:
        """The lens is covered: the frames are black from now on."""
        self._covered = True

    def uncover(self) -> None:
        """It sees again."""
        self._covered = False

    def joined(self) -> None:
        """A watcher connected; the camera starts filming if it was idle."""
        with self._fresh:
            self._watchers += 1
            self._fresh.notify_all()

    def left(self) -> None:
        """A watcher left."""
        with self._fresh:
            self._watchers -= 1

    def next_frame(self, after: int) -> EncodedFrame | None:
        """The newest frame with a higher number than ``after``; waits for it, None when the camera is closed."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._closing or (self._newest is not None and self._newest.number > after))
            return None if self._closing else self._newest

    def _film(self) -> None:
        number = 0
        late = np.random.default_rng(self._seed)
        while self._wanted():
            mono_ns = time.monotonic_ns()
            try:
                scene = self._world.scene(mono_ns / NS_PER_S - self._zero_s)
                data = self._encoder.dark() if self._covered else self._encoder.encode(scene)
            except Exception as error:  # the stream ends, and the camera's owner sees why
                self.failure = error
                _log.exception("The virtual camera stops: a scene could not be drawn.")
                self._stop()
                return
            number += 1
            off_ns = min(_STAMP_MOST_NS, max(-_STAMP_MOST_NS, late.normal(0.0, _STAMP_SD_NS)))
            stamp_ns = min(mono_ns + round(off_ns), time.monotonic_ns())
            with self._fresh:
                self._newest = EncodedFrame(number, stamp_ns, data)
                self._fresh.notify_all()
            rest_ns = self._period_ns - (time.monotonic_ns() - mono_ns)
            if rest_ns > 0:
                time.sleep(rest_ns / NS_PER_S)

    def _wanted(self) -> bool:
        """Waits until somebody watches; False when the camera closes."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._closing or self._watchers > 0)
            return not self._closing

    def _stop(self) -> None:
        with self._fresh:
            self._closing = True
            self._fresh.notify_all()


class _WatcherHandler(BaseHTTPRequestHandler):
    """One watcher's connection."""

    protocol_version = "HTTP/1.0"
    timeout = _WATCHER_PATIENCE_S
    camera: MjpegServer

    def do_GET(self) -> None:
        if self.path.split("?")[0] not in ("/", "/stream.mjpg"):
            self.send_error(404, "The camera's stream is at /")
            return
        self.send_response(200)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.camera.joined()
        try:
            number = 0
            while (frame := self.camera.next_frame(number)) is not None:
                number = frame.number
                head = (
                    f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(frame.jpeg)}\r\n"
                    f"X-Mono-Ns: {frame.mono_ns}\r\nX-Frame: {frame.number}\r\n\r\n"
                )
                self.wfile.write(head.encode("ascii") + frame.jpeg + b"\r\n")
        except OSError:
            self.close_connection = True
        finally:
            self.camera.left()

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: watchers come and go."""
