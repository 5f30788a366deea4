"""The room's journal: chained, append only, taken back by one more entry; names can be erased."""

import sqlite3
from pathlib import Path
from typing import get_args

import pytest

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.journal import RoomJournal, plain, read, undoing
from cardroom.room.room import Room

GAME = e.GameAdded(game="main", kind="tournament", stack=100)


def test_what_is_written_comes_back_and_the_room_is_its_fold(tmp_path: Path) -> None:
    move = e.Move(player="p-1", source=None, to=e.Place("t1", 3), chips=100)
    ordered = e.MovesOrdered(game="main", why="draw", rule="TDA 7", moves=(move,), seed="x")
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME, e.TableAdded(table="t1", game="main", seats=9)), "Ann", 1)
        journal.append(lambda _: (ordered, e.Moved(player="p-1", chips=100)), "Bob", 2)
    with RoomJournal(tmp_path / "a.room") as journal:
        happened = journal.happened()
        assert [(one.seq, one.by, one.at_ms) for one in happened] == [
            (1, "Ann", 1),
            (2, "Ann", 1),
            (3, "Bob", 2),
            (4, "Bob", 2),
        ]
        assert happened[2].event == ordered
        assert journal.room().where == {"p-1": e.Place("t1", 3)}


def test_every_kind_of_event_can_be_read_back() -> None:
    assert len(get_args(e.Event)) == len(e.KINDS) > 30
    counted = e.Counted(place="cage", shift="day", counts={"red": 3}, people=("a", "b"))
    out = e.WentOut(game="main", places=(("p-1", 2),), chips={"p-1": 5})
    for event in (GAME, counted, out, e.Pushed(string="s", at=(("t1", "d1"),), resting=()), e.Undone(seq=3)):
        assert read(1, 0, e.kind_of(type(event)), {"by": "Ann", "event": plain(event)}).event == event


def test_a_decision_that_is_refused_writes_nothing(tmp_path: Path) -> None:
    def refuse(room: Room) -> tuple[e.Event, ...]:
        raise RoomError("no", "No.")

    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME,), "Ann")
        with pytest.raises(RoomError):
            journal.append(refuse, "Ann")
        assert journal.head()[0] == 1
        journal.append(lambda room: (e.TableAdded(table="t1", game=room.game("main").name, seats=9),), "Ann")


def test_a_changed_entry_breaks_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.room"
    with RoomJournal(path) as journal:
        journal.append(lambda _: (GAME, e.TableAdded(table="t1", game="main", seats=9)), "Ann")
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        database.execute("UPDATE entry SET payload = '{}' WHERE seq = 1")
    database.execute("DROP TRIGGER entry_stays")
    database.execute("UPDATE entry SET at_ms = 5 WHERE seq = 1")
    database.commit()
    database.close()

    with RoomJournal(path) as journal, pytest.raises(RoomError, match="at entry 1"):
        journal.room()


def test_the_last_step_is_taken_back_unless_it_was_carried_out(tmp_path: Path) -> None:
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME, e.TableAdded(table="t1", game="main", seats=9)), "Ann")
        room = journal.append(lambda _: (undoing(journal.happened()),), "Ann")
        assert room.tables == {}
        assert journal.append(lambda _: (undoing(journal.happened()),), "Ann").games == {}
        with pytest.raises(RoomError, match="Nothing"):
            undoing(journal.happened())
        journal.append(lambda _: (e.Counted(place="cage", shift="day", counts={}, people=("a", "b")),), "Ann")
        with pytest.raises(RoomError, match="carried out"):
            undoing(journal.happened())


def test_a_name_is_erased_from_the_file_and_the_entries_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.room"
    with RoomJournal(path) as journal:
        player = journal.id_of("Zacharias  Quill")
        assert journal.id_of("zacharias quill") == player
        assert journal.id_of("Bob") != player
        journal.append(lambda _: (GAME,), "Ann")
        journal.erase(player)
        assert journal.names()[player] == f"erased {player}"
        assert journal.head()[0] == 1
    assert b"Quill" not in path.read_bytes()


def test_a_file_that_is_no_room_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE x (y)")
    database.close()
    before = other.read_bytes()

    with pytest.raises(RoomError, match="no journal of a room"):
        RoomJournal(other)
    assert other.read_bytes() == before
    (tmp_path / "text").write_text("hello, this is text and no database at all")
    with pytest.raises(RoomError, match="cannot be used"):
        RoomJournal(tmp_path / "text")
