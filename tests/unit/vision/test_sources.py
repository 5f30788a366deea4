"""Cameras that are slow, lost, covered or measure their own light."""

import http.server
import threading
import time
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from betline.bus import MemoryBus, MemoryHub, Received
from betline.messages.common import Presence
from betline.messages.devices import LineEvent
from betline.topics import DEVICE_LINE, DEVICE_STATUS, SEAT_LINE, Namespace, topic
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene
from vision.detect.detector import make_detector
from vision.imaging import sources
from vision.imaging.pictures import Picture
from vision.imaging.sources import Frame, LiveSource, SourceError, open_source
from vision.service import service as service_module
from vision.service.service import VisionService, shows_nothing

PAINTER = Painter()
CAMERA = PAINTER.table.cameras[0]
PICTURE = np.full((9, 16, 3), 7, np.uint8)


def until(condition: Callable[[], bool], what: str) -> None:
    end_s = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end_s, what
        time.sleep(0.005)


class Stream:
    """Gives so many frames, numbered, when it is let; then it fails."""

    def __init__(self, frames: int) -> None:
        self._left = frames
        self.let = threading.Semaphore(0)
        self.closed = False

    def next(self) -> sources._Raw:
        self.let.acquire(timeout=5)
        if self._left == 0:
            raise SourceError("it has stopped")
        self._left -= 1
        return sources._Raw(PICTURE, self._left, None)

    def close(self) -> None:
        self.closed = True


def test_the_newest_frame_wins_and_the_others_are_counted() -> None:
    stream = Stream(4)
    source = LiveSource(lambda: stream, "test")
    for _ in range(4):
        stream.let.release()
    until(lambda: source.dropped == 3, "three frames are overtaken")

    newest = source.read(1.0)
    assert newest is not None
    assert (newest.t_ns, newest.number) == (0, 4)
    assert source.read(0.0) is None
    stream.let.release()
    source.close()


def test_a_lost_camera_is_sought_again_and_the_problem_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FIRST_RETRY_S", 0.01)
    first, second = Stream(1), Stream(1)
    waiting: list[Stream | SourceError] = [first, SourceError("usb:0 cannot be opened"), second]

    def connect() -> Stream:
        found = waiting.pop(0)
        if isinstance(found, SourceError):
            raise found
        return found

    source = LiveSource(connect, "test")
    first.let.release(2)
    until(lambda: source.problem == "The camera gives no pictures: usb:0 cannot be opened.", "the loss is told")
    assert first.closed
    second.let.release()
    until(lambda: source.problem == "", "the camera is found again")
    assert source.connects == 2
    second.let.release()
    source.close()


class Capture:
    """Stands for OpenCV's capture; remembers what was set, and how many frames had come then."""

    def __init__(self, *opened_with: object) -> None:
        self.opened_with = opened_with
        self.sets: list[tuple[int, float, int]] = []
        self.frames = 0

    def set(self, what: int, value: float) -> bool:
        self.sets.append((what, value, self.frames))
        return True

    def get(self, what: int) -> float:
        return {cv2.CAP_PROP_EXPOSURE: 156.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}[what]  # type: ignore[index]

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, object]:
        self.frames += 1
        time.sleep(0.0005)
        return True, PICTURE

    def release(self) -> None:
        """Nothing is held."""


def captured(text: str, monkeypatch: pytest.MonkeyPatch, frames: int) -> Capture:
    made: list[Capture] = []

    def make(*words: object) -> Capture:
        made.append(Capture(*words))
        return made[-1]

    monkeypatch.setattr(cv2, "VideoCapture", make)
    monkeypatch.setattr(sources, "_require_usb", lambda _: None)
    source = open_source(text, CAMERA)
    until(lambda: bool(made) and made[0].frames > frames, "frames come")
    source.close()
    return made[0]


def test_a_usb_camera_measures_the_light_and_then_holds_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = captured("usb:3", monkeypatch, sources.SETTLING_FRAMES)

    assert capture.opened_with == (3,)
    at_first = {what: value for what, value, frames in capture.sets if frames == 0}
    assert at_first[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert (at_first[cv2.CAP_PROP_AUTO_EXPOSURE], at_first[cv2.CAP_PROP_AUTO_WB]) == (3, 1)
    later = [(what, value) for what, value, frames in capture.sets if frames == sources.SETTLING_FRAMES]
    assert later == [
        (cv2.CAP_PROP_AUTO_EXPOSURE, 1),
        (cv2.CAP_PROP_EXPOSURE, 156.0),
        (cv2.CAP_PROP_AUTO_WB, 0),
        (cv2.CAP_PROP_WB_TEMPERATURE, 4600.0),
        (cv2.CAP_PROP_AUTOFOCUS, 0),
    ]
    assert len(capture.sets) == len(later) + sum(frames == 0 for _, _, frames in capture.sets)


def test_a_network_camera_that_is_silent_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = captured("rtsp://camera/1", monkeypatch, sources.SETTLING_FRAMES)

    assert capture.opened_with == (
        "rtsp://camera/1",
        cv2.CAP_FFMPEG,
        (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 2000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 2000),
    )
    assert [what for what, _, _ in capture.sets] == [cv2.CAP_PROP_BUFFERSIZE]


def test_the_password_of_an_address_is_not_told() -> None:
    refuses_get = http.server.BaseHTTPRequestHandler
    with http.server.HTTPServer(("127.0.0.1", 0), refuses_get) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        source = open_source(f"http://table:s3cret@127.0.0.1:{server.server_port}/film", CAMERA)
        until(lambda: source.problem != "", "the camera refuses")
        source.close()
        server.shutdown()
        thread.join(5)

    assert f" http://127.0.0.1:{server.server_port}/film answers 501 " in source.problem


def test_noise_alone_is_nothing_and_a_dim_table_is_something() -> None:
    random = np.random.default_rng(3)
    for level in (2, 60, 250):
        noisy = np.clip(random.normal(level, 2.5, (720, 1280, 3)), 0, 255).astype(np.uint8)
        assert shows_nothing(noisy)
    assert not shows_nothing(PAINTER.paint(Scene(light=0.25)))


class Script:
    """A source that gives the frames of a list."""

    dropped = 0
    problem = ""

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = frames

    @property
    def ended(self) -> bool:
        return not self._frames

    def read(self, timeout_s: float) -> Frame | None:
        return self._frames.pop(0)

    def close(self) -> None:
        self._frames.clear()


@pytest.mark.nightly
def test_a_covered_lens_is_a_lost_view_and_what_lies_is_known_when_it_is_uncovered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service_module, "LOST_S", 0.0)
    scene = Scene(chips=[Chip(PAINTER.place(5, 0, 75))])
    dark = np.full_like(PAINTER.paint(scene), 3)
    pictures = [*(PAINTER.paint(scene) for _ in range(30)), *[dark] * 30, *(PAINTER.paint(scene) for _ in range(60))]
    hub, names = MemoryHub(), Namespace("test", PAINTER.table.name)
    heard: list[Received] = []
    listener = MemoryBus(hub, names, "listener")
    listener.subscribe(SEAT_LINE, heard.append)
    listener.subscribe(DEVICE_LINE, heard.append)
    listener.subscribe(DEVICE_STATUS, heard.append)
    bus = MemoryBus(hub, names, CAMERA.id, presence=topic(DEVICE_STATUS, CAMERA.id))
    detector = make_detector(PAINTER.table)

    VisionService(
        PAINTER.table, bus, Script([Frame(one, at * FRAME_NS, at) for at, one in enumerate(pictures)]), detector
    ).run()

    events = [one.body for one in heard if isinstance(one.body, LineEvent)]
    assert [(event.kind, event.seat) for event in events] == [("view_lost", None)]
    states = [(one.body.state, one.body.detail) for one in heard if isinstance(one.body, Presence)]
    assert ("stale", "The camera sees nothing: uncover its lens, or give it light.") in states
    assert states[-1] == ("online", "")
    assert [seat.seat for seat in detector.view() if seat.occupied] == [5]


def said_of(pictures: list[Picture]) -> list[tuple[float, Presence]]:
    """What the camera says of itself, and after how many seconds of these pictures."""
    frames = [Frame(one, at * FRAME_NS, at) for at, one in enumerate(pictures)]
    hub, names = MemoryHub(), Namespace("test", PAINTER.table.name)
    script, heard = Script(frames), list[tuple[float, Presence]]()

    def hear(one: Received) -> None:
        if isinstance(one.body, Presence):
            heard.append(((len(pictures) - len(frames)) / 30, one.body))

    MemoryBus(hub, names, "listener").subscribe(DEVICE_STATUS, hear)
    bus = MemoryBus(hub, names, CAMERA.id, presence=topic(DEVICE_STATUS, CAMERA.id))
    VisionService(PAINTER.table, bus, script, make_detector(PAINTER.table)).run()
    return heard


def seen(count: int) -> list[Picture]:
    return [PAINTER.paint(Scene()) for _ in range(count)]


@pytest.mark.nightly
def test_a_frozen_picture_is_said_within_two_seconds_and_so_is_its_end() -> None:
    said = said_of([*seen(60), *[PAINTER.paint(Scene())] * 60, *seen(10)])

    frozen = [(at_s, one) for at_s, one in said if one.code == "camera-frozen"]
    assert len(frozen) == 1
    assert 2.0 < frozen[0][0] < 4.0
    assert frozen[0][1].state == "stale"
    assert (said[-1][1].state, said[-1][1].code) == ("online", "")


@pytest.mark.nightly
def test_a_half_covered_lens_is_said_within_two_seconds_and_so_is_its_end() -> None:
    covered = seen(60)
    for picture in covered:
        picture[:, : picture.shape[1] // 2] = 45

    said = said_of([*seen(60), *covered, *seen(60)])

    told = [(at_s, one) for at_s, one in said if one.code == "camera-covered"]
    assert len(told) == 1
    assert 2.0 < told[0][0] < 4.0
    assert told[0][1].state == "stale"
    assert (said[-1][1].state, said[-1][1].code) == ("online", "")


@pytest.mark.nightly
def test_arms_over_a_quarter_of_the_table_cover_no_lens() -> None:
    arms = [PAINTER.reach(seat, 150) for seat in (2, 3, 4, 7, 8)]

    said = said_of([*seen(60), *(PAINTER.paint(Scene(arms=arms)) for _ in range(60))])

    assert [one.code for _, one in said if one.code] == []
