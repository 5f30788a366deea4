"""A real Prometheus scrapes a whole table, and every query of the dashboard is asked."""

import contextlib
import json
import math
import os
import pty
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from betline.broker import free_port
from betline.settings.metrics import MOST_PARTS
from table_controller.journal.store import Journal
from tests.unit.metrics import dashboard
from tests.unit.site.journals import AT_MS, journal, write

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
            empty = wait_for_all(port, demo, dashboard.table_panels())
        finally:
            for program in (demo, prometheus):
                program.terminate()
                program.wait(20)
    silent = {title for title, description in empty if not description.startswith(dashboard.MAY_BE_EMPTY)}
    assert not silent


@pytest.mark.timeout(PATIENCE_S + 120)
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="there is no prometheus")
def test_every_query_on_the_site_finds_something_at_a_site_that_records(tmp_path) -> None:
    port, broker = free_port(), f"127.0.0.1:{free_port()}"
    targets = tmp_path / "state" / "betline" / "metrics"
    settings = f"""
global: {{scrape_interval: {SCRAPE_S}s}}
scrape_configs:
  - job_name: betline
    file_sd_configs: [{{files: ['{targets}/*.json'], refresh_interval: 1s}}]
"""
    (tmp_path / "prometheus.yaml").write_text(settings, encoding="utf-8")
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "TERM": "xterm-256color"}
    file = journal(tmp_path / "six", entries=5_000)
    betline = [sys.executable, "-m", "betline"]
    lines = {
        "prometheus": ["prometheus", f"--config.file={tmp_path}/prometheus.yaml",
                       f"--storage.tsdb.path={tmp_path}/data", f"--web.listen-address=127.0.0.1:{port}",
                       "--log.level=error"],
        "broker": [*betline, "broker", "--quiet", "--broker", broker],
        "table": [*betline, "journal", "serve", "--table", "home-six", "--id", "six", "--broker", broker,
                  "--journal", str(file), "--key", str(tmp_path / "key")],
        "recorder": [*betline, "site", "record", "--broker", broker, "--data", str(tmp_path / "site"),
                     "--zone", "UTC", "--metrics", str(free_port())],
        "room": [*betline, "room", "lead", "--broker", broker, "--site", "home", "--metrics", str(free_port()),
                 "--journal", str(tmp_path / "a.room"), "--people", str(tmp_path / "nobody.toml"),
                 "--key", str(tmp_path / "key")],
        "floor": [*betline, "floor", "--broker", broker, "--site", "home", "--metrics", str(free_port())],
    }  # fmt: skip
    running, ours, theirs = [], *pty.openpty()
    writes = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    with (tmp_path / "log").open("wb") as log, PtyDrain(ours):
        try:
            for name, line in lines.items():
                out = theirs if name == "floor" else log
                running.append(subprocess.Popen(line, stdin=theirs, stdout=out, stderr=out, env=environment))
            empty = wait_for_all(port, running[-1], dashboard.site_panels(), lambda: write(writes, 5))
        finally:
            for program in reversed(running):
                program.terminate()
                program.wait(20)
            writes.close()
            os.close(theirs)
    silent = {title for title, description in empty if not description.startswith(dashboard.MAY_BE_EMPTY)}
    assert not silent, (tmp_path / "log").read_text(encoding="utf-8")[-2000:]


class PtyDrain:
    """Reads what a program draws on a terminal, as a terminal does."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join(5)
        os.close(self._terminal)

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the program has closed its end
            while os.read(self._terminal, 65536):
                pass


def wait_for_all(
    port: int, demo: subprocess.Popen[bytes], of: list[dict[str, Any]], goes_on: Callable[[], object] = lambda: None
) -> set[tuple[str, str]]:
    """The panels of which a query still finds nothing when the program has run for a while."""
    deadline_s = time.monotonic() + PATIENCE_S
    left = list(dashboard.queries("30s", of))
    while left and time.monotonic() < deadline_s and demo.poll() is None:
        time.sleep(2)
        goes_on()
        try:
            left = [(panel, query) for panel, query in left if not is_there(port, query)]
        except OSError:  # it starts
            continue
        if all(panel.get("description", "").startswith(dashboard.MAY_BE_EMPTY) for panel, _ in left):
            break
    return {(panel["title"], panel.get("description", "")) for panel, _ in left}
