"""A real Prometheus scrapes a whole table, and every query of the dashboard is asked."""

import json
import math
import os
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import pytest

from betline.broker import free_port
from betline.settings.metrics import MOST_PARTS
from tests.unit.metrics import dashboard

pytestmark = [pytest.mark.hil, pytest.mark.nightly]
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
SCRAPE_S = 1
PATIENCE_S = 240


def first_of_free_ports() -> int:
    while True:
        port = free_port()
        if port + MOST_PARTS < 65536:
            return port


def ask(port: int, query: str) -> list[float]:
    said = urllib.parse.urlencode({"query": query})
    with OPENER.open(f"http://127.0.0.1:{port}/api/v1/query?{said}", timeout=10) as answer:
        found = json.load(answer)
    assert found["status"] == "success", found
    return [float(row["value"][1]) for row in found["data"]["result"]]


def is_there(port: int, query: str) -> bool:
    return any(not math.isnan(value) for value in ask(port, query))


@pytest.mark.timeout(PATIENCE_S + 120)
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="there is no prometheus")
def test_every_query_of_the_dashboard_finds_something_at_a_table_that_plays(tmp_path) -> None:
    port = free_port()
    settings = f"""
global: {{scrape_interval: {SCRAPE_S}s}}
scrape_configs:
  - job_name: betline
    file_sd_configs: [{{files: ['{tmp_path}/targets/*.json'], refresh_interval: 1s}}]
"""
    (tmp_path / "targets").mkdir()
    (tmp_path / "prometheus.yaml").write_text(settings, encoding="utf-8")
    line = [sys.executable, "-m", "betline", "demo", "--headless", "--hands", "30", "--table", "home-six"]
    line += ["--metrics", str(first_of_free_ports()), "--metrics-targets", str(tmp_path / "targets" / "six.json")]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    watching = [
        "prometheus", f"--config.file={tmp_path}/prometheus.yaml", f"--storage.tsdb.path={tmp_path}/data",
        f"--web.listen-address=127.0.0.1:{port}", "--log.level=error",
    ]  # fmt: skip
    with (tmp_path / "log").open("wb") as log:
        prometheus = subprocess.Popen(watching, stdout=log, stderr=log)
        demo = subprocess.Popen(line, stdout=log, stderr=log, env=environment)
        try:
            empty = wait_for_all(port, demo)
        finally:
            for program in (demo, prometheus):
                program.terminate()
                program.wait(20)
    silent = {title for title, description in empty if not description.startswith(dashboard.MAY_BE_EMPTY)}
    assert not silent


def wait_for_all(port: int, demo: subprocess.Popen[bytes]) -> set[tuple[str, str]]:
    """The panels of which a query still finds nothing when the table has played for a while."""
    deadline_s = time.monotonic() + PATIENCE_S
    left = [(panel, query) for panel, query in dashboard.queries("30s")]
    while left and time.monotonic() < deadline_s and demo.poll() is None:
        time.sleep(2)
        try:
            left = [(panel, query) for panel, query in left if not is_there(port, query)]
        except OSError:  # it starts
            continue
        if all(panel.get("description", "").startswith(dashboard.MAY_BE_EMPTY) for panel, _ in left):
            break
    return {(panel["title"], panel.get("description", "")) for panel, _ in left}
