"""The room's journal: chained, append only, taken back by one more entry; names can be erased."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.journal import RoomJournal
from cardroom.room.room import Room
from cardroom.room.written import plain, read, undoing
from table_controller.journal.chain import link

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

    with RoomJournal(path) as journal, pytest.raises(RoomError, match="Entry 1 does not have the content"):
        journal.room()


SECOND = e.TableAdded(table="t1", game="main", seats=9)
THIRD = e.TableAdded(table="t2", game="main", seats=9)


def written(path: Path) -> None:
    """A journal of three entries, each a decision of its own, and a name."""
    with RoomJournal(path) as journal:
        for event in (GAME, SECOND, THIRD):
            journal.append(lambda _, event=event: (event,), "Ann", 7)  # type: ignore[misc]
        journal.id_of("Bob")


def tampered(path: Path, *lines: str) -> None:
    """Somebody with the file and without the key writes in it."""
    database = sqlite3.connect(path)
    for trigger in ("entry_stays", "entry_is_kept"):
        database.execute(f"DROP TRIGGER {trigger}")
    for line in lines:
        database.execute(line)
    database.commit()
    database.close()


def linked(seq: int, prev: str, kind: str, payload: str) -> str:
    """The line that puts an entry there which holds by itself."""
    digest = link(prev, seq, 7, 0, kind, payload)
    return f"INSERT OR REPLACE INTO entry VALUES ({seq}, 7, 0, '{kind}', '{payload}', '{prev}', '{digest}')"


def rows(path: Path) -> list[tuple[str, str, str]]:
    database = sqlite3.connect(path)
    found = database.execute("SELECT kind, payload, hash FROM entry ORDER BY seq").fetchall()
    database.close()
    return found


def refusal(path: Path) -> str:
    with RoomJournal(path) as journal, pytest.raises(RoomError) as refused:
        journal.append(lambda _: (), "Ann")
    return str(refused.value)


SWAP = tuple(f"UPDATE entry SET seq = {to} WHERE seq = {seq}" for seq, to in ((2, 9), (3, 2), (9, 3)))
TAMPERED = {
    "changed": (("UPDATE entry SET at_ms = 8 WHERE seq = 2",), "Entry 2 does not have the content"),
    "removed": (("DELETE FROM entry WHERE seq = 2",), "Entry 2 is missing."),
    "reordered": (SWAP, "Entry 2 does not follow from entry 1."),
    "cut": (("DELETE FROM entry WHERE seq = 3",), "it was sealed at 3: entry 3 is missing"),
    "a name": (("UPDATE person SET name = 'Mallory'",), "The names of the people are not those"),
    "a dealer": (("INSERT INTO dealer VALUES ('d-1', 'Mallory')",), "The names of the people are not those"),
    "the key": (("UPDATE seal SET key = 'another'",), "Its seal is of the key another"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_removed_reordered_or_cut_is_found_and_nothing_is_written_after_it(
    what: str, tmp_path: Path
) -> None:
    path, (lines, sentence) = tmp_path / "a.room", TAMPERED[what]
    written(path)
    tampered(path, *lines)

    with RoomJournal(path) as journal:
        found = journal.verify()

    assert not found.ok
    assert sentence in found.sentence
    assert refusal(path)


def test_an_entry_that_holds_by_itself_and_follows_from_another_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.room"
    written(path)
    kind, payload, _ = rows(path)[1]
    tampered(path, linked(2, "f" * 64, kind, payload))

    with RoomJournal(path) as journal, pytest.raises(RoomError, match="Entry 2 does not follow from entry 1"):
        journal.room()


def test_an_end_that_was_written_anew_without_the_key_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.room"
    written(path)
    (_, _, prev), (kind, payload, _) = rows(path)[1:]
    tampered(path, linked(3, prev, kind, payload.replace("t2", "t9")))

    with RoomJournal(path) as journal:
        assert journal.verify().sentence == "Entry 3 is not the one that was sealed: the journal was written anew."
    assert "was written anew" in refusal(path)


def test_who_has_the_key_as_well_cannot_write_anew_what_was_published(tmp_path: Path) -> None:
    path, published = tmp_path / "a.room", tmp_path / "published"
    with RoomJournal(path) as journal:
        journal.append(lambda _: (GAME,), "Ann", 7)
    before = path.read_bytes()
    with RoomJournal(path) as journal:
        journal.append(lambda _: (SECOND,), "Ann", 7)
        head = journal.head_sealed()
    assert head is not None
    published.write_text(f"betline/v1/home/t1/room {head.line()}\n")
    path.write_bytes(before)
    (tmp_path / "a.room.anchors").unlink()
    with RoomJournal(path) as journal:
        journal.append(lambda _: (THIRD,), "Ann", 7)

        assert journal.verify().ok
        found = journal.verify(published)

    assert found.sentence == "Entry 2 is not the one whose seal was published: the journal was written anew."


def test_an_end_that_was_lost_with_its_seal_shows_by_the_anchor_beside_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.room"
    with RoomJournal(path) as journal:
        journal.append(lambda _: (GAME, SECOND), "Ann")
    before = path.read_bytes()
    with RoomJournal(path) as journal:
        journal.append(lambda _: (THIRD,), "Ann")
    path.write_bytes(before)

    with RoomJournal(path) as journal:
        assert "The journal ends at entry 2" in journal.verify().sentence
    assert "entry 3 is missing" in refusal(path)


def test_a_journal_of_an_older_version_goes_on_and_is_sealed(tmp_path: Path) -> None:
    path = tmp_path / "a.room"
    written(path)
    database = sqlite3.connect(path)
    database.executescript(
        "DROP TABLE seal; DROP TABLE dealer; ALTER TABLE person RENAME TO name; PRAGMA user_version = 1;"
    )
    database.close()

    with RoomJournal(path) as journal:
        assert journal.names() == {"p-1": "Bob"}
        assert "has no seal" in " ".join(journal.verify().notes)
        journal.append(lambda _: (e.TableClosed(table="t2"),), "Ann")
        assert journal.verify().sealed


def test_without_its_key_a_sealed_journal_takes_no_decision(tmp_path: Path) -> None:
    path, key = tmp_path / "a.room", tmp_path / "room.key"
    with RoomJournal(path, key) as journal:
        journal.append(lambda _: (GAME,), "Ann")
    key.unlink()

    with RoomJournal(path, key) as journal:
        assert list(journal.room().games) == ["main"]
        with pytest.raises(RoomError, match="There is no key"):
            journal.append(lambda _: (SECOND,), "Ann")
        assert not key.exists()


def test_the_last_step_is_taken_back_unless_it_was_carried_out(tmp_path: Path) -> None:
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME, e.TableAdded(table="t1", game="main", seats=9)), "Ann")
        room = journal.append(lambda _: undoing(journal.happened()), "Ann")
        assert room.tables == {}
        assert journal.append(lambda _: undoing(journal.happened()), "Ann").games == {}
        with pytest.raises(RoomError, match="Nothing"):
            undoing(journal.happened())
        journal.append(lambda _: (e.Counted(place="cage", shift="day", counts={}, people=("a", "b")),), "Ann")
        with pytest.raises(RoomError, match="carried out"):
            undoing(journal.happened())


def test_what_was_drawn_is_not_taken_back_and_what_was_only_told_is_passed_over(tmp_path: Path) -> None:
    move = e.Move(player="p-1", source=None, to=e.Place("t1", 3), chips=100)
    drawn = e.MovesOrdered(game="main", why="draw", rule="TDA 7", moves=(move,), seed="x")
    told = e.DrawCommitted(game="main", digest="0" * 64)
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME, SECOND, told), "Ann")
        assert undoing(journal.happened()) == (e.Undone(seq=2),)
        journal.append(lambda _: (drawn,), "Ann")
        with pytest.raises(RoomError, match="drawn by lot"):
            undoing(journal.happened())


def test_hand_for_hand_is_taken_back_with_the_clock_it_stopped_and_the_hands_it_allowed(
    tmp_path: Path,
) -> None:
    running, stopped = (e.ClockSet(game="main", period=0, left_ms=9, since_ms=since) for since in (1, None))
    allowed = e.HandAllowed(game="main", table="t1", after_hand=1)
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME, e.TableAdded(table="t1", game="main", seats=9)), "Ann", at_ms=1)
        journal.append(lambda _: (running,), "Ann", at_ms=2)
        before = journal.room()
        journal.append(lambda _: (e.HandForHand(game="main", on=True), stopped, allowed), "Ann", at_ms=3)
        journal.append(lambda _: (e.ClockFollowed(game="main", table="t1", sentence="no"),), "Ann", at_ms=4)

        room = journal.append(lambda _: undoing(journal.happened()), "Ann")
        assert (room.games["main"].mark, room.games["main"].hand_for_hand) == (before.games["main"].mark, False)
        assert room.allowed == {}
        assert undoing(journal.happened()) == (e.Undone(seq=3),)


def test_what_was_told_to_a_table_whose_opening_is_taken_back_does_not_break_the_journal(tmp_path: Path) -> None:
    added = e.TableAdded(table="t1", game="second", seats=9)
    told = (
        e.ClockFollowed(game="second", table="t1", sentence="It did not answer."),
        e.HandAllowed(game="second", table="t1", after_hand=1),
        e.TableHeld(table="t1", why="short", after_hand=0),
        e.TableHalted(table="t1", why="short", short=3),
        e.LastTwoTold(game="second", table="t1"),
    )
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME, replace(GAME, game="second"), added, *told), "Ann")
        for _ in range(2):
            room = journal.append(lambda _: undoing(journal.happened()), "Ann")
        assert (list(room.games), dict(room.tables), dict(room.allowed), dict(room.halts)) == (["main"], {}, {}, {})
        off = e.HandForHand(game="main", on=False)
        assert journal.append(lambda _: (off,), "Ann") == journal.room()


def test_a_decision_that_the_room_cannot_follow_is_not_written(tmp_path: Path) -> None:
    with RoomJournal(tmp_path / "a.room") as journal:
        journal.append(lambda _: (GAME,), "Ann")
        with pytest.raises(KeyError):
            journal.append(lambda _: (e.Moved(player="p-9", chips=0),), "Ann")
        assert len(journal.happened()) == 1
        assert list(journal.room().games) == ["main"]


def test_what_another_decision_of_the_same_moment_set_is_not_taken_back_with_it(tmp_path: Path) -> None:
    with RoomJournal(tmp_path / "a.room") as journal:
        tables = (e.TableAdded(table=name, game="main", seats=9) for name in ("t1", "t2"))
        journal.append(lambda _: (GAME, *tables), "Ann", at_ms=1)
        journal.append(lambda _: (e.HandForHand(game="main", on=True),), "Ann", at_ms=2)
        journal.append(lambda _: (e.HandEnded(game="main", table="t1"),), "Ann", at_ms=3)
        journal.append(lambda _: (e.ClockSet(game="main", period=0, left_ms=9, since_ms=None),), "Bob", at_ms=3)
        assert undoing(journal.happened()) == (e.Undone(seq=6),)


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


def test_a_journal_in_which_somebody_else_writes_is_busy_and_can_be_used_again_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.room.journal.BUSY_WAIT_S", 0.01)
    written(tmp_path / "a.room")
    other = sqlite3.connect(tmp_path / "a.room", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with RoomJournal(tmp_path / "a.room") as journal:
        with pytest.raises(RoomError, match="another program has been writing") as refused:
            journal.append(lambda _: (e.HaltEnded(table="t1"),), "Ann")
        assert refused.value.code == "busy"
        other.close()
        journal.append(lambda _: (e.HaltEnded(table="t1"),), "Ann")
        assert journal.head()[0] == 4
