"""Dialogue against virtual chip: what only this family does on a line, and `bridge once` on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from betline.front_door import run
from firmware_bridge.protocols.pn532.family import Pn532Family
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.pn532 import Pn532Setup, VirtualPn532Reader
from virtual_table.readers.server import ReaderServer

UIDS = [f"04{number * 7919:012X}" for number in range(1, 101)]
BADGES = ["012E3D4C5B6A7988", "012E3D4C5B6A7989"]


def field_of(count: int) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, 1, 1.0) for uid in UIDS[:count]]


def bench(
    count: int, *, bytes_per_read: int = 64, seed: int = 1, setup: Pn532Setup | None = None, **behaviour: object
) -> Bench:
    reader = VirtualPn532Reader(field_of(count), Behaviour(**behaviour), seed, setup)
    return Bench.of(Pn532Family(), reader, bytes_per_read=bytes_per_read)


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
