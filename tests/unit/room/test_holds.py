"""Which tables the room holds: hand for hand, and where play halts (TDA 11-D)."""

from pathlib import Path

import pytest

from betline.messages.table import TableState
from betline.steps import Hold, LetGo
from cardroom.room import events as e
from cardroom.room import holds
from cardroom.room.events import Event, Place
from cardroom.room.room import Room as CardRoom
from cardroom.room.verbs.holding import hold_tables, tell_last_two
from table_controller.journal.entries import Obeyed
from table_controller.journal.reader import JournalReader
from tests.unit.room.floor import RULES, Floor, rules
from tests.unit.room.test_at_a_table import House


class Leader(House):
    """The room and its two tables on the bus, as `betline room lead` works them."""

    rules = RULES

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.carry_out(
            *(
                e.Move(player=player, source=None, to=Place(table, seat), chips=20_000)
                for player, table, seat in (("p-1", "t1", 3), ("p-2", "t2", 5))
            )
        )
        for name, seat in (("t1", 4), ("t1", 5), ("t2", 6), ("t2", 7)):
            assert self.tables[name].key("sit-down", seat=seat, stack=20_000, player=f"X{seat}").ok

    @property
    def states(self) -> dict[str, TableState]:
        for table in self.tables.values():
            table.controller.pump(0)
        return {name: table.state for name, table in self.tables.items()}

    def decide(self, decision: object, role: str = "floor") -> CardRoom:
        return self.floor.add(*decision(self.floor.room))  # type: ignore[operator]

    def now_ms(self) -> int:
        return self.tables["t1"].now().at_ms

    def tell(self) -> CardRoom:
        return hold_tables(Told(self), self.floor.room, self.floor.room.tables, lambda names: self.states)

    def ends(self, table: str) -> None:
        room = self.floor.room
        self.floor.add(*holds.hand_ended(room, room.games["main"], table, (), RULES, self.states, 0))

    def plays(self, table: str) -> None:
        """One hand, in which all fold."""
        key = self.tables[table].key
        first = self.tables[table].state.button is None
        assert key("next-hand", **({"button": 3 if table == "t1" else 5} if first else {})).ok
        assert key("cards-out").ok
        while (seat := self.tables[table].state.to_act) is not None:
            assert key("act", seat=seat, action="fold").ok


class Told:
    """A holder of tables for `hold_tables`."""

    def __init__(self, leader: Leader) -> None:
        self.rules, self.tables = RULES, leader.bus
        self.decide, self.now_ms = leader.decide, leader.now_ms


def begun(folder: Path) -> Leader:
    leader = Leader(folder)
    room = leader.floor.room
    leader.floor.add(*holds.beginning(room, room.games["main"], (), leader.now_ms(), leader.states))
    leader.tell()
    return leader


def ended(leader: Leader) -> tuple[str, ...]:
    room = leader.floor.room
    return holds.at_the_end(room, room.games["main"], leader.states)


def test_each_table_plays_one_hand_and_none_the_next_one_before_all_have_ended(tmp_path: Path) -> None:
    leader = begun(tmp_path)
    leader.plays("t1")
    assert leader.tables["t1"].key("next-hand").code == "held"
    assert ended(leader) == ("t1",)
    leader.ends("t1")
    assert ended(leader) == ()
    assert leader.tell().allowed == {"t1": 1, "t2": 1}
    assert leader.tables["t1"].key("next-hand").code == "held"

    leader.plays("t2")
    leader.ends("t2")
    assert leader.tell().allowed == {"t1": 2, "t2": 2}

    leader.plays("t1")
    leader.plays("t2")
    leader.close()


@pytest.mark.nightly
def test_a_table_in_the_middle_of_a_hand_ends_that_one_alone(tmp_path: Path) -> None:
    leader = Leader(tmp_path)
    assert leader.tables["t1"].key("next-hand", button=3).ok
    room = leader.floor.room
    leader.floor.add(*holds.beginning(room, room.games["main"], (), 0, leader.states))

    assert leader.tell().allowed == {"t1": 1, "t2": 1}
    leader.close()


@pytest.mark.nightly
def test_a_table_that_the_floor_let_go_is_left_alone_until_the_next_hand_of_all(tmp_path: Path) -> None:
    leader = begun(tmp_path)
    leader.plays("t1")
    assert leader.tables["t1"].key("let-go").ok
    assert holds.plays_on(leader.tell(), "t1", leader.states["t1"], RULES)
    leader.plays("t1")
    assert "t1: was let go at the table and plays on" in holds.lines_of(
        leader.floor.room, leader.states, RULES, ("t1", "t2")
    )
    leader.plays("t2")
    for table in ended(leader):
        leader.ends(table)

    assert leader.tell().allowed == {"t1": 3, "t2": 2}
    leader.plays("t1")
    assert leader.tables["t1"].key("next-hand").code == "held"
    leader.close()


@pytest.mark.nightly
def test_when_it_is_over_the_tables_are_let_go(tmp_path: Path) -> None:
    leader = begun(tmp_path)
    leader.floor.add(e.HandForHand(game="main", on=False))

    assert leader.tell().told == {}
    assert all(state.hold is None for state in leader.states.values())
    leader.close()


@pytest.mark.nightly
def test_the_table_of_the_last_two_is_told_once(tmp_path: Path) -> None:
    leader = Leader(tmp_path)
    for number in (1, 2, 3):
        leader.floor.add(e.Entered(game="main", player=f"p-{number}", what="entry", paid=1, fee=0, chips=1))
    leader.floor.out("p-3")
    assert holds.last_two_at(leader.floor.room, leader.floor.room.games["main"]) is None  # at two tables
    assert leader.carry_out(e.Move(player="p-2", source=Place("t2", 5), to=Place("t1", 8))) == {}

    tell_last_two(Told(leader), leader.floor.room)
    room = tell_last_two(Told(leader), leader.floor.room)

    assert room.games["main"].last_two_told == "t1"
    assert [one.event for one in leader.floor.happened].count(e.LastTwoTold(game="main", table="t1")) == 1
    with JournalReader(leader.tables["t1"].path) as reader:
        assert [one.data["verb"] for one in reader.entries() if one.kind == Obeyed.kind].count("last-two") == 1
    leader.close()


# --- by the book alone


def state(**changes: object) -> TableState:
    usual = {
        "version": 1, "journal_seq": 1, "journal_head": "", "phase": "hand-over", "hand_no": 4, "game": "",
        "street": "", "button": None, "small_blind": None, "big_blind": None, "seats": (), "to_act": None, "call": None,
        "min_raise_to": None, "max_raise_to": None, "pot": 0, "pots": (), "rulings": (),
    }  # fmt: skip
    return TableState.model_validate({**usual, **changes})


def test_tda_11_d_play_halts_at_a_short_table_until_it_is_balanced() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9, "t3": 9}, 10)
    floor.seated(*((f"p-{one}", "t1", one + 1) for one in range(6)), *((f"p-{one}", "t2", one) for one in (6, 7, 8)))

    floor.add(*holds.halting(floor.room, RULES))

    assert floor.room.halts == {"t2": "3 players, 3 short of the fullest table"}  # nobody sits at t3 yet
    assert holds.halting(floor.room, RULES) == ()
    assert holds.wanted_of(floor.room, "t2", RULES) == Hold(why="short", after_hand=0, for_s=300)
    assert holds.halting(floor.room, rules(halt_at=4)) == (e.HaltEnded(table="t2"),)
    floor.seated(("p-9", "t2", 9))
    floor.add(*holds.halting(floor.room, RULES))
    assert floor.room.halts == {}


def test_a_halted_table_that_was_let_go_is_halted_again_when_it_is_shorter_still_and_not_before() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 12)
    floor.seated(*((f"p-{one}", "t1", one + 1) for one in range(7)), *((f"p-{one}", "t2", one) for one in (7, 8, 9)))
    hold, let_go = Hold(why="short", after_hand=0, for_s=300), state(hold_ended="asked")

    def said() -> object:
        floor.add(*holds.halting(floor.room, RULES))
        return holds.command_for(floor.room, "t2", let_go, RULES, 0)

    assert said() == hold
    floor.add(e.TableHeld(table="t2", why="short", after_hand=0))
    assert said() is None
    assert holds.plays_on(floor.room, "t2", let_go, RULES)
    floor.out("p-0")
    assert said() is None
    assert floor.room.halts == {"t2": "3 players, 3 short of the fullest table"}
    floor.seated(("p-10", "t1", 8), ("p-11", "t1", 9))
    assert said() == hold
    assert floor.room.halts == {"t2": "3 players, 5 short of the fullest table"}
    floor.add(e.TableHeld(table="t2", why="short", after_hand=0))
    assert said() is None


def test_a_table_that_is_short_once_more_after_it_was_balanced_is_told_anew() -> None:
    floor = Floor().opened({"t1": 9}, 2)
    floor.add(e.TableHalted(table="t1", why="a", short=4), e.TableHeld(table="t1", why="short", after_hand=0))
    floor.add(e.HaltEnded(table="t1"), e.TableHalted(table="t1", why="b", short=3))

    assert holds.command_for(floor.room, "t1", state(hold_ended="asked"), RULES, 0) is not None


def test_a_table_is_told_what_it_does_not_know_and_again_before_its_time_is_up() -> None:
    floor = Floor().opened({"t1": 9}, 2)
    floor.add(e.TableHalted(table="t1", why="2 players, 4 short of the fullest table"))
    hold = Hold(why="short", after_hand=0, for_s=300)

    def command(left_ms: int | None, ended: str = "") -> object:
        held = {"why": "short", "after_hand": 0, "waits": True, "until_ms": left_ms, "sentence": ""}
        here = state(hold=None if left_ms is None else held, hold_ended=ended)
        return holds.command_for(floor.room, "t1", here, RULES, 0)

    assert command(None) == hold
    told: Event = e.TableHeld(table="t1", why="short", after_hand=0)
    floor.add(told)
    assert command(299_000) is None
    assert command(149_000) == hold
    assert command(None, "asked") is None  # let go at the table
    assert command(None) is None  # by a program that does not say how it ended
    assert command(None, "time") == hold  # the room was away for too long
    floor.add(e.HaltEnded(table="t1"))
    assert command(149_000) == LetGo()
    assert command(None) is None
