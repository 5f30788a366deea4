"""Timed faults: a reader that hangs, reboots, loses its cable, or has a bad minute."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from betline.settings.model import Settings
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import FaultDice, FaultPlan, Piece


class TimedFault(Settings):
    """One fault that begins at a time, and may recur."""

    what: Literal["unplug", "stuck", "reboot", "burst"] = Field(
        description="unplug: the port vanishes, and comes back as another device; stuck: neither receives nor sends "
        "until its time is over or it is plugged in again; reboot: forgets everything and is deaf until it is up; "
        "burst: the line has the chances given here"
    )
    at_s: float = Field(ge=0, description="seconds after the reader was plugged in first")
    for_s: float = Field(default=1.0, gt=0, description="how long it lasts, in seconds")
    every_s: float | None = Field(default=None, gt=0, description="recurs after this many seconds, for ever")
    chances: FaultPlan = Field(default=FaultPlan(), description="the probabilities of a burst")
    reader: str = Field(default="", description="the reader of a simulated table that it strikes; default all")

    def concerns(self, reader: str) -> bool:
        """Whether it happens to the reader of that name."""
        return self.reader in ("", reader)


def happenings(events: Sequence[TimedFault]) -> Iterator[tuple[float, TimedFault]]:
    """When each of the events begins, in order of time; endless if one of them recurs."""
    waiting = [(event.at_s, number) for number, event in enumerate(events)]
    heapq.heapify(waiting)
    while waiting:
        at_s, number = heapq.heappop(waiting)
        every_s = events[number].every_s
        if every_s is not None:
            heapq.heappush(waiting, (at_s + every_s, number))
        yield at_s, events[number]


class Eventful:
    """A device with the timed faults of its plan; `unplug` is carried out by `cables.pull_cables`."""

    def __init__(self, device: SerialDevice, events: Sequence[TimedFault], seed: int = 0) -> None:
        self._device = device
        self._coming = happenings([event for event in events if event.what != "unplug"])
        self._dice = random.Random(f"{seed}:events")
        self._began_ms: float | None = None
        self._upcoming: tuple[float, TimedFault] | None = None
        self._mute_until_ms = self._boots_until_ms = self._burst_until_ms = -math.inf
        self._burst: FaultDice | None = None

    def power_on(self, now_ms: float) -> None:
        """Plugged in: a reader that hung no longer hangs."""
        if self._began_ms is None:
            self._began_ms = now_ms
            self._upcoming = next(self._coming, None)
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
        times += [] if self._upcoming is None else [self._at_ms(self._upcoming[0])]
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
        while self._upcoming is not None and self._at_ms(self._upcoming[0]) <= now_ms:
            at_s, event = self._upcoming
            over_ms = self._at_ms(at_s + event.for_s)
            if event.what == "stuck":
                self._mute_until_ms = over_ms
            elif event.what == "reboot":
                self._boots_until_ms = over_ms
                self._device.power_on(over_ms)
            else:
                self._burst_until_ms = over_ms
                self._burst = FaultDice(event.chances, self._dice)
            self._upcoming = next(self._coming, None)

    def _at_ms(self, at_s: float) -> float:
        return (self._began_ms or 0.0) + at_s * 1000

    def _heard(self, data: bytes, now_ms: float) -> bytes:
        return self._burst.heard(data) if self._burst and now_ms < self._burst_until_ms else data

    def _struck(self, pieces: list[Piece], now_ms: float) -> list[Piece]:
        return self._burst.strike(pieces) if self._burst and now_ms < self._burst_until_ms else pieces
