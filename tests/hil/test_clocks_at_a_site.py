"""A site whose machines disagree about the time: two pits on bridged mosquittos, each by clocks of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.bus import HOST_CLOCK, HostClock, MqttBus, Received
from betline.bus.wire import encode
from betline.messages.common import Command, Envelope, Reply
from betline.supervise import Supervisor
from betline.topics import Namespace, topic
from betline.units import NS_PER_MS, NS_PER_S
from tests.dealing import DealsHands, until
from tests.mosquitto import needs_mosquitto
from tests.site import SITE, TestSite
from tests.tables_at_site import join_table, start_table
from tests.unit.service.room import SETUP
from tests.unit.service.staff import ANN, Visitor

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240), pytest.mark.nightly, needs_mosquitto]
HOUR_S = 3600
AGO_NS = 12 * NS_PER_S
APART = {"table-1": ("pit-a", -90, 3 * HOUR_S), "table-2": ("pit-b", 5 * HOUR_S, 40 * HOUR_S)}
"""Each table's pit, and by how many seconds the wall clock and the monotonic clock of its machine are off ours."""
OFF_BY = """\
import os, time
wall_s, mono_s = int(os.environ["TEST_WALL_S"]), int(os.environ["TEST_MONO_S"])
true = {name: getattr(time, name) for name in ("time", "time_ns", "monotonic", "monotonic_ns")}
time.time = lambda: true["time"]() + wall_s
time.time_ns = lambda: true["time_ns"]() + wall_s * 10**9
time.monotonic = lambda: true["monotonic"]() + mono_s
time.monotonic_ns = lambda: true["monotonic_ns"]() + mono_s * 10**9
"""
"""Read by Python as it starts: a program by the clocks of another machine."""


@dataclass
class Dealer(DealsHands):
    """Ann at the site's broker, who keys the hands of a table there."""

    console: MqttBus
    elsewhere: HostClock = HOST_CLOCK
    states: list[Any] = field(default_factory=list)
    visitor: Visitor | None = None
    off_s: float = 0.0
    """By how much the table's wall clock is off ours, by what it last said."""

    def hears(self, received: Received) -> None:
        self.off_s = received.envelope.ts_ms / 1000 - time.time()
        self.states.append(received.body)

    def until(self, holds: Any) -> None:
        until(holds, "the table has answered")

    def key(self, verb: str, **args: Any) -> Reply:
        assert self.visitor is not None
        return self.visitor.asks(verb, **args)


@dataclass
class Apart:
    site: TestSite
    folder: Path
    dealers: dict[str, Dealer]

    def says(self, *words: str) -> Any:
        """What a program at the site's broker prints as JSON."""
        line = [sys.executable, "-m", "betline", *words, *self.site.options(), "--json"]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apart]:
    site = TestSite(tmp_path, {pit: [table] for table, (pit, _, _) in APART.items()})
    (tmp_path / "off").mkdir()
    (tmp_path / "off/sitecustomize.py").write_text(OFF_BY)
    dealers: dict[str, Dealer] = {}
    try:
        with Supervisor(tmp_path) as parts:
            for table, (_, wall_s, mono_s) in APART.items():
                with monkeypatch.context() as there:
                    there.setenv("PYTHONPATH", str(tmp_path / "off"))
                    there.setenv("TEST_WALL_S", str(wall_s))
                    there.setenv("TEST_MONO_S", str(mono_s))
                    start_table(site, parts, table, history=True)
            for table in APART:
                bus = join_table(parts, site.address("floor"), table, "floor")
                dealer = dealers[table] = Dealer(bus)
                bus.subscribe(topics.STATE, dealer.hears)
                dealer.until(lambda dealer=dealer: bool(dealer.states))
            yield Apart(site, tmp_path, dealers)
    finally:
        for dealer in dealers.values():
            dealer.console.close()
        site.close()


def test_a_site_whose_clocks_are_apart_commands_refuses_what_came_too_late_and_records_each_entry_once(
    apart: Apart,
) -> None:
    for table, dealer in apart.dealers.items():
        visitor = dealer.visitor = Visitor(dealer)
        assert visitor.signs_in(ANN, "4711").ok, table
        assert visitor.asks("setup", **SETUP).ok, table
        until(lambda dealer=dealer: dealer.state.phase == "posting", "the hand has begun")  # type: ignore[misc]

        # a command that was twelve seconds on its way was good for ten: by the clock of who sent it, and by no other
        ago = HostClock(lambda: time.monotonic_ns() - AGO_NS, lambda: time.time_ns() - AGO_NS)
        dealer.elsewhere = ago
        late = visitor.command("cards-out")
        dealer.elsewhere = HOST_CLOCK
        late_envelope = Envelope(
            sender="floor", boot_id=dealer.console.boot_id, seq=10_000, ts_ms=ago.wall_ns() // NS_PER_MS,
            mono_ns=ago.mono_ns(),
        )  # fmt: skip
        refused = _said(apart, dealer, table, late_envelope, late)
        assert refused.code == "expired", refused
        [late_s] = re.findall(r"came (\S+) s too late", refused.sentence)
        assert 2 <= float(late_s) < 30, refused
        assert dealer.state.phase == "posting"

        dealer.folds_round()
        assert dealer.off_s == pytest.approx(APART[table][1], abs=30)

    rows = apart.says("site", "record", "--once", "--data", str(apart.folder / "data"), "--zone", "UTC")
    assert (rows["unanswered"], rows["behind"], rows["incidents"]) == ([], 0, 0), rows
    found = apart.says("site", "verify", "--data", str(apart.folder / "data"))
    assert (found["ok"], found["problems"]) == (True, []), found
    told = apart.says("floor")
    assert {one["table"]: one["fresh"] for one in told["tables"]} == dict.fromkeys(APART, True), told


def _said(apart: Apart, dealer: Dealer, table: str, envelope: Envelope, command: Command) -> Reply:
    """The table's answer to a command that bears this envelope."""
    assert dealer.visitor is not None
    where = Namespace(SITE, table).full(topic(topics.COMMAND, "cards-out").path)
    apart.site.client("site", "floor").say(where, encode(envelope, command).decode())
    dealer.until(lambda: any(one.command_id == command.id for one in dealer.visitor.replies))  # type: ignore[union-attr]
    return next(one for one in dealer.visitor.replies if one.command_id == command.id)
