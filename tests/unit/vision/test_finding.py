"""What the set-up learns of the camera."""

import stat
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from betline.options import UserError
from vision import finding


def test_the_picture_of_a_calibration_is_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows the room, and who is in it."""

    def calibrate(wishes: Any) -> None:
        cv2.imwrite(str(wishes.annotate), np.full((72, 128, 3), 90, np.uint8))
        raise UserError("No marker is seen.")

    monkeypatch.setattr(finding, "calibrate_table", calibrate)
    file = tmp_path / "camera.png"

    look = finding.calibrated(tmp_path / "table.toml", file)

    assert look.file == file
    assert not look.calibrated
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_without_a_picture_no_file_is_named_and_none_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def calibrate(wishes: Any) -> None:
        raise UserError("The camera cannot be opened.")

    monkeypatch.setattr(finding, "calibrate_table", calibrate)

    look = finding.calibrated(tmp_path / "table.toml", tmp_path / "camera.png")

    assert (look.file, look.sentences) == (None, ("The camera cannot be opened.",))
    assert not list(tmp_path.iterdir())
