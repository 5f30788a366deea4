"""A whole table is recorded, and the file alone comes to the same: rulings from the inputs, zones from the bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from betline.table_recording.reading import Recording

pytestmark = [pytest.mark.hil, pytest.mark.nightly, pytest.mark.timeout(280)]
BETLINE = [sys.executable, "-m", "betline"]


def demo(tmp_path: Path, *options: str) -> subprocess.Popen[str]:
    (tmp_path / "temporary").mkdir()
    line = [*BETLINE, "demo", "--headless", "--json", "--journal", str(tmp_path / "demo.journal")]
    return subprocess.Popen(
        [*line, "--record", str(tmp_path / "demo.mcap"), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
    )  # fmt: skip


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=220)
    assert process.returncode == 0, err
    report: dict[str, Any] = json.loads(out)
    return report


def told(*words: str) -> dict[str, Any]:
    done = subprocess.run([*BETLINE, *words, "--json"], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "status": done.returncode}


def child(process: subprocess.Popen[str], name: str) -> psutil.Process:
    for one in psutil.Process(process.pid).children(recursive=True):
        line = one.cmdline()
        if "betline.supervise" in line and line[line.index("betline.supervise") + 2] == name:
            return one
    raise AssertionError(f"{name} does not run")


def test_a_demonstration_is_recorded_and_comes_to_the_same_once_more(tmp_path: Path) -> None:
    report = finished(demo(tmp_path, "--hands", "1", "--seed", "2", "--table", "home-six"))
    file = str(tmp_path / "demo.mcap")

    verdict, again = told("replay-table", file, "--verify"), told("replay-table", file, "--verify")
    lines = told("bridge", "replay", file)

    assert verdict["ok"], verdict["difference"]
    assert verdict["compared"]["ruling"] >= report["acts"]
    assert verdict["hash"] == again["hash"]
    assert lines["status"] == 0, lines
    assert sum(one["alike"] for one in lines["readers"]) > 100
    parts = {message.channel.split("/")[1] for message in Recording(Path(file)).messages()}
    assert parts == {"bus", "camera", "controller", "journal", "serial"}
    assert told("replay-table", file, "--case", "1")["passed"]
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_recorder_and_a_controller_that_are_killed_leave_two_files_that_hold(tmp_path: Path) -> None:
    process = demo(tmp_path, "--hands", "2", "--seed", "3", "--table", "home-six")
    file, following = tmp_path / "demo.mcap", tmp_path / "demo-2.mcap"
    deadline_s = time.monotonic() + 60
    while not file.exists() or file.stat().st_size < 600_000:
        assert time.monotonic() < deadline_s
        time.sleep(0.1)
    child(process, "controller").send_signal(signal.SIGKILL)
    time.sleep(3.0)
    child(process, "record").send_signal(signal.SIGKILL)
    finished(process)

    cut, whole = told("replay-table", str(file), "--verify"), told("replay-table", str(following), "--verify")

    assert cut["cut"]
    assert cut["ok"], cut["difference"]
    assert not whole["cut"]
    assert whole["ok"], whole["difference"]
    assert whole["starts"] == 2
    assert whole["inputs"] > cut["inputs"]
