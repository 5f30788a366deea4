"""A device at which somebody sits: it keeps what passed on its line, and has the faults that it is told to have."""

from __future__ import annotations

import math
from collections import deque
from typing import Final, Literal, NamedTuple

from virtual_table.readers.antennas import Antennas
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import FaultDice, Piece
from virtual_table.readers.reading import Reading

KEPT: Final = 12


class Passed(NamedTuple):
    """Bytes that the host sent to the device, or the device to the host, and when."""

    at_ms: float
    way: Literal["to", "from"]
    data: bytes


class Attended:
    """A `SerialDevice` around another one. It may be told of a fault from any thread."""

    def __init__(self, device: SerialDevice, kept: int = KEPT, antennas: Antennas | None = None) -> None:
        """So many of the last pieces are ``kept``; ``antennas`` are the device's, where it is to misread."""
        self._device = device
        self._antennas = antennas
        self._line: FaultDice | None = None
        self._passed: deque[Passed] = deque(maxlen=kept)
        self._mute_until_ms = -math.inf
        self._reboot_at_ms: float | None = None

    @property
    def passed(self) -> tuple[Passed, ...]:
        """What passed last, oldest first."""
        return tuple(self._passed)

    def hang(self, until_ms: float) -> None:
        """It neither hears nor sends until then."""
        self._mute_until_ms = until_ms

    def reboot(self, until_ms: float) -> None:
        """It forgets everything, and is deaf until it is up."""
        self._reboot_at_ms = until_ms
        self._mute_until_ms = until_ms

    def comes_up(self, now_ms: float) -> None:
        """A reboot is over, whenever it was to be."""
        if self._reboot_at_ms is not None:
            self._reboot_at_ms = self._mute_until_ms = now_ms

    def garble(self, line: FaultDice | None) -> None:
        """From now on these faults strike its line, with None no more than usual."""
        self._line = line

    def misread(self, reading: Reading | None) -> None:
        """From now on its antennas read so, with None as they usually do."""
        if self._antennas is not None:
            self._antennas.misread(reading)

    def power_on(self, now_ms: float) -> None:
        """Plugged in: a reader that hung no longer hangs."""
        self._mute_until_ms, self._reboot_at_ms = -math.inf, None
        self._device.power_on(now_ms)

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        """The device's answer."""
        self._come_up(now_ms)
        self._passed.append(Passed(now_ms, "to", data))
        if now_ms < self._mute_until_ms:
            return []
        line = self._line
        heard = data if line is None else line.heard(data)
        return self._kept(self._struck(self._device.receive(heard, now_ms)), now_ms)

    @property
    def next_ms(self) -> float | None:
        """When it next sends unasked: not before it is up again."""
        spoken_ms = self._device.next_ms
        return None if spoken_ms is None else max(spoken_ms, self._mute_until_ms)

    def speak(self, now_ms: float) -> list[Piece]:
        """What it sends unasked."""
        self._come_up(now_ms)
        spoken_ms = self._device.next_ms
        if now_ms < self._mute_until_ms or spoken_ms is None or spoken_ms > now_ms:
            return []
        return self._kept(self._struck(self._device.speak(now_ms)), now_ms)

    def _come_up(self, now_ms: float) -> None:
        if self._reboot_at_ms is not None and now_ms >= self._reboot_at_ms:
            self._device.power_on(self._reboot_at_ms)
            self._reboot_at_ms = None

    def _struck(self, pieces: list[Piece]) -> list[Piece]:
        line = self._line
        return pieces if line is None else line.strike(pieces)

    def _kept(self, pieces: list[Piece], now_ms: float) -> list[Piece]:
        self._passed.extend(Passed(now_ms + delay_ms, "from", data) for delay_ms, data in pieces)
        return pieces
