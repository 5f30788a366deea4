"""The journal keeps what it acknowledged, refuses to change it, and tells when somebody did."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.journal.entries import CardsOut, Heard
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal

TABLE = "home/oval"
NOW_MS, NOW_NS = 1_700_000_000_000, 5_000_000


def act(seat: int, text: str = "call") -> Heard:
    """Any entry."""
    return Heard(seat=seat, text=text)


def begin(path: Path, table: str = TABLE) -> Journal:
    return Journal.open(path, table, NOW_MS, NOW_NS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "oval.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = begin(path)
    yield journal
    journal.close()


def written(path: Path, count: int) -> None:
    """A closed journal with ``count`` entries after the first."""
    journal = begin(path)
    for number in range(count):
        journal.append((act(3, str(number)),), NOW_MS, NOW_NS)
    journal.close()


def tamper(path: Path, *statements: str) -> None:
    """What somebody with a database tool and bad intentions does."""
    database = sqlite3.connect(path)
    for trigger in ("entry_stays", "entry_is_kept"):
        database.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def test_entries_come_back_in_order_with_their_times(journal: Journal) -> None:
    journal.append((act(3), act(4)), 11, 22)
    journal.append((CardsOut(by="dealer"),), 33, 44)

    found = [(entry.seq, entry.kind, dict(entry.data), entry.at_ms, entry.mono_ns) for entry in journal.entries(1)]
    assert found == [
        (2, "heard", {"seat": 3, "text": "call"}, 11, 22),
        (3, "heard", {"seat": 4, "text": "call"}, 11, 22),
        (4, "cards-out", {"by": "dealer"}, 33, 44),
    ]


def test_a_closed_journal_goes_on_where_it_ended(path: Path) -> None:
    written(path, 3)
    journal = begin(path)
    recorded = journal.append((act(3),), NOW_MS, NOW_NS)
    journal.close()

    assert recorded[0].seq == 5
    with JournalReader(path) as reader:
        assert reader.verify().ok


def test_nothing_to_append_writes_nothing(journal: Journal) -> None:
    before = journal.head

    assert journal.append((), NOW_MS, NOW_NS) == ()
    assert journal.head == before


def test_the_file_is_written_through_to_the_disk(journal: Journal, path: Path) -> None:
    assert journal._database.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("statement", ["UPDATE entry SET payload = '{}'", "DELETE FROM entry"])
def test_an_entry_can_be_neither_changed_nor_deleted(path: Path, statement: str) -> None:
    written(path, 2)
    database = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append only"):
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    ("statement", "seq", "sentence"),
    [
        ("UPDATE entry SET payload = '{\"seat\":9}' WHERE seq = 3", 3, "Entry 3 does not have the content"),
        ("UPDATE entry SET at_ms = at_ms + 1 WHERE seq = 4", 4, "Entry 4 does not have the content"),
        ("UPDATE entry SET kind = 'deal' WHERE seq = 2", 2, "Entry 2 does not have the content"),
        ("DELETE FROM entry WHERE seq = 3", 3, "Entry 3 is missing"),
        ("DELETE FROM entry WHERE seq = 1", 1, "Entry 1 is missing"),
        ("UPDATE entry SET prev = 'x' WHERE seq = 5", 5, "Entry 5 does not follow from entry 4"),
    ],
)
def test_the_first_broken_link_is_named(path: Path, statement: str, seq: int, sentence: str) -> None:
    written(path, 5)
    tamper(path, statement)

    with JournalReader(path) as reader:
        verdict = reader.verify()
    assert (verdict.ok, verdict.broken_seq, verdict.entries) == (False, seq, seq - 1)
    assert sentence in verdict.sentence


def test_a_forged_entry_with_a_right_hash_of_its_own_breaks_the_next_link(path: Path) -> None:
    from table_controller.journal.chain import link

    written(path, 5)
    with JournalReader(path) as reader:
        third = list(reader.entries())[2]
    forged = link(third.prev, 3, third.at_ms, third.mono_ns, "heard", '{"seat":9}')
    tamper(path, f"UPDATE entry SET payload = '{{\"seat\":9}}', hash = '{forged}' WHERE seq = 3")

    with JournalReader(path) as reader:
        assert reader.verify().broken_seq == 4


def test_a_controller_refuses_to_deal_on_a_broken_chain(path: Path) -> None:
    written(path, 3)
    tamper(path, "UPDATE entry SET at_ms = 0 WHERE seq = 2")

    with pytest.raises(JournalError, match="changed after it was written") as caught:
        begin(path)
    assert caught.value.code == "broken-chain"


def test_the_second_controller_on_a_journal_is_refused_until_the_first_has_gone(path: Path, journal: Journal) -> None:
    with pytest.raises(JournalError, match=f"process {os.getpid()}") as caught:
        begin(path)
    assert caught.value.code == "in-use"

    journal.close()
    begin(path).close()


def test_a_journal_is_read_while_it_is_written(path: Path, journal: Journal) -> None:
    journal.append((act(3),), NOW_MS, NOW_NS)

    with JournalReader(path) as reader:
        assert [entry.kind for entry in reader.entries()] == ["opened", "heard"]


def test_a_journal_of_another_table_is_refused(path: Path) -> None:
    written(path, 1)

    with pytest.raises(JournalError, match="belongs to table home/oval, not home/six") as caught:
        begin(path, "home/six")
    assert caught.value.code == "other-table"


def test_a_journal_of_another_version_is_refused(path: Path) -> None:
    written(path, 1)
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 7")
    database.close()

    for attempt in (begin, JournalReader):
        with pytest.raises(JournalError, match="version 7, this program reads 1 to 4") as caught:
            attempt(path)
        assert caught.value.code == "other-version"


def test_a_database_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE photo (name TEXT)")
    database.commit()
    database.close()

    content = path.read_bytes()

    for attempt in (begin, JournalReader):
        with pytest.raises(JournalError, match="no journal of Betline") as caught:
            attempt(path)
        assert caught.value.code == "no-journal"
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_no_journal_and_gets_nothing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    folder.mkdir()

    with pytest.raises(JournalError, match="is no file; name a file with --journal") as caught:
        begin(folder)
    assert caught.value.code == "no-journal"
    assert list(tmp_path.iterdir()) == [folder]


def test_a_journal_without_its_entries_is_damaged_and_not_begun_again(path: Path) -> None:
    written(path, 2)
    database = sqlite3.connect(path)
    database.execute("DROP TABLE entry")
    database.commit()
    database.close()

    with pytest.raises(JournalError, match="has lost its entries") as caught:
        begin(path)
    assert caught.value.code == "damaged"
    with pytest.raises(JournalError, match="has lost its entries"), JournalReader(path) as reader:
        reader.verify()


def test_a_file_that_is_no_database_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("to call: 300\n" * 500)

    for attempt in (begin, JournalReader):
        with pytest.raises(JournalError, match="is damaged") as caught:
            attempt(path)
        assert caught.value.code == "damaged"
    assert path.read_text() == "to call: 300\n" * 500
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_page_gets_a_sentence(path: Path) -> None:
    written(path, 400)
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\xaa" * (4096 * 3)
    path.write_bytes(content)

    with pytest.raises(JournalError) as caught:
        begin(path)
    assert caught.value.code in ("damaged", "broken-chain")


def test_a_place_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(JournalError, match="cannot be written") as caught:
        begin(tmp_path / "file" / "oval.journal")
    assert caught.value.code == "unwritable"


def test_a_journal_that_is_not_there_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="There is no journal") as caught:
        JournalReader(tmp_path / "none.journal")
    assert caught.value.code == "missing"


def test_an_append_that_fails_leaves_none_of_the_step(path: Path, journal: Journal) -> None:
    before = journal.head
    other = sqlite3.connect(path, isolation_level=None)
    journal._database.execute("PRAGMA busy_timeout = 1")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="cannot be used now") as caught:
        journal.append((act(1), act(2)), NOW_MS, NOW_NS)
    other.execute("ROLLBACK")
    other.close()

    assert caught.value.code == "unwritable"
    assert journal.head == before
    assert journal.append((act(1),), NOW_MS, NOW_NS)[0].seq == before.seq + 1


WRITER = """
import sys
from pathlib import Path
from table_controller.journal.entries import CardsOut, Heard
from table_controller.journal.store import Journal

journal = Journal.open(Path(sys.argv[1]), "home/oval", 1, 1)
for number in range(1_000_000):
    journal.append((Heard(seat=1, text=str(number)), CardsOut(by="dealer")), 1, 1)
    print(number, flush=True)
"""


def test_a_killed_writer_loses_no_acknowledged_entry_and_no_half_step(path: Path) -> None:
    for round_no in range(3):
        before = 0
        if path.exists():
            with JournalReader(path) as reader:
                before = sum(entry.kind == "heard" for entry in reader.entries())
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for _ in range(20 + 17 * round_no):
            writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read().splitlines()
        writer.wait()
        writer.stdout.close()
        acknowledged = 20 + 17 * round_no + len([line for line in rest if line.isdigit()])

        with JournalReader(path) as reader:
            assert reader.verify().ok
            kinds = [entry.kind for entry in reader.entries(1)]
        assert kinds.count("heard") - before >= acknowledged
        assert kinds == ["heard", "cards-out"] * (len(kinds) // 2)
