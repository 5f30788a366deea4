"""Recording: what a film's head says, and filming from a camera until the time is over or somebody stops it."""

from __future__ import annotations

import datetime
import importlib.metadata
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from betline.settings import TableSettings, load_chip_set
from vision.calibration.file import CalibrationFile
from vision.film.keeper import FilmKeeper, Need, refuse_if_full
from vision.film.store import FilmError, Head, bare, refuse_if_taken
from vision.imaging.sources import Frame, Source
from vision.tuning import adjustments as tuning

READ_WAIT_S: Final = 0.25
SILENT_S: Final = 10.0
"""A camera that gives no first picture for this long gives none: another program has it, or it is not there."""


def head_of(table: TableSettings, calibration: CalibrationFile | None, tuned: dict[str, float]) -> Head:
    """The head of a film that begins now."""
    bared = None if calibration is None else calibration.model_copy(update={"source": "film"})
    return Head(
        id=secrets.token_hex(8),
        day=datetime.datetime.now().astimezone().date().isoformat(),
        betline=importlib.metadata.version("betline"),
        table=bare(table),
        calibration=bared,
        chip_diameter_mm=load_chip_set(table.chip_set).diameter_mm,
        tuned=tuned,
    )


def begin(
    table: TableSettings, calibration: CalibrationFile | None, folder: Path, minutes: float, *, only_look: bool = False
) -> tuple[FilmKeeper | None, Need]:
    """A film of a table that begins with the first picture, and the disk space that it takes.

    With ``only_look`` nothing is made. Raises FilmError where it cannot be filmed, TuningError.
    """
    if not table.cameras:
        raise FilmError(f"Table {table.name} has no camera; add a [[cameras]] section to its file.")
    refuse_if_taken(folder)
    camera = table.cameras[0]
    wanted = refuse_if_full(camera, table.performance.fps or camera.fps, minutes * 60, folder)
    if only_look:
        return None, wanted
    head = head_of(table, calibration, dict(tuning.read(tuning.default_path(table.name))))
    return FilmKeeper(folder, head, minutes * 60), wanted


class BesideTheTable:
    """A film by a camera program that also has a table to serve: its end is said once, and never stops the table."""

    def __init__(self, keeper: FilmKeeper, notify: Callable[[str], None]) -> None:
        self._keeper = keeper
        self._notify = notify
        self._said = False

    def see(self, frame: Frame) -> None:
        """Takes each picture that the detector gets."""
        self._keeper.see(frame)
        if self._keeper.ended and not self._said:
            self._said = True
            self._keeper.close()
            self._notify(self._keeper.summary())


def film_camera(
    source: Source, keeper: FilmKeeper, stop: threading.Event, at: Callable[[], None], notify: Callable[[str], None]
) -> None:
    """Films until the film has ended, `stop` is set or a recording is over; ``at`` is called after each picture.

    ``notify`` gets each new problem of the camera, once. Raises FilmError for a camera that gives no picture at all.
    """
    begun_s = time.monotonic()
    came, said = False, ""
    while not (stop.is_set() or keeper.ended or source.ended):
        frame = source.read(READ_WAIT_S)
        if frame is not None:
            came = True
            keeper.see(frame)
        elif not came and time.monotonic() - begun_s > SILENT_S:
            raise FilmError(
                f"{source.problem or 'The camera gives no pictures.'} If the table is playing, its camera program has "
                "the camera: film with that, betline run --film DIR or betline vision run --film DIR."
            )
        if source.problem != said:
            said = source.problem
            if said and not source.ended:
                notify(said)
        keeper.look_at_clock(time.monotonic_ns())
        at()
    if source.ended and not stop.is_set():
        keeper.drain()
        keeper.finish("The recording that stood in for a camera has ended.")
