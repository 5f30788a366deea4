"""Keeps a film while the camera runs: hides people, encodes and writes in a thread of its own.

What comes from the camera is in memory only until it has been veiled (`vision.film.veil`); no file ever has it. The
film ends by itself after its time, or before the disk is full.
"""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from betline.settings import Camera
from betline.units import NS_PER_S
from vision.film.store import FilmError, FilmWriter, Head
from vision.film.veil import Veil
from vision.frame.gate import MIN_CELLS, Gate
from vision.frame.zones import seat_zones
from vision.imaging.pictures import Picture
from vision.imaging.sources import Frame
from vision.tuning.thresholds import Thresholds

QUALITY: Final = 75
BYTES_PER_PIXEL: Final = 0.13
"""Of a picture that is encoded so, with chips on the felt: 120 kB of 1280x720."""
RESERVE_BYTES: Final = 1_000_000_000
"""So much of the disk is left to the table's journal and the machine."""
LOOK_EVERY: Final = 15
"""Pictures between two looks at the disk: half a second, 2 MB."""
WAITING: Final = 12
IN_TIME: Final = "The film is as long as it was to be."


@dataclass(frozen=True, slots=True)
class Need:
    """What a film takes, and what there is."""

    bytes: int
    free: int

    @property
    def fits(self) -> bool:
        return self.bytes + RESERVE_BYTES <= self.free


def need(camera: Camera, fps: float, seconds: float, folder: Path) -> Need:
    """The disk space that a film of this length takes in a folder that may not be there yet. Raises OSError."""
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    each = camera.width_px * camera.height_px * BYTES_PER_PIXEL
    return Need(round(each * fps * seconds), shutil.disk_usage(there).free)


def refuse_if_full(camera: Camera, fps: float, seconds: float, folder: Path) -> Need:
    """What the film takes; raises FilmError where the disk has not enough for it."""
    try:
        wanted = need(camera, fps, seconds, folder)
    except OSError as error:
        raise FilmError(f"The film cannot be written to {folder} ({error.strerror}): name another folder.") from None
    if wanted.fits:
        return wanted
    room = max(0, wanted.free - RESERVE_BYTES)
    minutes = int(seconds / 60 * room / wanted.bytes)
    instead = f"film {minutes} minutes with --minutes {minutes}" if minutes else "free some"
    raise FilmError(
        f"A film of {seconds / 60:.0f} minutes takes some {wanted.bytes / 1e9:.1f} GB, and {folder} has "
        f"{room / 1e9:.1f} GB for it ({RESERVE_BYTES / 1e9:.0f} GB stay free): {instead}, or name a folder "
        "on a larger disk."
    )


class FilmKeeper:
    """Films what it is given until its time is over or `close`."""

    def __init__(
        self,
        folder: Path,
        head: Head,
        seconds: float,
        free: Callable[[], int] | None = None,
    ) -> None:
        calibration = head.seen_by()
        self._writer = FilmWriter(folder, head)
        self._veil = Veil(head.table, calibration)
        zones = seat_zones(head.table, calibration, Thresholds(chip_diameter_mm=head.chip_diameter_mm))
        self._seats = tuple(zone.seat for zone in zones)
        self._gate = Gate(zones, calibration.width_px, calibration.height_px, Thresholds().motion_level)
        self._length_ns = round(seconds * NS_PER_S)
        self._free = free or (lambda: shutil.disk_usage(folder).free)
        self._queue: queue.Queue[Frame | None] = queue.Queue(WAITING)
        self._ended = threading.Event()
        self._closed = False
        self._last_ns: int | None = None
        self.folder = folder
        self.dropped = 0
        """Pictures that came faster than they could be written."""
        self.hidden = 0
        """Pictures in which something as large as a head was hidden."""
        self.why = ""
        """Why it ended, a sentence; empty while it films."""
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether it takes no more pictures."""
        return self._ended.is_set()

    @property
    def learning(self) -> bool:
        """Whether the empty felt is still being learnt: nothing is written yet."""
        return not self._veil.ready

    @property
    def waiting(self) -> int:
        """Pictures that were handed over and are not looked at yet."""
        return self._queue.unfinished_tasks

    @property
    def frames(self) -> int:
        return self._writer.frames

    @property
    def bytes(self) -> int:
        return self._writer.bytes

    @property
    def seconds(self) -> float:
        """The length so far."""
        start = self._writer.start_ns
        return 0.0 if start is None or self._last_ns is None else (self._last_ns - start) / NS_PER_S

    def summary(self) -> str:
        """What there is now, in sentences; empty where nothing was filmed."""
        if not self.frames:
            return ""
        size = f"{self.seconds / 60:.1f} minutes, {self.frames} pictures, {self.bytes / 1e9:.2f} GB"
        hidden = f"in {100 * self.hidden / self.frames:.0f} % of them part of the felt was made coarse"
        return f"{self.why} {self.folder}: {size}; {self.dropped} pictures left out; {hidden}."

    def see(self, frame: Frame) -> None:
        """Hands over a picture; one that comes too fast is left out and counted."""
        if self.ended:
            return
        try:
            self._queue.put_nowait(frame)
        except queue.Full:
            self.dropped += 1

    def drain(self) -> None:
        """Waits until what was handed over is written."""
        self._queue.join()

    def finish(self, why: str) -> None:
        """Takes no more pictures; `close` writes what waits."""
        self._end(why)

    def look_at_clock(self, now_ns: int) -> None:
        """Ends the film when its time is over, also while no pictures come; `now_ns` is on the camera's clock."""
        start_ns = self._writer.start_ns
        if start_ns is not None and now_ns - start_ns >= self._length_ns + NS_PER_S:
            self._end(IN_TIME)

    def hear(self, t_ns: int, what: str, body: Mapping[str, Any]) -> None:
        """Takes down what was said on the bus at a time of the camera's clock."""
        if self.ended:
            return
        try:
            self._writer.hear(t_ns, what, body)
        except OSError as error:
            self._end(f"The film has ended: the disk takes no more ({error.strerror}).")

    def close(self, why: str = "The film was ended by hand.") -> None:
        """Writes what waits, and ends the film."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        self._thread.join()
        self._end(why)
        self._writer.end(
            {
                "why": self.why,
                "seconds": round(self.seconds, 1),
                "frames": self.frames,
                "dropped": self.dropped,
                "hidden": self.hidden,
            }
        )

    def _end(self, why: str) -> None:
        if not self.ended:
            self.why = why
            self._ended.set()

    def _run(self) -> None:
        while True:
            frame = self._queue.get()
            try:
                if frame is None:
                    return
                if not self.ended:
                    self._keep(frame)
            except OSError as error:
                self._end(f"The film has ended: the disk takes no more ({error.strerror}).")
            except cv2.error as error:
                self._end(f"The film has ended: a picture cannot be kept ({error}). Report this, then film again.")
            finally:
                self._queue.task_done()

    def _keep(self, frame: Frame) -> None:
        shown = self._veil.over(frame.picture, frame.t_ns)
        if not self._veil.ready:
            return
        start_ns = self._writer.start_ns
        if start_ns is not None and frame.t_ns - start_ns >= self._length_ns:
            self._end(IN_TIME)
            return
        if self.frames % LOOK_EVERY == 0 and self._free() < RESERVE_BYTES:
            self._end(
                f"The film has ended: the disk of {self.folder} is nearly full. Free some space, then film again."
            )
            return
        if self._last_ns is not None and frame.t_ns <= self._last_ns:
            return
        jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        hidden = self._veil.hidden_px > 0
        self._writer.add(frame.number, frame.t_ns, jpeg, self._moves(shown), hidden=hidden)
        self._last_ns = frame.t_ns
        self.hidden += hidden

    def _moves(self, shown: Picture) -> list[int]:
        """The seats in whose bet zones something moves."""
        _, zones, _ = self._gate.by_seat(self._gate.moving(self._gate.shrink(shown)))
        return [self._seats[at] for at in np.flatnonzero(zones >= MIN_CELLS)]
