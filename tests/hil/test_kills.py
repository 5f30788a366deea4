"""Broker, controller, bridge and camera killed at random moments; `betline bench kills --full` kills a thousand."""

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.hil, pytest.mark.timeout(900)]


@pytest.mark.parametrize("kills", [4, pytest.param(50, marks=pytest.mark.nightly(every_part=True))])
def test_kills_lose_nothing_that_was_acknowledged_and_rule_nothing_twice(tmp_path, kills):
    line = [sys.executable, "-m", "betline", "bench", "kills", "--kills", str(kills), "--seed", "7", "--json"]
    run = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)["kills"]
    assert sum(found["kills"].values()) == kills
    assert (found["lost"], found["twice"], found["unequal"]) == (0, 0, 0), found["faults"]
    assert found["acknowledged_commands"] > kills // 5
    assert found["published_events"] > kills
