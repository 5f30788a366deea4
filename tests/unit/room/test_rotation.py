"""Dealers at tables of which one is closed, or does not answer: who is left out, who is named, who is told later."""

import json
from pathlib import Path

import pytest

from betline.joining import BrokerChoice
from betline.options import UserError
from betline.steps import Command
from betline.steps.commands import Dealer
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.rotation import _tell
from tests.unit.room.conftest import Betline
from tests.unit.room.floor import rules


@pytest.fixture
def string(betline: Betline) -> Betline:
    """Two tables by hand, on one string with three dealers."""
    assert betline("game", "nl", "--cash", "--buy-in", "200")[0] == 0
    for table in ("m1", "m2"):
        assert betline("table", table, "--by-hand")[0] == 0
    assert betline("rotation", "string", "main", "m1", "m2")[0] == 0
    for dealer in ("Ann", "Bob", "Cleo"):
        assert betline("rotation", "on", dealer, "main")[0] == 0
    return betline


def test_who_has_just_come_is_next_to_deal_and_does_not_rest(string: Betline) -> None:
    assert "  next to deal: Ann, Bob, Cleo\n" in string("rotation", "show")[1]


def test_a_push_leaves_a_closed_table_out_and_says_so_and_its_dealer_rests(string: Betline) -> None:
    assert json.loads(string("rotation", "push", "main", "--json")[1])[0]["at"] == {"m1": "Ann", "m2": "Bob"}
    assert string("table", "m2", "--close")[0] == 0

    status, out, error = string("rotation", "push", "main", "--json")

    assert (status, error) == (0, "")
    (row,) = json.loads(out)
    assert (row["at"], row["resting"], row["closed"]) == ({"m1": "Cleo", "m2": ""}, ["Bob", "Ann"], ["m2"])
    assert "closed: the push leaves it out" in string("rotation", "show")[1]


def test_a_push_at_closed_tables_alone_is_refused_and_nothing_is_written(string: Betline) -> None:
    for table in ("m1", "m2"):
        assert string("table", table, "--close")[0] == 0
    before = string("log", "--last", "99")[1]

    status, out, error = string("rotation", "push", "main")

    assert (status, out) == (1, "")
    assert "All tables of the string main are closed" in error
    assert string("log", "--last", "99")[1] == before


class Tables:
    """Tables on the bus, of which some refuse or do not answer."""

    def __init__(self, **wrong: RoomError | UserError | str) -> None:
        self.wrong = wrong
        self.told: list[tuple[str, Command]] = []

    def ask(self, table: str, command: Command) -> str:
        found = self.wrong.get(table, "")
        if not isinstance(found, str):
            raise found
        self.told.append((table, command))
        return found

    def close(self) -> None:
        pass

    def tell(self, head: object) -> None:
        pass


def test_each_table_that_was_not_told_its_dealer_is_named_and_told_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(
        tmp_path / "a.room", "Ann", rules(), True, "grand", BrokerChoice(), tmp_path / "people.toml", None, 0.0,
        tmp_path / "key",
    )  # fmt: skip
    names = ("t1", "t2", "t3")
    dealers = [desk.new_player(name, "dealer") for name in ("Bob", "Cleo", "Dan")]
    room = desk.decide(
        lambda _: (
            e.GameAdded(game="nl", kind="cash", buy_in=200),
            *(e.TableAdded(table=name, game="nl", seats=9) for name in names),
            e.StringSet(string="main", tables=names),
            *(e.DealerOn(dealer=one, string="main") for one in dealers),
            e.Pushed(string="main", at=tuple(zip(names, dealers, strict=True)), resting=()),
        )
    )
    away = Tables(t1=RoomError("away", "Table t1 is away."), t3=UserError("There is no broker."))
    desk._tables = away  # type: ignore[assignment]

    with pytest.raises(UserError, match=r"t1, t3\. Table t1 is away\. .*rotation tell main"):
        _tell(desk, room, "main")

    assert away.told == [("t2", Dealer(name="Cleo"))]
    assert json.loads(capsys.readouterr().out)[0]["not_told"] == {
        "t1": "Table t1 is away.",
        "t3": "There is no broker.",
    }
    desk._tables = there = Tables()  # type: ignore[assignment]
    _tell(desk, room, "main")
    assert [table for table, _ in there.told] == ["t1", "t2", "t3"]
