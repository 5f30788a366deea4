"""What sits on a port is found without harm to anybody: families, booting boards, ports in use, ports that vanish."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from firmware_bridge import ports
from firmware_bridge.ports import locate, probe, serial_ports
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.serial_line import SerialLine
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.reader import VirtualReader
from virtual_table.readers.server import ReaderServer

LINE = LineSettings(115_200, "N")
TAGS = {"pn532": "04112233445566", "bb": "E2" * 12, "m6e": "E2" * 12, "chafon": "E2" * 12}


def device(name: str) -> VirtualReader:
    uid = TAGS.get(name, "E004010000000001")
    return virtual_reader(name, lambda: [(uid, 1, 1.0)], seed=1)


class Deaf(OnlyAnswers):
    """A board that boots for a while after the first byte that it is sent."""

    def __init__(self, name: str, boots_s: float) -> None:
        self._reader = device(name)
        self._boots_s = boots_s
        self._up_s: float | None = None

    def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
        self._up_s = self._up_s or time.monotonic() + self._boots_s
        return self._reader.receive(data, now_ms) if time.monotonic() > self._up_s else []


class Chatterer(OnlyAnswers):
    """Says something to everything, of no known family."""

    def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
        return [(1.0, b"OK\r\n")]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_found(server: ReaderServer, name: str) -> None:
    answer = probe(server.add("one", device(name), LINE))
    assert answer.family == name
    assert answer.baud in FAMILIES[name].traits.bauds
    assert answer.sentence.endswith(f"at {answer.baud} baud")


@pytest.mark.parametrize("name", FAMILIES)
def test_no_probe_harms_or_is_answered_by_a_reader_of_another_family(name: str) -> None:
    reader, wire, now_ms = device(name), FAMILIES[name], 0.0
    others = [FAMILIES[other] for other in (*FAMILIES, *reversed(FAMILIES)) if other != name]
    for other in others:
        now_ms += 150.0
        said = b"".join(piece for _, piece in reader.receive(other.probe, now_ms))
        assert other.recognise(said) is None
    now_ms += 150.0
    answer = b"".join(piece for _, piece in reader.receive(wire.probe, now_ms))
    assert wire.recognise(answer) is not None


@pytest.mark.nightly
def test_a_board_that_boots_because_it_was_opened_is_found_in_the_end(server: ReaderServer) -> None:
    answer = probe(server.add("one", Deaf("feig", 2.0), LINE))
    assert (answer.family, answer.baud) == ("feig", 38_400)


@pytest.mark.nightly
def test_what_is_no_reader_is_said_to_answer(server: ReaderServer) -> None:
    answer = probe(server.add("one", Chatterer(), LINE))
    assert answer.family is None
    assert "something answers" in answer.sentence


def test_a_port_is_opened_once_and_all_rates_are_tried(server: ReaderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    tried: list[LineSettings] = []

    class Noting(SerialLine):
        def __init__(self, url: str, settings: LineSettings) -> None:
            opened.append(url)
            super().__init__(url, settings)

        def set_line(self, settings: LineSettings) -> None:
            tried.append(settings)
            super().set_line(settings)

    monkeypatch.setattr(ports, "SerialLine", Noting)
    monkeypatch.setattr(ports, "PROBE_MS", 1.0)
    monkeypatch.setattr(ports, "LISTEN_MS", 1.0)

    class Mute(OnlyAnswers):
        def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
            return []

    path = server.add("one", Mute(), LINE)
    assert "nothing answered" in probe(path).sentence
    assert opened == [path]
    delivered = {one.traits.line for one in FAMILIES.values()}
    assert set(tried[: len(delivered)]) == set(tried[-len(delivered) :]) == delivered
    assert set(tried) == {
        LineSettings(baud, one.traits.line.parity) for one in FAMILIES.values() for baud in one.traits.bauds
    }


def test_a_port_of_our_own_bridge_is_left_alone(server: ReaderServer) -> None:
    path = server.add("one", device("feig"), LINE)
    holder = SerialLine(path, LINE)
    before = time.monotonic()
    assert "held by another program" in probe(path).sentence
    assert time.monotonic() - before < 3.0
    holder.close()


@pytest.fixture
def stranger() -> Iterator[int]:
    """Another program with a device open, which locks nothing."""
    with open("/dev/zero", "rb") as held:
        process = subprocess.Popen(["sleep", "60"], stdin=held)
    yield process.pid
    process.kill()
    process.wait()


def test_a_device_that_another_program_has_open_without_a_lock_is_not_opened(
    stranger: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "SerialLine", lambda *_: pytest.fail("it was opened"))
    assert "/dev/zero is held by sleep (process " in probe("/dev/zero").sentence


def test_a_device_with_a_lock_file_is_not_opened(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_LOCK_FOLDERS", (tmp_path,))
    (tmp_path / "LCK..ttyS77").write_text("123\n")
    monkeypatch.setattr(ports, "SerialLine", lambda *_: pytest.fail("it was opened"))
    assert "lock file LCK..ttyS77" in probe("/dev/ttyS77").sentence


def test_a_port_that_vanishes_under_the_probe_is_told(server: ReaderServer) -> None:
    class Pulled(OnlyAnswers):
        def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
            os.write(gone, b"x")
            return []

    taken, gone = os.pipe()
    path = server.add("one", Pulled(), LINE)
    puller = threading.Thread(target=lambda: (os.read(taken, 1), server.unplug("one")))
    puller.start()
    assert "is gone" in probe(path).sentence
    puller.join()
    os.close(taken)
    os.close(gone)


def test_ports_are_listed_with_their_stable_names(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_id, by_path = tmp_path / "by-id", tmp_path / "by-path"
    for folder, name in ((by_id, "usb-FTDI_1"), (by_path, "pci-0000:00:14.0-usb-0:2:1.0")):
        folder.mkdir()
        (folder / name).symlink_to("/dev/ttyUSB7")
    monkeypatch.setattr(ports, "BY_ID", by_id)
    monkeypatch.setattr(ports, "BY_PATH", by_path)
    adapters = [SimpleNamespace(device="/dev/ttyUSB7", serial_number="A5", description="FT232R")]
    monkeypatch.setattr("firmware_bridge.ports.list_ports.comports", lambda: adapters)
    [port] = serial_ports()
    assert (port.usb_serial, port.description) == ("A5", "FT232R")
    assert port.by_id == str(by_id / "usb-FTDI_1")
    assert port.by_path == str(by_path / "pci-0000:00:14.0-usb-0:2:1.0")


def test_a_name_is_taken_as_it_is_but_for_usb_serials_and_lent_folders(tmp_path) -> None:
    assert locate("socket://10.0.0.5:10001") == "socket://10.0.0.5:10001"
    assert locate("/dev/serial/by-path/x") == "/dev/serial/by-path/x"
    assert locate("/dev/serial/by-id/x", tmp_path) == str(tmp_path / "x")
