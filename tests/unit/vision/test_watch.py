"""The live page: who may reach it, what it serves, and that it costs nothing while nobody looks."""

import http.client
import json
import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from betline.front_door import run
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene
from vision.detect.detector import Detector, make_detector
from vision.display.page import MAX_WATCHERS, Listen, WatchError, WatchPage, watch_camera
from vision.imaging.mjpeg import PartReader, boundary_of
from vision.imaging.sources import Frame

PAINTER = Painter()
ANY_PORT = Listen("127.0.0.1", 0)


@pytest.fixture(scope="module")
def detector() -> Detector:
    """A detector that has learnt the felt, with chips at seat 5."""
    made = make_detector(PAINTER.table)
    for number in range(30):
        made.process(PAINTER.paint(Scene(chips=[Chip(PAINTER.place(5, 0, 75))])), number * FRAME_NS, number)
    return made


@pytest.fixture
def page(detector: Detector) -> Iterator[WatchPage]:
    with WatchPage(ANY_PORT, PAINTER.table, detector.calibration) as served:
        yield served


def get(page: WatchPage, path: str, host: str | None = None) -> tuple[int, str, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=5)
    connection.request("GET", path, headers={} if host is None else {"Host": host})
    answer = connection.getresponse()
    found = (answer.status, answer.headers.get("Content-Type", ""), answer.read())
    connection.close()
    return found


def until(condition: object, what: str) -> None:
    end_s = time.monotonic() + 5
    while time.monotonic() < end_s:
        if condition():  # type: ignore[operator]
            return
        time.sleep(0.01)
    raise AssertionError(what)


def stream(page: WatchPage) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=5)
    connection.request("GET", "/stream.mjpg")
    return connection, connection.getresponse()


@pytest.mark.parametrize(
    ("text", "listen"),
    [
        ("8765", Listen("127.0.0.1", 8765)),
        ("localhost:80", Listen("localhost", 80)),
        ("[::1]:80", Listen("::1", 80)),
        ("127.0.0.9:80", Listen("127.0.0.9", 80)),
    ],
)
def test_an_address_of_this_machine_is_taken(text: str, listen: Listen) -> None:
    assert Listen.parse(text) == listen


@pytest.mark.parametrize("text", ["0.0.0.0:80", "192.168.1.5:80", "[::]:80", "table.local:80"])
def test_an_address_that_others_reach_is_refused_unless_told(text: str) -> None:
    with pytest.raises(WatchError, match="--watch-anywhere"):
        Listen.parse(text)
    assert Listen.parse(text, anywhere=True).port == 80


@pytest.mark.parametrize("text", ["", "port", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(WatchError, match="HOST"):
        Listen.parse(text)


@pytest.mark.nightly
def test_the_page_names_nothing_from_elsewhere(page: WatchPage) -> None:
    status, kind, content = get(page, "/")

    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert b"stream.mjpg" in content
    assert b"//" not in content
    assert get(page, "/other")[0] == 404


def test_a_strange_name_for_this_machine_is_refused(page: WatchPage) -> None:
    assert get(page, "/", f"localhost:{page.port}")[0] == 200
    assert get(page, "/", "127.0.0.1")[0] == 200
    assert get(page, "/", "[::1]:80")[0] == 200
    assert get(page, "/", "rebound.example:80")[0] == 403
    assert get(page, "/stream.mjpg", "rebound.example")[0] == 403


def test_the_stream_shows_the_newest_frame_drawn(page: WatchPage, detector: Detector) -> None:
    picture = PAINTER.paint(Scene())
    connection, answer = stream(page)
    try:
        reader = PartReader(boundary_of(answer.headers["Content-Type"]))
        until(lambda: page.watchers == 1, "nobody watches")
        page.see(Frame(picture, 30 * FRAME_NS, 30), detector, ())
        parts = reader.feed(answer.read1(1 << 20))
        while not parts:
            parts = reader.feed(answer.read1(1 << 20))
    finally:
        connection.close()

    (part,) = list(parts)
    assert part.number("X-Frame") == 30
    shown = cv2.imdecode(np.frombuffer(part.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == picture.shape
    assert np.abs(shown.astype(int) - picture).max() > 150
    state = json.loads(get(page, "/state.json")[2])
    assert state["frame"] == 30
    assert [seat["seat"] for seat in state["seats"] if seat["footprints"]] == [5]
    assert {(seat["cards"], seat["cards_phase"], seat["cards_reason"]) for seat in state["seats"]} == {("", "rest", "")}
    assert state["middle"] == {"phase": "rest", "reason": "", "found": ""}


class Unwatched:
    """Stands for a detector of which nothing may be asked."""

    def snapshot(self) -> None:
        raise AssertionError("nobody watches")


def test_while_nobody_watches_nothing_is_asked_of_the_detector(page: WatchPage) -> None:
    page.see(Frame(PAINTER.paint(Scene()), 0, 0), Unwatched(), ())  # type: ignore[arg-type]

    assert json.loads(get(page, "/state.json")[2]) == {
        "frame": None,
        "frozen": None,
        "words": "",
        "seats": [],
        "middle": None,
    }


def test_one_stream_too_many_is_refused_and_a_closed_one_makes_room(page: WatchPage, detector: Detector) -> None:
    open_ones = [stream(page) for _ in range(MAX_WATCHERS)]
    try:
        assert {answer.status for _, answer in open_ones} == {200}
        assert get(page, "/stream.mjpg")[0] == 503
        answer = open_ones[0][1]
        open_ones[0][0].close()
        answer.close()
        number = 0

        def left() -> bool:
            nonlocal number
            number += 1
            page.see(Frame(PAINTER.paint(Scene()), number * FRAME_NS, number), detector, ())
            return page.watchers < MAX_WATCHERS

        until(left, "a stream that was closed is still counted")
    finally:
        for connection, _ in open_ones:
            connection.close()


def test_a_port_that_is_taken_is_one_sentence(page: WatchPage, detector: Detector) -> None:
    with pytest.raises(WatchError, match="another port"):
        WatchPage(Listen("127.0.0.1", page.port), PAINTER.table, detector.calibration)


class Still:
    """A source of one frame and then a problem."""

    dropped = 0

    def __init__(self) -> None:
        self.reads = 0
        self.problem = ""

    @property
    def ended(self) -> bool:
        return self.reads > 3

    def read(self, timeout_s: float) -> Frame | None:
        self.reads += 1
        if self.reads > 1:
            self.problem = "The camera gives no pictures: it has stopped."
            return None
        return Frame(PAINTER.paint(Scene()), 31 * FRAME_NS, 31)

    def close(self) -> None:
        """Nothing is held."""


def test_a_problem_of_the_camera_is_told_once_and_on_the_page(page: WatchPage, detector: Detector) -> None:
    told: list[str] = []

    watch_camera(Still(), detector, page, threading.Event(), told.append)

    assert told == ["The camera gives no pictures: it has stopped."]
    assert page.state()["words"] == told[0]


@pytest.mark.timeout(20)  # a verb that is not refused serves until it is stopped
def test_the_verbs_refuse_an_address_that_others_reach(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vision", "watch", "--table", PAINTER.table.name, "--at", "0.0.0.0:8765"]) == 2
    assert "--watch-anywhere" in capsys.readouterr().err
