"""Dialogue against virtual module: what only this family does on a line, and `bridge once` on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from betline.front_door import run
from firmware_bridge.protocols.m6e.family import M6eFamily
from firmware_bridge.protocols.m6e.status import Status
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.m6e import M6eSetup, VirtualM6eReader
from virtual_table.readers.server import ReaderServer

UIDS = [f"E2801160600002{number * 7919:010X}" for number in range(1, 201)]


def field_of(count: int, signal: float = 1.0) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, 1, signal) for uid in UIDS[:count]]


def bench(
    count: int, *, bytes_per_read: int = 64, seed: int = 1, setup: M6eSetup | None = None, **behaviour: object
) -> Bench:
    reader = VirtualM6eReader(field_of(count), Behaviour(**behaviour), seed, setup)
    return Bench.of(M6eFamily(), reader, bytes_per_read=bytes_per_read)


def test_two_hundred_tags_of_a_tray_are_found() -> None:
    one = bench(200)
    one.run(30_000)
    assert len(one.rounds) > 3
    assert all(heard == set(UIDS) for heard, over in zip(one.heard, one.rounds, strict=True) if not over.warnings)
    assert sum(heard == set(UIDS) for heard in one.heard) > 0.9 * len(one.rounds)


def test_antennas_are_read_one_at_a_time() -> None:
    tags = [(uid, 1 + number % 2, 1.0) for number, uid in enumerate(UIDS[:10])]
    one = Bench.of(M6eFamily(), VirtualM6eReader(lambda: tags, Behaviour(antennas=2)), antenna=2)
    one.run(2000)
    assert all(heard == set(UIDS[1:10:2]) for heard in one.heard)
    assert {tag.antenna for over in one.rounds for tag in over.tags} == {2}


def test_antenna_that_is_not_connected_is_trouble_and_no_round() -> None:
    one = Bench.of(M6eFamily(), VirtualM6eReader(field_of(3)), antenna=4)
    one.run(2000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"status_0105"}


@pytest.mark.parametrize(("ailment", "words"), [(Status.TOO_HOT, "cool"), (Status.RETURN_LOSS, "antenna")])
def test_module_that_ails_is_trouble_and_no_round(ailment: Status, words: str) -> None:
    one = bench(4, setup=M6eSetup(ailment=ailment))
    one.run(3000)
    assert one.rounds == []
    assert words in one.troubles[0].sentence


def test_disturbed_field_costs_a_round_and_no_more() -> None:
    one = bench(4, rf_warning=0.1)
    one.run(20_000)
    assert len(one.rounds) > 50
    assert all(heard == set(UIDS[:4]) for heard in one.heard)
    assert {trouble.code for trouble in one.troubles} == {"status_0505"}


@pytest.mark.parametrize("count", [0, 5, 40])
def test_module_that_was_left_pushing_is_stopped(count: int) -> None:
    one = bench(count, setup=M6eSetup(is_pushing=True))
    one.run(10_000)
    assert len(one.rounds) > 5
    assert all(heard == set(UIDS[:count]) for heard in one.heard)


def test_module_in_its_bootloader_is_started() -> None:
    one = bench(5, setup=M6eSetup(in_bootloader=True))
    one.run(2000)
    assert len(one.rounds) > 5
    assert one.troubles == []


def test_module_that_lost_its_supply_in_the_middle_is_set_up_and_read_on() -> None:
    reader = VirtualM6eReader(field_of(20))
    one = Bench.of(M6eFamily(), reader)
    one.run(1050)
    reader.power_on(1050.0)
    before = len(one.rounds)
    one.run(12_000)
    assert len(one.rounds) > before + 5
    assert all(heard == set(UIDS[:20]) for heard in one.heard)


def test_tags_of_a_neighbour_are_weak() -> None:
    one = Bench.of(M6eFamily(), VirtualM6eReader(field_of(1, 0.2), Behaviour(neighbour=1.0)))
    one.run(500)
    assert {tag.rssi for over in one.rounds for tag in over.tags} == {-67}


def test_bridge_once_reads_a_module(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualM6eReader(field_of(3, 0.5)), M6eFamily().traits.line)
    assert run(["bridge", "once", "--protocol", "m6e", "--port", path, "--antenna", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [tag["uid"] for tag in said["tags"]] == UIDS[:3]
    assert {(tag["kind"], tag["antenna"], tag["rssi"]) for tag in said["tags"]} == {("epc", 1, -55)}


def test_bridge_ports_recognises_a_module(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualM6eReader(field_of(3)), M6eFamily().traits.line)
    assert run(["bridge", "ports", "--json", path]) == 0
    [port] = json.loads(capsys.readouterr().out)
    assert (port["family"], port["baud"]) == ("m6e", 115_200)
    assert "hardware 30.00.00.02" in port["answer"]


def test_a_search_for_a_pile_is_awaited_for_as_long_as_it_was_told_to_last() -> None:
    lying: list[str] = []
    one = Bench.of(M6eFamily(), VirtualM6eReader(lambda: [(uid, 1, 1.0) for uid in lying], Behaviour(), 1))
    one.run(4_000)
    lying += [f"E2801160600002{number * 7919:010X}" for number in range(1, 121)]
    one.run(9_000)
    assert len(one.heard[-1]) == 120
    assert one.link.health.timeouts == 0
    assert not one.troubles
