from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPResponse
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.settings import Camera
from tests.unit.virtual_world.worlds import some, uids, world
from virtual_table.camera import Light, MjpegServer, Renderer, record
from virtual_table.camera.canvas import Rect, bgr, merged
from virtual_table.camera.mjpeg import FrameEncoder, jpeg
from virtual_table.camera.optics import Image, View
from virtual_table.camera.view_faults import SOUND, ViewFaults
from virtual_table.table.dealer_motions import deal_board, deal_cards, gather
from virtual_table.table.player_motions import muck, push, tap
from virtual_table.table.things import SeenChip, WorldError
from virtual_table.table.world import World


def renderer(made: World, seed: int = 1, light: Light | None = None) -> Renderer:
    return Renderer(made.table, made.chip_set, made.table.cameras[0], seed, light)


def face_of(picture: Image, made: World, chip: SeenChip) -> np.ndarray:
    """The mean colour of the ring of a chip's face between inlay and edge spots, off the spots."""
    camera = made.table.cameras[0].pinhole()
    angles = chip.turn_rad + np.pi / 6 + np.arange(6) * np.pi / 3
    top = chip.z_mm + made.chip_set.thickness_mm
    points = [camera.project((chip.x_mm + 16.0 * np.cos(a), chip.y_mm + 16.0 * np.sin(a), top)) for a in angles]
    return np.mean([picture[round(y), round(x)] for x, y in points], axis=0)


def test_the_projection_is_that_of_the_table_file() -> None:
    camera = world().table.cameras[0].pinhole()
    view = View(camera)
    for point in ((0.0, 0.0, 0.0), (-900.0, 300.0, 0.0), (700.0, -450.0, 66.0)):
        assert view.project(point) == pytest.approx(camera.project(point))
    here, there = np.array(camera.project((700.0, 100.0, 0.0))), np.array(camera.project((701.0, 100.0, 0.0)))
    assert view.jacobians((700.0, 100.0, 0.0))[:, 0] == pytest.approx(there - here, rel=0.01)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["casino-oval", "home-six"])
def test_a_bet_chip_has_its_colour_where_it_should_lie_and_felt_was_there_before(name: str) -> None:
    made = world(name)
    picture_of = renderer(made)
    before = picture_of.clean_frame(made.scene(0.0)).copy()
    ends = []
    for seat in made.table.seats:
        chip = next(chip for chip in made.stack(seat.number) if chip.key == "black-100")
        ends.append(push(made, seat.number, [chip], 1.0).end_s)
    bets = {chip.uid for seat in made.table.seats for chip in made.bets(seat.number)}
    scene = made.scene(max(ends))
    after = picture_of.clean_frame(scene)
    black, felt = np.array(bgr("#2b2b30")), np.array(bgr(made.table.felt.colour))
    for chip in scene.settled:
        if chip.uid in bets:
            assert np.abs(face_of(after, made, chip) - black).max() < 30
            assert np.abs(face_of(before, made, chip) - felt).max() < 30


@pytest.mark.nightly
def test_an_arm_is_seen_while_it_is_there_and_leaves_nothing_behind() -> None:
    made = world()
    picture_of = renderer(made)
    before = picture_of.clean_frame(made.scene(0.0)).copy()
    tapped = tap(made, 5, 1.0)
    during = picture_of.clean_frame(made.scene(tapped.rest_s)).copy()
    changed = np.argwhere(np.abs(during.astype(int) - before).max(axis=2) > 20)
    x, y = made.table.cameras[0].pinhole().project((*made.table.seat(5).cards_mm, 0.0))
    low, high = changed.min(axis=0), changed.max(axis=0)
    assert len(changed) > 2000
    assert low[0] <= y <= high[0]
    assert low[1] <= x <= high[1]
    assert np.array_equal(picture_of.clean_frame(made.scene(tapped.end_s)), before)
    assert picture_of.changed
    picture_of.clean_frame(made.scene(tapped.end_s + 1.0))
    assert not picture_of.changed


@pytest.mark.nightly
def test_drawing_only_what_changed_makes_the_same_picture_as_drawing_it_all() -> None:
    made = world("home-six", stack=200)
    seats = [seat.number for seat in made.table.seats]
    followed = renderer(made)
    now = deal_cards(made, 0.0, seats, 4).end_s
    for seat in seats:
        push(made, seat, some(made, seat, 5), now)
    gathered = gather(made, now + 3.0)
    board = deal_board(made, 3, gathered.end_s)
    muck(made, 2, board.end_s - 0.3)
    for i in range(round((board.end_s + 0.5) * 8)):
        followed.clean_frame(made.scene(i / 8))
    for t in (board.end_s + 0.55, board.end_s + 5.0):
        anew = renderer(made).clean_frame(made.scene(t))
        away = np.abs(followed.clean_frame(made.scene(t)).astype(int) - anew)
        assert away.max() <= 6  # OpenCV rounds the border of a polygon that is cut off a little otherwise
        assert np.count_nonzero(away) < 0.002 * away.size


@pytest.mark.nightly
def test_frames_of_a_still_scene_differ_by_the_noise_of_a_sensor_only() -> None:
    made = world()
    picture_of = renderer(made)
    a, b = picture_of.frame(made.scene(0.0)), picture_of.frame(made.scene(0.1))
    clean = picture_of.clean_frame(made.scene(0.2))
    assert not np.array_equal(a, b)
    assert 1.0 < (a.astype(float) - clean).std() < 3.0
    assert abs((a.astype(float) - clean).mean()) < 0.2


@pytest.mark.nightly
def test_the_same_seed_draws_the_same_pictures_and_another_seed_others() -> None:
    made = world()
    push(made, 3, some(made, 3, 3), 0.0)

    def pictures(seed: int) -> list[Image]:
        picture_of = renderer(made, seed)
        return [picture_of.frame(made.scene(t)) for t in (0.4, 0.9, 3.0)]

    assert all(np.array_equal(a, b) for a, b in zip(pictures(1), pictures(1), strict=True))
    assert not np.array_equal(pictures(1)[2], pictures(2)[2])


@pytest.mark.nightly
def test_the_light_goes_down_as_it_is_set() -> None:
    made = world()
    picture_of = renderer(made, light=Light.ramp(10.0, 12.0, 0.6))
    means = [float(picture_of.clean_frame(made.scene(t)).mean()) for t in (0.0, 10.0, 11.0, 12.0, 60.0)]
    assert means[0] == means[1]
    assert means[2] == pytest.approx(0.8 * means[0], rel=0.02)
    assert means[3] == pytest.approx(0.6 * means[0], rel=0.02)
    assert means[4] == means[3]
    assert Light.switch(5.0, 0.5).gain(5.2) == 0.5


@pytest.mark.nightly
def test_a_still_scene_is_encoded_a_few_times_only_and_anew_when_something_moves() -> None:
    made = world("home-six")
    pushed = push(made, 3, some(made, 3, 1), 100.0)
    encoder = FrameEncoder(renderer(made), seed=1)
    still = [encoder.encode(made.scene(i / 30)) for i in range(60)]
    assert 8 < len(set(still)) < 20
    assert all(a != b for a, b in pairwise(still))
    assert encoder.encode(made.scene(pushed.cross_s)) not in still
    assert encoder.encode(made.scene(pushed.end_s)) not in still


def test_a_frozen_camera_gives_the_same_bytes_until_it_is_well_again() -> None:
    encoder = FrameEncoder(renderer(world("home-six")), seed=1)
    made = world("home-six")
    first = encoder.encode(made.scene(0.0))

    encoder.faults = ViewFaults(frozen=True)
    assert [encoder.encode(made.scene(number / 30)) for number in range(1, 4)] == [first] * 3
    encoder.faults = ViewFaults(black=True)
    black = encoder.encode(made.scene(0.2))
    encoder.faults = SOUND
    well = encoder.encode(made.scene(0.3))

    assert len({first, black, well}) == 3
    assert len(black) < len(first) / 2


def test_rectangles_that_touch_are_merged_until_none_do() -> None:
    rects = merged([Rect(0, 0, 10, 10), Rect(50, 50, 60, 60), Rect(8, 8, 52, 20), Rect(5, 40, 5, 60)])
    assert set(rects) == {Rect(0, 0, 52, 20), Rect(50, 50, 60, 60)}
    assert merged([*rects, Rect(40, 15, 55, 55)]) == [Rect(0, 0, 60, 60)]


def part(stream: HTTPResponse) -> tuple[dict[str, str], bytes]:
    """The next part of an MJPEG stream."""
    head: dict[str, str] = {}
    while (line := stream.readline().decode().strip()) or not head:
        if ":" in line:
            key, _, value = line.partition(":")
            head[key] = value.strip()
    return head, stream.read(int(head["Content-Length"]))


@pytest.fixture
def slow_camera() -> Camera:
    """A camera with few frames a second, so that the tests are light."""
    return world().table.cameras[0].model_copy(update={"fps": 15})


@pytest.mark.nightly
def test_watchers_get_the_newest_frame_with_its_number_and_time(slow_camera: Camera) -> None:
    made = world()
    with (
        MjpegServer(made, slow_camera) as camera,
        urllib.request.urlopen(camera.url, timeout=5) as one,
        urllib.request.urlopen(camera.url, timeout=5) as two,
    ):
        heads = []
        for _ in range(3):
            head, data = part(one)
            heads.append(head)
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None
            assert picture.shape == (720, 1280, 3)
        numbers = [int(head["X-Frame"]) for head in heads]
        times = [int(head["X-Mono-Ns"]) for head in heads]
        assert numbers == sorted(set(numbers))
        assert times == sorted(set(times))
        assert times[-1] <= time.monotonic_ns()
        assert part(two)[0]["Content-Type"] == "image/jpeg"
        assert camera.watchers == 2
    assert camera.failure is None


@pytest.mark.nightly
def test_the_camera_sleeps_while_nobody_watches(slow_camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    made = world()
    asked: list[float] = []
    scene = made.scene
    monkeypatch.setattr(made, "scene", lambda t_s: (asked.append(t_s), scene(t_s))[1])
    with MjpegServer(made, slow_camera) as camera:
        assert asked == []
        with urllib.request.urlopen(camera.url, timeout=5) as stream:
            part(stream)
        while camera.watchers:
            time.sleep(0.01)
        time.sleep(0.2)
        seen = len(asked)
        time.sleep(0.2)
        assert len(asked) == seen > 0


@pytest.mark.nightly
def test_another_path_than_the_stream_is_not_found(slow_camera: Camera) -> None:
    with MjpegServer(world(), slow_camera) as camera, pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{camera.url}secret", timeout=5)
    assert refused.value.code == 404
    refused.value.close()


@pytest.mark.nightly
def test_a_port_that_is_taken_is_an_error_in_a_sentence(slow_camera: Camera) -> None:
    with MjpegServer(world(), slow_camera) as camera, pytest.raises(WorldError, match="give another port") as refused:
        MjpegServer(world(), slow_camera, camera.port)
    assert refused.value.code == "port-taken"


@pytest.mark.nightly
def test_a_camera_that_fails_ends_its_streams_and_says_why(
    slow_camera: Camera, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = world()

    def broken(t_s: float) -> None:
        raise WorldError("broken", "The world is broken.")

    monkeypatch.setattr(made, "scene", broken)
    with MjpegServer(made, slow_camera) as camera:
        with urllib.request.urlopen(camera.url, timeout=5) as stream:
            assert stream.read() == b""
        assert isinstance(camera.failure, WorldError)
    assert "could not be drawn" in caplog.text


@pytest.mark.nightly
def test_a_film_has_its_frames_and_its_truth(tmp_path: Path) -> None:
    made = world("home-six")
    motion = push(made, 4, some(made, 4, 3), 5.2)
    truth_path = record(made, 2.0, tmp_path / "push.avi", start_s=5.0, seed=1)
    film = cv2.VideoCapture(str(tmp_path / "push.avi"), cv2.CAP_OPENCV_MJPEG)
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) == 60
    assert film.get(cv2.CAP_PROP_FPS) == 30
    film.release()
    truth = [json.loads(line) for line in truth_path.read_text().splitlines()]
    settled = next(event for event in truth if event["event"] == "bet_settled")
    assert settled["seat"] == 4
    assert settled["t_ms"] == round((motion.cross_s - 5.0) * 1000)
    assert set(settled["uids"]) == uids(motion.chips)
    with pytest.raises(WorldError, match="cannot be written"):
        record(made, 0.1, tmp_path / "no-such-folder" / "film.avi")


def test_a_table_without_a_camera_makes_no_film(tmp_path: Path) -> None:
    made = world()
    blind = World(made.table.model_copy(update={"cameras": ()}), made.chip_set, 1)
    with pytest.raises(WorldError, match="has no camera"):
        record(blind, 1.0, tmp_path / "film.avi")


def test_a_jpeg_is_a_picture_again() -> None:
    made = world()
    picture = renderer(made).clean_frame(made.scene(0.0))
    again = cv2.imdecode(np.frombuffer(jpeg(picture), np.uint8), cv2.IMREAD_COLOR)
    assert again is not None
    assert np.abs(again.astype(int) - picture).mean() < 4
