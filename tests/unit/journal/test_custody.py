"""What was forged, cut or damaged shows, whoever did it: real files are really spoilt, at random too."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from betline.options import default_key
from table_controller.journal.chain import link, payload_of
from table_controller.journal.entries import HandOver, Heard
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from tests.nightly import examples

TABLE = "home/oval"
NOW_MS, NOW_NS = 1_700_000_000_000, 5_000_000
ENTRIES = 34
NAMES = {"p-1": "Annabelle", "p-2": "Bartholomew"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "oval.journal"


def begin(path: Path) -> Journal:
    return Journal.open(path, TABLE, NOW_MS, NOW_NS)


def fill(journal: Journal, entries: int = ENTRIES) -> None:
    """As many entries as that, one of them an award, with two names."""
    journal.append((Heard(seat=1, text="call"),), NOW_MS, NOW_NS, NAMES)
    journal.append((HandOver(hand_no=1, pot=90, winners={3: 90}, stacks={3: 290}),), NOW_MS, NOW_NS)
    while journal.head.seq < entries:
        journal.append((Heard(seat=2, text=f"raise to {journal.head.seq}"),), NOW_MS, NOW_NS)


@pytest.fixture
def closed(path: Path) -> Path:
    journal = begin(path)
    fill(journal)
    journal.close()
    return path


@pytest.fixture
def killed(path: Path, tmp_path: Path) -> Path:
    """The files that a controller leaves behind that is killed: much of the journal is in its log still."""
    journal = begin(path)
    fill(journal)
    left = tmp_path / "left"
    shutil.copytree(path.parent, left)
    journal.close()
    return left / path.name


def wal(path: Path) -> Path:
    return Path(f"{path}-wal")


def tamper(path: Path, *statements: str) -> None:
    """What somebody with a database tool does."""
    database = sqlite3.connect(path)
    for trigger in ("entry_stays", "entry_is_kept"):
        database.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def whole(path: Path) -> bool:
    """Whether `verify` says of a journal that all is as it was written."""
    try:
        with JournalReader(path) as reader:
            return reader.verify().ok
    except JournalError:
        return False


def why(path: Path) -> str:
    with JournalReader(path) as reader:
        return reader.verify().sentence


def test_a_journal_that_nobody_touched_holds_by_seal_and_anchor(closed: Path) -> None:
    with JournalReader(closed) as reader:
        verdict = reader.verify()
    assert (verdict.ok, verdict.sealed, verdict.anchors, verdict.notes) == (True, True, 2, ())


def test_one_that_is_being_written_and_one_whose_writer_was_killed_hold(killed: Path, path: Path) -> None:
    assert whole(killed)
    begin(killed).close()
    assert whole(killed)


def test_rows_that_were_deleted_at_the_end_show(closed: Path) -> None:
    tamper(closed, f"DELETE FROM entry WHERE seq > {ENTRIES - 20}")

    assert not whole(closed)
    assert why(closed) == "The journal ends at entry 14; it was sealed at 34: entries 15 to 34 are missing."
    with pytest.raises(JournalError, match=r"ends at entry 14; the table had reached 34.*go-on --journal") as caught:
        begin(closed)
    assert caught.value.code == "cut-off"


def forge(path: Path) -> None:
    """The award goes to another seat and the whole chain is computed again, as anybody can who reads the docs."""
    database = sqlite3.connect(path)
    rows = database.execute("SELECT seq, at_ms, mono_ns, kind, payload FROM entry ORDER BY seq").fetchall()
    database.execute("DROP TRIGGER entry_stays")
    prev = "0" * 64
    for seq, at_ms, mono_ns, kind, payload in rows:
        said = payload.replace('"3":90', '"5":90') if kind == "hand-over" else payload
        digest = link(prev, seq, at_ms, mono_ns, kind, said)
        database.execute("UPDATE entry SET payload = ?, prev = ?, hash = ? WHERE seq = ?", (said, prev, digest, seq))
        prev = digest
    if database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seal'").fetchone():
        database.execute("UPDATE seal SET hash = ?", (prev,))
    database.commit()
    database.close()


def test_an_award_that_was_moved_with_the_whole_chain_written_anew_shows(closed: Path) -> None:
    forge(closed)

    assert not whole(closed)
    assert why(closed) == "The seal of entry 34 was not made with the key."
    with pytest.raises(JournalError, match="not as it was sealed") as caught:
        begin(closed)
    assert caught.value.code == "broken-seal"


def test_without_its_key_a_forged_journal_shows_by_its_anchors(closed: Path) -> None:
    default_key().rename(default_key().with_suffix(".away"))
    try:
        assert whole(closed)
        forge(closed)
        assert why(closed).endswith("is not the one whose seal was published: the journal was written anew.")
    finally:
        default_key().with_suffix(".away").rename(default_key())


def test_names_that_were_exchanged_show(closed: Path) -> None:
    tamper(closed, "UPDATE person SET name = CASE id WHEN 'p-1' THEN 'Bartholomew' ELSE 'Annabelle' END")

    assert not whole(closed)
    assert why(closed) == "The names of the people are not those that were sealed."


def test_an_entry_that_was_added_without_the_key_shows(closed: Path) -> None:
    with JournalReader(closed) as reader:
        head = reader.verify().head
    payload = payload_of(Heard(seat=9, text="all in").data)
    digest = link(head.hash, 35, NOW_MS, NOW_NS, "heard", payload)
    values = f"(35, {NOW_MS}, {NOW_NS}, 'heard', '{payload}', '{head.hash}', '{digest}')"
    tamper(closed, f"INSERT INTO entry VALUES {values}")

    assert not whole(closed)
    assert why(closed) == "Entries 35 to 35 were added without the key."


def test_a_seal_that_was_taken_out_with_the_version_set_back_shows(closed: Path) -> None:
    tamper(closed, "DROP TABLE seal", "PRAGMA user_version = 3")

    with pytest.raises(JournalError, match="It was sealed before"):
        begin(closed)


def test_a_change_while_the_journal_is_written_is_not_sealed_over(path: Path) -> None:
    journal = begin(path)
    fill(journal)
    tamper(path, "UPDATE person SET name = 'Cem' WHERE id = 'p-1'")

    with pytest.raises(JournalError, match="names of the people are not those"):
        journal.append((Heard(seat=1, text="call"),), NOW_MS, NOW_NS)
    journal.close()
    assert not whole(path)


def flip(file: Path, place: int, bit: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1 << bit
    file.write_bytes(content)


def one_bit(path: Path) -> None:
    flip(wal(path), wal(path).stat().st_size // 3, 2)


def half(path: Path) -> None:
    content = wal(path).read_bytes()
    wal(path).write_bytes(content[: len(content) // 2])


def none_of_it(path: Path) -> None:
    wal(path).unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def all_empty(path: Path) -> None:
    path.write_bytes(b"")
    wal(path).unlink()


def gone(path: Path) -> None:
    path.unlink()
    wal(path).unlink()


@pytest.mark.parametrize("spoil", [one_bit, half, none_of_it, emptied, all_empty, gone])
def test_a_log_or_file_that_lost_entries_is_found_by_verify_and_refused_by_a_start(
    killed: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(killed)
    before = {file.name: file.read_bytes() for file in killed.parent.iterdir() if file.suffix == ".journal"}

    assert not whole(killed)
    with pytest.raises(JournalError, match=r"had reached (entry )?34") as caught:
        begin(killed)
    assert caught.value.code == "cut-off"
    assert "estore a backup" in str(caught.value)
    assert {file.name for file in killed.parent.iterdir() if file.suffix == ".journal"} == set(before)


def content(path: Path) -> tuple[object, ...]:
    database = sqlite3.connect(path)
    database.text_factory = bytes
    found = (
        database.execute("SELECT * FROM entry ORDER BY seq").fetchall(),
        sorted(database.execute("SELECT * FROM person").fetchall()),
    )
    database.close()
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("left", ["killed", "closed"])
def test_no_byte_that_flips_anywhere_goes_unseen(
    left: str, seed: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(seed)
    path: Path = request.getfixturevalue(left)
    written = content(Path(shutil.copytree(path.parent, tmp_path / "read")) / path.name)
    files = [(file.name, file.read_bytes()) for file in (path, wal(path)) if file.exists()]
    place = tmp_path / "spoilt"
    place.mkdir()
    unseen = []
    for number in range(examples(250)):
        for file in place.iterdir():
            file.unlink()
        shutil.copy(f"{path}.anchors", place)
        hit, at = chance.choice(files)[0], chance.random()
        for name, original in files:
            spoilt = bytearray(original)
            if name == hit:
                spoilt[int(at * len(spoilt))] ^= chance.randrange(1, 256)
            (place / name).write_bytes(spoilt)
        if whole(place / path.name) and content(place / path.name) != written:
            unseen.append((number, hit, at))
    assert unseen == []


def test_the_pages_of_a_long_journal_are_checked_where_no_entry_is_read(path: Path) -> None:
    journal = begin(path)
    fill(journal, 400)
    journal.close()
    database = sqlite3.connect(path)
    (root,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_entry_1'").fetchone()
    database.close()
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 + 8 : root * 4096] = b"\xaa" * 4088
    path.write_bytes(data)

    assert not whole(path)


@pytest.fixture
def other_names(path: Path, tmp_path: Path) -> Iterator[dict[str, Path]]:
    journal = begin(path)
    symbolic, hard, folder = path.parent / "link.journal", path.parent / "hard.journal", tmp_path / "folder"
    symbolic.symlink_to(path)
    hard.hardlink_to(path)
    folder.symlink_to(path.parent)
    yield {"same": path, "symbolic": symbolic, "hard": hard, "folder": folder / path.name}
    journal.close()


@pytest.mark.parametrize("name", ["same", "symbolic", "hard", "folder"])
def test_a_second_controller_is_refused_whatever_the_file_is_called(other_names: dict[str, Path], name: str) -> None:
    with pytest.raises(JournalError, match=r"^Another controller .* writes the journal") as caught:
        begin(other_names[name])
    assert caught.value.code == "in-use"


def test_what_belongs_to_a_journal_is_its_owners_only(path: Path) -> None:
    journal = begin(path)
    fill(journal)
    modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    journal.close()

    assert modes.keys() >= {"oval.journal", "oval.journal-wal", "oval.journal-shm", "oval.journal.lock"}
    assert set(modes.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert default_key().stat().st_mode & 0o777 == 0o600


def test_a_journal_that_everybody_could_read_is_its_owners_only_from_the_next_start_on(closed: Path) -> None:
    closed.chmod(0o644)
    begin(closed).close()
    assert closed.stat().st_mode & 0o777 == 0o600
