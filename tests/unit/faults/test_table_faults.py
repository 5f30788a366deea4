"""Faults of readers and camera of a real table whose world is in the same process: how each begins and ends."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from betline.settings.load import parse
from virtual_table.camera.view_faults import SOUND, ViewFaults
from virtual_table.faults.event import FaultEvent
from virtual_table.readers.antennas import Antennas
from virtual_table.readers.attended import Attended
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import FieldTag
from virtual_table.run.table_faults import CameraFaults, ReaderFaults


class Echo(OnlyAnswers):
    """Sends back what it hears."""

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return [(0.0, data)]


class Server:
    """A server of readers that keeps which cable was pulled and plugged."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def unplug(self, name: str) -> None:
        self.done.append(f"unplug {name}")

    def replug(self, name: str) -> None:
        self.done.append(f"plug {name}")


class Bench:
    """A reader that is attended to, and what strikes it."""

    def __init__(self) -> None:
        behaviour = Behaviour(1, 0.0, 0.0)
        self.antennas = Antennas(lambda: [FieldTag("E00401503A1B2C4D", 1, 1.0)], behaviour, random.Random(1))
        self.reader = Attended(Echo(), antennas=self.antennas)
        self.server = Server()
        self.faults = ReaderFaults(self.server, {"reader-1": self.reader}, 1)  # type: ignore[arg-type]

    def answers(self) -> bool:
        return self.reader.receive(b"?", time.monotonic_ns() / 1e6 + 1) == [(0.0, b"?")]

    def reads(self) -> bool:
        return bool(self.antennas.sweep([1]).heard)


def event(what: str, **amounts: Any) -> FaultEvent:
    return parse(FaultEvent, {"what": what, "at_s": 0.0, "for_s": 600.0, **amounts}, "event")


@pytest.mark.parametrize(
    ("what", "amounts", "sound"),
    [
        ("stuck", {}, Bench.answers),
        ("reboot", {}, Bench.answers),
        ("burst", {"chances": {"silence": 1.0}}, Bench.answers),
        ("burst", {"chances": {"deaf": 1.0}}, Bench.answers),
        ("misreads", {"reading": {"missed": 1.0}}, Bench.reads),
    ],
)
def test_a_reader_has_a_fault_until_it_is_ended(
    what: str, amounts: dict[str, Any], sound: Callable[[Bench], bool]
) -> None:
    bench = Bench()
    assert sound(bench)
    _, end = bench.faults.strike("reader-1", event(what, **amounts))
    assert not sound(bench)

    end()

    assert sound(bench)


def test_a_cable_is_pulled_and_plugged_in_again() -> None:
    bench = Bench()
    what, end = bench.faults.strike("reader-1", event("unplug"))
    end()

    assert (what, bench.server.done) == ("cable reader-1", ["unplug reader-1", "plug reader-1"])


def test_faults_of_a_camera_stand_side_by_side() -> None:
    shown: list[ViewFaults] = []

    class Camera:
        def suffer(self, faults: ViewFaults) -> None:
            shown.append(faults)

    camera = CameraFaults(Camera())  # type: ignore[arg-type]
    _, dark = camera.strike("camera-1", event("camera-blocked", share=0.25))
    _, still = camera.strike("camera-1", event("camera-frozen"))
    dark()
    still()

    assert shown == [ViewFaults(covered=0.25), ViewFaults(frozen=True, covered=0.25), ViewFaults(frozen=True), SOUND]
