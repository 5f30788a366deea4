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
