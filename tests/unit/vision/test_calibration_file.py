"""The calibration as a file, the verb that makes it, and the camera that is moved afterwards."""

import json
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.front_door import run
from betline.settings import load_table
from tests.unit.vision.printed import Eye, Picture, felt_with_markers
from tests.unit.vision.test_calibrating import lens_like, seen_by
from vision.calibration import file as calibration_file
from vision.calibration.calibration import Calibration, CalibrationError
from vision.calibration.click import Clicks, click_corners
from vision.calibration.lens import Lens
from vision.calibration.procedure import calibrate_from, landmarks
from vision.frame.gate import SCALE
from vision.frame.pose import CONFIRM, EVERY_NS, PoseCheck
from vision.imaging.pictures import resized
from vision.tuning.thresholds import Thresholds

TABLE = load_table()
EYE = Eye()


@cache
def picture() -> Picture:
    return seen_by(EYE)


@cache
def calibrated() -> Calibration:
    return calibrate_from([picture()], TABLE, lens=lens_like(EYE)).calibration


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture())
    return path


def test_what_is_written_is_read_with_the_same_id(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "casino.toml"
    saved = calibration_file.write(path, calibrated(), TABLE, "usb:0", 0.4)

    again = calibration_file.read(path, TABLE)

    assert again == saved
    assert again.calibration().id == calibrated().id == saved.id
    assert again.calibration().to_px([(300, 200)]) == pytest.approx(calibrated().to_px([(300, 200)]))
    assert sorted(again.calibration().markers) == list(range(8))
    assert saved.made.endswith("+00:00")


def test_the_id_changes_with_lens_height_and_homography() -> None:
    from vision.calibration.calibration import calibration

    base = calibrated()
    bent = Lens(base.width_px, base.height_px, 790, 790, 640, 360, -0.01)
    ids = {
        base.id,
        calibration(base.px_from_mm, bent, base.rms_mm, base.eye_mm).id,
        calibration(base.px_from_mm, base.lens, base.rms_mm, (0, 0, 1500)).id,
        calibration(base.px_from_mm * np.array([[1.001], [1], [1]]), base.lens, base.rms_mm, base.eye_mm).id,
    }

    assert len(ids) == 4


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "casino.toml"
    calibration_file.write(path, calibrated(), TABLE, "usb:0", None)
    text = path.read_text()
    moved = TABLE.markers[0].model_copy(update={"centre_mm": (0.0, 490.0)})

    with pytest.raises(CalibrationError, match="calibration of table casino-oval"):
        calibration_file.read(path, load_table("home-six"))
    with pytest.raises(CalibrationError, match="other places"):
        calibration_file.read(path, TABLE.model_copy(update={"markers": (moved, *TABLE.markers[1:])}))
    larger = TABLE.cameras[0].model_copy(update={"width_px": 1920, "height_px": 1080})
    with pytest.raises(CalibrationError, match="1280x720"):
        calibration_file.of_run(TABLE.model_copy(update={"cameras": (larger,)}), path, None)
    path.write_text(text.replace("k1 = 0.0", "k1 = -0.1"))
    with pytest.raises(CalibrationError, match="changed by hand"):
        calibration_file.read(path, TABLE).calibration()
    path.write_text("id = 3")
    with pytest.raises(CalibrationError):
        calibration_file.read(path, TABLE)
    with pytest.raises(CalibrationError, match="There is no calibration file"):
        calibration_file.read(tmp_path / "none.toml", TABLE)


def test_the_tables_own_file_is_for_the_camera_that_made_it() -> None:
    path = calibration_file.default_path(TABLE.name)
    assert calibration_file.of_run(TABLE, None, None) is None
    saved = calibration_file.write(path, calibrated(), TABLE, TABLE.cameras[0].source, None)

    assert calibration_file.of_run(TABLE, None, None) == saved
    assert calibration_file.of_run(TABLE, None, "http://127.0.0.1:1/") is None
    assert calibration_file.of_run(TABLE, path, "http://127.0.0.1:1/") == saved


@pytest.mark.nightly
def test_calibrate_writes_file_and_picture_and_says_what_is_weak(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen, out = tmp_path / "seen.png", tmp_path / "own.toml"
    line = ["vision", "calibrate", "--source", str(photo), "--annotate", str(seen), "--out", str(out)]

    assert run([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["id"] == tomllib.loads(out.read_text())["id"]
    assert told["rms_mm"] < 1
    assert told["eye_mm"] == pytest.approx(EYE.at_mm, abs=8)
    assert told["markers"] == list(range(8))
    assert any("overlap" in limit for limit in told["limits"])
    assert any("Taps" in limit for limit in told["limits"])
    drawn = cv2.imread(str(seen))
    assert drawn is not None
    assert drawn.shape == picture().shape
    assert np.abs(drawn.astype(int) - picture()).max() > 100
    assert run(line) == 0
    text = capsys.readouterr().out
    assert "mm RMS" in text
    assert "above the felt" in text


def test_the_lens_of_an_earlier_calibration_of_the_camera_is_kept(photo: Path) -> None:
    path = calibration_file.default_path(TABLE.name)
    calibration_file.write(path, calibrated(), TABLE, str(photo), None)
    assert run(["vision", "calibrate", "--source", str(photo)]) == 0

    assert calibration_file.read(path, TABLE).lens.rms_px == 0.1


def test_where_it_fails_the_picture_helps_to_give_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare, grid, points = tmp_path / "bare.png", tmp_path / "grid.png", tmp_path / "points.txt"
    cv2.imwrite(str(bare), np.full((720, 1280, 3), 70, np.uint8))
    line = ["vision", "calibrate", "--source", str(bare), "--out", str(tmp_path / "own.toml")]

    assert run([*line, "--annotate", str(grid)]) == 1
    error = capsys.readouterr().err
    assert "betline vision markers" in error
    assert error.count("\n") == 1
    drawn = cv2.imread(str(grid))
    assert drawn is not None
    assert drawn[300, 100].min() > 200
    assert not (tmp_path / "own.toml").exists()
    names = ["line-1", "line-13", "line-14", "line-26", "line-7"]
    px = EYE.project([landmarks(TABLE)[name] for name in names])
    points.write_text(
        "# seen by eye\n" + "".join(f"{n}={x:.0f},{y:.0f}\n" for n, (x, y) in zip(names, px, strict=True))
    )
    assert run([*line, "--points", str(points), "--height", "1600", "--nadir", "0,-60"]) == 0
    assert tomllib.loads((tmp_path / "own.toml").read_text())["eye_mm"] == [0, -60, 1600]


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        (["--corner", "nowhere=1,2"], 2, "line-1=951,212"),
        (["--points", "missing.txt"], 2, "missing.txt"),
        (["--nadir", "left"], 2, "X,Y"),
        (["--lens", "missing.mp4"], 2, "missing.mp4"),
        (["--click"], 2, "--corner"),
        (["--annotate", "/nowhere/seen.png"], 1, "/nowhere/seen.png"),
        (["--out", "/proc/nowhere/own.toml"], 1, "--out"),
        (["--source", "/nowhere/table.png"], 1, "/nowhere/table.png"),
    ],
)
def test_each_fault_is_a_sentence(
    photo: Path,
    more: list[str],
    status: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert run(["vision", "calibrate", "--source", str(photo), *more]) == status
    out, error = capsys.readouterr()
    assert out == ""
    assert error.count("\n") == 1
    assert words in error


def test_detect_runs_with_a_calibration(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    saved = calibration_file.write(path, calibrated(), TABLE, "usb:0", None)

    assert run(["vision", "detect", "--video", str(photo), "--calibration", str(path)]) == 0
    assert saved.id in capsys.readouterr().err
    assert run(["vision", "detect", "--video", str(photo), "--calibration", str(tmp_path / "no.toml")]) == 2
    assert "There is no calibration file" in capsys.readouterr().err


def test_clicks_go_from_place_to_place() -> None:
    clicks = Clicks((("line-1", (1.0, 2.0)), ("line-2", (3.0, 4.0)), ("line-3", (5.0, 6.0))))

    clicks.click(10, 20)
    clicks.skip()
    clicks.click(30, 40)
    clicks.click(50, 60)
    assert [(corner.name, corner.px) for corner in clicks.corners] == [("line-1", (10, 20)), ("line-3", (30, 40))]
    clicks.undo()
    assert clicks.asked == "line-3"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", "")
        patch.setenv("WAYLAND_DISPLAY", "")
        with pytest.raises(Exception, match="--corner"):
            click_corners(picture(), landmarks(TABLE))


THRESHOLDS = Thresholds()


def looked_at(check: PoseCheck, shown: Picture, start: int = 0) -> None:
    small = resized(shown, (shown.shape[1] // SCALE, shown.shape[0] // SCALE))
    for step in range(CONFIRM + 1):
        check.see(small, shown, (start + step) * EVERY_NS, still=True)


@pytest.mark.nightly
def test_a_camera_that_was_moved_while_off_is_noticed_and_how_far() -> None:
    check = PoseCheck(calibrated(), THRESHOLDS)
    looked_at(check, seen_by(Eye((0.0, -46.0, 1600.0)), 4))

    assert check.moved
    assert "14 mm off" in check.said
    looked_at(check, seen_by(EYE, 5), 10)
    assert not check.moved
    assert check.said == ""


@pytest.mark.nightly
def test_how_far_a_camera_must_be_moved_is_a_threshold() -> None:
    check = PoseCheck(calibrated(), THRESHOLDS)
    check.tune(replace(THRESHOLDS, camera_moved_mm=20.0))
    looked_at(check, seen_by(Eye((0.0, -46.0, 1600.0)), 4))

    assert not check.moved


@pytest.mark.nightly
def test_a_camera_that_stays_has_not_moved() -> None:
    check = PoseCheck(calibrated(), THRESHOLDS)
    looked_at(check, seen_by(Eye((2.0, -60.0, 1600.0)), 6))

    assert not check.moved
    assert check.said == ""


@pytest.mark.nightly
def test_a_far_move_is_found_by_markers_that_are_elsewhere() -> None:
    check = PoseCheck(calibrated(), THRESHOLDS)
    looked_at(check, seen_by(Eye((150.0, 40.0, 1600.0), roll_deg=4.0), 7))

    assert check.moved


@pytest.mark.nightly
def test_one_loose_marker_is_told_and_is_no_move() -> None:
    felt, left, top = felt_with_markers(TABLE, moved={2: (15.0, 0.0)})
    check = PoseCheck(calibrated(), THRESHOLDS)
    looked_at(check, EYE.photograph(felt, left, top, 2.0, 8))

    assert not check.moved
    assert check.said.startswith("Markers were moved: 2 (15 mm)")
