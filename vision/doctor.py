"""The camera: do pictures come, how bright and sharp are they, and how old is the calibration."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from typing import Final

import cv2

from betline.doctor.answer import Answer, Visit, fault, ok, skipped, warning
from betline.settings import Camera
from vision.calibration.calibration import CalibrationError
from vision.calibration.file import of_run
from vision.imaging.pictures import Picture
from vision.imaging.sources import SourceError, open_source

_FIRST_S: Final = 6.0
_WATCH_S: Final = 2.0
_LEAST_FPS_SHARE: Final = 0.6
_DARK, _BRIGHT = 45.0, 225.0
"""Mean brightness, 0 to 255."""
_OLD_DAYS: Final = 30


def examine(visit: Visit) -> Iterator[Answer]:
    """The table's camera."""
    if not visit.table.cameras:
        yield skipped("camera", "the table file names none: readers and keys only")
        return
    yield _calibration(visit)
    camera = visit.table.cameras[0]
    yield from _pictures(visit.camera or camera.source, camera)


def _calibration(visit: Visit) -> Answer:
    remedy = f"Calibrate: betline vision calibrate --table {visit.file}."
    try:
        saved = of_run(visit.table, None, visit.camera)
    except CalibrationError as error:
        return fault("calibration", str(error), remedy)
    if saved is None:
        return warning("calibration", "there is none for this camera: the pose of the table file is used", remedy)
    age = (datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(saved.made)).days
    error_mm = "" if saved.rms_mm is None else f", {saved.rms_mm:.1f} mm off"
    if age > _OLD_DAYS:
        return warning("calibration", f"{age} days old{error_mm}", remedy)
    return ok("calibration", f"{age} days old{error_mm}")


def _pictures(source_name: str, camera: Camera) -> Iterator[Answer]:
    remedy = (
        "Check its cable and name another by `source` in the table file; v4l2-ctl --list-devices lists USB cameras."
    )
    try:
        source = open_source(source_name, camera)
    except SourceError as error:
        yield fault("camera", str(error), remedy)
        return
    try:
        first = source.read(_FIRST_S)
        if first is None:
            yield fault("camera", source.problem or f"no picture came from {source_name} in {_FIRST_S:.0f} s", remedy)
            return
        frames, last, began_s = 0, first, time.monotonic()
        while time.monotonic() - began_s < _WATCH_S:
            frame = source.read(_WATCH_S)
            if frame is None:
                break
            frames, last = frames + 1, frame
        fps = frames / max(time.monotonic() - began_s, 0.1)
    finally:
        source.close()
    yield _size_and_pace(last.picture, fps, camera)
    yield _light(last.picture)


def _size_and_pace(picture: Picture, fps: float, camera: Camera) -> Answer:
    height, width = picture.shape[:2]
    said = f"{width}x{height}, {fps:.0f} pictures a second"
    if (width, height) != (camera.width_px, camera.height_px):
        wanted = f"{camera.width_px}x{camera.height_px}"
        return fault(
            "camera", f"{said}; the table file says {wanted}", "Correct width_px and height_px, and calibrate again."
        )
    if fps < camera.fps * _LEAST_FPS_SHARE:
        return warning(
            "camera", f"{said}; the table file says {camera.fps}", "Give it more light, or a faster port or machine."
        )
    return ok("camera", said)


def _light(picture: Picture) -> Answer:
    mean = float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).mean())
    said = f"mean brightness {mean:.0f} of 255"
    if mean < _DARK:
        return warning("light", said, "It is too dark to tell chips from the felt: more light, evenly from above.")
    if mean > _BRIGHT:
        return warning("light", said, "The picture is burnt out: less light, or a shorter exposure.")
    return ok("light", said)
