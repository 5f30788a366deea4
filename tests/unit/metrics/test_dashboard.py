"""The dashboard and the alert rules speak of metrics that there are."""

import re
import shutil
import subprocess

import pytest

from betline.metrics import names
from tests.unit.metrics import dashboard
from tests.unit.metrics.dashboard import ROOT

ALL = [*names.HEALTH.values(), *names.BY_PREFIX.values(), *names.TIMINGS.values()]
ALL += [one for one in vars(names).values() if type(one).__name__ == "Metric"]
ENDINGS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}
SERVED = {metric.name + ending for metric in ALL for ending in ENDINGS[metric.kind]}
OF_PROCESS = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"}


def metrics_in(text: str) -> set[str]:
    return set(re.findall(r"\b(?:(?:betline|process)_[a-z_]+|up)\b", text))


def test_the_data_source_is_chosen_by_a_variable_and_all_panels_use_it() -> None:
    board = dashboard.load()
    variables = {one["name"]: one for one in board["templating"]["list"]}

    assert board["uid"] == "betline-tables"
    assert variables["datasource"]["type"] == "datasource"
    assert set(variables) == {"datasource", "site", "table"}
    sources = [panel["datasource"] for panel in dashboard.panels()]
    sources += [target["datasource"] for panel in dashboard.panels() for target in panel["targets"]]
    assert all(source == {"type": "prometheus", "uid": "${datasource}"} for source in sources)


def test_panels_have_numbers_of_their_own_and_do_not_lie_over_each_other() -> None:
    all_of_them = dashboard.load()["panels"]
    ids = [panel["id"] for panel in all_of_them]
    taken = [
        (x, y)
        for panel in all_of_them
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]

    assert len(ids) == len(set(ids))
    assert len(taken) == len(set(taken))
    assert all(0 <= x < 24 for x, _ in taken)


def test_every_query_asks_for_metrics_that_a_program_serves_and_for_the_tables_that_were_chosen() -> None:
    for panel, query in dashboard.queries("1m"):
        asked = metrics_in(query)
        assert asked, panel["title"]
        assert asked <= SERVED | OF_PROCESS, panel["title"]
    for panel in dashboard.site_panels():
        for target in panel["targets"]:
            assert target["expr"].count('{site=~"$site"}') == target["expr"].count("{"), panel["title"]
    for panel in dashboard.table_panels():
        for target in panel["targets"]:
            chosen = target["expr"].count('site=~"$site",table=~"$table"')
            assert chosen == target["expr"].count("{"), panel["title"]


def test_alerts_ask_for_metrics_that_a_program_serves() -> None:
    rules = (ROOT / "config/prometheus/alerts.yaml").read_text(encoding="utf-8")

    asked = {name for name in metrics_in(rules) if name != "betline"}
    assert asked <= SERVED | OF_PROCESS


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool")
def test_each_alert_fires_when_it_should(tmp_path) -> None:
    shutil.copy(ROOT / "config/prometheus/alerts.yaml", tmp_path)
    shutil.copy(ROOT / "tests/data/prometheus/alerts_test.yaml", tmp_path)
    named = set(re.findall(r"alert: (\w+)", (tmp_path / "alerts.yaml").read_text(encoding="utf-8")))
    tried = set(re.findall(r"alertname: (\w+)", (tmp_path / "alerts_test.yaml").read_text(encoding="utf-8")))

    done = subprocess.run(
        ["promtool", "test", "rules", "alerts_test.yaml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert tried == named
