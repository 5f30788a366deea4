"""Dialogue against virtual reader: what only this family does on a line, and `bridge once` on a pseudo-terminal."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from betline.front_door import run
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.chafon.inventory import Layout
from firmware_bridge.protocols.feig.family import FeigFamily
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.chafon import ChafonSetup, VirtualChafonReader
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

UIDS = [f"E2801160600002{number * 7919:010X}" for number in range(1, 201)]
SETUPS = {"older": ChafonSetup(Layout.OLDER), "newer": ChafonSetup(), "tag by tag": ChafonSetup(tags_per_frame=1)}


def field_of(count: int, signal: float = 1.0) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, 1, signal) for uid in UIDS[:count]]


def bench(
    count: int, setup: ChafonSetup | None = None, *, bytes_per_read: int = 64, seed: int = 1, **behaviour: object
) -> Bench:
    reader = VirtualChafonReader(field_of(count), Behaviour(**behaviour), seed, setup)
    return Bench.of(ChafonFamily(), reader, bytes_per_read=bytes_per_read)


def test_tray_that_takes_longer_than_an_older_reader_reads_is_doubted() -> None:
    one = bench(200, ChafonSetup(Layout.OLDER))
    one.run(10_000)
    assert one.rounds
    assert {over.warnings for over in one.rounds} == {("time_overflow",)}


def suddenly(count: int, setup: ChafonSetup, air_factor: float) -> tuple[Bench, float]:
    """So many chips at once where none lay, and 16 s of it; with when they came."""
    lying: list[str] = []
    reader = VirtualChafonReader(
        lambda: [(uid, 1, 1.0) for uid in lying], Behaviour(air_factor=air_factor), setup=setup
    )
    one = Bench.of(ChafonFamily(), reader)
    one.run(4_000)
    at_ms, one.rounds = one.now_ms, []
    lying += [f"E2801160600002{number * 7919:010X}" for number in range(1, count + 1)]
    one.run(at_ms + 16_000)
    return one, at_ms


LONG = ChafonSetup(Layout.OLDER, scan_time=60)


@pytest.mark.parametrize(
    ("count", "setup", "air_factor", "read_ms"),
    [
        (120, ChafonSetup(), 2.0, 1_900),
        pytest.param(300, ChafonSetup(), 1.0, 2_700, marks=pytest.mark.nightly),
        pytest.param(300, LONG, 1.0, 2_700, marks=pytest.mark.nightly),
        pytest.param(300, LONG, 2.0, 4_500, marks=pytest.mark.nightly),
    ],
)
def test_a_pile_is_read_in_its_first_round_and_the_reader_is_not_given_up(
    count: int, setup: ChafonSetup, air_factor: float, read_ms: float
) -> None:
    one, at_ms = suddenly(count, setup, air_factor)
    first = next(over for over in one.rounds if over.tags)
    assert len({tag.uid for tag in first.tags}) == count
    assert first.last_byte_ns / 1e6 - at_ms < read_ms
    assert one.link.health.timeouts == one.link.health.reconnects == one.link.health.refusals == 0
    assert {trouble.code for trouble in one.troubles} <= {"late", "crowded"}


@pytest.mark.nightly
def test_a_newer_reader_whose_time_was_up_is_given_more_of_it_until_it_tells_all() -> None:
    one, _ = suddenly(300, ChafonSetup(), 2.0)
    told = [(len({tag.uid for tag in over.tags}), over.warnings) for over in one.rounds if over.tags]
    assert told[0][0] < told[1][0] < told[2][0] == 300
    assert [warnings for _, warnings in told[:3]] == [("time_overflow",), ("time_overflow",), ()]


def test_a_reader_that_hangs_is_said_to_be_late_after_a_second_and_then_to_be_silent() -> None:
    one = bench(8)
    one.run(4_000)
    one.line.write = lambda data, now_ms: None  # type: ignore[method-assign]
    at_ms = one.now_ms
    one.run(at_ms + 1_100)
    assert {trouble.code for trouble in one.troubles} == {"late"}
    one.run(at_ms + 12_000)
    assert "silent" in {trouble.code for trouble in one.troubles}
    assert one.link.health.reconnects


def test_late_answer_is_never_the_next_rounds_answer() -> None:
    there = list(UIDS[:2])
    faults = FaultPlan(late=0.3, late_ms=2500.0)
    one = Bench.of(
        ChafonFamily(), VirtualChafonReader(lambda: [(uid, 1, 1.0) for uid in there], Behaviour(faults=faults))
    )
    one.run(20_000)
    there.clear()
    one.run(24_000)
    before = len(one.rounds)
    one.run(60_000)
    assert len(one.rounds) > before + 10
    assert one.heard[before:] == [set()] * (len(one.rounds) - before)
    assert one.link.health.late_replies > 0


def test_each_antenna_is_read_for_its_own_zone() -> None:
    def tags() -> list[tuple[str, int, float]]:
        return [(UIDS[number], number // 2 + 1, 0.5) for number in range(8)]

    one = Bench.of(ChafonFamily(), VirtualChafonReader(tags, Behaviour(antennas=4)), antenna=3)
    one.run(1000)
    assert one.heard == [set(UIDS[4:6])] * len(one.rounds) != []
    assert {(tag.antenna, tag.rssi) for over in one.rounds for tag in over.tags} == {(3, 128)}


@pytest.mark.parametrize("layout", Layout)
def test_reader_in_active_mode_is_read_with_a_doubt(layout: Layout) -> None:
    one = bench(5, ChafonSetup(layout, active=True))
    one.run(10_000)
    assert len(one.rounds) > 8
    assert {over.warnings for over in one.rounds} == {("active_mode",)}
    assert all(heard == set(UIDS[:5]) for heard in one.heard)


def test_poor_communication_is_trouble_and_no_round() -> None:
    one = bench(4, rf_warning=1.0)
    one.run(3000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"status_fa"}


def test_a_feig_reader_on_the_port_is_no_chafon_reader_and_the_other_way_round() -> None:
    wrong = Bench.of(ChafonFamily(), VirtualFeigReader(lambda: [("E004015306A22D70", 1, 1.0)]))
    wrong.run(10_000)
    swapped = Bench.of(FeigFamily(), VirtualChafonReader(field_of(3)))
    swapped.run(10_000)
    assert wrong.rounds == swapped.rounds == []
    assert {trouble.code for trouble in (*wrong.troubles, *swapped.troubles)} == {"silent"}


@pytest.mark.parametrize("layout", Layout)
def test_bridge_once_reads_a_reader(layout: Layout, server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    reader = VirtualChafonReader(field_of(3, 0.5), setup=ChafonSetup(layout))
    path = server.add("one", reader, ChafonFamily().traits.line)
    assert run(["bridge", "once", "--protocol", "chafon", "--port", path, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [tag["uid"] for tag in said["tags"]] == UIDS[:3]
    told = {(tag["kind"], tag["antenna"], tag["rssi"]) for tag in said["tags"]}
    assert told == {("epc", 1, 128) if layout is Layout.NEWER else ("epc", None, None)}
    assert run(["bridge", "once", "--protocol", "chafon", "--port", path]) == 0
    heard = "  antenna 1, RSSI 128" if layout is Layout.NEWER else ""
    assert capsys.readouterr().out.startswith(f"{UIDS[0]}  epc{heard}\n")


def test_bridge_ports_recognises_a_reader(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualChafonReader(field_of(3)), ChafonFamily().traits.line)
    assert run(["bridge", "ports", "--json", path]) == 0
    [port] = json.loads(capsys.readouterr().out)
    assert (port["family"], port["baud"]) == ("chafon", 57_600)
    assert "model 0C" in port["answer"]
