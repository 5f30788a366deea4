"""Parts as child processes: restarted when they die, stopped with their supervisor, however it ends."""

import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from betline import readiness, supervise
from betline.broker import free_port
from betline.options import Address, UserError
from betline.readiness import await_broker, await_controller
from betline.supervise import Supervisor
from betline.topics import Namespace


def until(condition, timeout_s=60.0):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def broker_line():
    return ["broker", "--quiet", "--broker", f"127.0.0.1:{free_port()}"]


def test_a_part_that_is_killed_is_started_again_and_it_is_said(tmp_path, broker_line):
    told = []
    with Supervisor(tmp_path, told.append) as parts:
        part = parts.start("broker", broker_line)
        first = part.process.pid
        part.process.kill()
        until(lambda: part.process is not None and part.process.pid != first)
        assert part.starts == 2
        assert "broker ended" in told[0]


def test_a_part_that_had_run_for_a_while_is_started_again_without_a_growing_pause(tmp_path, broker_line, monkeypatch):
    monkeypatch.setattr(supervise, "STEADY_S", 0.2)
    with Supervisor(tmp_path) as parts:
        part = parts.start("broker", broker_line)
        for starts in (2, 3):
            time.sleep(0.3)
            part.process.kill()
            until(lambda starts=starts: part.starts == starts and part.process is not None)
        assert part.pause_s == 2 * supervise.FIRST_PAUSE_S


def test_the_log_of_a_part_is_bounded(tmp_path, broker_line, monkeypatch):
    monkeypatch.setattr(supervise, "LOG_BYTES", 1000)
    with Supervisor(tmp_path) as parts:
        parts.start("broker", broker_line)
        log = parts.log_of("broker")
        for number in range(5):
            with log.open("ab") as part:
                part.write(f"{number}".encode() * 1001)
            until(lambda: log.stat().st_size == 0)
        assert (tmp_path / "broker.log.1").read_bytes() == b"4" * 1001


def test_a_part_that_is_killed_stays_away_for_its_time_and_is_started_again(tmp_path, broker_line):
    with Supervisor(tmp_path) as parts:
        part = parts.start("broker", broker_line)
        first, killed_s = part.process, time.monotonic()
        parts.kill("broker", 0.8)
        until(lambda: part.starts == 2)
        assert time.monotonic() - killed_s >= 0.8
        assert first.returncode == -signal.SIGKILL
        parts.kill("no such part", 0.8)
        assert part.process.poll() is None


def test_a_part_that_refuses_to_start_is_not_tried_again_and_says_why(tmp_path):
    told = []
    with Supervisor(tmp_path, told.append) as parts:
        part = parts.start("broker", ["broker", "--broker", "10.0.0.1:1883"])
        until(lambda: part.refusal is not None)
        with pytest.raises(UserError, match=r"The broker did not start: The embedded broker listens on") as caught:
            parts.check()
        assert caught.value.status == 2
        assert part.starts == 1
    assert not told


@pytest.mark.nightly
def test_waiting_ends_with_what_a_part_refused_with(tmp_path):
    address = Address("127.0.0.1", free_port())
    with Supervisor(tmp_path) as parts:
        parts.start("controller", ["controller", "--table", "nowhere"])
        for wait in (await_broker, partial(await_controller, names=Namespace("home", "oval"))):
            with pytest.raises(UserError, match=r"The controller did not start: There is no table nowhere"):
                wait(parts, address)


def test_a_part_that_was_started_wrongly_is_not_tried_again_however_late_it_says_so(tmp_path):
    with Supervisor(tmp_path) as parts:
        part = parts.start("controller", ["controller", "--table", "nowhere"])
        part.started_s -= 60.0  # a machine with much else to do
        until(lambda: part.refusal is not None or part.starts > 1)
        assert "There is no table nowhere" in part.refusal
        assert part.starts == 1


def test_a_broker_that_is_a_part_is_waited_for_longer_than_one_that_should_be_there(tmp_path, monkeypatch):
    monkeypatch.setattr(readiness, "WAIT_S", 0.1)
    port = free_port()
    with Supervisor(tmp_path) as parts:
        with pytest.raises(UserError, match="The broker did not start"):
            await_broker(parts, Address("127.0.0.1", port))
        parts.start("broker", ["broker", "--quiet", "--broker", f"127.0.0.1:{port}"])
        await_broker(parts, Address("127.0.0.1", port))


@pytest.mark.nightly
def test_waiting_ends_when_broker_and_controller_are_there(tmp_path):
    address, names = Address("127.0.0.1", free_port()), Namespace("home", "home-six")
    with Supervisor(tmp_path) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        journal = str(tmp_path / "six.journal")
        parts.start("controller", ["controller", "--table", "home-six", "--broker", str(address), "--journal", journal])
        await_controller(parts, address, names)
        assert (tmp_path / "six.journal").exists()


def test_leaving_stops_every_part(tmp_path, broker_line):
    with Supervisor(tmp_path) as parts:
        pid = parts.start("broker", broker_line).process.pid
        time.sleep(0.5)
    assert not alive(pid)


def test_a_part_that_runs_once_is_not_started_again(tmp_path):
    with Supervisor(tmp_path) as parts:
        part = parts.start("wrong", ["broker", "--broker", "nowhere:1"], once=True)
        until(lambda: part.process.poll() is not None)
        time.sleep(0.5)
        assert part.starts == 1
        assert part.process.returncode == 2
        assert "embedded broker listens" in parts.log_of("wrong").read_text()


def test_parts_end_when_their_supervisor_is_killed(tmp_path, broker_line):
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom betline.supervise import Supervisor\n"
        "with Supervisor(Path(sys.argv[1])) as parts:\n"
        "    print(parts.start('broker', sys.argv[2:]).process.pid, flush=True)\n    time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path), *broker_line], stdout=subprocess.PIPE, text=True
    )
    pid = int(parent.stdout.readline())
    time.sleep(0.5)
    assert alive(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    until(lambda: not alive(pid) or _zombie(pid))


def _zombie(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0] == "Z"
