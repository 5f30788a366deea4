"""What a program takes and does, line by line in a file of its own beside the bus, for the recording of a table.

A program that is given a folder writes into it what the bus does not carry: the controller what it took and when it
took it, the bridge the bytes of its serial lines. `betline record` reads the folder while it grows. Whoever writes
only hands over; a thread of the tap makes the lines and writes them, so no ruling and no reader waits for a disk.
What cannot be written is dropped and counted, and a line with the count is written as soon as one can be.

    {"n": 12, "kind": "took", "mono_ns": 8123000000, ...}
"""

from __future__ import annotations

import json
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

ENDING: Final = ".tap"
MOST_WAITING: Final = 20_000
"""Lines that may wait for the disk; the controller writes some fifty a second."""
DROPPED: Final = "dropped"
"""The kind of the line that says how many are missing before it."""
CLOSE_WAIT_S: Final = 2.0
_PRIVATE: Final = 0o600
_READ_BYTES: Final = 4 * 1024 * 1024

_log = logging.getLogger(__name__)

Line = Mapping[str, Any]


class Tap:
    """One program's file in a folder of taps. Any thread may `note`; a tap that fails costs the table nothing."""

    def __init__(self, folder: Path, program: str, life: str) -> None:
        """The file is `PROGRAM.BEGUN.LIFE.tap`: by their names the lives of a program are in their order.

        A folder that cannot be written is logged, and nothing is noted then.
        """
        self._waiting: queue.Queue[Callable[[], Line] | None] = queue.Queue(MOST_WAITING)
        self._dropped = 0
        self._number = 0
        self._file: IO[bytes] | None = None
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / f"{program}.{time.time_ns():020}.{life}{ENDING}"
            self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE), "wb")
        except OSError as error:
            _log.warning("Nothing is noted for the recording: %s cannot be written (%s).", folder, error.strerror)
        self._thread = threading.Thread(target=self._write_all, name=f"tap-{program}", daemon=True)
        if self._file is not None:
            self._thread.start()

    def note(self, made: Callable[[], Line]) -> None:
        """Hands over what makes one line; it is called on the tap's thread, so it must read frozen values only."""
        if self._file is None:
            return
        try:
            self._waiting.put_nowait(made)
        except queue.Full:
            self._dropped += 1

    def close(self) -> None:
        """Writes what waits, and ends."""
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join(CLOSE_WAIT_S)

    def _write_all(self) -> None:
        file = self._file
        assert file is not None
        with file:
            while (made := self._waiting.get()) is not None:
                try:
                    self._write(file, made)
                    if self._waiting.empty():
                        file.flush()
                except OSError as error:
                    _log.warning("Nothing more is noted for the recording: its folder fails (%s).", error.strerror)
                    self._file = None
                    return

    def _write(self, file: IO[bytes], made: Callable[[], Line]) -> None:
        dropped, self._dropped = self._dropped, 0
        lines: list[Line] = [{"kind": DROPPED, "count": dropped}] if dropped else []
        for line in (*lines, made()):
            file.write(json.dumps({"n": self._number, **line}, separators=(",", ":"), ensure_ascii=False).encode())
            file.write(b"\n")
            self._number += 1


@dataclass(slots=True)
class _Followed:
    path: Path
    program: str
    at: int = 0
    rest: bytes = b""


@dataclass(slots=True)
class Followed:
    """A folder of taps that is read while it grows."""

    folder: Path
    _files: dict[Path, _Followed] = field(default_factory=dict)

    def lines(self) -> Iterator[tuple[str, Line]]:
        """What has come since the last time: the program and its line, each program's in their order, life after life.

        The half line of a program that was killed is left out.
        """
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            known = self._files.setdefault(path, _Followed(path, path.name.partition(".")[0]))
            yield from self._more(known)

    def _more(self, known: _Followed) -> Iterator[tuple[str, Line]]:
        try:
            with known.path.open("rb") as file:
                file.seek(known.at)
                while data := file.read(_READ_BYTES):
                    known.at += len(data)
                    *whole, known.rest = (known.rest + data).split(b"\n")
                    yield from ((known.program, json.loads(line)) for line in whole)
        except FileNotFoundError:
            return
