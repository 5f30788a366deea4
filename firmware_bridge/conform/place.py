"""Where a reader is plugged in, with the clock that its times are told by: a port of this machine, or one of a test."""

from __future__ import annotations

import time
from typing import Protocol

from firmware_bridge.ports import locate
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.serial_line import SerialLine


class Wire(Protocol):
    """An open port. Reading and writing raise LineError when it has gone."""

    @property
    def parity_refused(self) -> bool: ...

    def read(self, timeout_s: float) -> bytes: ...

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Place(Protocol):
    """A port that can be opened again and again."""

    @property
    def url(self) -> str: ...

    @property
    def line(self) -> LineSettings: ...

    def open(self) -> Wire:
        """Raises LineError."""
        ...

    def now_ns(self) -> int: ...

    def pause(self, seconds: float) -> None: ...


class SerialPlace:
    """A real port, by any name that `ports.locate` takes."""

    def __init__(self, url: str, line: LineSettings) -> None:
        self.url = url
        self.line = line

    def open(self) -> Wire:
        return _Opened(SerialLine(locate(self.url), self.line))

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)


class _Opened:
    """A serial line whose parity can be looked at, and nothing changed."""

    def __init__(self, line: SerialLine) -> None:
        self._line = line
        self.read = line.read
        self.write = line.write
        self.close = line.close

    @property
    def parity_refused(self) -> bool:
        return self._line.parity_refused
