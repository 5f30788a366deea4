"""The fixtures of the pytest plugin with the real programs, and with readers of somebody else."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from betline.bus import Received
from betline.joining import join
from betline.messages.devices import WorldZone
from betline.supervise import child_line
from betline.topics import WORLD_ZONE, Namespace
from firmware_bridge.protocols.catalogue import family
from tests.mosquitto import needs_mosquitto
from tests.unit.project.imports import ROOT
from virtual_table.pytest_plugin import BrokerProgram, ControllerProgram, LabError, Table
from virtual_table.pytest_plugin.foreign import ForeignPort
from virtual_table.pytest_plugin.programs import start_broker
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.ends import TcpEnd
from virtual_table.readers.field import FieldTag
from virtual_table.readers.server import ReaderServer

EXAMPLE = ROOT / "examples" / "own_reader_project"
THREE = {1: 10_000, 2: 10_000, 3: 10_000}
pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]


@pytest.mark.nightly
@pytest.mark.betline(live=True, seats=THREE)
def test_a_bet_is_ruled_on_and_a_reader_and_a_controller_that_fail_come_back(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)
    table.seat(3).says("raise")
    table.expect(ruling="none", alerts="amount-pending")
    table.seat(3).pushes(500, 100)
    table.expect(ruling="raise", to=600, next=1, announce="call 550")
    assert "the last bytes of the reader of seat-3" in table.told()

    table.faults.unplug("reader-1", for_s=3.0)
    table.expect(alerts="reader-down")
    table.faults.kill("controller")
    assert table.clock.until(lambda: not any(one.code == "reader-down" for one in table.state.alerts), within_s=30)
    table.seat(1).calls()
    table.expect(ruling="call", to=600, within_s=20)


@pytest.mark.nightly
@pytest.mark.betline(live=True, camera=True, seats=THREE)
def test_frames_are_watched_and_a_covered_camera_is_told(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)
    table.seat(3).calls()
    table.expect(ruling="call")
    table.seat(1).pushes([100], [500])
    table.expect(ruling="call", to=100, alerts="string-bet", next=2)

    table.faults.camera_black(for_s=4.0)
    table.expect(alerts="camera-down", within_s=20)


@pytest.mark.nightly
@pytest.mark.betline(live=True, seats=THREE)
def test_a_reader_that_reboots_in_the_middle_of_a_bet_is_asked_again(virtual_table: Table) -> None:
    virtual_table.next_hand(button=3)
    virtual_table.faults.reboot("reader-3", for_s=1.5)
    virtual_table.seat(3).pushes(500)
    virtual_table.expect(ruling="call", to=100, returned=400, within_s=25)


@pytest.mark.nightly
@pytest.mark.betline(live=True, seats=THREE, faults="[reading]\nmissed = 0.1\n[line]\nsplit = 0.1")
def test_every_fault_of_a_plan_strikes_a_live_table_and_passes(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)

    table.faults.begin("misreads", "reader-3", for_s=5, reading={"missed": 1.0})
    table.seat(3).pushes(500)
    table.expect_no_ruling(for_s=0.5)
    table.expect(ruling="call", to=100, returned=400, within_s=25)

    table.faults.begin("broker-away", for_s=2)
    assert table.clock.until(lambda: not table._way.link.there, within_s=2)
    assert table.clock.until(lambda: table._way.link.there, within_s=30)

    table.faults.begin("latency", for_s=5, latency_ms=60)
    table.faults.play("[[events]]\nwhat = 'disk-full'\nat_s = 0\nfor_s = 6")
    table.seat(1).calls()
    table.expect(alerts="journal-failed", within_s=5)
    table.expect(ruling="call", to=100, within_s=40)


@pytest.mark.nightly
def test_a_real_controller_takes_commands_on_a_real_broker(betline_controller: ControllerProgram) -> None:
    reply = betline_controller.keys("sit-down", seat=3, stack=5000)
    assert reply.ok
    betline_controller.kill()
    assert betline_controller.keys("sit-down", seat=4, stack=7000).ok
    there = {3: 5000, 4: 7000}  # the state that a start tells comes before that of the command
    assert betline_controller.wait(
        lambda: {seat.seat: seat.stack for seat in betline_controller.state.seats if seat.stack} == there
    )


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[BrokerProgram]:
    from contextlib import ExitStack

    with ExitStack() as closing:
        yield start_broker("mosquitto", tmp_path, closing)


@needs_mosquitto
@pytest.mark.nightly
def test_the_broker_may_be_a_mosquitto(mosquitto: BrokerProgram) -> None:
    bus = join(mosquitto.address, Namespace("lab", "any"), "console")
    try:
        assert bus.connected
    finally:
        bus.close()


@pytest.mark.nightly
def test_the_example_project_passes_live_and_over_a_reader_that_hears_its_zone_on_the_bus(
    betline_broker: BrokerProgram, tmp_path: Path
) -> None:
    line = [sys.executable, "own_reader.py", "--broker", betline_broker.url, "--zone", "seat-3"]
    with subprocess.Popen(line, cwd=EXAMPLE, stdout=subprocess.PIPE, text=True) as reader:
        try:
            assert reader.stdout is not None
            port = reader.stdout.readline().strip()
            options = ["--betline-broker", betline_broker.url, "--betline-port", f"seat-3={port},protocol=chafon"]
            tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/test_house_rules.py", *options]
            run = subprocess.run(tests, cwd=EXAMPLE, capture_output=True, text=True, check=False)
        finally:
            reader.terminate()
    assert run.returncode == 0, run.stdout
    assert "3 passed" in run.stdout


@pytest.mark.nightly
def test_a_world_leaves_a_reader_out_tells_its_zone_and_writes_the_table(
    betline_broker: BrokerProgram, tmp_path: Path
) -> None:
    table = tmp_path / "table.toml"
    line = [
        "world", "--broker", betline_broker.url, "--id", "left-out", "--dir", str(tmp_path / "world"), "--camera-port",
        "18099", "--leave-out", "reader-3", "--write-table", str(table), "--table", "home-six",
    ]  # fmt: skip
    heard: dict[str, WorldZone] = {}

    def hear(received: Received) -> None:
        assert isinstance(received.body, WorldZone)
        heard[received.topic.name] = received.body

    bus = join(betline_broker.address, Namespace("home", "left-out"), "console")
    bus.subscribe(WORLD_ZONE, hear)
    with subprocess.Popen(child_line(line)) as world:
        try:
            assert _until(lambda: "tray" in heard)
        finally:
            world.terminate()
            bus.close()
    ports = {reader["id"]: reader["port"] for reader in tomllib.loads(table.read_text(encoding="utf-8"))["readers"]}
    assert ports["reader-3"] == "/dev/serial/by-id/usb-FEIG_seat_3"
    assert ports["reader-4"] == str(tmp_path / "world" / "ports" / "reader-4")
    assert heard["seat-3"].tags == ()
    assert len(heard["tray"].tags) > 10


def _until(holds: Callable[[], bool], within_s: float = 60.0) -> bool:
    from virtual_table.play.clock import HostClock
    from virtual_table.pytest_plugin.clock import Clock

    return Clock(HostClock()).until(holds, within_s)


@pytest.fixture
def over_tcp(betline_ports: dict[str, ForeignPort]) -> Iterator[list[Table]]:
    """A reader of somebody else behind a serial server, in the place of seat 3's; it reads at the table put in here."""
    tables: list[Table] = []

    def field() -> tuple[FieldTag, ...]:
        return tuple(FieldTag(tag.uid, 1, tag.signal) for table in tables for tag in table.zone("seat-3"))

    server = ReaderServer()
    end = TcpEnd("127.0.0.1")
    server.attach("away", virtual_reader("feig", field, Behaviour(1), 1), family("feig").traits.line, end)
    betline_ports["seat-3"] = ForeignPort(end.address, "feig")
    yield tables
    server.close()


@pytest.mark.nightly
@pytest.mark.betline(live=True, seats=THREE)
def test_a_reader_behind_a_serial_server_takes_a_place_by_its_url(
    over_tcp: list[Table], request: pytest.FixtureRequest
) -> None:
    table: Table = request.getfixturevalue("virtual_table")
    over_tcp.append(table)
    table.next_hand(button=3)
    table.seat(3).pushes(500, 100)
    table.expect(ruling="raise", to=600, next=1)

    with pytest.raises(LabError, match="--betline-port"):
        table.replace_reader("reader-1", "socket://127.0.0.1:1")
