"""`betline vision detect --overlay`: the whole recording as an annotated film, or a sheet of its events."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2

from betline.settings import TableSettings
from betline.units import NS_PER_S
from vision.detect.detector import Detector
from vision.display.contact_sheet import contact_sheet
from vision.display.overlay import Overlay, event_words, recent
from vision.frame.events import CameraEvent
from vision.imaging.pictures import Picture
from vision.imaging.sources import PICTURES, Frame

FILMS: Final = {".mp4": "mp4v", ".avi": "MJPG"}
MAX_TILES: Final = 60
TILE_PX: Final = (960, 540)
"""Smaller, the words at the seats could not be read."""
COLUMNS: Final = 2


class OverlayError(Exception):
    """The overlay cannot be written; the text is a sentence for a person."""


class FilmOverlay:
    """Takes each frame after the detector has; writes on leaving. A context manager.

    A film (.mp4, .avi) shows every frame; a picture (.png, .jpg) the frames in which events became certain, one sheet,
    or the last frame where there was no event. Raises OverlayError for another kind of file, or one not to be written.
    """

    def __init__(self, path: Path, table: TableSettings, detector: Detector, fps: float) -> None:
        self._path = path
        self._detector = detector
        self._overlay = Overlay(table, detector.calibration)
        self._events: list[CameraEvent] = []
        self._tiles: list[tuple[Picture, str]] = []
        self._last: tuple[Picture, str] | None = None
        self._start_ns: int | None = None
        self._writer: cv2.VideoWriter | None = None
        kind = path.suffix.lower()
        if kind in FILMS:
            size = (detector.calibration.width_px, detector.calibration.height_px)
            self._writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*FILMS[kind]), fps, size)
            if not self._writer.isOpened():
                raise OverlayError(f"{path} cannot be written; name a file in a folder that you may write to.")
        elif kind not in PICTURES:
            raise OverlayError(f"{path} is neither film nor picture; end its name with .mp4, .avi, .png or .jpg.")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.release()
        elif error is None:
            self._write_sheet()

    def see(self, frame: Frame, events: tuple[CameraEvent, ...]) -> None:
        """The next frame, and what became certain with it."""
        self._start_ns = frame.t_ns if self._start_ns is None else self._start_ns
        words = f"{(frame.t_ns - self._start_ns) / NS_PER_S:.2f} s   frame {frame.number}"
        self._events = [*recent(self._events, frame.t_ns), *events]
        if self._writer is not None:
            self._writer.write(self._drawn(frame, words))
            return
        self._last = (frame.picture, words)
        if events and len(self._tiles) < MAX_TILES:
            names = ", ".join(dict.fromkeys(_named(one) for one in events))
            self._tiles.append((self._drawn(frame, words), f"{words}   {names}"))

    def _drawn(self, frame: Frame, words: str) -> Picture:
        return self._overlay.draw(frame.picture, self._detector.snapshot(), self._events, words)

    def _write_sheet(self) -> None:
        if self._tiles:
            sheet = contact_sheet(self._tiles, TILE_PX, COLUMNS)
        elif self._last is not None:
            picture, words = self._last
            sheet = self._overlay.draw(picture, self._detector.snapshot(), (), words)
        else:
            raise OverlayError("The recording held no picture, so there is no overlay.")
        try:
            written = cv2.imwrite(str(self._path), sheet)
        except cv2.error:
            written = False
        if not written:
            raise OverlayError(f"{self._path} cannot be written; name a file in a folder that you may write to.")


def _named(event: CameraEvent) -> str:
    return event_words(event) if event.seat is None else f"seat {event.seat} {event_words(event)}"
