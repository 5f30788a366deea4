"""The folder of stretches: one folder each, named by time and first event, with its JPEGs and ``ring.json``.

Size and age are bounded; the oldest go first.
"""

from __future__ import annotations

import datetime
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs

from betline.options import OWNER_ONLY_FOLDER, make_private_folder
from vision.clips.ring import Stretch

INDEX: Final = "ring.json"
_DAY_S: Final = 86_400


class RingError(Exception):
    """A stretch that is not there or cannot be read; the text is a sentence for a person."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A stretch as it was kept: its events, as they were reported, and its frames with their wall clock."""

    name: str
    events: tuple[dict[str, Any], ...]
    frames: tuple[tuple[Path, int], ...]
    times_ns: tuple[int, ...]
    """The monotonic time of each frame, on the clock of the events."""
    size_bytes: int

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats with an act in it."""
        return tuple(sorted({int(event["seat"]) for event in self.events}))


def default_folder(site: str, table_name: str) -> Path:
    """Where a table's stretches are kept: beside its journal."""
    return Path(platformdirs.user_state_dir("betline", appauthor=False)) / f"{site}-{table_name}.rings"


def write(folder: Path, stretch: Stretch) -> Path:
    """Writes a stretch, in one step; raises OSError."""
    at = datetime.datetime.fromtimestamp(stretch.frames[0].wall_ms / 1000, datetime.UTC)
    name = f"{at:%Y%m%dT%H%M%S}.{at.microsecond // 1000:03d}Z-{stretch.events[0].id}"
    beside = folder / f".{name}.new"
    shutil.rmtree(beside, ignore_errors=True)
    make_private_folder(folder)
    beside.mkdir(mode=OWNER_ONLY_FOLDER)
    frames = []
    for number, frame in enumerate(stretch.frames):
        (beside / f"{number:04d}.jpg").write_bytes(frame.jpeg)
        frames.append({"file": f"{number:04d}.jpg", "t_ns": frame.t_ns, "wall_ms": frame.wall_ms})
    index = {"events": [event.model_dump() for event in stretch.events], "frames": frames}
    (beside / INDEX).write_text(json.dumps(index, indent=1), encoding="utf-8")
    return beside.rename(folder / name)


def bound(folder: Path, most_bytes: int, most_days: float, now_s: float) -> int:
    """Deletes what is too old and, oldest first, what is too much; how many went. Raises OSError."""
    kept = sorted(path for path in folder.iterdir() if (path / INDEX).is_file())
    sizes = {path: _size(path) for path in kept}
    total, gone = sum(sizes.values()), 0
    for path in kept:
        old = now_s - (path / INDEX).stat().st_mtime > most_days * _DAY_S
        if old or total > most_bytes:
            shutil.rmtree(path)
            total -= sizes[path]
            gone += 1
    return gone


def listed(folder: Path) -> list[Shown]:
    """All stretches, oldest first; what cannot be read is left out."""
    if not folder.is_dir():
        return []
    found = []
    for path in sorted(folder.iterdir()):
        if not path.name.startswith(".") and (path / INDEX).is_file():
            try:
                found.append(_read(path))
            except (OSError, ValueError, KeyError):
                continue
    return found


def found(folder: Path, wanted: str) -> Shown:
    """The stretch of an event's id, or of a name or the beginning of one; raises RingError."""
    stretches = listed(folder)
    of_event = [shown for shown in stretches if any(event["id"] == wanted for event in shown.events)]
    matching = of_event or [shown for shown in stretches if shown.name.startswith(wanted)]
    if len(matching) != 1:
        what = "are no pictures" if not matching else f"are {len(matching)} stretches of pictures"
        raise RingError(f"There {what} of {wanted} in {folder}: betline vision ring list shows all that are kept.")
    return matching[0]


def _read(path: Path) -> Shown:
    index = json.loads((path / INDEX).read_text(encoding="utf-8"))
    frames = tuple((path / Path(frame["file"]).name, int(frame["wall_ms"])) for frame in index["frames"])
    times_ns = tuple(int(frame["t_ns"]) for frame in index["frames"])
    return Shown(path.name, tuple(index["events"]), frames, times_ns, _size(path))


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.iterdir())
