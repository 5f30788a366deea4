"""The pseudo-terminal server: real descriptors, pace, names, unplugging."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.server import ReaderServer

FAST = LineSettings(115_200, "E")
SLOW = LineSettings(4_800, "E")


class Echo(OnlyAnswers):
    """Answers each write at once with the same bytes, and then many more."""

    def __init__(self, more: bytes = b"") -> None:
        self._more = more

    def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
        return [(0.0, data + self._more)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ReaderServer]:
    one = ReaderServer(tmp_path / "by-id")
    yield one
    one.close()


def opened(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)


def read_all(descriptor: int, count: int, limit_s: float = 5.0) -> bytes:
    data, deadline = b"", time.monotonic() + limit_s
    while len(data) < count and time.monotonic() < deadline:
        if select.select([descriptor], [], [], 0.1)[0]:
            data += os.read(descriptor, 4096)
    return data


def test_line_is_raw_before_any_host_opened_it(server: ReaderServer) -> None:
    host = opened(server.add("one", Echo(), FAST))
    os.write(host, b"\x03\x04\r\n\x11\x13\x7f")
    assert read_all(host, 7) == b"\x03\x04\r\n\x11\x13\x7f"
    os.close(host)


def test_bytes_come_no_faster_than_the_line(server: ReaderServer) -> None:
    host = opened(server.add("one", Echo(bytes(99)), SLOW))
    began = time.monotonic()
    os.write(host, b"\x01")
    assert len(read_all(host, 100)) == 100
    assert time.monotonic() - began >= 101 * 11 / 4800
    os.close(host)


def test_name_is_the_same_after_unplugging_and_the_terminal_another(server: ReaderServer, tmp_path: Path) -> None:
    path = server.add("one", Echo(), FAST)
    assert path == str(tmp_path / "by-id" / "one")
    host = opened(path)
    terminal = os.path.realpath(path)
    server.unplug("one")
    assert not os.path.lexists(path)
    with pytest.raises(OSError, match="Input/output"):
        os.write(host, b"\x01")
    assert server.replug("one") == path
    assert os.path.realpath(path) != terminal
    again = opened(path)
    os.write(again, b"\x07")
    assert read_all(again, 1) == b"\x07"
    os.close(host)
    os.close(again)


def test_host_that_comes_back_finds_the_reader_as_it_was(server: ReaderServer) -> None:
    path = server.add("one", Echo(), FAST)
    for _ in range(3):
        host = opened(path)
        os.write(host, b"\x05")
        assert read_all(host, 1) == b"\x05"
        os.close(host)


def test_bytes_that_no_host_takes_are_lost_and_counted(server: ReaderServer) -> None:
    host = opened(server.add("one", Echo(bytes(60_000)), LineSettings(4_000_000, "E")))
    os.write(host, b"\x01")
    deadline = time.monotonic() + 5.0
    while not server.lost_bytes("one") and time.monotonic() < deadline:
        time.sleep(0.02)
    assert server.lost_bytes("one") > 0
    os.close(host)


def test_two_readers_of_one_name_are_refused(server: ReaderServer) -> None:
    server.add("one", Echo(), FAST)
    with pytest.raises(ValueError, match="one"):
        server.add("one", Echo(), FAST)


def test_without_a_folder_the_path_is_the_terminal() -> None:
    server = ReaderServer()
    path = server.add("one", Echo(), FAST)
    assert path.startswith("/dev/")
    host = opened(path)
    os.write(host, b"\x09")
    assert read_all(host, 1) == b"\x09"
    os.close(host)
    server.close()
