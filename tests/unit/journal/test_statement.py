"""What `betline journal ledger` and `settle` print."""

import json
from pathlib import Path

import pytest

from betline.front_door import run
from betline.steps import MoveChips
from table_controller.accounts.ledger import EVENING_GAP_MS, ledger_of
from table_controller.accounts.settle import between_players
from table_controller.accounts.statement import payments_text, text_of
from table_controller.journal.store import Journal
from tests.unit.journal.stories import recorded
from tests.unit.session.desk import START_MS, Desk


@pytest.fixture
def desk() -> Desk:
    """Ann wins 1 of Bob, and 2 of a visitor who then goes home."""
    desk = Desk()
    desk.key("sit-down", seat=1, stack=200, player="Ann")
    desk.key("sit-down", seat=2, stack=200, player="Bob")
    desk.key("sit-down", seat=3, stack=200)
    desk.key("next-hand", button=1)
    desk.key("cards-out")
    desk.key("act", seat=1, action="raise", to=6)
    desk.key("rest-folds")
    desk.key("leave", seat=3)
    return desk


@pytest.fixture
def path(desk: Desk, tmp_path: Path) -> Path:
    path = tmp_path / "six.journal"
    journal = Journal.open(path, "home/home-six", START_MS, 1)
    journal.append(desk.entries, START_MS + 60_000, 2, desk.session.names)
    journal.close()
    return path


def said(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> list[str]:
    assert run(["journal", *words, "--journal", str(path)]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_ledger_is_a_table_of_people(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heading, *lines = said(capsys, path, "ledger")

    assert heading.startswith("From 2023-11-1")
    assert heading.endswith(", hand 1, in chips.")
    assert lines == [
        "player  seats         bought  cashed out  on table  result",
        "Ann     1 (hand 1-)      200           0       203      +3",
        "Bob     2 (hand 1-)      200           0       199      -1",
        "seat 3  3 (hand 1-1)     200         198         0      -2",
    ]


def test_the_ledger_as_json_is_one_document(path: Path, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = said(capsys, path, "ledger", "--json")
    found = json.loads(line)

    assert {key: found[key] for key in ("hands", "in_hand", "house")} == {
        "hands": [1, 1],
        "in_hand": False,
        "house": {},
    }
    ann, _, nameless = found["players"]
    seats = ann.pop("seats")
    assert ann == {
        "id": "p-1-1", "name": "Ann", "bought": 200, "cashed_out": 0, "on_table": 203, "borrowed": 0, "lent": 0,
        "received": 0, "given": 0, "charged": 0, "result": 3,
    }  # fmt: skip
    assert (seats[0]["seat"], seats[0]["from_hand"], seats[0]["to_hand"], seats[0]["to"]) == (1, 1, None, None)
    assert (nameless["id"], nameless["name"], nameless["seats"][0]["to_hand"]) == ("seat-3", None, 1)


def test_players_settle_among_each_other(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, path, "settle")[1:] == ["seat 3  pays Ann  2", "Bob     pays Ann  1"]


def test_a_bank_pays_out_what_is_left(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, path, "settle", "--bank")[1:] == ["the bank  pays Ann  203", "the bank  pays Bob  199"]


def test_payments_as_json_name_both_sides_and_their_ids(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, path, "settle", "--json")[0])
    assert found["bank"] is None
    assert found["payments"] == [
        {"from": "seat 3", "from_id": "seat-3", "to": "Ann", "to_id": "p-1-1", "amount": 2},
        {"from": "Bob", "from_id": "p-2-2", "to": "Ann", "to_id": "p-1-1", "amount": 1},
    ]

    with_bank = json.loads(said(capsys, path, "settle", "--bank", "--json")[0])
    assert with_bank["bank"] == 0
    assert with_bank["payments"][0] == {
        "from": "the bank", "from_id": "bank", "to": "Ann", "to_id": "p-1-1", "amount": 203,
    }  # fmt: skip


def test_an_erased_name_is_told_by_its_id(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, path, "erase", "Ann")

    assert said(capsys, path, "settle")[1:] == ["seat 3  pays p-1-1  2", "Bob     pays p-1-1  1"]
    assert "Ann" not in " ".join(said(capsys, path, "ledger", "--json"))


def test_the_house_is_a_party_of_its_own(desk: Desk) -> None:
    draft = desk.session._draft(desk.now)
    assert draft.apply(MoveChips(source=1, to="tray", amount=2, why="tip"), "keyed") is None
    assert draft.apply(MoveChips(source=1, to="kitty", amount=1, why="drinks"), "keyed") is None
    found = ledger_of(recorded([*desk.entries, *draft.entries]))
    names = desk.session.names

    assert payments_text(found, names, between_players(found), bank=False).splitlines()[1:] == [
        "Bob     pays the kitty  1",
        "seat 3  pays the tray   2",
    ]
    table = text_of(found, names).splitlines()
    assert table[1] == "player  seats         bought  cashed out  on table  tips  result"
    assert table[-1] == "the tray +2; the kitty +1"
    assert payments_text(found, names, (), bank=True).splitlines()[1:] == [
        "Nobody owes anybody anything.",
        "The bank keeps 3: the tray 2, the kitty 1.",
    ]


def test_all_tells_the_evenings_before_as_well(path: Path, desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    before = len(desk.entries)
    for seat in (1, 2):
        desk.key("leave", seat=seat)
    gone = len(desk.entries)
    desk.key("sit-down", seat=4, stack=100, player="Cem")
    journal = Journal.open(path, "home/home-six", START_MS, 1)
    journal.append(desk.entries[before:gone], START_MS + 120_000, 3)
    journal.append(desk.entries[gone:], START_MS + 120_000 + EVENING_GAP_MS, 4, desk.session.names)
    journal.close()

    assert said(capsys, path, "settle")[1:] == ["Nobody owes anybody anything."]
    assert said(capsys, path, "settle", "--all")[1:] == ["seat 3  pays Ann  2", "Bob     pays Ann  1"]
    assert [line.split()[0] for line in said(capsys, path, "ledger")[1:]] == ["player", "Cem"]
    assert [line.split()[0] for line in said(capsys, path, "ledger", "--all")[1:]] == [
        "player", "Ann", "Bob", "seat", "Cem",
    ]  # fmt: skip


def test_a_hand_that_goes_on_is_named(desk: Desk) -> None:
    desk.key("next-hand")

    assert text_of(ledger_of(recorded(desk.entries)), {}).splitlines()[-1] == (
        "Hand 2 goes on: its chips count as their players' still."
    )


def test_a_table_at_which_nobody_has_sat_settles_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.journal"
    Journal.open(path, "home/home-six", START_MS, 1).close()

    assert said(capsys, path, "ledger")[0] == "Nobody has sat at this table yet."
    assert said(capsys, path, "settle") == ["Nobody has sat at this table yet.", "Nobody owes anybody anything."]
    found = json.loads(said(capsys, path, "ledger", "--json")[0])
    assert (found["from"], found["hands"], found["players"]) == (None, None, [])


@pytest.mark.parametrize("verb", [["ledger"], ["settle"], ["erase", "Ann"]])
def test_a_journal_that_cannot_be_read_gets_one_sentence(
    verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"not a database at all" * 400)
    for path in (tmp_path / "missing", garbage):
        assert run(["journal", *verb, "--journal", str(path)]) == 1
        heard = capsys.readouterr()
        assert (heard.out, heard.err.count("\n")) == ("", 1)
        assert heard.err.startswith("betline: ")
