"""A place in simulated time: a virtual reader behind a line in memory, and a clock that jumps to what happens next."""

from __future__ import annotations

from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.serial_line import LineError
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.memory import MemoryLine

NS = 1_000_000
UIDS = {
    "feig": [f"E0040153{number * 7919 % 65521:04X}{number:04X}" for number in range(1, 101)],
    "betline": [f"E0040153{number * 7919 % 65521:04X}{number:04X}" for number in range(1, 101)],
    "pn532": [f"04{number * 7919:012X}" for number in range(1, 101)],
    "bb": [f"E2801160600002{number * 7919:010X}" for number in range(1, 101)],
    "m6e": [f"E2801160600002{number * 7919:010X}" for number in range(1, 101)],
    "chafon": [f"E2801160600002{number * 7919:010X}" for number in range(1, 101)],
}


class SimulatedWire:
    """Reads jump the clock to the next byte, or to the end of the time-out."""

    parity_refused = False

    def __init__(self, place: SimulatedPlace) -> None:
        self._place = place
        self._plugging = place.plugging

    def read(self, timeout_s: float) -> bytes:
        place = self._place
        until_ms = place.now_ms + timeout_s * 1000
        while True:
            self._check()
            coming_ms = place.memory.next_ms
            if coming_ms is None or coming_ms > until_ms:
                place.now_ms = max(place.now_ms, until_ms)
                return b""
            place.now_ms = max(place.now_ms, coming_ms)
            data = place.memory.read(place.now_ms)
            if data:
                return data

    def write(self, data: bytes) -> None:
        self._check()
        self._place.memory.write(data, self._place.now_ms)

    def close(self) -> None:
        pass

    def _check(self) -> None:
        if self._place.plugging != self._plugging:
            raise LineError("lost", "the reader is gone: check its cable")


class SimulatedPlace:
    """Implements `Place`; the reader may be unplugged, and what lies there may be changed."""

    url = "simulated"

    def __init__(self, device: SerialDevice, line: LineSettings, *, bytes_per_read: int = 32) -> None:
        self.line = line
        self.now_ms = 1000.0
        self.plugging = 0
        self.opened = 0
        self._away_until_ms = 0.0
        self.memory = MemoryLine(device, line, bytes_per_read=bytes_per_read)

    def open(self) -> SimulatedWire:
        if self.now_ms < self._away_until_ms:
            raise LineError("not_there", "there is no port simulated: plug the reader in")
        self.opened += 1
        return SimulatedWire(self)

    def now_ns(self) -> int:
        """Looking at the clock takes a microsecond: a loop that waits for a moment gets there."""
        self.now_ms += 0.001
        return int(self.now_ms * NS)

    def pause(self, seconds: float) -> None:
        self.now_ms += seconds * 1000

    def unplug(self, for_ms: float, device: SerialDevice) -> None:
        self.plugging += 1
        self._away_until_ms = self.now_ms + for_ms
        self.memory = MemoryLine(device, self.line)
