"""The folder of a film: JPEGs one after another, the time of each, what the readers said; readable after any kill.

    film.json       what was filmed, with what: the head, written first
    part-000.mjpeg  pictures, a minute a file; any player shows them
    frames.jsonl    one line a picture: number, time, file, place and size in it, seats with movement in the bet zone
    bus.jsonl       what readers, camera and table said, on the same clock (`vision.film.hearing`)
    end.json        how the film ended; missing where the program was killed
    labels.json     what a person saw (`vision.film.labels`); truth.jsonl the same as events

Each line is written whole after its picture, so a film that was cut off ends with its last whole picture.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from betline.options import make_private_folder
from betline.settings import Settings, TableSettings, parse
from betline.settings.model import SettingsError
from betline.units import NS_PER_MS
from vision.calibration.calibration import Calibration, CalibrationError, calibrate
from vision.calibration.file import CalibrationFile
from vision.detect.detector import Detector
from vision.tuning.adjustments import TuningError, tuned
from vision.tuning.thresholds import Thresholds

KIND: Final = "betline film"
VERSION: Final = 1
HEAD, FRAMES, BUS, END = "film.json", "frames.jsonl", "bus.jsonl", "end.json"
PART_MS: Final = 60_000.0
MOST_PARTS: Final = 1000
MOST_FRAME_BYTES: Final = 8_000_000
MOST_EARLY: Final = 100
"""So much of what is said before the first picture is remembered: the chips that lie there already."""
_FILE_MODE: Final = 0o600


class FilmError(Exception):
    """A film that cannot be made or used; the text is a sentence for a person."""


class Head(Settings):
    """What was filmed, and all that the detector needs to see it again: no names, no addresses, no serial numbers."""

    film: Literal["betline film"] = KIND
    version: Literal[1] = VERSION
    id: str = Field(pattern=r"^[0-9a-f]{16}$", description="by chance; chooses which moments are asked about")
    day: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    betline: str = Field(description="version of the program")
    table: TableSettings
    calibration: CalibrationFile | None = Field(default=None, description="none: the camera's pose in the table's file")
    chip_diameter_mm: float = Field(gt=0)
    tuned: dict[str, float] = Field(default_factory=dict, description="numbers of the detector that the house has set")

    def seen_by(self) -> Calibration:
        """The calibration of the film; raises FilmError."""
        try:
            return calibrate(self.table.cameras[0]) if self.calibration is None else self.calibration.calibration()
        except CalibrationError as error:
            raise FilmError(str(error)) from None

    def detector(self) -> Detector:
        """A detector as the house had it; raises FilmError."""
        try:
            thresholds = tuned(Thresholds(chip_diameter_mm=self.chip_diameter_mm), self.tuned)
            return Detector(self.table, self.seen_by(), thresholds)
        except (CalibrationError, TuningError) as error:
            raise FilmError(f"The detector cannot look at this film: {error}") from None


def bare(table: TableSettings) -> TableSettings:
    """A table without what says where it stands: no broker, no readers, no address of a camera."""
    cameras = tuple(camera.model_copy(update={"source": "film"}) for camera in table.cameras)
    return table.model_copy(update={"readers": (), "broker": None, "keys": {}, "cameras": cameras})


@dataclass(frozen=True, slots=True)
class Kept:
    """One picture of a film: its number at the camera, its time, where it lies, and where something moved."""

    number: int
    t_ms: float
    part: int
    at: int
    size: int
    moves: tuple[int, ...] = ()
    """Seats with movement in the bet zone."""
    hidden: bool = False
    """Part of the felt was made coarse: something as large as a head was over it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said on the bus, on the film's clock."""

    t_ms: float
    what: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Film:
    """A film as it lies in its folder."""

    folder: Path
    head: Head
    frames: tuple[Kept, ...]
    whole: bool
    """False where the recording was cut off."""

    @property
    def length_ms(self) -> float:
        return self.frames[-1].t_ms

    @property
    def heard(self) -> tuple[Heard, ...]:
        """What was said on the bus, read from its file; raises FilmError."""
        return tuple(one for row in _rows(self.folder / BUS) if (one := _heard(row)) is not None)

    def jpeg(self, frame: Kept) -> bytes:
        """The encoded picture; raises FilmError."""
        try:
            with (self.folder / part_name(frame.part)).open("rb") as file:
                file.seek(frame.at)
                return file.read(frame.size)
        except OSError as error:
            raise FilmError(f"A picture of {self.folder} cannot be read ({error.strerror}).") from None


def part_name(part: int) -> str:
    """The file of a minute."""
    return f"part-{part:03d}.mjpeg"


class FilmWriter:
    """Writes a film into a folder of its own; pictures and what is heard may come from different threads.

    Raises FilmError where the folder is taken, OSError from `add` and `hear` where the disk refuses.
    """

    def __init__(self, folder: Path, head: Head) -> None:
        try:
            refuse_if_taken(folder)
            self._is_new = not folder.exists()
            make_private_folder(folder)
            folder.chmod(0o700)
            write_new(folder / HEAD, head.model_dump_json(indent=1, exclude_none=True))
            self._frames, self._bus = _appending(folder / FRAMES), _appending(folder / BUS)
        except OSError as error:
            raise FilmError(
                f"The film cannot be written to {folder} ({error.strerror}): name another folder."
            ) from None
        self._folder = folder
        self._lock = threading.Lock()
        self._early: list[tuple[int, str, Mapping[str, Any]]] = []
        self._part = -1
        self._file = -1
        self._at = 0
        self.start_ns: int | None = None
        """The camera's monotonic clock at the first picture."""
        self.frames = 0
        self.bytes = 0

    def add(self, number: int, t_ns: int, jpeg: bytes, moves: Sequence[int], *, hidden: bool) -> None:
        """Appends a picture, then its line."""
        if self.start_ns is None:
            self._start(t_ns)
        assert self.start_ns is not None
        t_ms = (t_ns - self.start_ns) / NS_PER_MS
        part = max(self._part, int(t_ms // PART_MS))
        if part != self._part:
            self._close_part()
            self._file, self._part, self._at = _appending(self._folder / part_name(part)), part, 0
        _write(self._file, jpeg)
        line = asdict(Kept(number, round(t_ms, 3), part, self._at, len(jpeg), tuple(moves), hidden))
        self._at += len(jpeg)
        _write(self._frames, (json.dumps(line, separators=(",", ":")) + "\n").encode())
        self.frames += 1
        self.bytes += len(jpeg)

    def _start(self, t_ns: int) -> None:
        with self._lock:
            self.start_ns = t_ns
            early, self._early = self._early, []
        for one in early:
            self.hear(*one)

    def hear(self, t_ns: int, what: str, body: Mapping[str, Any]) -> None:
        """Appends what was said; what came before the first picture waits for it and is dated to it."""
        with self._lock:
            if self.start_ns is None:
                self._early = [*self._early, (t_ns, what, body)][-MOST_EARLY:]
            elif self._bus >= 0:
                t_ms = round(max(0.0, (t_ns - self.start_ns) / NS_PER_MS), 3)
                line = json.dumps({"t_ms": t_ms, "what": what, "body": dict(body)}, separators=(",", ":")) + "\n"
                _write(self._bus, line.encode())

    def end(self, said: Mapping[str, Any]) -> None:
        """Closes the film and says how it ended; a full disk only leaves that out. One without a picture is removed."""
        self._close_part()
        with self._lock:
            os.close(self._frames)
            os.close(self._bus)
            self._bus = -1
        if self.frames == 0:
            self._remove()
            return
        try:
            write_new(self._folder / END, json.dumps(dict(said), indent=1))
        except OSError:
            (self._folder / END).unlink(missing_ok=True)

    def _remove(self) -> None:
        """Leaves the folder as it was found: the next try may name it again."""
        with contextlib.suppress(OSError):
            for name in (HEAD, FRAMES, BUS, part_name(0)):
                (self._folder / name).unlink(missing_ok=True)
            if self._is_new:
                self._folder.rmdir()

    def _close_part(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def refuse_if_taken(folder: Path) -> None:
    """Raises FilmError for a folder that has something in it, or is none."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FilmError(f"{folder} is not empty: name a new folder for this film.")


def open_film(folder: Path) -> Film:
    """Reads a film; raises FilmError for what is none, of another version, or has no picture."""
    head = _head(folder)
    sizes = {path.name: path.stat().st_size for path in folder.glob("part-*.mjpeg")}
    frames: list[Kept] = []
    for row in _rows(folder / FRAMES):
        frame = _kept(row)
        if frame is None or frame.at + frame.size > sizes.get(part_name(frame.part), 0):
            continue  # the line or picture that was being written when the program ended
        if frames and frame.t_ms <= frames[-1].t_ms:
            continue
        frames.append(frame)
    if not frames:
        raise FilmError(f"The film {folder} holds no whole picture: record again.")
    return Film(folder, head, tuple(frames), (folder / END).is_file())


def _head(folder: Path) -> Head:
    file = folder / HEAD
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FilmError(f"{folder} is no film: name a folder that betline film record has made.") from None
    except (OSError, ValueError, RecursionError):
        raise FilmError(f"{file} cannot be read: name a folder that betline film record has made.") from None
    if not isinstance(data, dict) or data.get("film") != KIND:
        raise FilmError(f"{folder} is no film: name a folder that betline film record has made.")
    if data.get("version") != VERSION:
        raise FilmError(
            f"{folder} is a film of version {data.get('version')}, this Betline reads {VERSION}: update it."
        )
    try:
        head = parse(Head, data, str(file))
    except (SettingsError, ValidationError) as error:
        raise FilmError(f"{folder} cannot be used: {error}") from None
    if not head.table.cameras:
        raise FilmError(f"The table of the film {folder} has no camera: record again.")
    return head


def _rows(path: Path) -> Iterator[Any]:
    """The objects of the whole lines of a file, one after another."""
    try:
        with path.open("rb") as lines:
            for line in lines:
                with contextlib.suppress(ValueError, RecursionError):
                    yield json.loads(line)
    except FileNotFoundError:
        return
    except OSError as error:
        raise FilmError(f"{path} cannot be read ({error.strerror}).") from None


def _kept(row: Any) -> Kept | None:
    try:
        frame = Kept(**row)
        whole = all(type(one) is int for one in (frame.number, frame.part, frame.at, frame.size))
        moves = tuple(int(seat) for seat in frame.moves)
        in_time = 0 <= float(frame.t_ms) < MOST_PARTS * PART_MS
        if (
            not whole
            or not in_time
            or not 0 <= frame.part < MOST_PARTS
            or frame.at < 0
            or not 0 < frame.size <= MOST_FRAME_BYTES
        ):
            return None
        return Kept(frame.number, float(frame.t_ms), frame.part, frame.at, frame.size, moves, bool(frame.hidden))
    except (TypeError, ValueError):
        return None


def _heard(row: Any) -> Heard | None:
    try:
        heard = Heard(float(row["t_ms"]), str(row["what"]), dict(row["body"]))
        return heard if math.isfinite(heard.t_ms) else None
    except (TypeError, ValueError, KeyError):
        return None


def write_new(path: Path, text: str) -> None:
    """Writes a file for its owner only; raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


def _appending(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL, _FILE_MODE)


def _write(handle: int, data: bytes) -> None:
    """Writes all of it; a full disk raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
