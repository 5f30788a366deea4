"""The suite `site` with its real programs: what its document has, and that no entry stays without its row."""

import json

import pytest

from betline.front_door import run
from tests.mosquitto import needs_mosquitto
from virtual_table.site import scale
from virtual_table.site.scale_report import PROGRAMS

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(300), needs_mosquitto]


def test_a_site_of_one_and_of_two_tables_is_measured_in_one_run(capsys, monkeypatch):
    monkeypatch.setattr(scale, "WATCHED_S", 5.0)
    monkeypatch.setattr(scale, "HANDS", 2)
    assert run(["bench", "site", "--tables", "1,2", "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)["site"]
    assert found["steps"] == [1, 2]
    assert found["not_measured"] == ""
    assert found["entries_timed"] > 0
    assert found["lost"] == 0
    for name in PROGRAMS:
        assert set(found["core_share_by_tables"][name]) == {"1", "2"}
        assert all(mb > 1 for mb in found["memory_mb_by_tables"][name].values())
    for name in ("p50", "p95", "p99"):
        assert all(0 < ms < 60_000 for ms in found["to_row_ms_by_tables"][name].values())
    assert found["messages_a_second_by_tables"]["2"] > found["crossing_a_second_by_tables"]["2"] > 1
    assert all(value > 1000 for way in found["site_broker_bytes_a_second_by_tables"].values() for value in way.values())
    assert found["needs"]["all_sites"]["brokers"] == 60
    assert found["light"]["bytes_an_entry"] > 200
    assert "The tables are light, all else is real." in said.err
