"""The camera on the bus: sources that come and go, and what is published of them."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import pytest

from betline.bus import MemoryBus, MemoryHub, Received
from betline.front_door import run
from betline.messages.common import Presence
from betline.messages.devices import CameraView, LineEvent
from betline.topics import DEVICE_LINE, DEVICE_STATUS, DEVICE_VIEW, SEAT_LINE, Namespace, topic
from tests.unit.vision.scene import FPS, Chip, Painter, Scene, film
from vision.detect.detector import make_detector
from vision.imaging.sources import Frame, LiveSource, SourceError, open_source, recording
from vision.service import service as service_module
from vision.service.service import VisionService

PAINTER = Painter()
CAMERA = PAINTER.table.cameras[0]


class Script:
    """A source that gives the frames of a list, None for a pause."""

    def __init__(self, frames: list[Frame | None]) -> None:
        self._frames = frames
        self.dropped = 3
        self.problem = ""

    @property
    def ended(self) -> bool:
        return not self._frames

    def read(self, timeout_s: float) -> Frame | None:
        return self._frames.pop(0)

    def close(self) -> None:
        self._frames.clear()


def push() -> list[Frame | None]:
    """A push at seat 5, as frames."""
    chips = [Chip(PAINTER.place(5, 0, 75))]
    steps = [
        (0.8, lambda _: Scene()),
        (0.5, lambda share: Scene(arms=[PAINTER.reach(5, -200 + 240 * share)])),
        (0.4, lambda share: Scene(chips=chips, arms=[PAINTER.reach(5, 40 - 300 * share)])),
        (0.8, lambda _: Scene(chips=chips)),
    ]
    return [Frame(PAINTER.paint(scene), t_ns, number) for number, (t_ns, scene) in enumerate(film(steps))]


def serve(frames: list[Frame | None]) -> list[Received]:
    hub, names = MemoryHub(), Namespace("test", PAINTER.table.name)
    heard: list[Received] = []
    listener = MemoryBus(hub, names, "listener")
    for kind in (SEAT_LINE, DEVICE_LINE, DEVICE_VIEW, DEVICE_STATUS):
        listener.subscribe(kind, heard.append)
    bus = MemoryBus(hub, names, CAMERA.id, presence=topic(DEVICE_STATUS, CAMERA.id))
    VisionService(PAINTER.table, bus, Script(frames), make_detector(PAINTER.table)).run()
    return heard


@pytest.mark.nightly
def test_a_push_is_published_at_its_seat_and_in_the_view() -> None:
    heard = serve(push())

    events = [one.body for one in heard if isinstance(one.body, LineEvent)]
    assert [event.kind for event in events] == ["hand_entered", "hand_left", "chips_crossing", "bet_settled"]
    assert {one.topic.path for one in heard if isinstance(one.body, LineEvent)} == {"seat/5/line"}
    assert len({event.id for event in events}) == 4
    assert {event.calib_id for event in events} == {PAINTER.calibration.id}
    last = [one.body for one in heard if isinstance(one.body, CameraView)][-1]
    assert [seat.seat for seat in last.seats if seat.occupied] == [5]


@pytest.mark.nightly
def test_a_camera_that_learns_the_felt_is_starting_and_then_online() -> None:
    said = [one.body.state for one in serve(push()) if isinstance(one.body, Presence)]

    assert said[said.index("starting") :] == ["starting", "online"]
    assert "stale" not in said


@pytest.mark.nightly
def test_a_lost_view_is_published_once_at_the_cameras_own_line_and_in_the_presence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service_module, "LOST_S", 0.0)

    heard = serve([*push()[:20], None, None])

    lost = [one for one in heard if isinstance(one.body, LineEvent)]
    assert [(one.topic.path, one.body.model_dump()["event"]) for one in lost] == [
        (f"device/{CAMERA.id}/line", "view_lost")
    ]
    assert [one.body.state for one in heard if isinstance(one.body, Presence)][-1] == "stale"


@pytest.mark.nightly
def test_a_change_of_light_is_published_once_and_not_at_every_seat() -> None:
    dark = [(0.8, lambda _: Scene()), (0.2, lambda _: Scene(light=0.6))]
    frames = [Frame(PAINTER.paint(scene), t_ns, number) for number, (t_ns, scene) in enumerate(film(dark))]

    events = [one for one in serve([*frames]) if isinstance(one.body, LineEvent)]

    assert [one.topic.path for one in events] == [f"device/{CAMERA.id}/line"]
    assert isinstance(events[0].body, LineEvent)
    assert (events[0].body.kind, events[0].body.seat) == ("light_changed", None)


@pytest.fixture
def http_camera() -> Iterator[tuple[str, int]]:
    """A camera on this machine, and the time that it stamps its first frame with; the next are a nanosecond apart."""
    jpeg = cv2.imencode(".jpg", PAINTER.paint(Scene()))[1].tobytes()
    began_ns = time.monotonic_ns()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            for number in range(3):
                head = (
                    f"--frame\r\nContent-Length: {len(jpeg)}\r\nX-Mono-Ns: {began_ns + number}\r\nX-Frame: {number}\r\n"
                )
                self.wfile.write(head.encode() + b"\r\n" + jpeg + b"\r\n")

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/camera", began_ns
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_http_camera_of_this_machine_gives_its_own_times_and_is_found_again_when_it_hangs_up(
    http_camera: tuple[str, int],
) -> None:
    address, began_ns = http_camera
    source = open_source(address, CAMERA)
    assert isinstance(source, LiveSource)
    try:
        frames = [frame for frame in (source.read(5.0) for _ in range(8)) if frame is not None]
    finally:
        source.close()

    assert frames
    assert all(frame.t_ns == began_ns + frame.number for frame in frames)
    assert source.connects > 1


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    for text in ("ftp://camera/", str(tmp_path / "missing.mp4"), str(broken)):
        with pytest.raises(SourceError):
            open_source(text, CAMERA)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "push.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (CAMERA.width_px, CAMERA.height_px))
    for frame in push():
        assert frame is not None
        writer.write(frame.picture)
    writer.release()
    return path


@pytest.mark.nightly
def test_a_recording_counts_its_times_from_0(video: Path) -> None:
    source = recording(video, paced=False)

    first, second = source.read(0), source.read(0)
    assert first is not None
    assert second is not None
    assert (first.t_ns, second.t_ns) == (0, pytest.approx(1e9 / FPS, rel=0.01))


@pytest.mark.nightly
def test_detect_prints_an_object_a_line(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vision", "detect", "--video", str(video), "--table", PAINTER.table.name, "--json"]) == 0

    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["hand_entered", "hand_left", "chips_crossing", "bet_settled"]
    assert all(event["seat"] == 5 and 800 < event["t_ms"] <= event["t_confirm_ms"] < 2500 for event in events)


def test_a_video_that_cannot_be_opened_is_one_sentence_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video")
    no_frames = tmp_path / "no_frames.avi"
    cv2.VideoWriter(str(no_frames), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (64, 64)).release()
    assert cv2.VideoCapture(str(no_frames)).isOpened()
    for path in (broken, tmp_path / "missing.mp4", tmp_path, no_frames):
        assert run(["vision", "detect", "--video", str(path)]) == 1
        out, error = capsys.readouterr()
        assert out == ""
        assert error.count("\n") == 1
        assert "give" in error


def test_a_table_without_camera_is_wrong_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from betline.settings import config_dir

    text = (config_dir() / "tables" / "home-six.toml").read_text()
    table = tmp_path / "blind.toml"
    table.write_text(text[: text.index("[[cameras]]")])

    assert run(["vision", "detect", "--video", "x.mp4", "--table", str(table)]) == 2
    assert "camera" in capsys.readouterr().err
