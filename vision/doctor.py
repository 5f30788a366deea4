"""The camera: do pictures come, how bright and sharp are they, and how old is the calibration."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from betline.doctor.answer import Answer, Visit, fault, ok, skipped, warning
from betline.settings import Camera, TableSettings
from betline.settings.performance import PROFILE_FPS, Profile
from betline.units import NS_PER_S
from vision.calibration.calibration import CalibrationError
from vision.calibration.file import of_run
from vision.detect.detector import make_detector
from vision.imaging.pictures import Picture
from vision.imaging.sources import SourceError, decoded, open_source

_FIRST_S: Final = 6.0
_WATCH_S: Final = 2.0
_LEAST_FPS_SHARE: Final = 0.6
_DARK, _BRIGHT = 45.0, 225.0
"""Mean brightness, 0 to 255."""
_OLD_DAYS: Final = 30
_MODEL_FILE: Final = Path("/proc/device-tree/model")
_MODELS: Final[dict[str, Profile]] = {
    "Raspberry Pi 5": "pi-5",
    "Compute Module 5": "pi-5",
    "Raspberry Pi 4": "pi-4",
    "Compute Module 4": "pi-4",
    "Raspberry Pi 400": "pi-4",
}
_HALF_MS: Final = 500.0
"""Half a core: the milliseconds of a second that the camera's program may take."""
_PICTURES: Final = 15


def examine(visit: Visit) -> Iterator[Answer]:
    """The table's camera."""
    if not visit.table.cameras:
        yield skipped("camera", "the table file names none: readers and keys only")
        return
    yield _calibration(visit)
    camera = visit.table.cameras[0]
    yield performance(visit.table, camera, _model(), _picture_ms(visit.table, camera))
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


def performance(table: TableSettings, camera: Camera, model: str, picture_ms: float) -> Answer:
    """Whether the machine can look at as many pictures as the table file wants, and which profile fits it."""
    wanted = min(camera.fps, table.performance.fps or camera.fps)
    said = f"{model or 'this machine'} takes {picture_ms:.0f} ms a picture, {wanted} a second are wanted"
    fits = fitting(model, camera.fps, picture_ms)
    if wanted <= (PROFILE_FPS[fits] or camera.fps):
        return ok("performance", said)
    return warning("performance", said, f'Write into the table file: [performance] profile = "{fits}".')


def fitting(model: str, camera_fps: int, picture_ms: float) -> Profile:
    """The profile of a machine: by its model, else the best with which the camera takes half a core at most."""
    for name, profile in _MODELS.items():
        if name in model:
            return profile
    affordable = (
        profile for profile, fps in PROFILE_FPS.items() if min(fps or camera_fps, camera_fps) * picture_ms <= _HALF_MS
    )
    return next(affordable, "pi-4")


def _model() -> str:
    """What the board says it is; empty on other machines."""
    try:
        return _MODEL_FILE.read_text(encoding="ascii", errors="ignore").strip("\0 \n")
    except OSError:
        return ""


def _picture_ms(table: TableSettings, camera: Camera) -> float:
    """Processor time of one picture with its decoding: a felt with noise, in which nothing moves."""
    noise = np.random.default_rng(1).normal(90, 6, (camera.height_px, camera.width_px, 3))
    jpeg = cv2.imencode(".jpg", noise.clip(0, 255).astype(np.uint8))[1].tobytes()
    detector = make_detector(table)
    times_ms = []
    for number in range(_PICTURES):
        began_s = time.process_time()
        picture = decoded(jpeg)
        assert picture is not None
        detector.process(picture, number * NS_PER_S // camera.fps, number)
        times_ms.append((time.process_time() - began_s) * 1000)
    return sorted(times_ms)[_PICTURES // 2]


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
