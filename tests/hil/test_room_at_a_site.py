"""Room work at the broker of a provisioned site: TLS, accounts, access lists and bridges as `provision site` makes
them, tables in two pits, staff enrolled everywhere, and each verb in the name of who has proved the PIN."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.bus import HOST_CLOCK, Bus, HostClock, MqttBus
from betline.joining import BrokerChoice
from betline.messages.common import Reply
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.room import RoomHead
from betline.messages.table import TableState
from betline.options import Address
from betline.people.record import Person
from betline.people.roll import write_staff
from betline.readiness import await_controller
from betline.supervise import Supervisor
from betline.topics import Namespace, topic
from firmware_bridge.chips.register import write_register
from tests.dealing import DealsHands, until
from tests.mosquitto import HOST, needs_mosquitto
from tests.site import SITE, TestSite
from tests.unit.service.staff import ANN, BOB, STAFF, Visitor

pytestmark = [pytest.mark.hil, pytest.mark.timeout(300), pytest.mark.nightly, needs_mosquitto]
PIT_OF = {"t1": "pit-a", "t2": "pit-b"}
PINS = {"Ann": "4711", "Bob": "0815"}


@dataclass
class Dealer(DealsHands):
    """The console of a table at its pit's broker, at which a dealer has signed in."""

    console: Bus
    elsewhere: HostClock = HOST_CLOCK
    states: list[TableState] = field(default_factory=list)
    heads: list[RoomHead] = field(default_factory=list)
    dealing: Visitor | None = None

    def until(self, holds: Any) -> None:
        until(holds, "the table has answered")

    def signs_in(self, person: Person, pin: str) -> Visitor:
        visitor = Visitor(self)
        assert visitor.signs_in(person, pin).ok
        return visitor

    def key(self, verb: str, **args: Any) -> Reply:
        assert self.dealing is not None
        return self.dealing.asks(verb, **args)

    def waits(self) -> bool:
        return self.state.hold is not None and self.state.hold.waits

    def may_deal(self) -> bool:
        return self.state.hold is not None and not self.state.hold.waits


@dataclass
class RoomAtSite:
    """The floor's people at the site's broker, and the dealers of two tables in two pits."""

    site: TestSite
    folder: Path
    parts: Supervisor
    dealers: dict[str, Dealer]

    def line(self, *words: str, by: str = "Ann") -> list[str]:
        own = ["--site", SITE, "--broker", f"mqtts://{HOST}:{self.site.brokers['site'].port}"]
        own += ["--login", str(self.folder / "site"), "--journal", str(self.folder / "grand.room")]
        own += ["--people", str(self.folder / "people.toml"), "--rules", str(self.folder / "rules.toml")]
        own += ["--key", str(self.folder / "room.key")]
        return ["room", *words, *own, "--by", by, "--pin-file", str(self.folder / f"{by}.pin")]

    def run(self, *words: str, by: str = "Ann") -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "betline", *self.line(*words, by=by), "--json"]
        return subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)

    def room(self, *words: str) -> Any:
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def opened(self, players: int, *tables: str) -> None:
        self.room("game", "main", "--levels", "tournament", "--stack", "20000", "--buy-in", "90")
        for table in tables:
            self.room("table", table)
        for number in range(players):
            self.room("enter", f"P{number}")
        moves = self.room("draw", "--public", "dice 3 5 1")["moves"]
        assert len(moves) == players
        assert not any(one["not_done"] for one in moves)
        for table in tables:
            until(lambda table=table: bool(self.dealers[table].players), "players sit")  # type: ignore[misc]

    def sit_at(self, table: str) -> list[str]:
        return [one["player"] for one in self.room("players") if one.get("table") == table]

    def login(self, table: str, account: str) -> Address:
        pit = PIT_OF[table]
        url = f"mqtts://{HOST}:{self.site.brokers[pit].port}"
        return BrokerChoice(url=url, login=self.folder / pit / table).address(account)

    def said_by_lead(self, words: str) -> bool:
        return words in self.parts.log_of("lead").read_text()


@pytest.fixture
def grand(tmp_path: Path) -> Iterator[RoomAtSite]:
    site = TestSite(tmp_path, {pit: [table] for table, pit in PIT_OF.items()})
    write_staff(tmp_path / "people.toml", STAFF)
    (tmp_path / "rules.toml").write_text("hold_s = 30\nhand_for_hand_s = 60\n")
    for name, pin in PINS.items():
        (tmp_path / f"{name}.pin").touch(0o600)
        (tmp_path / f"{name}.pin").write_text(pin)
    dealers: dict[str, Dealer] = {}
    try:
        with Supervisor(tmp_path) as parts:
            made = RoomAtSite(site, tmp_path, parts, dealers)
            for table, pit in PIT_OF.items():
                own = tmp_path / "tables" / table
                own.mkdir(parents=True)
                write_staff(own / "people.toml", STAFF)
                where = ["--table", "tournament", "--site", SITE, "--id", table]
                where += ["--broker", f"mqtts://{HOST}:{site.brokers[pit].port}"]
                where += ["--login", str(tmp_path / pit / table)]
                files = ["--journal", str(own / "x.journal"), "--people", str(own / "people.toml")]
                parts.start(table, ["controller", *where, *files])
            for table in PIT_OF:
                address, names = made.login(table, "console"), Namespace(SITE, table)
                await_controller(parts, address, names)
                bus = MqttBus(address.host, address.port, names, "console", login=address.login)
                dealer = dealers[table] = Dealer(bus)
                bus.subscribe(topics.STATE, lambda received, dealer=dealer: dealer.states.append(received.body))
                bus.subscribe(topics.ROOM, lambda received, dealer=dealer: dealer.heads.append(received.body))
                dealer.until(lambda dealer=dealer: bool(dealer.states))
                dealer.dealing = dealer.signs_in(BOB, PINS["Bob"])
            yield made
    finally:
        for dealer in dealers.values():
            dealer.console.close()
        site.close()


def test_hand_for_hand_over_two_bridges_led_by_name_with_a_line_that_is_cut(grand: RoomAtSite) -> None:
    refused = grand.run("game", "main", "--stack", "1", by="Bob")
    assert (refused.returncode, "this is for the floor" in refused.stderr) == (1, True)
    grand.opened(6, "t1", "t2")
    one, two = grand.dealers["t1"], grand.dealers["t2"]
    assert one.begins()
    assert two.begins()
    grand.room("clock", "start")
    until(lambda: bool(one.state.level and one.state.level.ends_ms), "the clock of table 1 runs")

    grand.room("hand-for-hand", "on")
    grand.parts.start("lead", grand.line("lead"))
    one.folds_round()
    until(one.waits, "table 1 waits")
    assert not one.begins()
    two.folds_round()
    until(lambda: one.may_deal() and two.may_deal(), "all may deal")

    # by name, at the table: it plays on and is held again with the next hand of all
    floor = one.signs_in(ANN, PINS["Ann"])
    assert one.begins()
    one.folds_round()
    until(one.waits, "table 1 waits")
    assert floor.asks("let-go").ok
    floor.signs_out()
    one.dealing = one.signs_in(BOB, PINS["Bob"])
    assert one.begins()
    one.folds_round()

    # a line that is cut: table 2 ends its hand alone, and is counted when the line is whole again
    assert two.begins()
    grand.site.lines["pit-b"].set("cut")
    two.folds_round()
    assert not two.begins()
    grand.site.lines["pit-b"].set("whole")
    until(lambda: one.may_deal() and two.may_deal(), "all may deal once the line is whole")

    # the head of the room's journal is kept at the pits' brokers, sealed
    until(lambda: len(one.heads) >= 2 and bool(two.heads), "the room's head")
    told = grand.folder / "told.log"
    told.write_text("".join(f"{json.dumps(head.model_dump(mode='json'))}\n" for head in (*one.heads, *two.heads)))
    found = grand.room("verify", "--anchors", str(told))
    assert found["sealed"]
    assert found["anchors"] >= 2
    assert [(draw["same"], draw["public"]) for draw in found["draws"]] == [(True, "dice 3 5 1")]
    rows = {row["table"]: row for row in grand.room("figures")}
    assert set(rows) == {"t1", "t2"}


def test_a_halted_table_is_let_go_by_name_halted_again_when_shorter_and_when_its_hold_has_lapsed(
    grand: RoomAtSite,
) -> None:
    grand.opened(10, "t1", "t2")
    two = grand.dealers["t2"]
    there = grand.sit_at("t2")

    assert list(grand.room("out", *(f"{name}=100" for name in there[:3]))["halted"]) == ["t2"]
    until(two.waits, "table 2 is halted")
    floor = two.signs_in(ANN, PINS["Ann"])
    assert floor.asks("let-go").ok
    assert list(grand.room("halt")["halted"]) == ["t2"]
    assert two.state.hold is None  # the floor's word holds
    grand.room("out", f"{there[3]}=100")
    until(two.waits, "table 2 is halted again: it is shorter still")

    # nobody says it again for hold_s: it plays on by itself, until the room is there again
    until(lambda: two.state.hold is None, "the hold has lapsed")
    assert two.state.hold_ended == "time"
    grand.room("halt")
    until(two.waits, "table 2 is halted again: the room is back")


def test_the_last_two_are_told_and_stock_is_taken_in_the_pits_and_never_silently_at_the_site(
    grand: RoomAtSite,
) -> None:
    grand.opened(3, "t1")
    grand.room("out", f"{grand.sit_at('t1')[0]}=100")
    line = [sys.executable, "-m", "betline", *grand.line("log", "--last", "20"), "--json"]
    log = subprocess.run(line, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "last-two-told" in [json.loads(one)["kind"] for one in log]

    uids = [f"E00401000000000{number}" for number in range(1, 6)]
    write_register(grand.folder / "chips.jsonl", ((uid, "t-100") for uid in uids))
    address = grand.login("t1", "bridge")
    bridge = MqttBus(address.host, address.port, Namespace(SITE, "t1"), "bridge", login=address.login)
    try:
        assert bridge.wait_connected(10)
        for zone, read in {"seat-1": uids[:3], "tray": uids[3:4]}.items():
            chips = tuple(ChipEvidence(uid=uid, chip_type="t-100", hits=1, rounds=1, missed=0) for uid in read)
            snapshot = ZoneChips(zone=zone, reader="reader-1", round_no=1, chips=chips, last_byte_ns=1)
            bridge.publish(topic(topics.ZONE_CHIPS, zone), snapshot)
        time.sleep(1)
        words = ["inventory", "--take", "--register", str(grand.folder / "chips.jsonl"), "--chip-set", "tournament"]
        at_site = grand.run(*words)
        assert at_site.returncode == 1
        assert "--pits" in at_site.stderr
        taken = grand.room(*words, "--pits", str(grand.folder))
    finally:
        bridge.close()
    (kind,) = taken["types"]
    assert (kind["felt"], kind["tray"], kind["off_felt"], taken["unread"]) == (3, 1, 1, [])
