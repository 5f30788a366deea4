"""Timed faults: a reader that hangs, reboots, loses its cable, or has a bad minute."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from virtual_table.readers.antennas import Antennas
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import PERFECT, FaultDice, FaultPlan, Piece
from virtual_table.readers.reading import USUAL, Reading


@dataclass(frozen=True, slots=True)
class Happening:
    """What happens to one reader, in seconds after play begins; `virtual_table.faults.event` says what each is."""

    at_s: float
    what: Literal["unplug", "stuck", "reboot", "burst", "misreads"]
    for_s: float = 1.0
    chances: FaultPlan = PERFECT
    reading: Reading = USUAL


class Eventful:
    """A device to which all happens as planned but what happens to its cable: that is for `cables.pull_cables`.

    Times count from when it is plugged in first, or with ``waits`` from `begin`. ``antennas`` are the device's, where
    it has any, for what it misreads.
    """

    def __init__(
        self,
        device: SerialDevice,
        coming: Iterable[Happening],
        seed: int = 0,
        antennas: Antennas | None = None,
        *,
        waits: bool = False,
    ) -> None:
        self._device = device
        self._antennas = antennas
        self._coming = iter(coming)
        self._waits = waits
        self._dice = random.Random(f"{seed}:events")
        self._began_ms: float | None = None
        self._upcoming: Happening | None = None
        self._mute_until_ms = self._boots_until_ms = self._burst_until_ms = self._misreads_until_ms = -math.inf
        self._burst: FaultDice | None = None

    def begin(self, now_ms: float) -> None:
        """Play begins: from now on all happens in its time."""
        self._began_ms = now_ms
        self._upcoming = next(self._coming, None)

    def power_on(self, now_ms: float) -> None:
        """Plugged in: a reader that hung no longer hangs."""
        if self._began_ms is None and not self._waits:
            self.begin(now_ms)
        self._mute_until_ms = self._boots_until_ms = -math.inf
        self._device.power_on(now_ms)

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        """The device's answer, if it is up and does not hang."""
        self._happen(now_ms)
        if now_ms < max(self._mute_until_ms, self._boots_until_ms):
            return []
        return self._struck(self._device.receive(self._heard(data, now_ms), now_ms), now_ms)

    @property
    def next_ms(self) -> float | None:
        """When the device next sends unasked, or a fault begins or ends."""
        spoken_ms = self._device.next_ms
        times = [] if spoken_ms is None else [max(spoken_ms, self._boots_until_ms)]
        times += [] if self._upcoming is None else [self._at_ms(self._upcoming.at_s)]
        return min(times, default=None)

    def speak(self, now_ms: float) -> list[Piece]:
        """What the device sends unasked; a device that hangs sends nothing."""
        self._happen(now_ms)
        spoken_ms = self._device.next_ms
        if spoken_ms is None or spoken_ms > now_ms or now_ms < self._boots_until_ms:
            return []
        pieces = self._device.speak(now_ms)
        return [] if now_ms < self._mute_until_ms else self._struck(pieces, now_ms)

    def _happen(self, now_ms: float) -> None:
        while self._upcoming is not None and self._at_ms(self._upcoming.at_s) <= now_ms:
            event = self._upcoming
            over_ms = self._at_ms(event.at_s + event.for_s)
            if event.what == "stuck":
                self._mute_until_ms = over_ms
            elif event.what == "reboot":
                self._boots_until_ms = over_ms
                self._device.power_on(over_ms)
            elif event.what == "burst":
                self._burst_until_ms = over_ms
                self._burst = FaultDice(event.chances, self._dice)
            elif self._antennas is not None:
                self._misreads_until_ms = over_ms
                self._antennas.misread(event.reading)
            self._upcoming = next(self._coming, None)
        if self._antennas is not None and now_ms >= self._misreads_until_ms:
            self._antennas.misread(None)

    def _at_ms(self, at_s: float) -> float:
        return (self._began_ms or 0.0) + at_s * 1000

    def _heard(self, data: bytes, now_ms: float) -> bytes:
        return self._burst.heard(data) if self._burst and now_ms < self._burst_until_ms else data

    def _struck(self, pieces: list[Piece], now_ms: float) -> list[Piece]:
        return self._burst.strike(pieces) if self._burst and now_ms < self._burst_until_ms else pieces
