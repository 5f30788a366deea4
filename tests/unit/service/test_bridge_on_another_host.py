"""The real bridge with clocks of another host, over a real broker: its readers are heard until it falls silent."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.broker import LOOPBACK
from betline.messages.table import TableState
from betline.settings import load_table
from firmware_bridge.chips.register import write_register
from firmware_bridge.protocols.family import LineSettings
from tests.other_host import HOUR_S, JUST_BOOTED_S, environment
from tests.unit.service.test_process import House, wait
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

CHIP = "E004010000000001"
SEAT = 2


@pytest.fixture
def readers(tmp_path: Path) -> Iterator[Path]:
    """The folder with the ports of the home table's readers; one red chip lies before seat 2."""
    folder = tmp_path / "by-id"
    server = ReaderServer(folder)
    for number, reader in enumerate(load_table("home-six").readers, start=1):
        tags = [(CHIP, 1, 1.0)] if number == SEAT else []
        device = VirtualFeigReader(lambda tags=tags: tags, Behaviour())
        server.add(Path(reader.port).name, device, LineSettings(reader.baud, "E"))
    yield folder
    server.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


def on_felt(state: TableState) -> int | None:
    return next((one.on_felt for one in state.seats if one.seat == SEAT), None)


def reader(state: TableState) -> str:
    return next(one.state for one in state.sensors if one.name == f"reader-{SEAT}")


@pytest.mark.nightly
@pytest.mark.parametrize("mono_s", [JUST_BOOTED_S, 7 * HOUR_S], ids=["booted-later", "booted-earlier"])
def test_its_chips_are_known_until_it_falls_silent_and_then_it_is_told(
    house: House, readers: Path, tmp_path: Path, mono_s: int
) -> None:
    write_register(tmp_path / "chips.sqlite", [(CHIP, "red-5")])
    line = ["bridge", "run", "--table", "home-six", "--broker", f"{LOOPBACK}:{house.port}"]
    files = ["--register", str(tmp_path / "chips.sqlite"), "--by-id", str(readers)]
    bridge = subprocess.Popen(
        [sys.executable, "-m", "betline", *line, *files],
        env=environment(bridge=(mono_s, -mono_s)),
        stderr=subprocess.DEVNULL,
    )
    try:
        setup = {"game": {"limit": "no-limit", "blinds": [1, 2]}, "seats": {"1": 90, "2": 80, "3": 70}, "button": 1}
        assert house.key("setup", **setup).ok
        assert wait(lambda: on_felt(house.states[-1]) == 5)
        known = len(house.states)
        wait(lambda: False, 3.0)
        assert {(on_felt(state), reader(state)) for state in house.states[known - 1 :]} == {(5, "online")}
        bridge.send_signal(signal.SIGSTOP)
        assert wait(lambda: on_felt(house.states[-1]) is None)
        assert wait(lambda: reader(house.states[-1]) in ("stale", "offline"))
    finally:
        bridge.kill()
        bridge.wait()
