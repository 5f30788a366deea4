"""What systemd hears of a program: ready once it serves, and a sign of life only while it does."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.broker import LOOPBACK, free_port
from betline.watchdog import Watchdog

READY, SIGN = "READY=1\nWATCHDOG=1", "WATCHDOG=1"


class Systemd:
    """The other end of NOTIFY_SOCKET."""

    def __init__(self, address: str) -> None:
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self.line.settimeout(0.0)
        self.environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "9000000", "WATCHDOG_PID": str(os.getpid())}

    def heard(self) -> list[str]:
        found = []
        while True:
            try:
                found.append(self.line.recv(4096).decode())
            except BlockingIOError:
                return found

    def next(self, wait_s: float) -> str:
        self.line.settimeout(wait_s)
        try:
            return self.line.recv(4096).decode()
        finally:
            self.line.settimeout(0.0)


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    address = str(tmp_path / "notify") if request.param == "path" else f"@betline-test-{os.getpid()}-{free_port()}"
    found = Systemd(address)
    yield found
    found.line.close()


def test_the_first_turn_says_ready_and_later_ones_a_sign_three_times_an_interval(systemd: Systemd) -> None:
    now_s = [100.0]
    watchdog = Watchdog(systemd.environment, lambda: now_s[0])
    assert systemd.heard() == []
    watchdog.serves()
    assert systemd.heard() == [READY]
    for _ in range(95):
        now_s[0] += 0.1
        watchdog.serves()

    assert systemd.heard() == [SIGN] * 3


def test_nothing_is_sent_while_the_loop_stands_still(systemd: Systemd) -> None:
    now_s = [0.0]
    watchdog = Watchdog(systemd.environment, lambda: now_s[0])
    watchdog.serves()
    systemd.heard()
    now_s[0] += 60

    assert systemd.heard() == []


@pytest.mark.parametrize("changed", [{"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": ""}, {"WATCHDOG_PID": "1"}])
def test_without_a_watchdog_for_this_process_only_ready_is_said(systemd: Systemd, changed: dict[str, str]) -> None:
    now_s = [0.0]
    watchdog = Watchdog({**systemd.environment, **changed}, lambda: now_s[0])
    for _ in range(10):
        now_s[0] += 10
        watchdog.serves()

    assert systemd.heard() == [READY]


def test_what_could_not_be_said_is_said_at_the_next_turn(tmp_path: Path) -> None:
    watchdog = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    watchdog.serves()
    systemd = Systemd(str(tmp_path / "notify"))
    watchdog.serves()

    assert systemd.heard() == [READY]
    systemd.line.close()


@pytest.mark.nightly
def test_the_broker_says_ready_once_it_listens(systemd: Systemd) -> None:
    port = free_port()
    broker = subprocess.Popen(
        [sys.executable, "-m", "betline", "broker", "--quiet", "--broker", f"{LOOPBACK}:{port}"],
        env={**os.environ, "NOTIFY_SOCKET": systemd.environment["NOTIFY_SOCKET"]},
    )
    try:
        assert systemd.next(30) == READY
        with socket.create_connection((LOOPBACK, port), timeout=5):
            pass
    finally:
        broker.terminate()
        broker.wait(10)
