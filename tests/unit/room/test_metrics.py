"""What who leads the tables tells Prometheus."""

import socket
import sqlite3
import urllib.request
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from betline.bus.port import BusCounters
from betline.joining import BrokerChoice
from betline.messages.table import HoldState, TableState
from betline.metrics.reading import metric_of
from cardroom.room import events as e
from cardroom.room.metrics import NoFigures, RoomFigures, Together, figures, shown
from cardroom.room.verbs.desk import Desk
from tests.unit.room.floor import Floor, rules

NAMES = ("t1", "t2", "t3", "t4", "t5")


def state(why: str | None = None) -> TableState:
    """What a table says of itself, as far as figures go."""
    hold = None if why is None else HoldState.model_construct(why=why, after_hand=3, waits=True, until_ms=0)
    return TableState.model_construct(hold=hold)


def led() -> Floor:
    """Five tables, one of them by hand."""
    floor = Floor()
    floor.add(e.GameAdded(game="main", kind="tournament", stack=1000))
    floor.add(*(e.TableAdded(table=name, game="main", seats=9, by_hand=name == "t5") for name in NAMES))
    floor.add(e.ClockFollowed(game="main", table="t2", sentence="its table file has no levels"))
    return floor


def test_tables_are_counted_by_how_they_stand_and_one_that_is_cut_off_does_not_fail_to_answer() -> None:
    room = replace(led().room, cut={"t3": "pit-b"})

    told = figures(room, {"t1": state("hand-for-hand"), "t2": state()}, 7, 2)

    assert told == {
        "room_tables": 4, "room_held_hand-for-hand": 1, "room_held_short": 0, "room_cut_off": 1,
        "room_unanswered": 1, "room_off_clock": 1, "room_hands_together": 7, "room_journal_busy": 2,
    }  # fmt: skip
    assert [name for name in told if metric_of(name) is None] == []


class Tables:
    """Tables on the bus that say this of themselves, each with a client of its own."""

    def __init__(self, *counters: BusCounters, **states: TableState) -> None:
        self.states = states
        self.clients = tuple(SimpleNamespace(connected=True, counters=one) for one in counters)

    def states_now(self, _names: object) -> dict[str, TableState]:
        return self.states

    def buses(self) -> tuple[SimpleNamespace, ...]:
        return self.clients

    def close(self) -> None:
        pass


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(
        tmp_path / "a.room", "Ann", rules(), True, "grand", BrokerChoice(), tmp_path / "people.toml", None, 0.0,
        tmp_path / "key",
    )  # fmt: skip
    made.decide(lambda _: [one.event for one in led().happened])
    counted = BusCounters(published=3, problems={"malformed": 1}), BusCounters(published=4, problems={"malformed": 2})
    made._tables = Tables(*counted, t1=state("short"))  # type: ignore[assignment]
    return made


def test_hands_are_counted_from_the_journal_whoever_has_noted_them(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    found = RoomFigures(desk, lambda: now_s[0])
    found.look(0)
    assert (found.made()["room_hands_together"], found.made()["room_held_short"]) == (0, 1)
    desk.decide(lambda _: [e.HandForHand(game="main", on=True)])
    desk.decide(lambda _: [e.HandEnded(game="main", table=name) for name in ("t1", "t2")])
    found.look(0)
    assert found.made()["room_hands_together"] == 0
    now_s[0] = 1.0
    found.look(0)
    assert found.made()["room_hands_together"] == 2
    monkeypatch.setattr("cardroom.room.journal.BUSY_WAIT_S", 0.01)
    other = sqlite3.connect(desk.path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    now_s[0] = 2.0

    found.look(3)

    assert (found.made()["room_hands_together"], found.made()["room_journal_busy"]) == (2, 3)
    other.close()


def test_the_figures_are_served_and_prometheus_is_told_where(desk: Desk, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with shown(desk, str(port), tmp_path / "room.json") as found:
        found.look(5)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            page = answer.read().decode()

    for line in (
        'betline_room_tables_held{why="short"} 1.0',
        "betline_room_tables_unanswered 3.0",
        "betline_room_journal_busy_total 5.0",
        "betline_bus_messages_published_total 7.0",
        'betline_bus_messages_dropped_total{reason="malformed"} 3.0',
        "betline_bus_connected 1.0",
    ):
        assert line in page.splitlines()
    assert '"part": "room"' in (tmp_path / "room.json").read_text(encoding="utf-8")
    with shown(desk, None, tmp_path / "none.json") as nothing:
        assert isinstance(nothing, NoFigures)
    assert not (tmp_path / "none.json").exists()


def test_one_client_that_is_away_is_said() -> None:
    tables = Tables(BusCounters(), BusCounters())
    tables.clients[1].connected = False
    assert not Together(tables).connected  # type: ignore[arg-type]
