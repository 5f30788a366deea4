"""A reader on a line without an operating system: the same bytes and delays in simulated time."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import Piece


class MemoryLine:
    """A device at the far end of a line that exists in memory only."""

    def __init__(self, device: SerialDevice, line: LineSettings, *, bytes_per_read: int = 64) -> None:
        self._device = device
        self._line = line
        self._bytes_per_read = bytes_per_read
        self._order = itertools.count()
        self._coming: list[tuple[float, int, bytes]] = []
        self._free_at_ms = 0.0
        device.power_on(0.0)

    def write(self, data: bytes, now_ms: float) -> None:
        """The host sends `data`."""
        arrived_ms = now_ms + len(data) * self._line.byte_ms
        self._speak(arrived_ms)
        self._send(arrived_ms, self._device.receive(data, arrived_ms))

    @property
    def next_ms(self) -> float | None:
        """When the next bytes reach the host, or the reader sends unasked; None if it has nothing to send."""
        times = [self._coming[0][0]] if self._coming else []
        spoken_ms = self._device.next_ms
        if spoken_ms is not None:
            times.append(spoken_ms)
        return min(times, default=None)

    def read(self, now_ms: float) -> bytes:
        """The next bytes that have come by `now_ms`, as one read of a port would give them."""
        self._speak(now_ms)
        if not self._coming or self._coming[0][0] > now_ms:
            return b""
        return heapq.heappop(self._coming)[2]

    def _speak(self, now_ms: float) -> None:
        while (spoken_ms := self._device.next_ms) is not None and spoken_ms <= now_ms:
            self._send(spoken_ms, self._device.speak(spoken_ms))

    def _send(self, now_ms: float, pieces: Iterable[Piece]) -> None:
        for delay_ms, piece in pieces:
            at_ms = max(now_ms + delay_ms, self._free_at_ms)
            for start in range(0, len(piece), self._bytes_per_read):
                part = piece[start : start + self._bytes_per_read]
                at_ms += len(part) * self._line.byte_ms
                heapq.heappush(self._coming, (at_ms, next(self._order), part))
            self._free_at_ms = at_ms
