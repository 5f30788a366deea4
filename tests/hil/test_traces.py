"""Acts of a whole table at a collector: `betline trace` beside a table that plays."""

import os
import signal
import subprocess
import sys
import time

import pytest

from betline.broker import free_port
from tests.unit.tracing.receiver import Receiver

pytestmark = [pytest.mark.hil, pytest.mark.nightly]
WHOLE_WAY = ["last byte", "settle", "rule", "journal", "announce"]
PATIENCE_S = 200


@pytest.mark.timeout(PATIENCE_S + 100)
def test_an_act_is_followed_from_the_last_byte_to_its_announcement(tmp_path) -> None:
    broker = f"127.0.0.1:{free_port()}"
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    start = [sys.executable, "-m", "betline"]
    table = ["--table", "home-six", "--broker", broker]
    with Receiver() as receiver, (tmp_path / "log").open("wb") as log:
        demo = subprocess.Popen(
            [*start, "demo", "--headless", "--hands", "30", *table], stdout=log, stderr=log, env=environment
        )
        tracer = None
        try:
            deadline_s = time.monotonic() + PATIENCE_S
            complete: list = []
            while not complete and time.monotonic() < deadline_s and demo.poll() is None:
                time.sleep(1)
                if tracer is None or tracer.poll() is not None:
                    tracer = subprocess.Popen(
                        [*start, "trace", *table, "--to", receiver.url], stdout=log, stderr=log, env=environment
                    )
                trees = receiver.trees().values()
                complete = [one for one in trees if [part.name for part in one[1]] == WHOLE_WAY]
        finally:
            for program in (tracer, demo):
                if program is not None:
                    program.send_signal(signal.SIGTERM)
                    program.wait(20)

    assert complete, (tmp_path / "log").read_text(encoding="utf-8")
    whole, parts = complete[0]
    assert whole.attributes["betline.source"] == "chips"
    assert all(part.begin_ns <= part.end_ns for part in parts)
    took_ms = {part.name: (part.end_ns - part.begin_ns) / 1e6 for part in parts}
    print(took_ms)
    assert 0 < (whole.end_ns - whole.begin_ns) / 1e9 < 30
