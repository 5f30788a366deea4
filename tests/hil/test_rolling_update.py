"""A site is updated part by part, as docs/site.md says, while it is played; then one table goes a step back."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.bus import MqttBus, Received
from betline.messages.common import Presence
from betline.options import UserError
from betline.topics import Namespace
from tests.earlier import ROOT, tree_of
from tests.mosquitto import needs_mosquitto
from tests.site import SITE, TestSite, wait
from virtual_table.bench.bus import TABLE, Found, Table

pytestmark = [
    pytest.mark.hil,
    pytest.mark.nightly,
    needs_mosquitto,
    pytest.mark.timeout(400),
    pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"),
]
EARLIER = "98491ba0"
"""Its tables tell no entry in parts, and its recorder asks for none."""
PITS = {"table-1": "pit-1", "table-2": "pit-2"}
ONE, TWO = PITS
STARTS_S = 90


class Program:
    """One program of one tree; stopped as systemd stops it, and started again from the other tree."""

    def __init__(self, folder: Path, name: str, words: list[str]) -> None:
        self._log, self._words = folder / f"{name}.log", words
        self._process: subprocess.Popen[bytes] | None = None

    def run_from(self, tree: Path) -> None:
        self.stop()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(betline(*self._words), stdout=log, stderr=log, **of(tree))

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            assert self._process.wait() in (0, -15), self._log.read_text()[-500:]
            self._process = None


def betline(*words: str) -> list[str]:
    return [sys.executable, "-c", "from betline.front_door import main; main()", *words]


def of(tree: Path) -> dict[str, Any]:
    return {"env": {**os.environ, "PYTHONPATH": str(tree)}, "cwd": tree}


class Played:
    """A table, its two programs, and who plays at it in a thread of its own until it rests."""

    def __init__(self, site: TestSite, folder: Path, name: str) -> None:
        self.journal = folder / f"{name}.journal"
        files = ["--journal", str(self.journal), "--key", str(folder / f"{name}.key")]
        common = ["--table", TABLE, "--id", name, *site.options(name), *files]
        people = ["--people", str(folder / f"{name}.toml")]
        self.controller = Program(folder, name, ["controller", *common, *people])
        self.history = Program(folder, f"{name}-history", ["journal", "serve", *common])
        self._names = Namespace(SITE, name)
        self._ways = [site.address(who, name) for who in ("bridge", "console")]
        self.found, self.hands, self.refused = Found(), 0, list[str]()
        self._at_play, self._ending = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def update(self, tree: Path) -> None:
        """All programs of the table together, between two hands; it is played on when its controller is there."""
        life: list[str] = []
        with self._at_play:
            self.controller.run_from(tree)  # it has said "offline" when it has ended
            self.history.run_from(tree)
            there = self._ways[1]
            bus = MqttBus(there.host, there.port, self._names, "probe", login=there.login)

            def heard(received: Received) -> None:
                if isinstance(received.body, Presence) and received.body.state == "online":
                    life.append(received.envelope.boot_id)

            bus.subscribe(topics.STATUS, heard)
            wait(lambda: bool(life), f"{self._names.table} serves", STARTS_S)
            bus.close()
        if not self._thread.is_alive():
            self._thread.start()

    @contextlib.contextmanager
    def rests(self) -> Iterator[None]:
        with self._at_play:
            yield

    def plays_on(self, hands: int = 2) -> None:
        until = self.hands + hands
        wait(lambda: self.hands >= until, f"{hands} hands more at {self._names.table}", STARTS_S)

    def _play(self) -> None:
        bridge, console = self._ways
        table = Table(bridge, self._names, round_s=0.22, spread=True, logins=(bridge.login, console.login))
        while not self._ending.is_set():
            with self._at_play:
                try:
                    table.hand(self.found)
                except UserError as error:
                    self.refused.append(str(error))
                self.hands += 1
            time.sleep(0.05)  # who waits for the table gets it
        table.close()

    def close(self) -> None:
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()
        self.controller.stop()
        self.history.stop()


class House:
    """The site of two tables with its recorder."""

    def __init__(self, folder: Path) -> None:
        self.site = TestSite(folder / "site-files", {pit: [table] for table, pit in PITS.items()})
        self.tables = {name: Played(self.site, folder, name) for name in PITS}
        self._at = [*self.site.options(), "--data", str(folder / "data")]
        self.recorder = Program(folder, "recorder", ["site", "record", *self._at, "--zone", "Europe/Vienna"])

    def looks_good(self, tree: Path) -> None:
        """What docs/site.md says to look at after each step: the record is whole, and nothing was wrong with it."""
        files = [f"--journal={table.journal}" for table in self.tables.values()]
        until_s = time.monotonic() + STARTS_S
        while True:
            said = self._said(tree, "verify", *self._at, *(files if tree == ROOT else ()))
            if said["ok"] and not said["unanswered"] and said["journals"] == 2:
                break
            assert time.monotonic() < until_s, said
            time.sleep(1)
        assert self._said(tree, "incidents", *self._at[-2:]) == []

    def _said(self, tree: Path, *words: str) -> Any:
        done = subprocess.run(
            betline("site", *words, "--json"), capture_output=True, text=True, check=False, **of(tree)
        )
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def close(self) -> None:
        for part in (*self.tables.values(), self.site):
            part.close()
        self.recorder.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()


def test_a_site_is_updated_in_the_written_order_while_it_is_played_and_a_table_goes_back(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "old").mkdir()
    old = tree_of(EARLIER, tmp_path / "old")
    one, two = house.tables[ONE], house.tables[TWO]
    for table in (one, two):
        table.update(old)
    house.recorder.run_from(old)
    two.plays_on()

    house.recorder.run_from(ROOT)  # 1. the site
    one.plays_on()
    house.looks_good(ROOT)
    one.update(ROOT)  # 2. one table, between two hands; the other plays
    one.plays_on()
    house.looks_good(ROOT)
    two.update(ROOT)  # 3. the next
    two.plays_on()
    for place, table in (("pit-1", one), ("pit-2", two), ("site", None)):  # 4. brokers, one at a time
        with table.rests() if table is not None else contextlib.nullcontext():
            house.site.brokers[place].end()
            house.site.brokers[place].start()
            time.sleep(3)
    one.plays_on()
    two.plays_on()
    house.looks_good(ROOT)

    two.update(old)  # one step back: a table, and the recorder
    two.plays_on()
    house.looks_good(ROOT)
    house.recorder.run_from(old)
    one.plays_on()
    with one.rests(), two.rests():  # a hand under way has acts that its table does not count as a hand yet
        for table in (one, two):
            assert (table.refused, table.found.unruled) == ([], 0)
            assert len(table.found.ms) == 3 * table.hands
        house.looks_good(old)
