"""Timed faults: what hangs, reboots or has a bad minute, and when it is well again."""

from __future__ import annotations

import random
import threading

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.antennas import Antennas
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.cables import pull_cables
from virtual_table.readers.events import Eventful, Happening
from virtual_table.readers.faults import FaultPlan, Piece
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reading import Reading
from virtual_table.readers.server import ReaderServer


class Clockwork:
    """Echoes, and ticks every 100 ms from its power-on."""

    def __init__(self) -> None:
        self.boots: list[float] = []
        self._next_ms = 0.0

    def power_on(self, now_ms: float) -> None:
        self.boots.append(now_ms)
        self._next_ms = now_ms + 100

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return [(1.0, data)]

    @property
    def next_ms(self) -> float | None:
        return self._next_ms

    def speak(self, now_ms: float) -> list[Piece]:
        self._next_ms = now_ms + 100
        return [(0.0, b"tick")]


def eventful(*events: Happening, began_ms: float = 0.0) -> tuple[Eventful, Clockwork]:
    inner = Clockwork()
    device = Eventful(inner, events, seed=1)
    device.power_on(began_ms)
    return device, inner


def hears(device: Eventful, *times_ms: float) -> list[bool]:
    return [bool(device.receive(b"?", at_ms)) for at_ms in times_ms]


def ticks_until(device: Eventful, end_ms: float) -> list[float]:
    heard = []
    while (at_ms := device.next_ms) is not None and at_ms <= end_ms:
        if device.speak(at_ms):
            heard.append(at_ms)
    return heard


def test_stuck_reader_neither_hears_nor_speaks_until_its_time_is_over() -> None:
    device, _ = eventful(Happening(what="stuck", at_s=1, for_s=0.5), began_ms=1000)
    assert hears(device, 1999, 2001, 2499, 2501) == [True, False, False, True]
    device, _ = eventful(Happening(what="stuck", at_s=1, for_s=0.5))
    assert [at_ms for at_ms in ticks_until(device, 2000) if 1000 <= at_ms < 1500] == []


def test_stuck_reader_is_cured_by_plugging_it_in_again() -> None:
    device, _ = eventful(Happening(what="stuck", at_s=1, for_s=3600))
    assert hears(device, 1500) == [False]
    device.power_on(1600)
    assert hears(device, 1700, 5000) == [True, True]


def test_times_count_from_the_first_plugging() -> None:
    device, _ = eventful(Happening(what="stuck", at_s=2, for_s=1), began_ms=5000)
    device.power_on(6500)
    assert hears(device, 6900, 7100, 8100) == [True, False, True]


def test_reboot_forgets_everything_and_is_deaf_until_it_is_up() -> None:
    device, inner = eventful(Happening(what="reboot", at_s=1, for_s=0.7))
    assert hears(device, 500, 1100, 1650, 1750) == [True, False, False, True]
    assert inner.boots == [0.0, 1700.0]
    assert ticks_until(device, 2000) == [1800.0, 1900.0, 2000.0]


def test_reboot_happens_though_nobody_asks() -> None:
    device, inner = eventful(Happening(1, "reboot", 0.7), Happening(3, "reboot", 0.7), Happening(5, "reboot", 0.7))
    ticks = ticks_until(device, 4900)
    assert inner.boots == [0.0, 1700.0, 3700.0]
    assert not [at_ms for at_ms in ticks if 1000 < at_ms < 1800]


def test_burst_has_its_own_chances_for_its_time_only() -> None:
    burst = Happening(what="burst", at_s=1, for_s=1, chances=FaultPlan(silence=1.0))
    device, _ = eventful(burst)
    assert hears(device, 900, 1500, 1999, 2001) == [True, False, False, True]


def test_a_reader_that_misreads_does_so_for_its_time_only() -> None:
    antennas = Antennas(lambda: [FieldTag("E004015306A22D70")], Behaviour(), random.Random(1))
    event = Happening(at_s=1, what="misreads", for_s=1, reading=Reading(missed=1.0))
    device = Eventful(Clockwork(), [event], 1, antennas)
    device.power_on(0.0)

    heard = []
    for at_ms in (900, 1500, 1999, 2001):
        device.receive(b"?", at_ms)
        heard.append(bool(antennas.sweep([1]).heard))

    assert heard == [True, False, False, True]


def test_a_reader_that_waits_counts_from_the_beginning_of_play() -> None:
    device = Eventful(Clockwork(), [Happening(at_s=1, what="stuck")], waits=True)
    device.power_on(0.0)

    assert hears(device, 1500) == [True]
    device.begin(5000.0)
    assert hears(device, 5500, 6500, 7500) == [True, False, True]


def test_cables_are_pulled_and_plugged_in_again_as_planned() -> None:
    both = [Happening(0.3 + 0.4 * number, "unplug", 0.05) for number in range(3)]
    plan = {"one": [Happening(0.1, "unplug", 0.4), *both], "two": both}
    server, stop, notices = ReaderServer(), threading.Event(), list[str]()
    for name in ("one", "two"):
        server.add(name, Clockwork(), LineSettings(9_600, "N"))

    def notify(sentence: str) -> None:
        notices.append(sentence)
        if len(notices) == 9:
            stop.set()

    came_back: list[str] = []
    pull_cables(server, plan, stop, notify, came_back.append)
    server.close()
    pulled, plugged = "The cable of {} is pulled, for {} s.", "The cable of {} is plugged in again."
    assert notices[0] == pulled.format("one", "0.4")
    assert notices[1:3] == [pulled.format("one", "0.05"), pulled.format("two", "0.05")]
    assert sorted(notices[3:5]) == [plugged.format("one"), plugged.format("two")]
    assert notices[5] == plugged.format("one")
    assert notices[6:8] == [pulled.format("one", "0.05"), pulled.format("two", "0.05")]
    assert len(came_back) == 4


def test_nobody_pulls_a_cable_that_no_event_names() -> None:
    server, stop, notices = ReaderServer(), threading.Event(), list[str]()
    stop.set()
    pull_cables(server, {"one": []}, stop, notices.append)
    server.close()
    assert notices == []
