"""`betline doctor` on a camera: pictures, their size, light, and the calibration's age."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.doctor.answer import Answer, State, Visit
from betline.options import Address
from betline.settings import load_table
from vision import doctor
from vision.imaging import sources


def looked_at(source: str) -> dict[str, Answer]:
    visit = Visit(load_table("home-six"), "home-six", Address("127.0.0.1", 1), Path("/dev/serial/by-id"), camera=source)
    return {answer.what: answer for answer in doctor.examine(visit)}


def picture(folder: Path, brightness: int, size: tuple[int, int] = (720, 1280)) -> str:
    path = folder / "felt.png"
    cv2.imwrite(str(path), np.full((*size, 3), brightness, dtype=np.uint8))
    return str(path)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_WATCH_S", 0.3)
    monkeypatch.setattr(doctor, "_FIRST_S", 0.5)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("brightness", "state"), [(20, State.WARNING), (120, State.OK), (250, State.WARNING)])
def test_a_dark_or_burnt_out_picture_is_told(tmp_path: Path, brightness: int, state: State) -> None:
    assert looked_at(picture(tmp_path, brightness))["light"].state is state


def test_pictures_of_another_size_than_the_table_says_are_a_fault(tmp_path: Path) -> None:
    answer = looked_at(picture(tmp_path, 120, (480, 640)))["camera"]

    assert answer.state is State.FAULT
    assert "640x480" in answer.sentence
    assert "1280x720" in answer.sentence


def test_a_camera_without_a_calibration_of_its_own_is_a_warning(tmp_path: Path) -> None:
    answer = looked_at(picture(tmp_path, 120))["calibration"]

    assert answer.state is State.WARNING
    assert answer.remedy == "Calibrate: betline vision calibrate --table home-six."


def test_a_camera_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert looked_at(str(tmp_path / "none.mp4"))["camera"].state is State.FAULT


def test_a_usb_camera_that_is_not_there_is_one_sentence_with_those_that_are(tmp_path: Path) -> None:
    names = tmp_path / "video4linux"
    (names / "video2").mkdir(parents=True)
    (names / "video2" / "name").write_text("Brio 500\n")

    with pytest.raises(sources.SourceError, match=r"there is no camera usb:0; there are usb:2 \(Brio 500\)"):
        sources._require_usb(0, tmp_path / "dev", names)


def test_a_usb_camera_that_is_there_is_opened(tmp_path: Path) -> None:
    (tmp_path / "names" / "video0").mkdir(parents=True)
    (tmp_path / "video0").touch()

    sources._require_usb(0, tmp_path, tmp_path / "names")
