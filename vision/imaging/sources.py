"""Where pictures come from: a USB camera, MJPEG or RTSP (RFC 2326) from the network, a video file, a picture.

``open_source`` takes what the table file calls ``source``. A live source is read by a thread of its own: the newest
frame wins, older ones that nobody took are counted as dropped, and a camera that is lost is sought again with a growing
pause. A recorded source is read frame by frame, at its own speed where it stands in for a camera.
"""

from __future__ import annotations

import http.client
import os
import re
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from betline.settings import Camera
from betline.units import NS_PER_MS, NS_PER_S
from vision.imaging.encoded import PictureError, check_pixels, decode, read_picture
from vision.imaging.mjpeg import MjpegError, PartReader, Stamps, boundary_of
from vision.imaging.pictures import Picture

FIRST_RETRY_S = 0.2
RETRY_GROWTH = 1.6
MAX_RETRY_S = 5.0
NETWORK_TIMEOUT_S = 2.0
NETWORK_OPTIONS = "rtsp_flags;prefer_tcp|fpsprobesize;0"
"""Options of FFmpeg within OpenCV. Else FFmpeg gathers some twenty frames to learn their rate, and gives them late."""
STILL_FPS = 5.0
DEVICES, DEVICE_NAMES = Path("/dev"), Path("/sys/class/video4linux")
"""Where Linux has its cameras, and what they are called."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SETTLING_FRAMES = 45
"""A USB camera measures the light itself for so many frames; then exposure and white balance are fixed."""
AUTO_EXPOSURE, MANUAL_EXPOSURE = 3, 1
"""The values of V4L2, which OpenCV hands on as they are."""
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp"})


class SourceError(Exception):
    """A source that cannot be opened or read; the text is a sentence for a person."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture, (H, W, 3) uint8 BGR, the monotonic time that it shows, and its number at its source."""

    picture: Picture
    t_ns: int
    number: int


class Source(Protocol):
    """Gives frames, each at most once and in order."""

    @property
    def dropped(self) -> int:
        """Frames that were never given out: overtaken by a newer one, or broken."""
        ...

    @property
    def ended(self) -> bool:
        """Whether no frame will come any more (a recording only)."""
        ...

    @property
    def problem(self) -> str:
        """Why no frames come, a sentence; empty while they do."""
        ...

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame, or None where none came in time."""
        ...

    def close(self) -> None:
        """Lets go of the camera."""
        ...


class Recorded(Source, Protocol):
    """A recording, which knows its own pace."""

    @property
    def fps(self) -> float:
        """Frames a second."""
        ...


def open_source(text: str, camera: Camera) -> Source:
    """The live source that a table file names, or a recording played at its speed; raises SourceError."""
    if match := re.fullmatch(r"usb:(\d+)", text):
        return LiveSource(lambda: _Captured(int(match.group(1)), camera), text)
    scheme = urllib.parse.urlsplit(text).scheme
    if scheme == "http":
        return LiveSource(lambda: _HttpMjpeg(text), text)
    if scheme in ("rtsp", "rtsps"):
        return LiveSource(lambda: _Captured(text, camera), text)
    if scheme and len(scheme) > 1:
        raise SourceError(f"{text} is no camera; write usb:N, http://..., rtsp://... or the path of a file.")
    return recording(text, paced=True)


def recording(path: str | Path, *, paced: bool) -> Recorded:
    """A video file or picture; its frames' times begin with 0 or, where ``paced``, now. Raises SourceError."""
    if not Path(path).is_file():
        raise SourceError(f"There is no file {path}; give the path of a video or picture.")
    if Path(path).suffix.lower() in PICTURES:
        return _Still(path, paced=paced)
    return _Recording(path, paced=paced)


# --- live -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Raw:
    """A frame as it arrived: a picture, or one to be decoded only if it is taken."""

    content: Picture | bytes
    t_ns: int
    number: int | None


class _Stream(Protocol):
    def next(self) -> _Raw: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class _Slot:
    """The newest frame, handed from the reading thread to whoever takes it."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    raw: _Raw | None = None
    arrived: int = 0
    dropped: int = 0

    def put(self, raw: _Raw) -> None:
        with self.changed:
            if self.raw is not None:
                self.dropped += 1
            self.raw = raw
            self.arrived += 1
            self.changed.notify()

    def take(self, timeout_s: float) -> tuple[_Raw, int] | None:
        with self.changed:
            if self.raw is None:
                self.changed.wait(timeout_s)
            raw, self.raw = self.raw, None
            return None if raw is None else (raw, self.arrived)


class LiveSource:
    """A camera read by a thread; implements ``Source``."""

    def __init__(self, connect: Callable[[], _Stream], name: str) -> None:
        self._connect = connect
        self._slot = _Slot()
        self._closing = threading.Event()
        self._problem = ""
        self._broken = 0
        self.connects = 0
        self._thread = threading.Thread(target=self._run, name=f"camera-{name}", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        return self._slot.dropped + self._broken

    @property
    def ended(self) -> bool:
        return False

    @property
    def problem(self) -> str:
        return self._problem

    def read(self, timeout_s: float) -> Frame | None:
        taken = self._slot.take(timeout_s)
        if taken is None:
            return None
        raw, arrived = taken
        picture = raw.content if isinstance(raw.content, np.ndarray) else decoded(raw.content)
        if picture is None:
            self._broken += 1
            return None
        return Frame(picture, raw.t_ns, arrived if raw.number is None else raw.number)

    def close(self) -> None:
        self._closing.set()
        self._thread.join(NETWORK_TIMEOUT_S + 1)

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._closing.is_set():
            stream: _Stream | None = None
            try:
                stream = self._connect()
                self.connects += 1
                while not self._closing.is_set():
                    self._slot.put(stream.next())
                    self._problem, retry_s = "", FIRST_RETRY_S
            except (SourceError, MjpegError, OSError, http.client.HTTPException, cv2.error) as error:
                self._problem = f"The camera gives no pictures: {error}."
            finally:
                if stream is not None:
                    stream.close()
            self._closing.wait(retry_s)
            retry_s = min(retry_s * RETRY_GROWTH, MAX_RETRY_S)


def decoded(jpeg: bytes) -> Picture | None:
    """The picture of an encoded frame, (H, W, 3) uint8 BGR; None where it is damaged or far too large."""
    try:
        return decode(jpeg)
    except PictureError:
        return None


def _public(url: str) -> str:
    """An address without name and password: what is wrong with a camera is said on the bus."""
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


class _HttpMjpeg:
    """Motion JPEG from an HTTP address."""

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=NETWORK_TIMEOUT_S)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            self._connection.request("GET", path)
            self._answer = self._connection.getresponse()
            if self._answer.status != http.client.OK:
                raise SourceError(f"{_public(url)} answers {self._answer.status} {self._answer.reason}")
            self._reader = PartReader(boundary_of(self._answer.headers.get("content-type", "")))
        except BaseException:
            self._connection.close()
            raise
        self._stamps = Stamps(here=parts.hostname in LOOPBACK)
        self._waiting: list[_Raw] = []

    def next(self) -> _Raw:
        while not self._waiting:
            data = self._answer.read1(256 * 1024)
            if not data:
                raise SourceError("the stream has ended")
            now_ns = time.monotonic_ns()
            for part in self._reader.feed(data):
                shown_ns = self._stamps.shown_ns(part.number("X-Mono-Ns"), now_ns)
                self._waiting.append(_Raw(part.jpeg, shown_ns, part.number("X-Frame")))
        return self._waiting.pop(0)

    def close(self) -> None:
        self._connection.close()


def usb_cameras(names: Path = DEVICE_NAMES) -> tuple[tuple[int, str], ...]:
    """Number and name of each USB camera; its further devices, which give no pictures, are left out."""
    there = sorted(int(path.name.removeprefix("video")) for path in names.glob("video*"))
    return tuple(
        (one, (names / f"video{one}" / "name").read_text().strip())
        for one in there
        if _index_of(names / f"video{one}") == "0"
    )


def _index_of(device: Path) -> str:
    """Which of its camera's devices this is."""
    try:
        return (device / "index").read_text().strip()
    except OSError:
        return "0"


def _require_usb(number: int, devices: Path = DEVICES, names: Path = DEVICE_NAMES) -> None:
    """Raises SourceError where there is no such USB camera, with those that there are: OpenCV only fills the screen."""
    if sys.platform != "linux" or (devices / f"video{number}").exists():
        return
    listed = ", ".join(f"usb:{one} ({name})" for one, name in usb_cameras(names))
    raise SourceError(f"there is no camera usb:{number}; {f'there are {listed}' if listed else 'plug one in'}")


class _Captured:
    """A USB camera or an RTSP stream through OpenCV."""

    def __init__(self, address: int | str, camera: Camera) -> None:
        self._usb = isinstance(address, int)
        if isinstance(address, int):
            _require_usb(address)
            self._capture = cv2.VideoCapture(address)
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, camera.width_px)
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, camera.height_px)
            self._capture.set(cv2.CAP_PROP_FPS, camera.fps)
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE)
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        else:
            os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", NETWORK_OPTIONS)
            # Without these OpenCV waits half a minute for a camera that has gone.
            patience_ms = round(NETWORK_TIMEOUT_S * 1000)
            within = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience_ms)
            self._capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, within)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._frames = 0
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"{f'usb:{address}' if isinstance(address, int) else _public(address)} cannot be opened")

    def next(self) -> _Raw:
        there, picture = self._capture.read()
        if not there:
            raise SourceError("it has stopped")
        now_ns = time.monotonic_ns()
        self._frames += 1
        if self._usb and self._frames == SETTLING_FRAMES:
            self._fix()
        return _Raw(np.asarray(picture, dtype=np.uint8), now_ns, None)

    def _fix(self) -> None:
        """Holds exposure, white balance and focus as they are; a camera that cannot is compensated for."""
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        white = self._capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
        if self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE) and exposure > 0:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        if self._capture.set(cv2.CAP_PROP_AUTO_WB, 0) and white > 0:
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, white)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)

    def close(self) -> None:
        self._capture.release()


# --- recorded ---------------------------------------------------------------------------------------------------------


class _Pace:
    """Frame times from 0, or from now on and waited for."""

    def __init__(self, *, paced: bool) -> None:
        self._start_ns = time.monotonic_ns() if paced else None

    def at(self, offset_ns: int) -> int:
        if self._start_ns is None:
            return offset_ns
        due_ns = self._start_ns + offset_ns
        time.sleep(max(0, due_ns - time.monotonic_ns()) / NS_PER_S)
        return due_ns


class _Recording:
    """A video file, every frame of it; implements ``Source``."""

    dropped = 0

    def __init__(self, path: str | Path, *, paced: bool) -> None:
        self._capture = cv2.VideoCapture(str(path))
        self.problem = ""
        self.ended = False
        self._number = 0
        if not self._capture.isOpened():
            raise SourceError(f"{path} is no video that can be read; give a file such as an MP4 or AVI.")
        size = (self._capture.get(cv2.CAP_PROP_FRAME_WIDTH), self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        try:
            check_pixels(*(round(side) for side in size))
        except PictureError as error:
            self._capture.release()
            raise SourceError(f"{path} cannot be used: {error}.") from None
        self.fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or 30.0
        self._frame_ns = round(NS_PER_S / self.fps)
        self._last_ns = -1
        self._ahead = self._take()
        if self._ahead is None:
            self._capture.release()
            raise SourceError(f"{path} holds no picture that can be read; give a whole video such as an MP4 or AVI.")
        self._pace = _Pace(paced=paced)

    def _take(self) -> tuple[Picture, int] | None:
        """The next picture and the time that the file gives it."""
        there, picture = self._capture.read()
        if not there:
            return None
        return np.asarray(picture, dtype=np.uint8), round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * NS_PER_MS)

    def read(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - a file has its next frame ready
        if self._ahead is None:
            self.ended, self.problem = True, "The video has ended."
            return None
        picture, stamp_ns = self._ahead
        self._ahead = self._take()
        # Some containers have no times, or give that of the first frame for all.
        offset_ns = stamp_ns if stamp_ns > self._last_ns else self._last_ns + self._frame_ns
        self._last_ns = offset_ns
        number, self._number = self._number, self._number + 1
        return Frame(picture, self._pace.at(offset_ns), number)

    def close(self) -> None:
        self._capture.release()


class _Still:
    """One picture: once, or again and again where it stands in for a camera; implements ``Source``."""

    dropped = 0
    fps = STILL_FPS

    def __init__(self, path: str | Path, *, paced: bool) -> None:
        try:
            picture = read_picture(Path(path))
        except PictureError as error:
            raise SourceError(f"{path} cannot be used: {error}.") from None
        if picture is None:
            raise SourceError(f"{path} is no picture that can be read; give a PNG or JPEG.")
        self._picture = picture
        self._paced = paced
        self._pace = _Pace(paced=paced)
        self._number = 0
        self.problem = ""
        self.ended = False

    def read(self, timeout_s: float) -> Frame | None:  # noqa: ARG002 - a picture is always there
        if self._number and not self._paced:
            self.ended, self.problem = True, "There is no more picture."
            return None
        number, self._number = self._number, self._number + 1
        return Frame(self._picture, self._pace.at(round(number * NS_PER_S / STILL_FPS)), number)

    def close(self) -> None:
        """Nothing is held."""
