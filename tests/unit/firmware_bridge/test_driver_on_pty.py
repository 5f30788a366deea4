"""The whole way on real descriptors: driver thread, pyserial, pseudo-terminal, virtual reader."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import LineError, SerialLine
from firmware_bridge.waker import Waker
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

LINE = LineSettings(115_200, "E")
UIDS = [f"E00401{number * 7919:010X}" for number in range(1, 61)]


def virtual(count: int, **behaviour: object) -> VirtualFeigReader:
    return VirtualFeigReader(lambda: [(uid, 1, 1.0) for uid in UIDS[:count]], Behaviour(**behaviour), seed=1)


@contextmanager
def driving(path: str) -> Iterator[tuple[ReaderDriver, queue.Queue[RoundOver]]]:
    rounds: queue.Queue[RoundOver] = queue.Queue()

    def hear(over: RoundOver) -> None:
        if not over.quiet:
            rounds.put(over)

    driver = ReaderDriver("one", lambda: path, LINE, ReaderLink(FeigFamily(), [Channel("seat-1")]), hear)
    driver.attend(frozenset({"seat-1"}))
    driver.start()
    try:
        yield driver, rounds
    finally:
        driver.stop()


def eventually(holds: Callable[[], bool], limit_s: float = 8.0) -> bool:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return False


def uids(over: RoundOver) -> list[str]:
    return sorted(tag.uid for tag in over.tags)


def test_chain_of_sixty_tags(server: ReaderServer) -> None:
    with driving(server.add("one", virtual(60), LINE)) as (_, rounds):
        assert uids(rounds.get(timeout=5)) == UIDS
        assert uids(rounds.get(timeout=5)) == UIDS


def test_last_byte_is_stamped_on_the_monotonic_clock_of_all_processes(server: ReaderServer) -> None:
    before = time.monotonic_ns()
    with driving(server.add("one", virtual(1), LINE)) as (_, rounds):
        over = rounds.get(timeout=5)
    assert before < over.last_byte_ns < time.monotonic_ns()


def test_unplugged_reader_comes_back_under_another_terminal(server: ReaderServer) -> None:
    with driving(server.add("one", virtual(3), LINE)) as (driver, rounds):
        rounds.get(timeout=5)
        server.unplug("one")
        assert eventually(lambda: not driver.status.is_open)
        assert driver.status.trouble is not None
        while not rounds.empty():
            rounds.get()
        assert eventually(lambda: driver.status.trouble is not None and driver.status.trouble.code == "not_there")
        assert rounds.empty()
        server.replug("one")
        assert uids(rounds.get(timeout=8)) == UIDS[:3]
        assert eventually(lambda: driver.status.health.reconnects == 1 and driver.status.trouble is None)


def test_second_opening_of_a_pty_refuses_parity_and_is_noted(server: ReaderServer) -> None:
    path = server.add("one", virtual(1), LINE)
    noted = []
    for _ in range(2):
        with driving(path) as (driver, rounds):
            rounds.get(timeout=5)
            assert eventually(lambda driver=driver: driver.status.is_open)
            noted.append(driver.status.parity_refused)
    assert noted == [False, True]


def test_bad_line_is_survived_and_counted(server: ReaderServer) -> None:
    faults = FaultPlan(garbage=0.3, damage=0.2, split=0.3)
    with driving(server.add("one", virtual(5, faults=faults), LINE)) as (driver, rounds):
        for _ in range(6):
            assert uids(rounds.get(timeout=8)) == UIDS[:5]
        assert eventually(lambda: driver.status.health.resyncs > 0)


def test_port_that_another_program_holds_is_busy(server: ReaderServer) -> None:
    path = server.add("one", virtual(1), LINE)
    line = SerialLine(path, LINE)
    with pytest.raises(LineError) as refused:
        SerialLine(path, LINE)
    line.close()
    assert refused.value.code == "busy"


@pytest.mark.parametrize(
    ("url", "code"), [("/dev/there-is-no-such-port", "not_there"), ("foo://bar", "url"), ("/etc/hostname", "open")]
)
def test_port_that_cannot_be_opened_is_explained(url: str, code: str) -> None:
    with pytest.raises(LineError) as refused:
        SerialLine(url, LINE)
    assert refused.value.code == code
    assert url in str(refused.value)


def test_url_without_a_descriptor_is_read_too() -> None:
    line = SerialLine("loop://", LINE)
    line.write(b"\x01\x02")
    assert line.read(0.5) == b"\x01\x02"
    assert line.read(0.01) == b""
    line.close()


def test_reading_is_ended_by_the_waker_and_closing_twice_is_no_error(server: ReaderServer) -> None:
    waker = Waker()
    line = SerialLine(server.add("one", virtual(1), LINE), LINE, waker)
    waker.wake()
    assert line.read(60.0) == b""
    line.close()
    line.close()
    waker.close()
    waker.wake()
