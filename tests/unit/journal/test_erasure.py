"""A name that was erased is nowhere in the journal's files, and the chain still holds."""

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from betline.front_door import run
from table_controller.accounts.erasure import erase
from table_controller.journal.entries import CardsOut, Named, Obeyed, SetUp
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from tests.unit.session.desk import START_MS, Desk

TABLE = "home/home-six"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "six.journal"


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.key("sit-down", seat=1, stack=200, player="Annabelle")
    desk.key("sit-down", seat=2, stack=200, player="Bartholomew")
    desk.key("sit-down", seat=3, stack=200, player="Annabelle")
    return desk


@pytest.fixture
def journal(path: Path, desk: Desk) -> Iterator[Journal]:
    journal = Journal.open(path, TABLE, START_MS, 1)
    journal.append(desk.entries, START_MS, 2, desk.session.names)
    yield journal
    journal.close()


def bytes_of(path: Path) -> bytes:
    """All that the journal's files hold, those beside it as well."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def names(path: Path) -> list[str]:
    with JournalReader(path) as reader:
        return list(reader.names().values())


def test_names_come_back_with_the_file_in_the_order_of_coming(path: Path, journal: Journal) -> None:
    assert list(journal.names().values()) == names(path) == ["Annabelle", "Bartholomew", "Annabelle (2)"]


def test_an_erased_name_is_in_no_file_and_the_chain_holds(path: Path, journal: Journal) -> None:
    journal.close()
    before = [entry.hash for entry in JournalReader(path).entries()]
    assert b"Bartholomew" in bytes_of(path)

    said = erase(path, " bartholomew ")

    assert said == "Bartholomew is erased; in the journal it was p-2-2."
    assert b"Bartholomew" not in bytes_of(path)
    assert names(path) == ["Annabelle", "Annabelle (2)"]
    with JournalReader(path) as reader:
        assert reader.verify().ok
        assert [entry.hash for entry in reader.entries()] == before


def test_an_id_erases_as_well_and_leaves_the_other_of_that_name(path: Path, journal: Journal) -> None:
    journal.close()

    assert erase(path, "p-1-1").startswith("Annabelle is erased")
    assert names(path) == ["Bartholomew", "Annabelle (2)"]


def test_a_name_is_erased_while_a_controller_writes(path: Path, journal: Journal) -> None:
    journal.names()
    assert not journal.changed_by_another

    erase(path, "Bartholomew")

    assert journal.changed_by_another
    assert list(journal.names().values()) == ["Annabelle", "Annabelle (2)"]
    assert not journal.changed_by_another
    assert b"Bartholomew" not in bytes_of(path)
    journal.append((CardsOut(by="dealer"),), START_MS, 3)
    assert not journal.changed_by_another
    with JournalReader(path) as reader:
        assert reader.verify().ok


def test_many_names_leave_nothing_behind_on_any_page(path: Path, journal: Journal) -> None:
    crowd = {f"p-{number * 7919 % 1000:04}": f"Visitor{number:04}" for number in range(600)}
    for person, name in crowd.items():
        journal.append((CardsOut(by="dealer"),), START_MS, 3, {person: name})
    journal.close()

    for name in ("Visitor0000", "Visitor0300", "Visitor0599"):
        erase(path, name)
        assert name.encode() not in bytes_of(path)


def test_names_that_fail_to_be_kept_take_their_entries_with_them(path: Path, journal: Journal) -> None:
    before = journal.head
    other = sqlite3.connect(path, isolation_level=None)
    journal._database.execute("PRAGMA busy_timeout = 1")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError):
        journal.append((CardsOut(by="dealer"),), START_MS, 3, {"p-9": "Cem"})
    other.execute("ROLLBACK")
    other.close()

    assert journal.head == before
    assert "Cem" not in names(path)


@pytest.mark.nightly
def test_a_log_that_is_read_at_that_moment_is_told_and_the_next_time_does_the_rest(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_controller.journal.store.BUSY_WAIT_S", 0.05)
    reading = JournalReader(path)
    entries = reading.entries()
    next(entries)
    said = erase(path, "Bartholomew")
    assert said.startswith("Bartholomew is erased; in the journal it was p-2-2.")
    assert said.endswith("-wal still holds it, as somebody reads the journal; say the same again when that has ended.")
    assert b"Bartholomew" in bytes_of(path)
    entries.close()
    reading.close()

    with pytest.raises(JournalError, match="has no name Bartholomew"):
        erase(path, "Bartholomew")
    assert b"Bartholomew" not in bytes_of(path)


def version_1(path: Path) -> None:
    """A journal as the first version of the program wrote it."""
    desk = Desk()
    desk.key("sit-down", seat=1, stack=200)
    table = desk.entries[0]
    assert isinstance(table, SetUp)
    clear = [
        Named(seat=1, name="Bartholomew"),
        Obeyed(id="x", verb="sits", args={"name": "Bartholomew"}, sender="d", sentence=""),
        replace(table, names={1: "Annabelle"}, money=None),
    ]
    journal = Journal.open(path, TABLE, START_MS, 1)
    journal.append([*desk.entries, *clear], START_MS, 2)
    journal.close()
    database = sqlite3.connect(path)
    database.execute("DROP TABLE person")
    database.execute("DROP TABLE seal")
    database.execute("DROP INDEX entry_checkpoint")
    database.execute("PRAGMA user_version = 1")
    database.close()
    Path(f"{path}.anchors").unlink()


def test_a_journal_of_version_1_is_read_and_gets_its_table_of_names_from_the_next_controller(path: Path) -> None:
    version_1(path)
    assert names(path) == []

    journal = Journal.open(path, TABLE, START_MS, 1)
    journal.append((CardsOut(by="dealer"),), START_MS, 2, {"p-1": "Cem"})
    journal.close()

    assert names(path) == ["Cem"]
    with JournalReader(path) as reader:
        assert reader.verify().ok


@pytest.mark.parametrize(("name", "entries"), [("bartholomew", 2), ("Annabelle", 1)])
def test_a_name_in_the_entries_of_version_1_is_told_and_stays(
    path: Path, name: str, entries: int, capsys: pytest.CaptureFixture[str]
) -> None:
    version_1(path)

    assert run(["journal", "erase", name, "--journal", str(path)]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"betline: Nothing is erased. {entries} entries of an older version hold the name")
    assert said.err.count("\n") == 1


def test_the_verb_says_what_it_did_and_its_status_tells(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "erase", "Annabelle (2)", "--journal", str(path)]) == 0
    assert capsys.readouterr().out == "Annabelle (2) is erased; in the journal it was p-3-3.\n"

    assert run(["journal", "erase", "Annabelle (2)", "--journal", str(path)]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "has no name Annabelle (2)" in said.err

    assert run(["journal", "erase", "Ann", "--journal", str(tmp_path / "none.journal")]) == 1
    assert "There is no journal" in capsys.readouterr().err
    assert run(["journal", "erase"]) == 2


def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, path: Path, journal: Journal) -> None:
    other = tmp_path / "photos.db"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE person (id TEXT, name TEXT)")
    database.execute("INSERT INTO person VALUES ('p-1', 'Annabelle')")
    database.commit()
    database.close()
    kept = tmp_path / "kept.db"
    shutil.copy(other, kept)

    with pytest.raises(JournalError, match="no journal of Betline"):
        erase(other, "Annabelle")
    assert other.read_bytes() == kept.read_bytes()
