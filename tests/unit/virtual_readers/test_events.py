"""Timed faults: what hangs, reboots or has a bad minute, and when it is well again."""

from __future__ import annotations

import threading
from itertools import islice

import pytest

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.cables import pull_cables
from virtual_table.readers.events import Eventful, TimedFault, happenings
from virtual_table.readers.faults import FaultPlan, Piece
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


def eventful(*events: TimedFault, began_ms: float = 0.0) -> tuple[Eventful, Clockwork]:
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


def test_events_come_in_order_and_again() -> None:
    plan = [
        TimedFault(what="stuck", at_s=5, every_s=10),
        TimedFault(what="unplug", at_s=7),
        TimedFault(what="burst", at_s=1, every_s=20),
    ]
    found = [(at_s, event.what) for at_s, event in islice(happenings(plan), 6)]
    assert found == [(1, "burst"), (5, "stuck"), (7, "unplug"), (15, "stuck"), (21, "burst"), (25, "stuck")]
    assert list(happenings([])) == []


def test_stuck_reader_neither_hears_nor_speaks_until_its_time_is_over() -> None:
    device, _ = eventful(TimedFault(what="stuck", at_s=1, for_s=0.5), began_ms=1000)
    assert hears(device, 1999, 2001, 2499, 2501) == [True, False, False, True]
    device, _ = eventful(TimedFault(what="stuck", at_s=1, for_s=0.5))
    assert [at_ms for at_ms in ticks_until(device, 2000) if 1000 <= at_ms < 1500] == []


def test_stuck_reader_is_cured_by_plugging_it_in_again() -> None:
    device, _ = eventful(TimedFault(what="stuck", at_s=1, for_s=3600))
    assert hears(device, 1500) == [False]
    device.power_on(1600)
    assert hears(device, 1700, 5000) == [True, True]


def test_times_count_from_the_first_plugging() -> None:
    device, _ = eventful(TimedFault(what="stuck", at_s=2, for_s=1), began_ms=5000)
    device.power_on(6500)
    assert hears(device, 6900, 7100, 8100) == [True, False, True]


def test_reboot_forgets_everything_and_is_deaf_until_it_is_up() -> None:
    device, inner = eventful(TimedFault(what="reboot", at_s=1, for_s=0.7))
    assert hears(device, 500, 1100, 1650, 1750) == [True, False, False, True]
    assert inner.boots == [0.0, 1700.0]
    assert ticks_until(device, 2000) == [1800.0, 1900.0, 2000.0]


def test_reboot_happens_though_nobody_asks() -> None:
    device, inner = eventful(TimedFault(what="reboot", at_s=1, for_s=0.7, every_s=2))
    ticks = ticks_until(device, 4900)
    assert inner.boots == [0.0, 1700.0, 3700.0]
    assert not [at_ms for at_ms in ticks if 1000 < at_ms < 1800]


def test_burst_has_its_own_chances_for_its_time_only() -> None:
    burst = TimedFault(what="burst", at_s=1, for_s=1, chances=FaultPlan(silence=1.0))
    device, _ = eventful(burst)
    assert hears(device, 900, 1500, 1999, 2001) == [True, False, False, True]


def test_pulling_the_cable_is_not_the_devices_business() -> None:
    device, inner = eventful(TimedFault(what="unplug", at_s=1, for_s=5))
    assert hears(device, 2000) == [True]
    assert inner.boots == [0.0]


@pytest.mark.parametrize("wrong", [{"at_s": -1}, {"at_s": 0, "for_s": 0}, {"at_s": 0, "every_s": 0}])
def test_times_that_are_none_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="greater than"):
        TimedFault(what="stuck", **wrong)


def test_an_event_concerns_every_reader_or_the_one_that_it_names() -> None:
    assert TimedFault(what="stuck", at_s=0).concerns("reader-3")
    named = TimedFault(what="stuck", at_s=0, reader="reader-3")
    assert named.concerns("reader-3")
    assert not named.concerns("reader-4")


def test_cables_are_pulled_and_plugged_in_again_as_planned() -> None:
    plan = [
        TimedFault(what="unplug", at_s=0.1, for_s=0.4, reader="one"),
        TimedFault(what="unplug", at_s=0.3, for_s=0.05, every_s=0.4),
        TimedFault(what="stuck", at_s=0.0, for_s=100),
    ]
    server, stop, notices = ReaderServer(), threading.Event(), list[str]()
    for name in ("one", "two"):
        server.add(name, Clockwork(), LineSettings(9_600, "N"))

    def notify(sentence: str) -> None:
        notices.append(sentence)
        if len(notices) == 9:
            stop.set()

    came_back: list[str] = []
    pull_cables(server, ("one", "two"), plan, stop, notify, came_back.append)
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
    pull_cables(server, ("one",), [TimedFault(what="burst", at_s=0)], stop, notices.append)
    server.close()
    assert notices == []
