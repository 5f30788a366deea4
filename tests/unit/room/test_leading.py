"""`betline room lead` look by look, where another program keeps the journal busy."""

import json
import sqlite3
from pathlib import Path

import pytest

from betline.joining import BrokerChoice
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.house import chips_at
from cardroom.room.verbs.leading import Leader
from tests.unit.room.floor import rules

GAME = e.GameAdded(game="main", kind="tournament", stack=100)


def desk_at(folder: Path, *, as_json: bool) -> Desk:
    """A desk of a room with two tables by hand, of which one is too short: what a look notes."""
    desk = Desk(
        folder / "a.room", "Ann", rules(), as_json, "grand", BrokerChoice(), folder / "people.toml", None, 0.0,
        folder / "key",
    )  # fmt: skip
    tables = tuple(e.TableAdded(table=name, game="main", seats=9, by_hand=True) for name in ("t1", "t2"))
    seats = [("t1", seat) for seat in range(1, 7)] + [("t2", 1)]
    players = [f"p-{number}" for number in range(len(seats))]
    entries = [e.Entered(game="main", player=who, what="entry", paid=1, fee=0, chips=1) for who in players]
    moves = tuple(
        e.Move(player=who, source=None, to=e.Place(*seat), chips=100) for who, seat in zip(players, seats, strict=True)
    )
    ordered = e.MovesOrdered(game="main", why="floor", rule="floor", moves=moves)
    desk.decide(lambda _: (GAME, *tables, *entries, ordered, *(e.Moved(player=who, chips=100) for who in players)))
    return desk


def test_who_leads_says_that_the_journal_is_busy_counts_it_and_does_afterwards_what_was_due(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_at(tmp_path, as_json=True)
    monkeypatch.setattr("cardroom.room.journal.BUSY_WAIT_S", 0.01)
    leader = Leader(desk)
    other = sqlite3.connect(desk.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    leader.look()
    leader.look()

    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["journal_busy"] for one in told] == [1, 2]
    assert "is busy: another program" in told[0]["sentence"]
    assert desk.room().halts == {}
    other.close()
    leader.look()
    assert list(desk.room().halts) == ["t2"]
    desk.close()


def test_what_is_wrong_with_the_journal_otherwise_ends_it(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, as_json=False)
    (tmp_path / "key").unlink()

    with pytest.raises(RoomError) as refused:
        Leader(desk).look()

    assert refused.value.code != "busy"


def test_a_table_of_which_a_sites_folder_has_no_logins_is_named(tmp_path: Path) -> None:
    desk = desk_at(tmp_path, as_json=False)

    with pytest.raises(RoomError, match="no logins of table t1"):
        chips_at(desk, "t1", tmp_path)
