"""For the set-up: the cameras that are plugged in, and the calibration of the table's own."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from betline.messages.pictures import MAX_PX, MIN_PX, SmallPicture
from betline.options import UserError
from betline.settings import load_table
from betline.setup.question import FoundCamera
from betline.setup.work import Look
from vision.calibration.calibration import CalibrationError
from vision.calibration.command import Wishes, calibrate_table, summary
from vision.calibration.file import of_run
from vision.imaging.pictures import resized
from vision.imaging.sources import DEVICE_NAMES, usb_cameras


def found_cameras(names: Path = DEVICE_NAMES) -> tuple[FoundCamera, ...]:
    """The USB cameras by number."""
    return tuple(FoundCamera(f"usb:{number}", name) for number, name in usb_cameras(names))


def is_calibrated(table: Path) -> bool:
    """Whether there is a calibration of the table's camera that can be used."""
    try:
        return of_run(load_table(table), None, None) is not None
    except CalibrationError:
        return False


def calibrated(table: Path, picture: Path) -> Look:
    """Calibrates the table's camera; ``picture`` becomes the file of what it saw, with what was made of it."""
    picture.unlink(missing_ok=True)
    picture.touch(mode=0o600)  # it shows the room; what writes it keeps the mode
    try:
        report = calibrate_table(Wishes(str(table), annotate=picture))
    except UserError as error:
        return _look(False, (str(error),), picture)
    finally:
        if not picture.stat().st_size:
            picture.unlink()
    found = report.found
    return _look(True, (summary(found), *(f"Weak: {weak.sentence()}" for weak in found.weak), *found.warnings), picture)


def _look(calibrated: bool, sentences: tuple[str, ...], file: Path) -> Look:
    seen = cv2.imread(str(file)) if file.exists() and file.stat().st_size else None
    if seen is None:
        return Look(calibrated, sentences)
    height, width = seen.shape[:2]
    share = MAX_PX / max(height, width)
    wide, high = (max(MIN_PX, round(side * share)) for side in (width, height))
    small = resized(np.asarray(seen, dtype=np.uint8), (wide, high))
    return Look(calibrated, sentences, file, SmallPicture.made(0, wide, high, small[:, :, ::-1].tobytes()))
