"""The room's clock at real controllers: who leads tells each until it has it, whatever came between."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from betline.joining import BrokerChoice
from betline.messages.table import LevelState
from betline.options import UserError
from betline.settings import load_table
from betline.steps import Command
from cardroom.room import clock, holds
from cardroom.room import events as e
from cardroom.room.tables import BusTables, OnBus
from cardroom.room.verbs import books, games, leading, timing
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.holding import hold_tables
from cardroom.room.verbs.leading import Leader
from table_controller.levels.clock import ClockAction
from tests.unit.room.floor import rules
from tests.unit.service.room import Room as Controller

TABLES = ("t1", "t2")


class Site:
    """Tables on the bus in memory, a desk that works them, and what can come between."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.cut: dict[str, str] = {}
        self.silent: set[str] = set()
        self.told: list[tuple[str, Command]] = []
        self.no_bus = ""
        self.tables: dict[str, Controller] = {}
        for name in TABLES:
            self.table(name)
        monkeypatch.setattr(Desk, "cut", lambda _: self.cut)
        monkeypatch.setattr("cardroom.room.verbs.following.BACK_S", 0.0)
        monkeypatch.setattr("cardroom.room.verbs.following.AGAIN_S", 0.0)
        monkeypatch.setattr("cardroom.room.tables.ANSWER_S", 0.05)
        monkeypatch.setattr("cardroom.room.verbs.timing.FOLLOWS_S", 0.05)
        self.desk = self.another_desk()
        added = e.GameAdded(game="main", kind="tournament", stack=20_000, levels="tournament")
        self.desk.decide(lambda _: (added, *(e.TableAdded(table=name, game="main", seats=9) for name in TABLES)))

    def table(self, name: str) -> None:
        (self.folder / name).mkdir()
        self.tables[name] = Controller(self.folder / name, at=load_table("tournament"))

    def another_desk(self) -> Desk:
        desk = Desk(
            self.folder / "a.room", "Ann", rules(), True, "home", BrokerChoice(), self.folder / "nobody.toml",
            None, 0.0, self.folder / "key",
        )  # fmt: skip
        desk._tables = BusTables(lambda name: self._join(desk, name))
        ask = desk._tables.ask

        def asked(name: str, command: Command) -> str:
            self.told.append((name, command))
            return ask(name, command)

        desk._tables.ask = asked  # type: ignore[method-assign]
        return desk

    def _join(self, desk: Desk, name: str) -> OnBus:
        if self.no_bus:
            raise UserError(self.no_bus)
        bus = self.tables[name].join(f"room-{id(desk):x}")
        return OnBus(bus, name, lambda: None, lambda: self.pump(name), lambda: self.cut)

    def pump(self, name: str) -> None:
        if name not in self.silent:
            self.tables[name].controller.pump(0)

    def sets(self, action: ClockAction, level: int | None = None, left_ms: int | None = None) -> None:
        desk = self.desk

        def decision(room: object) -> tuple[e.Event, ...]:
            game = desk.room().games["main"]
            return (clock.setting(game, desk.periods(game), desk.now_ms(), action, level, left_ms),)

        timing.tell_clock(desk, desk.decide(decision), "main")

    def does(self, verb: Callable[..., object], **given: object) -> None:
        """A verb of the command line, at this desk."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("cardroom.room.verbs.options.Desk", lambda *_: self.desk)
            patch.setattr(Desk, "close", lambda _: None)
            verb.__wrapped__(broker=BrokerChoice(), **given)  # type: ignore[attr-defined]

    def level(self, name: str) -> LevelState:
        self.pump(name)
        level = self.tables[name].state.level
        assert level is not None
        return level

    def looks(self, leader: Leader | None = None, times: int = 4) -> Leader:
        leader = Leader(self.desk) if leader is None else leader
        for _ in range(times):
            leader.look()
            for name in self.tables:
                self.pump(name)
        return leader

    def runs(self) -> dict[str, bool]:
        return {name: self.level(name).ends_ms is not None for name in self.tables}

    @property
    def unlike(self) -> dict[str, str]:
        return dict(self.desk.room().games["main"].unlike)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    site = Site(tmp_path, monkeypatch)
    yield site
    site.desk.close()


def test_a_table_that_was_silent_when_its_line_came_back_is_told_when_it_answers(site: Site) -> None:
    site.cut["t2"] = "pit-b"
    leader = site.looks()
    site.sets("start")
    site.cut.clear()
    site.silent.add("t2")
    site.looks(leader, times=1)
    assert "did not answer" in site.unlike["t2"]
    site.silent.clear()
    site.looks(leader)
    assert (site.runs(), site.unlike) == ({"t1": True, "t2": True}, {})


def test_who_begins_to_lead_after_the_line_came_back_tells_the_clock(site: Site) -> None:
    site.cut["t2"] = "pit-b"
    site.sets("start")
    site.cut.clear()
    site.looks()
    assert (site.runs(), site.unlike) == ({"t1": True, "t2": True}, {})


def test_a_table_that_is_back_in_a_break_is_in_the_break_too(site: Site) -> None:
    site.cut["t2"] = "pit-b"
    leader = site.looks()
    site.sets("start")
    periods = site.desk.periods(site.desk.room().games["main"])
    place = next(number for number, period in enumerate(periods) if period.is_break)
    pause = e.ClockSet(game="main", period=place, left_ms=90_000, since_ms=site.desk.now_ms())
    site.desk.decide(lambda _: (pause,))
    site.cut.clear()
    site.looks(leader)
    assert all(site.level(name).in_break for name in TABLES)
    assert site.unlike == {}


def test_a_table_that_has_the_clock_is_not_told_again(site: Site) -> None:
    leader = site.looks()
    site.sets("start")
    site.looks(leader)
    site.told.clear()
    site.looks(leader)
    assert site.told == []
    # what its own staff set stays until the room's clock is set
    key = site.tables["t1"].key
    assert key("clock", action="pause").ok
    site.looks(leader)
    assert site.runs() == {"t1": False, "t2": True}
    site.sets("set", level=2)
    assert site.runs() == {"t1": True, "t2": True}


def test_start_and_pause_of_two_people_that_cross_end_alike_everywhere(site: Site) -> None:
    other, ask = site.another_desk(), site.desk.tables.ask
    halfway = []

    def pauses_halfway(name: str, command: Command) -> str:
        answer = ask(name, command)
        if not halfway:
            halfway.append(name)
            game = other.room().games["main"]
            pause = clock.setting(game, other.periods(game), other.now_ms(), "pause", None, None)
            timing.tell_clock(other, other.decide(lambda _: (pause,)), "main")
        return answer

    site.desk.tables.ask = pauses_halfway  # type: ignore[method-assign]
    site.sets("start")
    assert halfway == ["t1"]
    assert (site.runs(), site.unlike) == ({"t1": False, "t2": False}, {})
    other.close()


def test_a_start_that_is_taken_back_stops_the_tables(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.sets("start")
    assert all(site.runs().values())
    site.does(books.undo)
    assert json.loads(capsys.readouterr().out)["kind"] == "clock-set"
    assert site.runs() == {"t1": False, "t2": False}


def test_a_table_that_is_opened_while_the_clock_runs_is_told_it(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.sets("start")
    site.table("t3")
    site.does(games.table, name="t3")
    assert site.runs()["t3"]
    assert "unlike" not in json.loads(capsys.readouterr().out)


def test_without_a_broker_each_table_that_is_not_told_is_named(site: Site) -> None:
    site.no_bus = "There is no broker at 127.0.0.1:1."
    site.sets("start")
    assert site.unlike == dict.fromkeys(TABLES, site.no_bus)


def test_who_leads_waits_for_a_broker_that_went_away_and_says_so_once(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    leader = site.looks()
    capsys.readouterr()
    site.table("t3")
    site.desk.decide(lambda _: (e.TableAdded(table="t3", game="main", seats=9),))
    site.no_bus = "There is no broker."
    site.looks(leader)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["problem"] for one in told] == ["There is no broker."]
    site.no_bus = ""
    site.looks(leader)
    assert "t3" in capsys.readouterr().out


def test_who_begins_to_lead_without_a_broker_ends(site: Site) -> None:
    site.no_bus = "There is no broker."
    with pytest.raises(UserError):
        Leader(site.desk).look()


def test_what_a_table_refuses_because_somebody_else_told_it_just_before_is_done(site: Site) -> None:
    other, ask = site.another_desk(), site.desk.tables.ask

    def told_before(name: str, command: Command) -> str:
        other.tables.ask(name, command)
        return ask(name, command)

    site.desk.tables.ask = told_before  # type: ignore[method-assign]
    site.sets("start")
    assert (site.runs(), site.unlike) == ({"t1": True, "t2": True}, {})
    other.close()


def test_a_start_that_is_taken_back_while_a_table_is_cut_off_stops_it_when_its_line_is_back(site: Site) -> None:
    leader = site.looks()
    site.sets("start")
    site.cut["t2"] = "pit-b"
    site.does(books.undo)
    site.cut.clear()
    site.looks(leader)
    assert (site.runs(), site.unlike) == ({"t1": False, "t2": False}, {})


def test_a_table_that_closes_and_opens_again_is_told_anew(site: Site) -> None:
    leader = site.looks()
    site.sets("start")
    site.looks(leader)
    site.does(games.table, name="t2", close=True)
    assert site.tables["t2"].key("clock", action="pause").ok
    site.looks(leader)
    site.cut["t2"] = "pit-b"
    site.does(games.table, name="t2")
    site.cut.clear()
    site.looks(leader)
    assert (site.runs(), site.unlike) == ({"t1": True, "t2": True}, {})


def test_a_table_that_somebody_else_could_not_tell_is_told_by_who_leads(site: Site) -> None:
    leader = site.looks()
    site.sets("start")
    site.looks(leader)
    assert site.tables["t2"].key("clock", action="pause").ok
    not_told = e.ClockFollowed(game="main", table="t2", sentence="It did not answer.")
    site.desk.decide(lambda _: (not_told,))
    site.looks(leader)
    assert (site.runs(), site.unlike) == ({"t1": True, "t2": True}, {})


def test_a_hand_that_another_leader_has_counted_is_not_counted_again(site: Site) -> None:
    desk = site.desk
    seated(site, *TABLES)
    site.sets("start")
    states = desk.tables.states(TABLES)
    periods = desk.periods(desk.room().games["main"])
    desk.decide(lambda room: holds.beginning(room, room.games["main"], periods, 0, states))
    room = desk.room()
    ended = {name: state.model_copy(update={"hand_no": room.allowed[name]}) for name, state in states.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BusTables, "states_now", lambda _, names: {name: ended[name] for name in names})
        for _ in range(2):
            for name in TABLES:
                leading._ended(desk, "main", name)
    game = desk.room().games["main"]
    assert game.waits == frozenset()
    assert game.mark is not None
    assert periods[0].length_ms - 130_000 < game.mark.left_ms


def test_a_table_that_is_closed_or_emptied_while_it_is_told_ends_nothing(site: Site) -> None:
    desk = site.desk
    seated(site, *TABLES)
    states = desk.tables.states(TABLES)
    room = desk.decide(lambda room: holds.beginning(room, room.games["main"], (), 0, states))
    desk.decide(lambda _: (e.TableClosed(table="t2"),))
    assert set(hold_tables(desk, room, ["t1", "t2"]).tables) == {"t1"}
    assert leading._ended(desk, "main", "t2").games["main"].waits == frozenset()


def seated(site: Site, *tables: str) -> None:
    """A player of the room's book at each of these tables, and tables by hand for what is not on the bus."""
    for name in tables:
        player = f"p-{name}"
        move = e.Move(player=player, source=None, to=e.Place(name, 1), chips=100)
        entered = e.Entered(game="main", player=player, what="entry", paid=1, fee=0, chips=100)
        site.desk.decide(
            lambda _, entered=entered, move=move, player=player: (  # type: ignore[misc]
                entered,
                e.MovesOrdered(game="main", why="floor", rule="floor", moves=(move,)),
                e.Moved(player=player, chips=100),
            )
        )


def test_hand_for_hand_goes_on_where_the_table_that_was_waited_for_closes_and_waits_for_no_empty_one(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = site.desk
    desk.decide(
        lambda _: [e.TableAdded(table=f"h{number}", game="main", seats=9, by_hand=True) for number in (1, 2, 3)]
    )
    seated(site, "h1", "h2", "h3")
    desk.decide(lambda room: holds.beginning(room, room.games["main"], (), 0, {}))
    for table in ("h1", "h2"):
        site.does(timing.hand_for_hand, action="ended", table=table)
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["waiting_for"] == ["h3"]

    out = e.WentOut(game="main", places=(("p-h3", 3),))
    leaves = e.MovesOrdered(
        game="main", why="out", rule="floor", moves=(e.Move(player="p-h3", source=e.Place("h3", 1), to=None),)
    )
    left = (e.LeftSeat(player="p-h3", chips=0), e.Moved(player="p-h3", chips=0))
    desk.decide(lambda _: (out, leaves, *left))
    site.does(games.table, name="h3", close=True)
    assert desk.room().games["main"].waits == frozenset()
    site.does(timing.hand_for_hand, action="ended", table="h1")
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["waiting_for"] == ["h2"]


def test_who_says_that_the_last_hand_before_a_break_has_ended_is_told_of_the_break(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.desk.decide(lambda _: (e.TableAdded(table="h1", game="main", seats=9, by_hand=True),))
    seated(site, "h1")
    site.sets("start")
    site.sets("set", level=4, left_ms=60_000)
    site.does(timing.hand_for_hand, action="on")
    site.does(timing.hand_for_hand, action="ended", table="h1")
    on, ended = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "in_break" not in on
    assert ended["in_break"]
    assert site.level("t1").in_break


def test_a_hold_is_said_again_in_half_its_time_however_far_the_tables_clock_is(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated(site, *TABLES)
    site.desk.decide(lambda room: holds.beginning(room, room.games["main"], (), 0, site.desk.tables.states(TABLES)))
    at_s = [1000.0]
    monkeypatch.setattr("cardroom.room.verbs.leading.time.monotonic", lambda: at_s[0])
    leader = site.looks()
    hold_s = site.desk.rules.hold_s
    for apart_ms in (-200_000, 200_000):
        monkeypatch.setattr(Desk, "now_ms", lambda _, apart_ms=apart_ms: 1_795_000_000_000 + apart_ms)
        site.told.clear()
        at_s[0] += hold_s * 0.45
        site.looks(leader)
        assert site.told == []
        at_s[0] += hold_s * 0.1
        site.looks(leader)
        assert sorted(name for name, _ in site.told) == ["t1", "t2"]
