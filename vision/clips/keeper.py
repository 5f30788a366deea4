"""Keeps the stretches while the camera runs: encodes and writes in a thread of its own.

The detector's thread only hands over a frame ten times a second and what was reported; where the thread does not keep
up, frames are left out and counted.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from betline.messages.devices import LineEvent
from betline.units import NS_PER_MS
from vision.clips import store
from vision.clips.ring import Kept, Ring, Stretch
from vision.imaging.pictures import halved
from vision.imaging.sources import Frame

EVERY_NS: Final = 95_000_000
JPEG_QUALITY: Final = 75
WAITING: Final = 16


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is kept."""

    most_mb: float = 2000.0
    most_days: float = 14.0


class RingKeeper:
    """Keeps what it is given in a folder until `close`."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self._folder = folder
        self._bounds = bounds
        self._queue: queue.Queue[Frame | LineEvent | None] = queue.Queue(WAITING)
        self._next_ns = 0
        self._ring = Ring()
        self.dropped = 0
        self.written = 0
        self.problem = ""
        self._thread = threading.Thread(target=self._run, name="rings", daemon=True)
        self._thread.start()

    def see(self, frame: Frame) -> None:
        """Hands over a frame; most are not wanted."""
        if frame.t_ns < self._next_ns <= frame.t_ns + EVERY_NS:  # a clock that was set back does not stop it
            return
        self._next_ns = frame.t_ns + EVERY_NS
        try:
            self._queue.put_nowait(frame)
        except queue.Full:
            self.dropped += 1

    def act(self, event: LineEvent) -> None:
        """Hands over what was reported."""
        try:
            self._queue.put(event, timeout=0.005)
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Writes the open stretch and ends."""
        self._queue.put(None)
        self._thread.join(5.0)

    def _run(self) -> None:
        while (given := self._queue.get()) is not None:
            if isinstance(given, LineEvent):
                self._ring.act(given)
            else:
                self._write(self._ring.take(_kept(given)))
        self._write(self._ring.close())

    def _write(self, stretch: Stretch | None) -> None:
        if stretch is None or not stretch.frames:
            return
        try:
            store.write(self._folder, stretch)
            store.bound(self._folder, int(self._bounds.most_mb * 1e6), self._bounds.most_days, time.time())
        except OSError as error:
            self.problem = f"Pictures of acts cannot be kept in {self._folder} ({error.strerror})."
        else:
            self.problem = ""
            self.written += 1


def _kept(frame: Frame) -> Kept:
    jpeg = cv2.imencode(".jpg", halved(frame.picture), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    age_ns = time.monotonic_ns() - frame.t_ns
    return Kept(frame.t_ns, (time.time_ns() - age_ns) // NS_PER_MS, jpeg)
