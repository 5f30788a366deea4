"""What is drawn for a person: films and sheets of a recording, and the snapshot behind them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.front_door import run
from tests.unit.vision.scene import FPS, Chip, Painter, Scene, film
from vision.detect.detector import Detector, make_detector
from vision.display.contact_sheet import contact_sheet
from vision.display.overlay import Overlay, recent
from vision.imaging.pictures import Picture

PAINTER = Painter()
CAMERA = PAINTER.table.cameras[0]
CHIPS = [Chip(PAINTER.place(5, 0, 75))]
PUSH = [
    (0.8, lambda _: Scene()),
    (0.5, lambda share: Scene(arms=[PAINTER.reach(5, -200 + 240 * share)])),
    (0.4, lambda share: Scene(chips=CHIPS, arms=[PAINTER.reach(5, 40 - 300 * share)])),
    (0.8, lambda _: Scene(chips=CHIPS)),
]


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("films") / "push.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (CAMERA.width_px, CAMERA.height_px))
    for _, scene in film(PUSH):
        writer.write(PAINTER.paint(scene))
    writer.release()
    return path


def frames_of(path: Path) -> list[Picture]:
    capture, frames = cv2.VideoCapture(str(path)), []
    while True:
        there, picture = capture.read()
        if not there:
            return frames
        frames.append(np.asarray(picture, dtype=np.uint8))


def phases(detector: Detector) -> dict[int, str]:
    return {seat.zones.seat: seat.phase_words for seat in detector.snapshot().seats}


@pytest.mark.nightly
def test_the_snapshot_tells_each_seats_phase_and_why() -> None:
    detector = make_detector(PAINTER.table)
    said: dict[int, str] = {}
    masks: dict[int, tuple[bool, bool]] = {}
    for number, (t_ns, scene) in enumerate(film(PUSH)):
        detector.process(PAINTER.paint(scene), t_ns, number)
        seat = next(seat for seat in detector.snapshot().seats if seat.zones.seat == 5)
        said[number], masks[number] = (
            f"{seat.phase_words}: {seat.reason}",
            (seat.arm is not None, bool(seat.lying.any())),
        )

    assert said[2] == "learning: waits for stillness"
    assert said[22] == "rest: empty"
    assert said[38] == "hand in: the player's hand is in"
    assert masks[22] == (False, False)
    assert masks[38][0]
    assert said[74].startswith("rest: 1 footprint, ")
    assert masks[74] == (False, True)
    assert phases(detector) == dict.fromkeys(range(1, 11), "rest")


def test_a_frozen_table_says_why_no_events_are_told() -> None:
    detector = make_detector(PAINTER.table)
    steps = [(0.8, lambda _: Scene()), (0.1, lambda _: Scene(light=0.6))]
    for number, (t_ns, scene) in enumerate(film(steps)):
        detector.process(PAINTER.paint(scene), t_ns, number)

    snapshot = detector.snapshot()
    assert snapshot.frozen == "light_changed"
    assert {(seat.phase, seat.reason) for seat in snapshot.seats} == {("frozen", "light changed")}


@pytest.mark.nightly
def test_drawing_changes_neither_the_picture_nor_what_the_detector_holds() -> None:
    detector, overlay = make_detector(PAINTER.table), None
    for number, (t_ns, scene) in enumerate(film(PUSH)):
        picture = PAINTER.paint(scene)
        detector.process(picture, t_ns, number)
        if number == 40:
            overlay, before, snapshot = (
                Overlay(PAINTER.table, detector.calibration),
                picture.copy(),
                detector.snapshot(),
            )
            lying = [seat.lying.copy() for seat in snapshot.seats]
            drawn = overlay.draw(picture, snapshot)
            assert (picture == before).all()
            assert (drawn != before).any()
            assert all((seat.lying == was).all() for seat, was in zip(snapshot.seats, lying, strict=True))
    assert overlay is not None


def test_events_are_shown_for_two_seconds() -> None:
    detector = make_detector(PAINTER.table)
    told = [
        seen
        for number, (t_ns, scene) in enumerate(film(PUSH))
        for seen in detector.process(PAINTER.paint(scene), t_ns, number)
    ]
    last = told[-1]

    at_ns = last.t_confirm_ns
    assert recent(told, at_ns)[-1] == last
    assert recent([last], at_ns + 1_999_000_000) == (last,)
    assert recent([last], at_ns + 2_000_000_000) == ()


@pytest.mark.nightly
def test_the_film_shows_every_frame(video: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.mp4"

    assert run(["vision", "detect", "--video", str(video), "--table", PAINTER.table.name, "--overlay", str(out)]) == 0

    before, after = frames_of(video), frames_of(out)
    assert len(before) == len(after)
    assert after[0].shape == before[0].shape
    assert abs(cv2.VideoCapture(str(out)).get(cv2.CAP_PROP_FPS) - FPS) < 0.1
    assert all(np.abs(b.astype(int) - a).mean() > 1 for b, a in zip(before[::15], after[::15], strict=True))


@pytest.mark.nightly
def test_the_sheet_has_a_tile_for_each_frame_with_events(video: Path, tmp_path: Path) -> None:
    out = tmp_path / "seen.png"

    assert run(["vision", "detect", "--video", str(video), "--table", PAINTER.table.name, "--overlay", str(out)]) == 0

    sheet = cv2.imread(str(out))
    assert sheet is not None
    assert sheet.shape == (2 * (540 + 22), 2 * 960, 3)  # four events, each in a frame of its own
    assert sheet[-200:-100, -600:].max() > 0


def test_a_sheet_of_one_picture_is_one_tile() -> None:
    picture = np.full((100, 50, 3), 200, np.uint8)

    sheet = contact_sheet([(picture, "one")])

    assert sheet.shape == (382, 640, 3)
    assert (sheet[22:, :180] == 200).all()
    assert contact_sheet([(picture, "one")] * 4).shape == (2 * 382, 3 * 640, 3)
    assert contact_sheet([(picture, "one")] * 3, (100, 50), 2)[-50:, 100:].max() == 0
    with pytest.raises(ValueError, match="needs a picture"):
        contact_sheet([])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["seen.txt", "missing/seen.mp4", "missing/seen.png"])
def test_an_overlay_that_cannot_be_written_is_one_sentence(
    name: str, video: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name

    assert run(["vision", "detect", "--video", str(video), "--table", PAINTER.table.name, "--overlay", str(out)]) == 1

    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()
