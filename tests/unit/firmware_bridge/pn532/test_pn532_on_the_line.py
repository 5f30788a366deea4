"""Dialogue against virtual chip: on a line in memory with every fault, and `bridge once` on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from betline.front_door import run
from firmware_bridge.protocols.pn532.family import Pn532Family
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.pn532 import Pn532Setup, VirtualPn532Reader
from virtual_table.readers.server import ReaderServer

UIDS = [f"04{number * 7919:012X}" for number in range(1, 101)]
BADGES = ["012E3D4C5B6A7988", "012E3D4C5B6A7989"]


def field_of(count: int) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, 1, 1.0) for uid in UIDS[:count]]


def bench(
    count: int, *, bytes_a_read: int = 64, seed: int = 1, setup: Pn532Setup | None = None, **behaviour: object
) -> Bench:
    reader = VirtualPn532Reader(field_of(count), Behaviour(**behaviour), seed, setup)
    return Bench.of(Pn532Family(), reader, bytes_a_read=bytes_a_read)


@pytest.mark.parametrize("bytes_a_read", [1, 7, 4096])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 30, 60])
def test_every_round_finds_every_card_however_the_bytes_come(count: int, bytes_a_read: int) -> None:
    one = bench(count, bytes_a_read=bytes_a_read)
    one.run(5000)
    assert len(one.rounds) >= 5
    assert all(heard == set(UIDS[:count]) for heard in one.heard)
    assert not any(over.warnings for over in one.rounds)
    assert one.troubles == []
    health = one.link.health
    assert health.timeouts == health.late_replies == health.dropped_bytes == 0


def test_card_that_was_taken_away_is_not_in_the_next_round() -> None:
    there = list(UIDS[:3])
    one = Bench.of(Pn532Family(), VirtualPn532Reader(lambda: [(uid, 1, 1.0) for uid in there]))
    one.run(1000)
    assert one.heard[-1] == set(UIDS[:3])
    there.pop()
    before = len(one.rounds)
    one.run(2000)
    assert all(heard == set(UIDS[:2]) for heard in one.heard[before + 1 :])
    assert len(one.rounds) > before + 5


def test_cards_and_badges_together() -> None:
    tags = [(uid, 1, 1.0) for uid in (*UIDS[:3], *BADGES, "E004015306A22D70", "30751FEB705C5904E3D50D70")]
    one = Bench.of(Pn532Family(), VirtualPn532Reader(lambda: tags))
    one.run(30_000)
    seen = set().union(*one.heard)
    assert seen == {*UIDS[:3], *BADGES}
    assert all(set(UIDS[:3]) <= heard for heard in one.heard)
    assert sum(heard == seen for heard in one.heard) > 0.9 * len(one.rounds) > 50


def test_sleepless_card_makes_each_round_doubtful_and_hides_nothing() -> None:
    one = bench(6, setup=Pn532Setup(sleepless=frozenset(UIDS[:1])))
    one.run(3000)
    assert len(one.rounds) > 5
    assert all(heard == set(UIDS[:6]) for heard in one.heard)
    assert {over.warnings for over in one.rounds} == {("not_asleep",)}


NASTY = {
    "garbage": FaultPlan(garbage=0.1),
    "damage": FaultPlan(damage=0.03),
    "truncate": FaultPlan(truncate=0.02),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "silence": FaultPlan(silence=0.01),
    "late": FaultPlan(late=0.005, late_ms=600.0),
    "all": FaultPlan(garbage=0.05, damage=0.02, truncate=0.01, split=0.3, late=0.001, silence=0.002),
}


@pytest.mark.parametrize("faults", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize("count", [0, 2, 30])
def test_no_fault_of_the_line_invents_or_hides_a_card(count: int, faults: FaultPlan) -> None:
    one = bench(count, faults=faults, bytes_a_read=7, seed=5)
    one.run(60_000)
    assert len(one.rounds) > 10
    assert all(heard == set(UIDS[:count]) for heard in one.heard)


def test_silent_chip_gives_no_round() -> None:
    one = bench(8, faults=FaultPlan(silence=1.0))
    one.run(20_000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"silent"}


def test_chip_that_lost_its_supply_in_the_middle_is_woken_and_read_on() -> None:
    reader = VirtualPn532Reader(field_of(20))
    one = Bench.of(Pn532Family(), reader)
    one.run(1050)
    reader.power_on(1050.0)
    before = len(one.rounds)
    one.run(12_000)
    assert len(one.rounds) > before + 5
    assert all(heard == set(UIDS[:20]) for heard in one.heard)


def test_search_that_an_earlier_host_left_without_end_is_ended() -> None:
    reader = VirtualPn532Reader(field_of(0))
    one = Bench.of(Pn532Family(), reader)
    one.line.write(bytes.fromhex("55 55 00 00 00 00 FF 04 FC D4 4A 01 00 E1 00"), 0.0)
    one.run(1000)
    assert one.heard
    assert not any(one.heard)


def test_bridge_once_reads_a_chip(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualPn532Reader(field_of(5)), Pn532Family().traits.line)
    assert run(["bridge", "once", "--protocol", "pn532", "--port", path, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [tag["uid"] for tag in said["tags"]] == UIDS[:5]
    assert {(tag["kind"], tag["antenna"], tag["rssi"]) for tag in said["tags"]} == {("iso14443a", None, None)}


def test_bridge_ports_recognises_a_chip(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualPn532Reader(field_of(3)), Pn532Family().traits.line)
    assert run(["bridge", "ports", "--json", path]) == 0
    [port] = json.loads(capsys.readouterr().out)
    assert (port["family"], port["baud"]) == ("pn532", 115_200)
    assert "firmware 1.6" in port["answer"]
