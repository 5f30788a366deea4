"""Dialogue against virtual module: what only this family does on a line, and `bridge once` on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from betline.front_door import run
from firmware_bridge.protocols.bb.family import BbFamily
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.bb import VirtualBbReader
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.server import ReaderServer

UIDS = [f"E2801160600002{number * 7919:010X}" for number in range(1, 201)]
ASKED_STOP = bytes.fromhex("BB 00 28 00 00 28 7E")


def field_of(count: int, signal: float = 1.0) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, 1, signal) for uid in UIDS[:count]]


def bench(count: int, *, bytes_per_read: int = 64, seed: int = 1, **behaviour: object) -> Bench:
    reader = VirtualBbReader(field_of(count), Behaviour(**behaviour), seed)
    return Bench.of(BbFamily(), reader, bytes_per_read=bytes_per_read)


def test_rounds_of_a_seat_take_a_second_at_most() -> None:
    one = bench(30)
    one.run(10_000)
    assert max(over.cycle_ms for over in one.rounds) < 1000


def test_tags_that_are_missed_now_and_then_are_found_by_the_second_poll() -> None:
    one = bench(10, missed=0.1)
    one.run(25_000)
    whole = sum(heard == set(UIDS[:10]) for heard in one.heard)
    assert whole > 0.8 * len(one.rounds) > 30


def test_lost_answers_are_asked_for_again() -> None:
    one = bench(2, faults=FaultPlan(silence=0.1), seed=3)
    one.run(30_000)
    assert len(one.rounds) > 50
    assert all(heard <= set(UIDS[:2]) for heard in one.heard)
    assert all(one.heard)


def test_occupied_channels_are_trouble_and_no_round() -> None:
    one = bench(4, rf_warning=1.0)
    one.run(3000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"error_20"}
    assert "channels" in one.troubles[0].sentence


def test_module_that_was_left_polling_is_stopped_first() -> None:
    reader = VirtualBbReader(field_of(5))
    one = Bench.of(BbFamily(), reader)
    one.line.write(bytes.fromhex("BB 00 27 00 03 22 FF FF 4A 7E"), 0.0)
    one.run(2000)
    assert one.sent[0] == ASKED_STOP
    assert all(heard == set(UIDS[:5]) for heard in one.heard)
    assert len(one.rounds) > 5
    assert {trouble.code for trouble in one.troubles} <= {"error_17"}


def test_module_that_lost_its_supply_in_the_middle_is_read_on() -> None:
    reader = VirtualBbReader(field_of(20))
    one = Bench.of(BbFamily(), reader)
    one.run(1050)
    reader.power_on(1050.0)
    before = len(one.rounds)
    one.run(12_000)
    assert len(one.rounds) > before + 5
    assert all(heard == set(UIDS[:20]) for heard, over in zip(one.heard, one.rounds, strict=True) if not over.warnings)


def test_tags_of_a_neighbour_are_weak() -> None:
    one = Bench.of(BbFamily(), VirtualBbReader(field_of(1, 0.2), Behaviour(neighbour=1.0)))
    one.run(500)
    assert {tag.rssi for over in one.rounds for tag in over.tags} == {-67}


def test_bridge_once_reads_a_module(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualBbReader(field_of(3, 0.5)), BbFamily().traits.line)
    assert run(["bridge", "once", "--protocol", "bb", "--port", path, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [tag["uid"] for tag in said["tags"]] == UIDS[:3]
    assert {(tag["kind"], tag["antenna"], tag["rssi"]) for tag in said["tags"]} == {("epc", None, -55)}
    assert run(["bridge", "once", "--protocol", "bb", "--port", path]) == 0
    assert capsys.readouterr().out.startswith(f"{UIDS[0]}  epc  RSSI -55\n")


def test_bridge_ports_recognises_a_module(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualBbReader(field_of(3)), BbFamily().traits.line)
    assert run(["bridge", "ports", "--json", path]) == 0
    [port] = json.loads(capsys.readouterr().out)
    assert (port["family"], port["baud"]) == ("bb", 115_200)
    assert "M100 26dBm V1.0" in port["answer"]
