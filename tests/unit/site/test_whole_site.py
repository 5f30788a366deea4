"""Programs as they are started: tables that answer, a recorder that is killed in mid-batch, a broker and a database."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from betline.broker import free_port
from table_controller.journal.store import Journal
from tests.unit.site.journals import AT_MS, journal, write

pytestmark = pytest.mark.nightly


@pytest.fixture
def started():
    """A function that starts a verb of `betline`; all are ended."""
    running = []

    def start(*words):
        process = subprocess.Popen([sys.executable, "-m", "betline", *words], stderr=subprocess.DEVNULL)
        running.append(process)
        return process

    yield start
    for process in running:
        process.terminate()
    for process in running:
        process.wait()


def said(*words):
    found = subprocess.run([sys.executable, "-m", "betline", *words], capture_output=True, text=True, check=False)
    return found.returncode, found.stdout, found.stderr


def test_a_recorder_that_is_killed_again_and_again_loses_nothing_and_records_nothing_twice(started, tmp_path, server):
    file = journal(tmp_path / "six", entries=20_000)
    address = f"127.0.0.1:{free_port()}"
    common = ("--table", "home-six", "--broker", address)
    started("broker", "--quiet", "--broker", address)
    started("journal", "serve", *common, "--id", "six", "--journal", str(file), "--key", str(tmp_path / "key"))
    recording = ("site", "record", "--broker", address, "--database", server.url, "--zone", "UTC")
    checking = ("site", "verify", "--broker", address, "--database", server.url, "--json")
    for _ in range(5):
        before = _rows(server)
        recorder = started(*recording)
        deadline = time.monotonic() + 60
        while _rows(server) == before < 20_000 and time.monotonic() < deadline:
            time.sleep(0.002)
        os.kill(recorder.pid, signal.SIGKILL)
        recorder.wait()
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    write(opened, 10)
    opened.close()

    status, out, err = said(*recording, "--once", "--json")
    assert status == 0, err
    assert json.loads(out)["incidents"] == 0
    status, out, err = said(*checking, "--journal", str(file), "--key", str(tmp_path / "key"))
    found = json.loads(out)
    assert status == 0, err
    assert (found["ok"], found["rows"], found["compared"]) == (True, 20_010, 2)
    (tmp_path / "keys").mkdir()
    shutil.copy(tmp_path / "key", tmp_path / "keys/six.key")
    status, out, err = said(*checking, "--keys", str(tmp_path / "keys"))
    assert (status, json.loads(out)["problems"]) == (0, []), err
    (tmp_path / "keys/six.key").write_text("0" * 64)
    status, out, err = said(*checking, "--keys", str(tmp_path / "keys"))
    assert (status, "does not have it" in json.loads(out)["problems"][0]) == (1, True), err


def _rows(server):
    import psycopg

    with psycopg.connect(server.url) as connection:
        if connection.execute("SELECT to_regclass('entry')").fetchone() == (None,):
            return 0
        return connection.execute("SELECT coalesce(sum(seq), 0)::int FROM journal").fetchone()[0]


def test_a_site_erases_at_the_tables_that_let_it_and_says_what_to_do_at_others(started, tmp_path, server):
    address = f"127.0.0.1:{free_port()}"
    started("broker", "--quiet", "--broker", address)
    for table, options in (("six", ("--may-erase",)), ("nine", ())):
        file = journal(tmp_path / table, table=table)
        started("journal", "serve", "--table", "home-six", "--broker", address, "--id", table, "--journal", str(file),
                "--key", str(tmp_path / "key"), *options)  # fmt: skip
    time.sleep(3)

    status, out, _ = said("site", "erase", "Ann B.", "--broker", address, "--data", str(tmp_path / "none"), "--json")
    assert (status, out) == (1, "")  # nothing was recorded yet, so nothing is asked of the tables either
    url = server.url
    said("site", "record", "--once", "--broker", address, "--database", url, "--zone", "UTC")
    status, out, _ = said("site", "erase", "Ann B.", "--broker", address, "--database", url, "--json")
    found = json.loads(out)["tables"]

    assert status == 1
    assert (found["six"]["ok"], found["six"]["journals"], found["nine"]["ok"]) == (True, 1, False)
    assert "betline journal erase" in found["nine"]["sentence"]
