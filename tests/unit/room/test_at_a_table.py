"""Moves at real controllers on a bus in memory: what the table answers decides."""

from pathlib import Path

import pytest

from betline.people.roll import write_staff
from betline.settings import load_table
from cardroom.room import events as e
from cardroom.room.events import Event, Place
from cardroom.room.moves import carry_out
from cardroom.room.room import Room as CardRoom
from cardroom.room.tables import BusTables, OnBus, Signer
from tests.unit.room.floor import Floor
from tests.unit.service.room import Room
from tests.unit.service.staff import ANN, STAFF

NAMES = {"p-1": "Zoe", "p-2": "Max"}


class House:
    """A tournament with two tables, each with its controller."""

    def __init__(self, folder: Path, signer: Signer | None = None, people: Path | None = None) -> None:
        self.signer = signer
        self.tables: dict[str, Room] = {}
        for name in ("t1", "t2"):
            (folder / name).mkdir()
            self.tables[name] = Room(folder / name, at=load_table("tournament"), people=people)
        self.floor = Floor()
        self.floor.add(e.GameAdded(game="main", kind="tournament", stack=20_000))
        self.floor.add(*(e.TableAdded(table=name, game="main", seats=9) for name in self.tables))
        self.bus = BusTables(
            lambda name: OnBus(
                self.tables[name].join("room"), name, lambda: self.signer, lambda: self.tables[name].controller.pump(0)
            )
        )

    def carry_out(self, *moves: e.Move) -> dict[str, str]:
        self.floor.add(e.MovesOrdered(game="main", why="floor", rule="floor", moves=moves))
        return self.again()

    def again(self) -> dict[str, str]:
        def append(event: Event) -> CardRoom:
            return self.floor.add(event)

        return carry_out(append, self.floor.room, self.bus, NAMES)[1]

    def seats(self, table: str) -> dict[int, tuple[str, int]]:
        return {one.seat: (one.name, one.stack) for one in self.tables[table].state.seats if one.status != "empty"}

    def close(self) -> None:
        self.bus.close()
        for table in self.tables.values():
            table.close()


def test_a_player_is_seated_and_moves_with_the_stack_when_the_tables_say_so(tmp_path: Path) -> None:
    house = House(tmp_path)
    assert house.carry_out(e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000)) == {}
    assert house.seats("t1") == {3: ("Zoe", 20_000)}

    assert house.carry_out(e.Move(player="p-1", source=Place("t1", 3), to=Place("t2", 5))) == {}

    assert house.seats("t1") == {}
    assert house.seats("t2") == {5: ("Zoe", 20_000)}
    assert house.floor.room.where == {"p-1": Place("t2", 5)}
    house.close()


def test_two_players_change_places(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.carry_out(
        e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000),
        e.Move(player="p-2", source=None, to=Place("t2", 5), chips=15_000),
    )

    failed = house.carry_out(
        e.Move(player="p-1", source=Place("t1", 3), to=Place("t2", 5)),
        e.Move(player="p-2", source=Place("t2", 5), to=Place("t1", 3)),
    )

    assert failed == {}
    assert (house.seats("t1"), house.seats("t2")) == ({3: ("Max", 15_000)}, {5: ("Zoe", 20_000)})
    house.close()


def test_a_taken_seat_leaves_the_player_in_the_rooms_book_and_the_move_is_tried_again(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.carry_out(e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000))
    assert house.tables["t2"].key("sit-down", seat=5, stack=7_000, player="Somebody").ok

    failed = house.carry_out(e.Move(player="p-1", source=Place("t1", 3), to=Place("t2", 5)))

    assert "taken" in failed["p-1"]
    room = house.floor.room
    assert (dict(room.where), room.moves["p-1"].left, room.moves["p-1"].chips) == ({}, True, 20_000)
    assert house.tables["t2"].key("leave", seat=5).ok
    assert house.again() == {}
    assert house.floor.room.where == {"p-1": Place("t2", 5)}
    house.close()


def written(floor: Floor, event: Event) -> CardRoom:
    """Writes an event down, but the program ends before it can write that a seat was left."""
    if isinstance(event, e.LeftSeat):
        raise KeyboardInterrupt
    return Floor.add(floor, event)


def test_a_program_that_ended_between_the_table_and_its_journal_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path)
    house.carry_out(e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000))
    move = e.Move(player="p-1", source=Place("t1", 3), to=Place("t2", 5))
    house.floor.add(e.MovesOrdered(game="main", why="floor", rule="floor", moves=(move,)))
    assert house.tables["t1"].key("count", seat=3, stack=35_000).ok  # what was won meanwhile
    monkeypatch.setattr(house.floor, "add", lambda event: written(house.floor, event))

    with pytest.raises(KeyboardInterrupt):
        house.again()
    assert house.seats("t1") == {}
    monkeypatch.undo()
    assert house.again() == {}

    assert house.seats("t2") == {5: ("Zoe", 35_000)}
    house.close()


def test_a_table_in_the_middle_of_a_hand_keeps_its_player(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.carry_out(
        e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000),
        e.Move(player="p-2", source=None, to=Place("t1", 4), chips=20_000),
    )
    assert house.tables["t1"].key("next-hand", button=3).ok

    failed = house.carry_out(e.Move(player="p-1", source=Place("t1", 3), to=Place("t2", 5)))

    assert "in the middle of a hand" in failed["p-1"]
    assert house.floor.room.where["p-1"] == Place("t1", 3)
    house.close()


def test_where_staff_are_enrolled_the_commands_are_signed(tmp_path: Path) -> None:
    people = tmp_path / "people.toml"
    write_staff(people, STAFF)
    move = e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000)
    (tmp_path / "a").mkdir()
    unsigned = House(tmp_path / "a", None, people)
    assert "--person" in unsigned.carry_out(move)["p-1"] or "--by" in unsigned.carry_out(move)["p-1"]
    unsigned.close()

    (tmp_path / "b").mkdir()
    house = House(tmp_path / "b", None, people)
    assert house.bus.table("t1").state().phase == "idle"  # who only looks signs nothing
    house.signer = Signer(ANN.name, "4711")
    assert house.carry_out(move) == {}
    assert house.seats("t1")[3][1] == 20_000
    house.close()


def test_a_table_whose_controller_has_gone_is_away_though_the_broker_keeps_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.room.tables.STATE_S", 0.05)
    house = House(tmp_path)
    house.carry_out(e.Move(player="p-1", source=None, to=Place("t1", 3), chips=20_000))
    house.tables["t2"].kill()
    monkeypatch.setattr(house.tables["t2"].controller, "pump", lambda _: None)

    failed = house.carry_out(e.Move(player="p-1", source=Place("t1", 3), to=Place("t2", 5)))

    assert "Table t2 does not answer" in failed["p-1"]
    assert house.floor.room.moves["p-1"].chips == 20_000
    house.bus.close()
    house.tables["t1"].close()
