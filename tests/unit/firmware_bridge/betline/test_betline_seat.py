"""A reader that says which seat it is must sit there; and what it says of its health goes out on the bus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from betline.front_door import run
from betline.messages.common import Health as HealthOnTheBus
from betline.messages.common import Presence
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.betline.dialogue import BetlineDialogue
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.betline.frames import Frame
from firmware_bridge.protocols.betline.messages import Capability, Health, Hello
from firmware_bridge.schedule import Channel
from firmware_bridge.seating import Seating
from tests.unit.firmware_bridge.bench import Bench
from tests.unit.firmware_bridge.test_service import KNOWN, Listener, bridging, eventually, presence
from tests.unit.firmware_bridge.test_service_readers import outputs, with_readers
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import BetlineSetup, VirtualBetlineReader
from virtual_table.readers.betline_twin import TwinCore
from virtual_table.readers.memory import MemoryLine
from virtual_table.readers.server import ReaderServer

LINE = BetlineFamily().traits.line


@pytest.fixture
def other_ends(tmp_path: Path) -> Iterator[ReaderServer]:
    """Where other readers are plugged in under the names of those that were pulled out."""
    one = ReaderServer(tmp_path / "by-id")
    yield one
    one.close()


def reader(seat: int, antennas: int = 1) -> VirtualBetlineReader:
    setup = BetlineSetup(seat=seat, core=TwinCore)
    return VirtualBetlineReader(lambda: [(KNOWN, 1, 1.0)], Behaviour(antennas=antennas), 1, setup)


def bench(seat: int, *zones: str) -> Bench:
    channels = [Channel(zone, number if len(zones) > 1 else None) for number, zone in enumerate(zones, start=1)]
    link = ReaderLink(BetlineFamily(), channels, seating=Seating("usb:X", zones))
    return Bench(link, MemoryLine(reader(seat, len(zones)), LINE))


@pytest.mark.parametrize(
    ("seat", "zones"),
    [
        (0, ("seat-3",)),
        (3, ("seat-3",)),
        (10, ("seat-10",)),
        (3, ("pot", "seat-3")),
        (0, ("pot",)),
        (4, ("seat-1", "seat-2")),
    ],
)
def test_a_reader_that_sits_where_it_says_or_says_nothing_is_read(seat: int, zones: tuple[str, ...]) -> None:
    one = bench(seat, *zones)
    one.run(3000)
    assert len(one.rounds) > 3
    assert one.troubles == []


@pytest.mark.parametrize(
    ("seat", "zones", "meant"),
    [
        (4, ("seat-3",), "seat 3"),
        (1, ("seat-10",), "seat 10"),
        (4, ("pot", "seat-3"), "seat 3"),
        (4, ("pot", "tray"), "pot and tray"),
    ],
)
def test_a_reader_that_says_that_it_is_another_seat_gives_no_round(
    seat: int, zones: tuple[str, ...], meant: str
) -> None:
    one = bench(seat, *zones)
    one.run(5000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"wrong_seat"}
    assert one.troubles[-1].sentence == (
        f"the reader on usb:X says it is seat {seat}, the table says {meant}: swap the cables or set its straps"
    )
    health = one.link.health
    assert health.cycles == health.timeouts == health.reconnects == 0
    assert health.refusals == len(one.troubles)


@pytest.mark.nightly
def test_swapped_readers_tell_no_chips_and_the_dealer_why_until_they_are_swapped_back(
    server: ReaderServer, other_ends: ReaderServer, tmp_path: Path
) -> None:
    settings = with_readers(
        {"protocol": "betline", "antennas": outputs("seat-3")}, {"protocol": "betline", "antennas": outputs("seat-4")}
    )
    for name, seat in (("r1", 4), ("r2", 3)):
        server.add(name, reader(seat), LINE)
    with bridging(tmp_path, settings) as listener:
        for number, seat, says in ((1, 3, 4), (2, 4, 3)):
            assert eventually(lambda number=number: presence(listener, f"reader-{number}") == "stale")
            told = listener.newest(f"device/reader-{number}/status")
            assert isinstance(told, Presence)
            assert told.detail == (
                f"the reader on /dev/serial/by-id/r{number} says it is seat {says}, the table says seat {seat}: "
                "swap the cables or set its straps"
            )
        assert not listener.zone("seat-3")
        assert not listener.zone("seat-4")
        for name, seat in (("r1", 3), ("r2", 4)):
            server.unplug(name)
            other_ends.add(name, reader(seat), LINE)
        assert eventually(lambda: presence(listener, "reader-1") == presence(listener, "reader-2") == "online")
        assert eventually(lambda: bool(listener.zone("seat-3")) and bool(listener.zone("seat-4")))


def test_a_reader_of_another_seat_that_is_plugged_in_during_play_tells_nothing_more(
    server: ReaderServer, other_ends: ReaderServer, tmp_path: Path
) -> None:
    settings = with_readers({"protocol": "betline", "antennas": outputs("seat-3")})
    server.add("r1", reader(3), LINE)
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: bool(listener.zone("seat-3")))
        server.unplug("r1")
        assert eventually(lambda: presence(listener, "reader-1") == "stale")
        round_no = listener.zone("seat-3")[-1].round_no
        other_ends.add("r1", reader(4), LINE)
        assert eventually(lambda: "says it is seat 4, the table says seat 3" in detail(listener))
        assert presence(listener, "reader-1") in ("stale", "offline")
        assert listener.zone("seat-3")[-1].round_no == round_no


def detail(listener: Listener) -> str:
    told = listener.newest("device/reader-1/status")
    return told.detail if isinstance(told, Presence) else ""


def test_bridge_once_reads_a_reader_of_any_seat(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", reader(4), LINE)
    assert run(["bridge", "once", "--protocol", "betline", "--port", path]) == 0
    assert KNOWN in capsys.readouterr().out


@pytest.mark.parametrize(("temperature", "told"), [(-55, {"temperature_c": -5.5}), (0x7FFF, {})])
def test_health_is_told_by_name_and_unit_until_the_reader_boots_anew(temperature: int, told: dict[str, float]) -> None:
    dialogue = BetlineDialogue()
    assert dialogue.own_counters == {}
    health = Health(61_500, 7, 6, 5, 4, 3, 2, temperature)
    dialogue.feed(Frame(Health.TYPE, health.to_payload(), 1, 77, 1000).to_bytes(), 0.0)
    assert dialogue.own_counters == told | {
        "uptime_s": 61.5,
        "cycles": 7,
        "rf_errors": 6,
        "collisions": 5,
        "crc_errors": 4,
        "overruns": 3,
        "watchdog_resets": 2,
    }
    hello = Hello(1, 0, 1, 4, 1, 240, Capability.ISO15693, "BL-1")
    dialogue.feed(Frame(Hello.TYPE, hello.to_payload(), 1, 78, 0).to_bytes(), 0.0)
    assert dialogue.own_counters == {}
    assert dialogue.seat == 4


@pytest.mark.nightly
def test_the_firmwares_own_health_is_on_the_bus_beside_the_hosts_counters(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers({"protocol": "betline", "antennas": outputs("seat-3")}, {"antennas": outputs("seat-4")})
    server.add("r1", reader(3), LINE)

    def counters(number: int) -> dict[str, float]:
        told = listener.newest(f"device/reader-{number}/health")
        return told.counters if isinstance(told, HealthOnTheBus) else {}

    def has(uptime_s: float) -> Callable[[], bool]:
        return lambda: counters(1).get("reader_uptime_s", 0.0) > uptime_s

    with bridging(tmp_path, settings) as listener:
        assert eventually(has(0.0))
        first = counters(1)
        own = {"uptime_s", "cycles", "rf_errors", "collisions", "crc_errors", "overruns", "watchdog_resets"}
        names = {name for name in first if name.startswith("reader_")} - {"reader_temperature_c"}
        assert names == {f"reader_{name}" for name in own}
        assert {"cycles", "crc_errors", "timeouts", "cycle_ms"} <= first.keys()
        assert first["reader_cycles"] > 0
        assert eventually(has(first["reader_uptime_s"] + 1.0))
        assert not any(name.startswith("reader_") for name in counters(2))
        server.unplug("r1")
        assert eventually(lambda: "reader_uptime_s" not in counters(1))
