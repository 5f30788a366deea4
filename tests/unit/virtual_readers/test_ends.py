"""A virtual reader on a TCP port, and readers that speak without having been asked."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.ends import PtyEnd, TcpEnd
from virtual_table.readers.faults import Piece
from virtual_table.readers.memory import MemoryLine
from virtual_table.readers.server import ReaderServer

FAST = LineSettings(115_200, "N")
PERIOD_MS = 40.0


class Echo(OnlyAnswers):
    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return [(0.0, data)]


class Ticker:
    """Says one byte every 40 ms from its power-on, the number of the byte."""

    def __init__(self) -> None:
        self._count = 0
        self._next_ms: float | None = None

    def power_on(self, now_ms: float) -> None:
        self._count, self._next_ms = 0, now_ms + PERIOD_MS

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return []

    @property
    def next_ms(self) -> float | None:
        return self._next_ms

    def speak(self, now_ms: float) -> list[Piece]:
        self._count += 1
        self._next_ms = (self._next_ms or now_ms) + PERIOD_MS
        return [(0.0, bytes((self._count,)))]


@pytest.fixture
def served() -> Iterator[ReaderServer]:
    server = ReaderServer()
    yield server
    server.close()


def call(url: str) -> socket.socket:
    host, _, port = url.removeprefix("socket://").rpartition(":")
    connection = socket.create_connection((host.strip("[]"), int(port)), timeout=5)
    connection.settimeout(5)
    return connection


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_host_talks_over_tcp(served: ReaderServer, host: str) -> None:
    try:
        url = served.attach("one", Echo(), FAST, TcpEnd(host))
    except OSError:
        pytest.skip(f"this machine has no {host}")
    with call(url) as connection:
        connection.sendall(b"\x01\x02\x00\xff")
        assert connection.recv(4, socket.MSG_WAITALL) == b"\x01\x02\x00\xff"


def test_bytes_over_tcp_keep_the_pace_of_the_line(served: ReaderServer) -> None:
    url = served.attach("one", Echo(), LineSettings(4_800, "N"), TcpEnd("127.0.0.1"))
    with call(url) as connection:
        began_s = time.monotonic()
        connection.sendall(bytes(60))
        got = b""
        while len(got) < 60:
            got += connection.recv(64)
        assert time.monotonic() - began_s >= 2 * 60 * 10 / 4800


def test_second_host_is_hung_up_on_and_the_first_goes_on(served: ReaderServer) -> None:
    url = served.attach("one", Echo(), FAST, TcpEnd("127.0.0.1"))
    with call(url) as first:
        first.sendall(b"\x01")
        assert first.recv(1) == b"\x01"
        with call(url) as second:
            assert second.recv(1) == b""
        first.sendall(b"\x02")
        assert first.recv(1) == b"\x02"


def test_host_that_hung_up_may_call_again_at_once(served: ReaderServer) -> None:
    url = served.attach("one", Echo(), FAST, TcpEnd("127.0.0.1"))
    for number in range(1, 30):
        with call(url) as connection:
            connection.sendall(bytes((number,)))
            assert connection.recv(1) == bytes((number,))


def test_port_number_stays_over_unplugging(served: ReaderServer) -> None:
    url = served.attach("one", Echo(), FAST, TcpEnd("127.0.0.1"))
    with call(url) as connection:
        connection.sendall(b"\x01")
        assert connection.recv(1) == b"\x01"
        served.unplug("one")
        assert connection.recv(1) == b""
    with pytest.raises(OSError, match="refused"):
        call(url)
    assert served.replug("one") == url
    with call(url) as connection:
        connection.sendall(b"\x02")
        assert connection.recv(1) == b"\x02"


def test_address_that_is_taken_is_refused_and_leaves_nothing(served: ReaderServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        served.attach("one", Echo(), FAST, TcpEnd("127.0.0.1", taken.getsockname()[1]))
    assert served.add("one", Echo(), FAST).startswith("/dev/")


def test_reader_speaks_unasked_on_a_terminal_and_anew_after_plugging(served: ReaderServer, tmp_path: Path) -> None:
    path = served.attach("one", Ticker(), FAST, PtyEnd(tmp_path / "ticker"))
    for _ in range(2):
        with open(path, "rb", buffering=0, opener=lambda name, flags: os.open(name, flags | os.O_NOCTTY)) as port:
            began_s, heard = time.monotonic(), b""
            while len(heard) < 4:
                heard += port.read(1)
            assert heard == b"\x01\x02\x03\x04"
            assert 2.5 * PERIOD_MS < (time.monotonic() - began_s) * 1000 < 20 * PERIOD_MS
        served.replug("one")


def test_reader_speaks_unasked_over_tcp(served: ReaderServer) -> None:
    url = served.attach("one", Ticker(), FAST, TcpEnd("127.0.0.1"))
    with call(url) as connection:
        first = connection.recv(1)[0]
        assert connection.recv(1)[0] == first + 1


def test_reader_speaks_unasked_in_memory() -> None:
    line = MemoryLine(Ticker(), FAST)
    heard = []
    while (at_ms := line.next_ms) is not None and at_ms < 210:
        data = line.read(at_ms)
        if data:
            heard.append((round(at_ms, 2), data))
    assert [data for _, data in heard] == [b"\x01", b"\x02", b"\x03", b"\x04", b"\x05"]
    assert [at_ms for at_ms, _ in heard] == [pytest.approx(PERIOD_MS * n + FAST.byte_ms, abs=0.01) for n in range(1, 6)]


def test_what_is_asked_in_memory_comes_after_what_was_said_before() -> None:
    class Both(Ticker):
        def receive(self, data: bytes, now_ms: float) -> list[Piece]:
            return [(0.0, b"!")]

    line = MemoryLine(Both(), FAST)
    line.write(b"?", 90.0)
    said = b""
    while (at_ms := line.next_ms) is not None and at_ms < 100:
        said += line.read(at_ms)
    assert said == b"\x01\x02!"
