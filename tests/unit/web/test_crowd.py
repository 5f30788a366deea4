"""Many readers, slow ones and ones that take nothing: each gets the newest, and nothing piles up."""

from __future__ import annotations

import asyncio
import itertools
import socket
import time

import pytest

from table_controller.web import app, stream
from table_controller.web.channels import Channels
from tests.unit.web.serving import WAIT_S, Served, served, view

LONG = "x" * 60_000
"""A message that fills what the kernel keeps for a reader."""


def sleeper(server: Served) -> socket.socket:
    """A reader that has asked for the board and takes nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", server.port))
    line.sendall(f"GET /events/board HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    return line


def wait_until(true, within_s: float = WAIT_S) -> None:
    deadline_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


async def test_a_reader_that_comes_late_gets_the_newest_and_nothing_of_what_came_meanwhile() -> None:
    channels = Channels()
    channels.put("board", "1")
    reader = channels.follow("board")
    first = await anext(reader)
    for number in range(2, 1000):
        channels.put("board", str(number))
    second, beat = await anext(reader), asyncio.ensure_future(anext(reader))
    channels.close()

    assert b"data: 1\n" in (first or b"")
    assert b"data: 999\n" in (second or b"")
    with pytest.raises(StopAsyncIteration):
        await beat
    assert channels.readers == 0


async def test_a_reader_gets_a_beat_while_nothing_changes() -> None:
    channels = Channels()
    channels.put("board", "1")
    reader = channels.follow("board", beat_s=0.01)

    assert [await anext(reader) is None for _ in range(3)] == [False, True, True]


def test_a_reader_that_takes_nothing_holds_up_nobody_and_gets_the_newest_when_it_wakes() -> None:
    with served() as server, sleeper(server) as asleep, server.following("board") as events:
        wait_until(lambda: server.web.channels.readers == 2)
        for version in range(1, 101):
            server.says(view(version, game=LONG))
        assert events.until(100)["view"]["version"] == 100

        asleep.settimeout(WAIT_S)
        taken = b""
        while b'"version":100,' not in taken[-2 * len(LONG) :]:
            got = asleep.recv(1 << 20)
            assert got, "the stream has ended"
            taken += got
        # Of six million letters it was sent what the kernel holds for it, and then the newest.
        assert taken.count(b"\nid: ") < 20


def test_a_reader_that_leaves_is_forgotten() -> None:
    with served() as server:
        with sleeper(server):
            wait_until(lambda: server.web.channels.readers == 1)

        wait_until(lambda: server.web.channels.readers == 0)


def test_more_readers_than_there_is_room_for_are_asked_to_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MOST_READERS", 1)
    with served() as server, sleeper(server):
        wait_until(lambda: server.web.channels.readers == 1)
        status, headers, _ = server.ask("/events/board", "HEAD")

    assert (status, headers["retry-after"]) == (503, "10")
    assert server.web.refused == {"readers": 1}


def test_a_reader_that_takes_nothing_for_long_is_let_go_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stream, "TAKES_S", 0.1)
    with served() as server, sleeper(server):
        wait_until(lambda: server.web.channels.readers == 1)
        versions = itertools.count(1)

        def is_let_go() -> bool:
            """Of news that come at once it is sent the newest alone, and that the kernel holds for it."""
            server.says(view(next(versions), game=LONG))
            return server.web.refused["slow"] == 1

        wait_until(is_let_go)

        assert server.web.channels.readers == 0
        assert "let go: it comes again by itself" in caplog.text


def test_a_fault_of_the_program_is_one_line_and_the_server_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with served() as server:
        monkeypatch.setitem(server.web.files, "live.js", None)
        assert server.ask("/files/live.js")[0] == 404
        monkeypatch.setitem(server.web.files, "live.js", 7)
        assert server.ask("/files/live.js")[0] == 500

        assert server.web.refused == {"fault": 1}
        assert "please report this line" in caplog.text
        assert "Traceback" not in caplog.text
        assert server.ask("/board")[0] == 200


def test_a_server_that_ends_lets_its_readers_go() -> None:
    with served() as server:
        reader = sleeper(server)
        wait_until(lambda: server.web.channels.readers == 1)

    with reader:
        reader.settimeout(WAIT_S)
        while reader.recv(1 << 16):
            pass
