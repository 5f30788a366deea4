"""The processes in which a suite plays its trials."""

import subprocess
import sys
import time
from pathlib import Path

import pytest


def line_of(pid: str) -> str:
    """The command line of a process; empty where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def workers_of(pid: int) -> list[str]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [one for one in children if "spawn_main" in line_of(one)]


@pytest.mark.nightly
def test_a_bench_that_is_ended_leaves_no_worker() -> None:
    line = [sys.executable, "-m", "betline", "bench", "sensing", "--acts", "60"]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as bench:
        while not (workers := workers_of(bench.pid)):
            assert bench.poll() is None
            time.sleep(0.05)
        bench.terminate()
    until_s = time.monotonic() + 20.0
    while any(map(line_of, workers)) and time.monotonic() < until_s:
        time.sleep(0.05)
    assert [one for one in workers if line_of(one)] == []
