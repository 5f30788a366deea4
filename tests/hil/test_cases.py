"""Cases through real processes: pseudo-terminals, bridge, drawn frames, broker, controller; the same must hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cases.all_cases import FOLDER

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]


def test_a_sample_of_the_cases_passes_in_real_time(tmp_path: Path) -> None:
    junit = tmp_path / "cases.xml"
    words = ["cases", "--through", "hil", "--json", "--shard", "1/250", "--junit", str(junit), str(FOLDER)]

    done = subprocess.run(
        [sys.executable, "-m", "betline", *words], capture_output=True, text=True, timeout=220, check=False
    )

    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(results) > 4
    assert all(result["passed"] for result in results)
    (suite,) = ElementTree.parse(junit).getroot()
    assert len(suite) == len(results)
    assert all(float(case.get("time", "0")) > 0.5 for case in suite)


STORY = """\
- id: %s
  game: {limit: no-limit, blinds: [50, 100]}
  house: {profile: tda}
  button: 3
  seats: {1: 9000, 2: 9000, 3: 9000}
  start: {street: flop, pot: 300}
  play:
    - {seat: 1, chips: [500]}
    - expect: {ruling: bet, to: 500, next: 2}
"""
PLAN = """\
[[events]]
what = "unplug"
on = "reader-1"
at_s = 0.1
for_s = 600

[[events]]
what = "latency"
at_s = 0
latency_ms = 20
"""


@pytest.mark.nightly
def test_a_real_table_asks_where_a_cable_is_out_in_each_case_anew(tmp_path: Path) -> None:
    cases, plan = tmp_path / "cases.yaml", tmp_path / "plan.toml"
    cases.write_text(STORY % "first" + STORY % "second", encoding="utf-8")
    plan.write_text(PLAN, encoding="utf-8")
    words = ["cases", "--through", "hil", "--faults", str(plan), "--json", str(cases)]

    done = subprocess.run(
        [sys.executable, "-m", "betline", *words], capture_output=True, text=True, timeout=220, check=False
    )

    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(one["passed"], one["asked"], one["failures"]) for one in results] == [(False, True, [])] * 2
    assert all("reader-1 is " in one["why"] for one in results)
