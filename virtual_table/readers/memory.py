"""A reader on a line without an operating system: the same bytes and delays in a time that the caller makes pass."""

from __future__ import annotations

import heapq
import itertools

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.server import SerialDevice


class MemoryLine:
    """A device at the far end of a line that exists in memory only."""

    def __init__(self, device: SerialDevice, line: LineSettings, *, bytes_a_read: int = 64) -> None:
        self._device = device
        self._line = line
        self._bytes_a_read = bytes_a_read
        self._order = itertools.count()
        self._coming: list[tuple[float, int, bytes]] = []
        self._free_at_ms = 0.0

    def write(self, data: bytes, now_ms: float) -> None:
        """The host sends `data`."""
        arrived_ms = now_ms + len(data) * self._line.byte_ms
        for delay_ms, piece in self._device.receive(data, arrived_ms):
            at_ms = max(arrived_ms + delay_ms, self._free_at_ms)
            for start in range(0, len(piece), self._bytes_a_read):
                part = piece[start : start + self._bytes_a_read]
                at_ms += len(part) * self._line.byte_ms
                heapq.heappush(self._coming, (at_ms, next(self._order), part))
            self._free_at_ms = at_ms

    @property
    def next_ms(self) -> float | None:
        """When the next bytes come to the host; None if the reader has nothing to say."""
        return self._coming[0][0] if self._coming else None

    def read(self, now_ms: float) -> bytes:
        """The next bytes that have come by `now_ms`, as one read of a port would give them."""
        if not self._coming or self._coming[0][0] > now_ms:
            return b""
        return heapq.heappop(self._coming)[2]
