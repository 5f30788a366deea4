"""Readers on pseudo-terminals for the test of a driver, as the plugin's fixtures make them."""

from collections.abc import Callable

import pytest
import serial

from firmware_bridge.once import read_once
from firmware_bridge.protocols.catalogue import family
from firmware_bridge.protocols.family import LineSettings
from tests.unit.project.imports import ROOT
from virtual_table.pytest_plugin import LabError, ReaderPort, RecordedLine
from virtual_table.readers.attended import Attended
from virtual_table.readers.faults import Piece

Readers = Callable[..., ReaderPort]
CHAFON_INFO = bytes.fromhex("04FF211995")


def test_a_virtual_reader_hears_what_the_test_lays_down(virtual_reader: Readers) -> None:
    reader = virtual_reader(protocol="feig", tags=3)
    [more] = reader.new_uids(1)
    reader.put(more)
    assert heard(reader) == set(reader.uids)
    assert len(reader.uids) == 4

    reader.take(more)
    assert more not in heard(reader)
    assert {one.way for one in reader.bytes} == {"to", "from"}


def heard(reader: ReaderPort) -> set[str]:
    found = read_once(reader.port, family(reader.protocol), LineSettings(reader.baud, reader.parity))
    return {tag.uid for tag in found.tags}


def test_a_virtual_reader_is_unplugged_and_comes_back_at_another_port(virtual_reader: Readers) -> None:
    reader = virtual_reader(protocol="chafon", tags=1)
    reader.unplug()
    with pytest.raises(serial.SerialException):
        serial.Serial(reader.port)

    with serial.Serial(reader.plug(), 57600, timeout=1.0) as line:
        line.write(CHAFON_INFO)
        assert line.read(18)[2] == 0x21


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"protocol": "sonar"}, "sonar"),
        ({"plan": {"line": {"damages": 1}}}, "damage"),
        ({"plan": "lost.toml"}, "lost.toml cannot be read"),
    ],
)
def test_a_reader_that_cannot_be_is_refused_with_a_sentence(
    virtual_reader: Readers, arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(LabError, match=sentence):
        virtual_reader(**arguments)


def test_a_tag_that_does_not_lie_there_cannot_be_taken(virtual_reader: Readers) -> None:
    with pytest.raises(LabError, match="cannot be taken"):
        virtual_reader(tags=1).take("E004015306A22D70")


def test_a_recorded_line_answers_as_it_was_recorded(recorded_line: Callable[..., RecordedLine]) -> None:
    line = recorded_line(ROOT / "tests" / "data" / "recordings" / "chafon.jsonl")

    with serial.Serial(line.port, line.baud, timeout=0.2) as port:
        port.write(CHAFON_INFO)
        assert port.read(1) == b""  # the reader of the recording did not answer at once
        port.write(CHAFON_INFO)
        assert port.read(18)[2] == 0x21
        port.write(b"\x05\xff\x69\x89\x01")
        assert port.read(1) == b""
    assert any("is not in the recording" in complaint for complaint in line.complaints)


class Echo:
    """A device that says what it hears, and counts how often it was switched on."""

    def __init__(self) -> None:
        self.starts = 0
        self.next_ms = None

    def power_on(self, now_ms: float) -> None:
        self.starts += 1

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return [(1.0, data)]

    def speak(self, now_ms: float) -> list[Piece]:
        return []


def test_a_device_that_hangs_or_reboots_is_deaf_until_it_is_over() -> None:
    echo = Echo()
    attended = Attended(echo)
    attended.power_on(0.0)
    attended.hang(100.0)
    assert attended.receive(b"a", 50.0) == []
    assert attended.receive(b"b", 100.0) == [(1.0, b"b")]

    attended.reboot(300.0)
    assert attended.receive(b"c", 200.0) == []
    assert echo.starts == 1
    assert attended.receive(b"d", 300.0) == [(1.0, b"d")]
    assert echo.starts == 2
    assert [(one.way, one.data) for one in attended.passed] == [
        ("to", b"a"), ("to", b"b"), ("from", b"b"), ("to", b"c"), ("to", b"d"), ("from", b"d"),
    ]  # fmt: skip
