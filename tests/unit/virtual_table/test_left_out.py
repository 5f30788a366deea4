"""A reader that is left out keeps its port, and what lies in each zone is told to it."""

from pathlib import Path

import pytest

from betline.bus import Handler
from betline.front_door import run
from betline.messages.common import Body
from betline.messages.devices import WorldZone
from betline.settings import load_chip_set, load_table
from betline.topics import Topic
from virtual_table.run.run_table import RunFiles, runtime_table
from virtual_table.run.zones import Zones, ZoneTeller
from virtual_table.table.player_motions import push
from virtual_table.table.world import World

TABLE = load_table("home-six")


def test_a_reader_that_is_left_out_keeps_the_port_of_the_table_file(tmp_path: Path) -> None:
    written = runtime_table(TABLE, RunFiles(tmp_path), "http://127.0.0.1:1/", TABLE.chip_set, ("reader-3",))

    ports = {reader.id: reader.port for reader in written.readers}
    assert ports["reader-3"] == "/dev/serial/by-id/usb-FEIG_seat_3"
    assert ports["reader-4"] == str(tmp_path / "ports" / "reader-4")


def test_a_reader_that_there_is_not_cannot_be_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ["world", "--table", "home-six", "--dir", str(tmp_path / "world"), "--camera-port", "8099"]

    assert run([*line, "--leave-out", "reader-33"]) == 2
    assert "The table home-six has no reader reader-33; did you mean reader-3?" in capsys.readouterr().err
    assert not (tmp_path / "world").exists()


class Told:
    """A bus that keeps what is published on it."""

    def __init__(self) -> None:
        self.said: list[tuple[str, Body]] = []

    def publish(self, topic: Topic, body: Body) -> None:
        self.said.append((topic.name, body))

    def subscribe(self, kind: object, handler: Handler) -> None:
        raise AssertionError


def test_each_zone_is_told_once_and_again_when_a_chip_comes() -> None:
    world = World(TABLE, load_chip_set(TABLE.chip_set), 1)
    world.fill_stack(3, 200, 0.0)
    now = [10.0]
    bus = Told()
    teller = ZoneTeller(bus, Zones(TABLE, world), lambda: now[0])  # type: ignore[arg-type]
    teller.close()
    assert [name for name, _ in bus.said] == [antenna.zone for reader in TABLE.readers for antenna in reader.antennas]

    motion = push(world, 3, world.stack(3)[:2], 10.0)
    now[0] = motion.rest_s
    teller.tell()
    teller.tell()

    told = dict(bus.said[8:])
    assert len(bus.said) == 8 + len(told)
    lies = told["seat-3"]
    assert isinstance(lies, WorldZone)
    assert {tag.uid for tag in lies.tags if tag.signal > 0.35} == {chip.uid for chip in motion.chips}
    beside = told["seat-4"]
    assert isinstance(beside, WorldZone)
    assert {tag.uid for tag in beside.tags} == {chip.uid for chip in motion.chips}
    assert all(tag.signal < 0.35 for tag in beside.tags)
