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
from betline.bus import HOST_CLOCK, Bus, HostClock
from betline.messages.common import Reply
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.room import RoomHead
from betline.messages.table import TableState
from betline.people.record import Person
from betline.people.roll import write_staff
from betline.settings import TableSettings, load_table
from betline.supervise import Supervisor
from betline.topics import topic
from firmware_bridge.chips.register import write_register
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import LineSettings
from tests.dealing import DealsHands, until
from tests.mosquitto import needs_mosquitto
from tests.site import SITE, Client, TestSite
from tests.tables_at_site import join_table, start_table
from tests.unit.service.staff import ANN, BOB, STAFF, Visitor
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.field import FieldTag
from virtual_table.readers.server import ReaderServer
from virtual_table.run.run_table import write_table

pytestmark = [pytest.mark.hil, pytest.mark.timeout(300), pytest.mark.nightly, needs_mosquitto]
PIT_OF = {"t1": "pit-a", "t2": "pit-b"}
PINS = {"Ann": "4711", "Bob": "0815"}
LINK = f"betline-site/{SITE}/link"
SITE_FILE = f'name = "{SITE}"\ntime_zone = "UTC"\nbroker = {{ hosts = ["site.lan"] }}\n' + "".join(
    f'[[pits]]\nname = "{pit}"\nhosts = ["{pit}.lan"]\ntables = [{{ name = "{table}", file = "tournament" }}]\n'
    for table, pit in PIT_OF.items()
)


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
    links: Client

    def line(self, *words: str, by: str = "Ann") -> list[str]:
        own = [*self.site.options(), "--journal", str(self.folder / "grand.room")]
        own += ["--people", str(self.folder / "people.toml"), "--rules", str(self.folder / "rules.toml")]
        own += ["--key", str(self.folder / "room.key"), "--site-file", str(self.folder / "whole-site.toml")]
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

    def cut(self, pit: str) -> None:
        """Cuts the line of a pit, and waits until the site's broker says so."""
        before = len(self.links.texts(f"{LINK}/{pit}"))
        self.site.lines[pit].set("cut")
        until(lambda: self.links.texts(f"{LINK}/{pit}")[before:] == ["0"], f"{pit} is cut off")

    def whole(self, pit: str) -> None:
        """Puts the line of a pit together again; the room finds out by itself."""
        self.site.lines[pit].set("whole")

    def said_by_lead(self, words: str) -> bool:
        return words in self.parts.log_of("lead").read_text()


@pytest.fixture
def grand(tmp_path: Path) -> Iterator[RoomAtSite]:
    site = TestSite(tmp_path, {pit: [table] for table, pit in PIT_OF.items()})
    write_staff(tmp_path / "people.toml", STAFF)
    (tmp_path / "whole-site.toml").write_text(SITE_FILE)
    (tmp_path / "rules.toml").write_text("hold_s = 30\nhand_for_hand_s = 60\n")
    for name, pin in PINS.items():
        (tmp_path / f"{name}.pin").touch(0o600)
        (tmp_path / f"{name}.pin").write_text(pin)
    dealers: dict[str, Dealer] = {}
    try:
        with Supervisor(tmp_path) as parts:
            links = site.client("site", "floor").hear(f"{LINK}/+")
            made = RoomAtSite(site, tmp_path, parts, dealers, links)
            for table in PIT_OF:
                start_table(site, parts, table, "tournament")
            for table in PIT_OF:
                bus = join_table(parts, site.address("console", table), table, "console")
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


def test_a_pit_that_is_cut_off_is_left_out_by_name_and_comes_back_by_itself(grand: RoomAtSite) -> None:
    grand.room("game", "main", "--levels", "tournament", "--stack", "20000", "--buy-in", "90")
    for table in PIT_OF:
        grand.room("table", table)
    for number in range(6):
        grand.room("enter", f"P{number}")
    one, two = grand.dealers["t1"], grand.dealers["t2"]

    # the draw: nobody is seated in the pit that is cut off, at once and not after a command that nobody answers
    grand.cut("pit-b")
    drawn = grand.room("draw", "--public", "dice 2 2 1")
    assert {row["to"].partition(",")[0] for row in drawn["moves"]} == {"table t1"}
    assert (drawn["cut_off"], len(one.players), two.players) == ({"t2": "pit-b"}, 6, [])
    assert not any(row["not_done"] for row in drawn["moves"])
    assert grand.room("balance") == {"moves": [], "cut_off": {"t2": "pit-b"}}
    refused = grand.run("move", "P0", "t2", "1")
    assert (refused.returncode, "Table t2 is cut off: the line of its pit pit-b" in refused.stderr) == (1, True)
    assert grand.run("redraw", "--tables", "t2").returncode == 1
    assert grand.room("verify")["draws"][0]["same"]

    # the line is back: the shorter table gets its players
    grand.whole("pit-b")
    until(lambda: "cut_off" not in grand.room("moves", "--carry-out"), "the line is back")
    assert one.begins()
    one.folds_round()
    balanced = grand.room("balance")
    assert [row["to"].partition(",")[0] for row in balanced["moves"]] == ["table t2"] * 3
    until(lambda: len(two.players) == 3, "three players sit at table 2")


def test_who_leads_names_the_table_that_is_cut_off_waits_for_it_and_tells_it_the_clock(grand: RoomAtSite) -> None:
    grand.opened(6, "t1", "t2")
    one, two = grand.dealers["t1"], grand.dealers["t2"]
    assert one.begins()
    grand.parts.start("lead", grand.line("lead"))
    until(lambda: grand.said_by_lead("t2: plays"), "lead sees both tables")
    grand.cut("pit-b")
    until(lambda: grand.said_by_lead("t2: cut off with its pit pit-b, plays on by itself"), "lead names it")
    began_s = time.monotonic()
    grand.room("clock", "start")
    told = grand.room("hand-for-hand", "on")
    assert (told["cut_off"], told["not_told"]) == ({"t2": "pit-b"}, {})
    assert time.monotonic() - began_s < 30
    until(lambda: grand.said_by_lead("hand for hand waits for it"), "lead says what it waits for")
    one.folds_round()
    until(one.waits, "table 1 waits")
    assert two.begins()  # it plays on by itself, and knows nothing of a clock or a hold
    assert two.state.hold is None
    assert two.state.level is not None
    assert not two.state.level.started

    grand.whole("pit-b")
    until(lambda: two.state.hold is not None, "table 2 is told that its hand is the one of all")
    until(lambda: bool(two.state.level and two.state.level.started), "table 2 is told the clock")
    two.folds_round()
    until(lambda: one.may_deal() and two.may_deal(), "all may deal")


def test_stock_at_a_site_is_what_real_readers_in_the_pits_read(grand: RoomAtSite) -> None:
    grand.room("game", "main", "--levels", "tournament", "--stack", "20000", "--buy-in", "90")
    for table in PIT_OF:
        grand.room("table", table)
    uids = [f"E00401000000000{number}" for number in range(1, 9)]
    register = grand.folder / "chips.jsonl"
    write_register(register, ((uid, "t-100") for uid in uids))
    lies = {"t1": {"seat-1": uids[:3], "tray": uids[3:4]}, "t2": {"seat-1": uids[4:6], "tray": []}}
    words = [
        "inventory",
        "--take",
        "--register",
        str(register),
        "--chip-set",
        "tournament",
        "--pits",
        str(grand.folder),
    ]
    servers = []
    try:
        for table, zones in lies.items():
            by_id = grand.folder / f"{table}-by-id"
            server = ReaderServer(by_id)
            servers.append(server)
            for number, (zone, there) in enumerate(zones.items()):
                tags = [FieldTag(uid) for uid in there]
                device = virtual_reader("feig", lambda tags=tags: tags, Behaviour(1), number)  # type: ignore[misc]
                server.add(f"usb-FEIG_{zone}", device, LineSettings(115200, FAMILIES["feig"].traits.line.parity))
            file = grand.folder / f"{table}.toml"
            write_table(_with_readers(tuple(zones)), file)
            where = ["--table", str(file), "--id", table, *grand.site.options(table)]
            where += ["--register", str(register), "--by-id", str(by_id)]
            grand.parts.start(f"bridge-{table}", ["bridge", "run", *where])
        took: dict[str, Any] = {}

        def taken() -> bool:
            done = grand.run(*words)
            took.update(json.loads(done.stdout) if done.returncode == 0 else {})
            return [(one["felt"], one["tray"]) for one in took.get("types", ())] == [(5, 1)]

        until(taken, "the readers' chips are the stock")
        assert ([one["off_felt"] for one in took["types"]], took["unread"], took["unknown"]) == ([2], [], 0)
    finally:
        for server in servers:
            server.close()


def _with_readers(zones: tuple[str, ...]) -> TableSettings:
    whole = load_table("tournament").model_dump()
    whole["readers"] = [
        {
            "id": f"reader-{zone}", "protocol": "feig", "port": f"/dev/serial/by-id/usb-FEIG_{zone}", "baud": 115200,
            "antennas": [{"antenna": 1, "zone": zone}],
        }
        for zone in zones
    ]  # fmt: skip
    return TableSettings.model_validate(whole)


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
    bridge = join_table(grand.parts, grand.site.address("bridge", "t1"), "t1", "bridge")
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
