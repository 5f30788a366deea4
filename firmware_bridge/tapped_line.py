"""A serial line whose bytes are noted in a tap, both ways and with their times, for the recording of a table."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Literal

from betline.tap import Tap
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.serial_line import LineError, SerialLine
from firmware_bridge.waker import Waker

KIND: Final = "serial"


class TappedLine(SerialLine):
    """An open port; what is read and written is noted after it was, when the reader's thread has it already."""

    def __init__(self, tap: Tap, reader: str, url: str, settings: LineSettings, waker: Waker | None = None) -> None:
        super().__init__(url, settings, waker)
        self._tap = tap
        self._reader = reader
        self._note("event", "opened")

    def read(self, timeout_s: float) -> bytes:
        """As `SerialLine.read`."""
        try:
            data = super().read(timeout_s)
        except LineError:
            self._note("event", "lost")
            raise
        if data:
            self._note("rx", data)
        return data

    def write(self, data: bytes) -> None:
        """As `SerialLine.write`."""
        super().write(data)
        self._note("tx", data)

    def close(self) -> None:
        """As `SerialLine.close`."""
        super().close()
        self._note("event", "closed")

    def _note(self, way: Literal["rx", "tx", "event"], what: bytes | str) -> None:
        now_ns, reader = time.monotonic_ns(), self._reader
        self._tap.note(
            lambda: {
                "kind": KIND,
                "reader": reader,
                "mono_ns": now_ns,
                way: what.hex() if isinstance(what, bytes) else what,
            }
        )


def line_into(tap: Tap, reader: str) -> Callable[[str, LineSettings, Waker], SerialLine]:
    """What opens a reader's port so that its bytes are noted."""
    return lambda url, settings, waker: TappedLine(tap, reader, url, settings, waker)
