"""A real RTSP stream, through OpenCV, from a camera on loopback."""

import itertools
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.unit.vision.rtsp_camera import RtspCamera
from tests.unit.vision.scene import Painter
from vision.imaging import sources
from vision.imaging.pictures import Picture
from vision.imaging.sources import Frame, LiveSource, open_source

SETTINGS = Painter().table.cameras[0]
HEIGHT_PX, WIDTH_PX, BIT_PX = 360, 640, 40
BITS = WIDTH_PX // BIT_PX
DEADLINE_S = 30.0
OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"


def painted(number: int) -> Picture:
    """A picture of many colours whose upper edge tells its number."""
    down, across = np.mgrid[0:HEIGHT_PX, 0:WIDTH_PX]
    picture = np.stack((across * 255 // WIDTH_PX, down * 255 // HEIGHT_PX, 255 - across * 255 // WIDTH_PX), axis=-1)
    picture[250:300, 100:200], picture[250:300, 400:500] = (20, 20, 230), (40, 200, 30)
    for bit in range(BITS):
        picture[:BIT_PX, bit * BIT_PX : (bit + 1) * BIT_PX] = 235 if number >> bit & 1 else 20
    return picture.astype(np.uint8)


def number_in(picture: Picture) -> int:
    return sum(int(picture[BIT_PX // 2, bit * BIT_PX + BIT_PX // 2].mean() > 128) << bit for bit in range(BITS))


Film = Callable[..., tuple[RtspCamera, LiveSource]]


@pytest.fixture
def film(monkeypatch: pytest.MonkeyPatch) -> Iterator[Film]:
    """Makes a camera and the source that ``betline vision run --source rtsp://...`` opens for it."""
    monkeypatch.setenv(OPTIONS, "")
    monkeypatch.delenv(OPTIONS)
    monkeypatch.setattr(sources, "NETWORK_TIMEOUT_S", 2 * DEADLINE_S)
    monkeypatch.setattr(sources, "FIRST_RETRY_S", 0.01)
    monkeypatch.setattr(sources, "MAX_RETRY_S", 0.1)
    cameras: list[RtspCamera] = []
    opened: list[LiveSource] = []

    def make(*, as_user: str = "", limit: float | None = None, **words: object) -> tuple[RtspCamera, LiveSource]:
        camera = RtspCamera(painted, **words)  # type: ignore[arg-type]
        cameras.append(camera)
        if limit is not None:
            camera.limit = limit
        source = open_source(camera.url.replace("//", f"//{as_user}@") if as_user else camera.url, SETTINGS)
        assert isinstance(source, LiveSource)
        opened.append(source)
        return camera, source

    yield make
    for camera in cameras:
        camera.vanish()
    for source in opened:
        source.close()


def until(condition: Callable[[], bool], what: str) -> None:
    end_s = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end_s, what
        time.sleep(0.005)


def next_frame(source: LiveSource, after: int = -1) -> Frame:
    """The next frame whose picture is later than number ``after``."""
    found: list[Frame] = []

    def came() -> bool:
        frame = source.read(0.1)
        if frame is not None and number_in(frame.picture) > after:
            found.append(frame)
        return bool(found)

    until(came, f"no frame after number {after}: {source.problem}")
    return found[0]


@pytest.mark.parametrize("kind", [0, 1], ids=["4:2:2", "4:2:0"])
def test_pictures_arrive_whole_and_in_order_over_tcp(film: Film, kind: int) -> None:
    camera, source = film(kind=kind)
    frames = [next_frame(source) for _ in range(12)]

    for frame in frames:
        assert frame.picture.shape == (HEIGHT_PX, WIDTH_PX, 3)
        expected = painted(number_in(frame.picture))
        assert np.abs(frame.picture.astype(int) - expected).mean() < 4
    for earlier, later in itertools.pairwise(frames):
        assert number_in(earlier.picture) < number_in(later.picture)
        assert earlier.t_ns < later.t_ns
    assert [frame.number for frame in frames] == [number_in(frame.picture) + 1 for frame in frames]
    assert source.problem == ""
    assert source.connects == 1
    assert camera.transports == ["RTP/AVP/TCP;unicast;interleaved=0-1"]


@pytest.mark.nightly
def test_every_frame_that_nobody_took_is_counted(film: Film) -> None:
    _, source = film(limit=40)
    until(lambda: source.dropped == 39, "all but the last are overtaken")

    newest = source.read(0.0)
    assert newest is not None
    assert (newest.number, number_in(newest.picture)) == (40, 39)
    assert source.dropped == 39


def test_the_first_picture_does_not_wait_for_others(film: Film) -> None:
    camera, source = film(limit=1)

    assert number_in(next_frame(source).picture) == 0
    camera.limit = 2
    assert number_in(next_frame(source).picture) == 1


@pytest.mark.nightly
def test_a_camera_that_falls_silent_is_lost_and_found_again(film: Film, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "NETWORK_TIMEOUT_S", 0.5)
    camera, source = film()
    next_frame(source)
    camera.limit = 0
    until(lambda: source.problem.startswith("The camera gives no pictures: "), "the loss is told")

    silent_from, camera.limit = camera.sent, float("inf")
    next_frame(source, after=silent_from)
    until(lambda: source.problem == "", "the camera is found again")
    assert source.connects > 1


@pytest.mark.nightly
def test_a_camera_that_goes_is_lost_and_found_again_at_its_port(film: Film) -> None:
    camera, source = film()
    next_frame(source)
    camera.vanish()
    lost = f"The camera gives no pictures: {camera.url} cannot be opened."
    until(lambda: source.problem == lost, "the loss is told")
    assert source.connects == 1

    gone_from = camera.sent
    camera.appear()
    next_frame(source, after=gone_from - 1)
    until(lambda: source.problem == "", "the camera is found again")
    assert source.connects == 2


@pytest.mark.nightly
def test_a_camera_that_wants_signs_of_life_gets_them(film: Film) -> None:
    camera, source = film(session_s=2)
    until(lambda: "GET_PARAMETER" in camera.heard, "the session is kept")

    next_frame(source, after=camera.sent)
    assert source.connects == 1


def test_a_camera_with_a_password_is_opened(film: Film) -> None:
    _, source = film(login="table:s3cret", as_user="table:s3cret")

    assert next_frame(source).picture.shape == (HEIGHT_PX, WIDTH_PX, 3)


def test_a_password_that_is_refused_is_not_told_to_the_table(film: Film) -> None:
    camera, source = film(login="table:s3cret", as_user="table:wr0ng")
    until(lambda: source.problem != "", "the camera refuses")

    assert source.problem == f"The camera gives no pictures: {camera.url} cannot be opened."
    assert "DESCRIBE" in camera.heard
    assert "PLAY" not in camera.heard
