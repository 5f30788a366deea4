"""Room work at real controllers and a real broker: hand for hand, tables that halt, the last two, figures, chips."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.broker import free_port
from betline.bus import Bus, MqttBus
from betline.messages.common import Command, Reply
from betline.messages.room import RoomHead
from betline.messages.table import TableState
from betline.options import Address
from betline.readiness import await_broker, await_controller
from betline.settings import config_dir
from betline.supervise import Supervisor
from betline.topics import Namespace, topic
from tests.dealing import DealsHands, until
from virtual_table.bench.start_up import controller_line

pytestmark = [pytest.mark.hil, pytest.mark.nightly, pytest.mark.timeout(240)]
SITE, TABLES = "grand", ("t1", "t2", "t3")


@dataclass
class Dealer(DealsHands):
    """The console of one table."""

    console: Bus
    states: list[TableState] = field(default_factory=list)
    replies: dict[str, Reply] = field(default_factory=dict)
    heads: list[RoomHead] = field(default_factory=list)

    def key(self, verb: str, **args: Any) -> Reply:
        name = uuid.uuid4().hex
        message = Command(id=name, expires_ms=time.time_ns() // 1_000_000 + 10_000, args=args)
        self.console.publish(topic(topics.COMMAND, verb), message)
        until(lambda: name in self.replies, f"an answer to {verb}")
        return self.replies[name]


@dataclass
class Floor:
    folder: Path
    address: Address
    parts: Supervisor
    dealers: dict[str, Dealer]

    def line(self, *words: str) -> list[str]:
        own = ["--site", SITE, "--broker", str(self.address), "--journal", str(self.folder / "grand.room")]
        own += ["--people", str(self.folder / "people.toml"), "--rules", str(self.folder / "rules.toml")]
        return ["room", *words, *own]

    def room(self, *words: str, status: int = 0) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "betline", *self.line(*words), "--json"], capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout) if done.stdout else done.stderr

    def opened(self, players: int, *tables: str) -> None:
        self.room("game", "main", "--levels", "tournament", "--stack", "20000", "--buy-in", "90")
        for table in tables:
            self.room("table", table)
        for number in range(players):
            self.room("enter", f"P{number}")
        moves = self.room("draw")["moves"]
        assert len(moves) == players
        assert not any(one["not_done"] for one in moves)
        for table in tables:
            until(lambda table=table: bool(self.dealers[table].players), "players sit")  # type: ignore[misc]

    def sit_at(self, table: str) -> list[str]:
        return [one["player"] for one in self.room("players") if one.get("table") == table]


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    address = Address("127.0.0.1", free_port())
    (tmp_path / "rules.toml").write_text("hold_s = 30\nhand_for_hand_s = 60\n")
    with Supervisor(tmp_path) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        dealers = {}
        for table in TABLES:
            parts.start(table, [*controller_line("tournament", address, tmp_path, table), "--site", SITE])
        for table in TABLES:
            await_controller(parts, address, Namespace(SITE, table))
            dealer = dealers[table] = Dealer(MqttBus(address.host, address.port, Namespace(SITE, table), "console"))
            bus = dealer.console
            bus.subscribe(topics.STATE, lambda received, dealer=dealer: dealer.states.append(received.body))
            bus.subscribe(topics.ROOM, lambda received, dealer=dealer: dealer.heads.append(received.body))
            bus.subscribe(
                topics.REPLY,
                lambda received, dealer=dealer: dealer.replies.update({received.body.command_id: received.body}),
            )
            until(lambda dealer=dealer: bool(dealer.states), "a state")  # type: ignore[misc]
        yield Floor(tmp_path, address, parts, dealers)
        for dealer in dealers.values():
            dealer.console.close()


def test_hand_for_hand_three_tables_deal_together_and_none_begins_before_all_have_ended(floor: Floor) -> None:
    floor.opened(9, *TABLES)
    one, two, three = (floor.dealers[table] for table in TABLES)
    for dealer in (one, two):
        assert dealer.begins()
    floor.room("clock", "start")

    floor.room("hand-for-hand", "on")
    floor.parts.start("lead", floor.line("lead"))

    # one and two are in their hand, three plays one more; then each waits for the others
    one.folds_round()
    until(lambda: one.state.hold is not None and one.state.hold.waits, "table 1 waits")
    assert not one.begins()
    assert three.begins()
    three.folds_round()
    assert not three.begins()
    assert not one.begins()
    two.folds_round()
    until(lambda: all(d.state.hold is not None and not d.state.hold.waits for d in (one, two, three)), "all may deal")
    left_ms = floor.room("clock")["left_ms"]
    assert one.begins()
    one.folds_round()
    assert not one.begins()

    # the floor lets one table go by name: it plays, and waits with all others after the next hand of all
    assert one.key("let-go").ok
    assert one.begins()
    one.folds_round()
    for dealer in (two, three):
        assert dealer.begins()
        dealer.folds_round()
    until(lambda: all(d.state.hold is not None and not d.state.hold.waits for d in (one, two, three)), "all may deal")
    until(lambda: floor.room("clock")["left_ms"] == left_ms - 60_000, "the second hand went off the clock")

    # without anybody who leads a table waits for hold_s alone, and plays on by itself
    assert two.begins()
    two.folds_round()
    assert not two.begins()
    floor.parts.kill("lead", 600)
    until(lambda: two.state.hold is None, "table 2 is held no longer")
    assert "hold-over" in [alert.code for state in two.states for alert in state.alerts]
    assert two.begins()
    assert floor.room("verify")["sealed"]


def test_play_halts_at_a_table_that_is_three_short_and_the_floor_sees_why(floor: Floor) -> None:
    floor.opened(10, "t1", "t2")
    two = floor.dealers["t2"]
    there = floor.sit_at("t2")

    halted = floor.room("out", *(f"{name}=100" for name in there[:3]))["halted"]

    assert list(halted) == ["t2"]
    until(lambda: two.state.hold is not None and two.state.hold.waits, "table 2 waits")
    assert not two.begins()
    line = [sys.executable, "-m", "betline", "floor", "--broker", str(floor.address), "--json"]
    said = json.loads(subprocess.run(line, capture_output=True, text=True, check=True, timeout=60).stdout)
    row = next(one for one in said["tables"] if one["table"] == "t2")
    assert row["hold"]["why"] == "short"
    assert row["what"].startswith("HALTED")
    assert floor.dealers["t1"].begins()
    floor.dealers["t1"].folds_round()
    assert floor.dealers["t1"].begins()  # who is due the big blind is known from the second hand on
    floor.dealers["t1"].folds_round()

    floor.room("balance")
    until(lambda: two.state.hold is None, "table 2 plays on")
    assert floor.room("halt")["halted"] == {}
    assert two.begins()
    # the head that was told at the tables is of this journal
    until(lambda: bool(two.heads), "the room's head")
    (floor.folder / "told.log").write_text(
        "".join(f"{json.dumps(head.model_dump(mode='json'))}\n" for head in two.heads)
    )
    found = floor.room("verify", "--anchors", str(floor.folder / "told.log"))
    assert found["anchors"] >= 2


def test_the_table_of_the_last_two_is_told_and_hands_by_the_hour_are_those_that_were_dealt(floor: Floor) -> None:
    floor.opened(3, "t1")
    one = floor.dealers["t1"]
    floor.room("figures")
    begun_s, hands = time.monotonic(), 0
    while time.monotonic() - begun_s < 61:
        assert one.begins()
        one.folds_round()
        hands += 1
    (row,) = floor.room("figures")

    measured = row["hands_per_hour"] * row["over_ms"] / 3_600_000
    assert round(measured) == hands > 5
    assert row["rake_per_hour"] == 0

    floor.room("out", f"{floor.sit_at('t1')[0]}=100")

    kinds = [json.loads(line)["kind"] for line in log_of(floor)]
    assert "last-two-told" in kinds


def test_rake_by_the_hour_is_what_a_controller_has_taken_out_of_hands_that_were_dealt(tmp_path: Path) -> None:
    address, table = Address("127.0.0.1", free_port()), tmp_path / "raked.toml"
    home = (config_dir() / "tables" / "home-six.toml").read_text()
    assert home.count('profile = "home"\n') == 1
    table.write_text(home.replace('profile = "home"\n', 'profile = "home"\noptions.rake = { percent = 20, cap = 3 }\n'))
    with Supervisor(tmp_path) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        parts.start("raked", [*controller_line(str(table), address, tmp_path, "raked"), "--site", SITE])
        await_controller(parts, address, Namespace(SITE, "raked"))
        dealer = Dealer(MqttBus(address.host, address.port, Namespace(SITE, "raked"), "console"))
        dealer.console.subscribe(topics.STATE, lambda received: dealer.states.append(received.body))
        dealer.console.subscribe(
            topics.REPLY, lambda received: dealer.replies.update({received.body.command_id: received.body})
        )
        until(lambda: bool(dealer.states), "a state")
        floor = Floor(tmp_path, address, parts, {"raked": dealer})
        (tmp_path / "rules.toml").write_text("")
        floor.room("game", "home", "--cash", "--buy-in", "200")
        floor.room("table", "raked", "--seats", "6")
        for seat in (1, 2, 3):
            assert dealer.key("sit-down", seat=seat, stack=200, player=f"P{seat}").ok
        floor.room("figures")
        begun_s, hands = time.monotonic(), 0
        while time.monotonic() - begun_s < 61:
            assert dealer.begins()
            dealer.key("cards-out")
            sees_a_flop(dealer)
            hands += 1
            time.sleep(0.5)  # a hand a second is enough: their stacks last
        (row,) = floor.room("figures")
        taken = dealer.state.house_money["rake"]
        dealer.console.close()

    hours = row["over_ms"] / 3_600_000
    assert round(row["hands_per_hour"] * hours) == hands > 5
    assert round(row["rake_per_hour"] * hours) == taken > 0


def sees_a_flop(dealer: Dealer) -> None:
    """All call, and on the flop a bet takes the pot."""
    until(lambda: dealer.state.phase == "betting" and dealer.state.to_act is not None, "somebody is to act")
    while (state := dealer.state).phase != "hand-over":
        if state.phase == "round-over":
            reply = dealer.key("deal")
        elif state.street in ("", "preflop"):
            reply = dealer.key("act", seat=state.to_act, action="call" if state.call else "check")
        elif state.call:
            reply = dealer.key("act", seat=state.to_act, action="fold")
        else:
            reply = dealer.key("act", seat=state.to_act, action="bet", to=2)
        assert reply.ok, reply.sentence
        before = (state.phase, state.street, state.to_act)
        until(
            lambda before=before: (  # type: ignore[misc]
                (now := dealer.state).phase == "hand-over"
                or ((now.phase, now.street, now.to_act) != before and (now.to_act or now.phase == "round-over"))
            ),
            "the hand goes on",
        )


def log_of(floor: Floor) -> list[str]:
    line = [sys.executable, "-m", "betline", *floor.line("log", "--last", "200"), "--json"]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.splitlines()


def test_the_stock_is_what_the_readers_of_a_table_that_plays_have_read(tmp_path: Path) -> None:
    address, journal = Address("127.0.0.1", free_port()), tmp_path / "home.room"
    (tmp_path / "temporary").mkdir()
    betline = [sys.executable, "-m", "betline"]
    words = ["demo", "--headless", "--json", "--hands", "40", "--table", "home-six", "--broker", str(address)]
    demo = subprocess.Popen(
        [*betline, *words, "--journal", str(tmp_path / "demo.journal")],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
    )  # fmt: skip

    def room(*verb: str) -> Any:
        own = ["--journal", str(journal), "--broker", str(address), "--people", str(tmp_path / "nobody.toml"), "--json"]
        done = subprocess.run([*betline, "room", *verb, *own], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def playing() -> Path | None:
        return next((tmp_path / "temporary").rglob("world.playing"), None)

    try:
        until(lambda: playing() is not None or demo.poll() is not None, "the table plays")
        assert demo.poll() is None
        (register,) = (tmp_path / "temporary").rglob("chips.jsonl")
        house = len([line for line in register.read_text().splitlines() if '"uid"' in line])
        room("game", "home", "--cash", "--buy-in", "200")
        room("table", "home-six", "--seats", "6")
        takes = []
        for _ in range(3):
            time.sleep(3.0)
            takes.append(room("inventory", "--take", "--register", str(register), "--chip-set", "cash"))
    finally:
        demo.terminate()
        demo.communicate(timeout=60)

    for take in takes:
        assert take["unknown"] == 0
        assert sum(one["registered"] for one in take["types"]) == house > 100
        assert sum(one["felt"] + one["tray"] for one in take["types"]) > 0
        for one in take["types"]:
            assert one["registered"] == one["retired"] + one["felt"] + one["tray"] + one["counted"] + one["off_felt"]
    before, after = takes[-2:]
    for was, one in zip(before["types"], after["types"], strict=True):
        assert one["drift"] == one["off_felt"] - was["off_felt"]
