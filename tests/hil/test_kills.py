"""Broker, controller, bridge and camera killed at random moments; `betline bench kills --full` kills a thousand."""

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.hil, pytest.mark.timeout(900)]


@pytest.mark.parametrize(
    ("kills", "at_once"), [(4, 1), pytest.param(50, 2, marks=pytest.mark.nightly(every_part=True))]
)
def test_kills_lose_nothing_that_was_acknowledged_rule_nothing_twice_and_stall_nothing(tmp_path, kills, at_once):
    asked = ["--kills", str(kills), "--at-once", str(at_once), "--seed", "7"]
    line = [sys.executable, "-m", "betline", "bench", "kills", *asked, "--json"]
    run = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)["kills"]
    assert sum(found["kills"].values()) == kills
    assert (found["lost"], found["twice"], found["unequal"], found["stalls"]) == (0, 0, 0, 0), found["faults"]
    assert 0 < found["moved_on_ms"]["p50"] <= found["moved_on_ms"]["max"] < 60_000
    assert found["acknowledged_commands"] > kills // 5
    assert found["published_events"] > kills
