"""Dialogue against virtual reader: what only this family does on a line, and `bridge once` on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from betline.front_door import run
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.betline.frames import Frame
from firmware_bridge.protocols.betline.messages import Field, Reboot
from firmware_bridge.schedule import Channel
from tests.unit.firmware_bridge.bad_lines import BETLINE_FAULTS
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import BetlineSetup, CoreMaker, VirtualBetlineReader
from virtual_table.readers.betline_c import FirmwareCore, has_firmware
from virtual_table.readers.betline_twin import TwinCore
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.memory import MemoryLine
from virtual_table.readers.server import ReaderServer

UIDS = [f"E0040153{number * 7919 % 65521:04X}{number:04X}" for number in range(1, 421)]
LINE = BetlineFamily().traits.line
CORES = [
    pytest.param(TwinCore, id="twin"),
    pytest.param(
        FirmwareCore,
        id="firmware",
        marks=pytest.mark.skipif(not has_firmware(), reason="no C compiler (cc, gcc or clang) is installed"),
    ),
]


def field_of(count: int, antenna: int = 1, signal: float = 1.0) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, antenna, signal) for uid in UIDS[:count]]


def reader(count: int, core: CoreMaker = TwinCore, seed: int = 1, **behaviour: object) -> VirtualBetlineReader:
    return VirtualBetlineReader(field_of(count), Behaviour(**behaviour), seed, BetlineSetup(core=core))


def bench(count: int, core: CoreMaker = TwinCore, *, bytes_per_read: int = 64, seed: int = 1, **kind: object) -> Bench:
    return Bench.of(BetlineFamily(), reader(count, core, seed, **kind), bytes_per_read=bytes_per_read)


@pytest.mark.parametrize(("count", "most_ms"), [(0, 40), (1, 45), (8, 130), (20, 280), (60, 900), (200, 2700)])
def test_a_round_takes_its_air_time_and_little_more(count: int, most_ms: float) -> None:
    one = bench(count)
    one.run(12_000)
    assert max(over.cycle_ms for over in one.rounds[1:]) < most_ms


def test_a_tray_of_two_hundred_comes_in_parts() -> None:
    one = bench(200)
    one.run(12_000)
    assert len(one.rounds) >= 4
    assert all(heard == set(UIDS[:200]) for heard in one.heard)


@pytest.mark.nightly
@pytest.mark.parametrize("air_factor", [1.0, 2.0])
def test_a_pile_of_three_hundred_is_told_whole(air_factor: float) -> None:
    one = bench(300, air_factor=air_factor)
    one.run(40_000)
    assert len(one.rounds) >= 3
    assert {over.warnings for over in one.rounds} == {()}
    assert {len(heard) for heard in one.heard} == {300}
    assert one.link.health.reconnects == one.link.health.refusals == 0


@pytest.mark.nightly
def test_more_tags_than_the_reader_holds_is_said() -> None:
    one = bench(420)
    one.run(16_000)
    assert one.rounds
    assert {over.warnings for over in one.rounds} == {("overflow", "unsettled")}
    assert {len(heard) for heard in one.heard} == {400}


@pytest.mark.nightly
def test_more_tags_than_the_reader_can_tell_apart_in_its_time_is_said() -> None:
    one = bench(300, air_factor=4.0)
    one.run(30_000)
    assert one.rounds
    assert {over.warnings for over in one.rounds} == {("overflow", "unsettled")}


def test_a_reader_that_hangs_within_a_read_is_given_up_as_one_that_hangs_before_it() -> None:
    one = bench(60)
    one.run(4_000)
    one.line = MemoryLine(reader(60, faults=FaultPlan(silence=1.0)), LINE)
    one.run(one.now_ms + 24_000)
    assert "silent" in {trouble.code for trouble in one.troubles}
    assert one.link.health.reconnects


def test_tags_are_missed_at_the_rate_that_was_set() -> None:
    one = bench(10, missed=0.05)
    one.run(120_000)
    heard = sum(map(len, one.heard)) / len(one.heard)
    assert len(one.rounds) > 500
    assert heard == pytest.approx(9.5, abs=0.2)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("faults", BETLINE_FAULTS.values(), ids=BETLINE_FAULTS)
def test_no_fault_hides_a_part_of_a_tray(faults: FaultPlan) -> None:
    one = bench(150, faults=faults, seed=3)
    one.run(60_000)
    assert len(one.rounds) > 5
    assert all(heard == set(UIDS[:150]) for heard in one.heard)


def test_garbage_costs_no_frame() -> None:
    one = bench(5, faults=FaultPlan(garbage=1.0))
    one.run(10_000)
    assert len(one.rounds) > 50
    assert one.link.health.resyncs > 100
    assert one.link.health.timeouts < 5


def test_a_disturbed_field_is_a_doubt_and_not_an_empty_seat() -> None:
    one = bench(4, rf_warning=1.0)
    one.run(3000)
    assert one.rounds
    assert {over.warnings for over in one.rounds} == {("unsettled",)}


@pytest.mark.parametrize("core", CORES)
def test_a_reader_that_lost_its_supply_is_counted_and_read_on(core: CoreMaker) -> None:
    virtual = reader(20, core)
    one = Bench.of(BetlineFamily(), virtual)
    one.run(2050)
    virtual.power_on(2050.0)
    before = len(one.rounds)
    one.run(6000)
    assert len(one.rounds) > before + 5
    assert all(heard == set(UIDS[:20]) for heard in one.heard)
    assert one.link.health.reboots == 1


def test_a_reader_that_reboots_is_counted_and_read_on() -> None:
    one = bench(20)
    one.run(2050)
    one.line.write(Frame(Reboot.TYPE, Reboot(999).to_payload()).to_bytes(), one.now_ms)
    before = len(one.rounds)
    one.run(8000)
    assert len(one.rounds) > before + 5
    assert all(heard == set(UIDS[:20]) for heard in one.heard)
    assert one.link.health.reboots == 1


def test_a_field_that_was_switched_off_is_trouble_and_no_round() -> None:
    one = bench(3)
    one.run(2000)
    one.line.write(Frame(Field.TYPE, Field(999, False).to_payload()).to_bytes(), one.now_ms)
    one.run(2500)
    before = len(one.rounds)
    one.run(5000)
    assert len(one.rounds) == before
    assert one.troubles[-1].code == "field_off"


def test_a_multiplexed_reader_serves_each_zone_by_its_antenna() -> None:
    def field() -> list[tuple[str, int, float]]:
        return [(uid, 1 + number % 3, 1.0) for number, uid in enumerate(UIDS[:9])]

    virtual = VirtualBetlineReader(field, Behaviour(antennas=3), 1, BetlineSetup(core=TwinCore))
    channels = [Channel(f"seat-{number}", number) for number in (1, 2, 3)]
    one = Bench(ReaderLink(BetlineFamily(), channels), MemoryLine(virtual, LINE))
    one.run(5000)
    for number in (1, 2, 3):
        rounds = [over for over in one.rounds if over.channel.antenna == number]
        assert len(rounds) > 10
        expected = {(uid, number) for uid in UIDS[number - 1 : 9 : 3]}
        assert all({(tag.uid, tag.antenna) for tag in over.tags} == expected for over in rounds)


def test_an_antenna_that_is_not_there_is_refused() -> None:
    one = Bench.of(BetlineFamily(), reader(3), antenna=2)
    one.run(2000)
    assert one.rounds == []
    assert one.troubles[-1].code == "bad_parameter"


@pytest.mark.parametrize("core", CORES)
def test_bridge_once_reads_it(server: ReaderServer, capsys: pytest.CaptureFixture[str], core: CoreMaker) -> None:
    path = server.add("one", VirtualBetlineReader(field_of(3, signal=0.5), None, 1, BetlineSetup(core=core)), LINE)
    for _ in range(2):
        assert run(["bridge", "once", "--protocol", "betline", "--port", path, "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert [tag["uid"] for tag in said["tags"]] == sorted(UIDS[:3])
        assert {(tag["kind"], tag["antenna"], tag["rssi"]) for tag in said["tags"]} == {("iso15693", 1, 128)}
        assert said["health"]["reboots"] == 0


def test_bridge_ports_recognises_it(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    setup = BetlineSetup(seat=4, serial="BL-0042")
    path = server.add("one", VirtualBetlineReader(field_of(3), None, 1, setup), LINE)
    assert run(["bridge", "ports", "--json", path]) == 0
    [port] = json.loads(capsys.readouterr().out)
    assert (port["family"], port["baud"]) == ("betline", 115_200)
    assert "BL-0042 on host simulation, firmware 1.0, seat 4" in port["answer"]
