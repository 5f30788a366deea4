"""A whole site on real bridged brokers and a real database: each part is struck, and every entry is recorded once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.mosquitto import needs_mosquitto

pytestmark = [pytest.mark.hil, pytest.mark.nightly, pytest.mark.timeout(280), needs_mosquitto]
PARTS = ("line", "broker of pit", "broker of the site", "recorder", "database", "controller", "history server")


def test_of_a_site_whose_parts_are_struck_one_by_one_every_entry_is_recorded_once() -> None:
    line = [sys.executable, "-m", "betline", "site", "try", "--tables", "2", "--a-pit", "1", "--minutes", "0", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)  # how late rulings are is the machine's
    found = json.loads(done.stdout)

    assert [part for part in PARTS if not any(struck.startswith(part) for struck in found["struck"])] == []
    assert found["recorded"], done.stderr
    assert found["problems"] == []
    assert found["unruled"] == 0
    assert found["rows"] > found["acts"] > 0
