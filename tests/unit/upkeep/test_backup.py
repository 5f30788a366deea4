"""`betline backup` and `betline restore`: what is in the file, what is refused, and what is kept."""

import errno
import io
import json
import os
import sqlite3
import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from betline.front_door import run
from table_controller.journal.entries import Heard
from table_controller.journal.store import Journal

MADE_MS = 1_800_000_000_000


class House:
    """The folders of a user who has played: a journal with its key, chips, people, calibration, a table file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state, self.config = folder / "state", folder / "config"
        self.journal, self.key = self.state / "home-six.journal", self.state / "journal.key"
        self.write(3)
        with sqlite3.connect(self.state / "chips.sqlite") as chips:
            chips.execute("CREATE TABLE chips (uid TEXT)")
            chips.execute("INSERT INTO chips VALUES ('E0040150')")
        self.put("state/calibration/six.toml", "error_mm = 1.5\n")
        self.put("state/logs/bridge.log", "noise\n")
        self.put("state/home-six.rings/1.jpg", "picture")
        self.put("config/people.toml", "# staff\n")
        self.put("config/logins/bridge/password", "secret\n")
        self.put("mine/chips.toml", "# chips of ours\n")
        self.table = self.put("mine/six.toml", 'based_on = "home-six"\nname = "six"\nchip_set = "chips.toml"\n')

    def put(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def open(self) -> Journal:
        return Journal.open(self.journal, "home/six", MADE_MS, 1, key=self.key)

    def write(self, entries: int) -> None:
        journal = self.open()
        for number in range(entries):
            journal.append((Heard(seat=1, text=f"word {number}"),), MADE_MS, 1)
        journal.close()

    def words(self) -> list[str]:
        return ["--state", str(self.state), "--config", str(self.config)]

    def backup(self, name: str = "one.betline", *words: str) -> Path:
        to = self.folder / name
        assert run(["backup", "-o", str(to), *self.words(), *words]) == 0
        return to


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    mask = os.umask(0o022)
    yield House(tmp_path)
    os.umask(mask)


def names(backup: Path) -> set[str]:
    with tarfile.open(backup) as tar:
        return set(tar.getnames())


def manifest(backup: Path) -> dict[str, Any]:
    with tarfile.open(backup) as tar:
        member = tar.extractfile("manifest.json")
        assert member is not None
        data: dict[str, Any] = json.loads(member.read())
        return data


def changed(backup: Path, name: str, content: bytes | None) -> Path:
    """A backup with one file exchanged, or taken out, its manifest as it was."""
    to = backup.with_name("changed.betline")
    with tarfile.open(backup) as tar, tarfile.open(to, "w:gz") as new:
        for member in tar:
            source = tar.extractfile(member)
            assert source is not None
            data = source.read()
            if member.name == name:
                if content is None:
                    continue
                data = content
                member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return to


def test_a_backup_has_all_that_is_the_tables_own_and_its_owner_alone_reads_it(house: House) -> None:
    backup = house.backup("one.betline", "--table", str(house.table))

    assert names(backup) == {
        "manifest.json",
        "state/home-six.journal",
        "state/home-six.journal.anchors",
        "state/journal.key",
        "state/chips.sqlite",
        "state/calibration/six.toml",
        "config/people.toml",
        "config/logins/bridge/password",
        "tables/six.toml",
        "tables/chips.toml",
    }
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_backup_made_while_a_controller_writes_has_what_was_written_last(house: House) -> None:
    writer = house.open()
    try:
        writer.append((Heard(seat=1, text="in the log only"),), MADE_MS, 1)
        backup = house.backup()
        head = writer.head
    finally:
        writer.close()

    (journal,) = [item for item in manifest(backup)["items"] if item["kind"] == "journal"]
    assert (journal["entries"], journal["head"], journal["fault"]) == (head.seq, head.hash, None)


def test_a_backup_without_secrets_has_neither_key_nor_password(house: House) -> None:
    backup = house.backup("one.betline", "--without-secrets")

    assert not {name for name in names(backup) if name.endswith(("journal.key", "password"))}


def test_a_backup_never_writes_over_a_file(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    backup = house.backup()
    before = backup.read_bytes()

    assert run(["backup", "-o", str(backup), *house.words()]) == 1
    assert "name a file that is not" in capsys.readouterr().err
    assert backup.read_bytes() == before


def test_a_damaged_journal_is_in_the_backup_and_said_and_is_not_restored(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(house.journal) as database:
        database.execute("DROP TRIGGER entry_stays")
        database.execute('UPDATE entry SET payload = \'{"text":"forged"}\' WHERE seq = 3')
    backup = house.folder / "one.betline"

    assert run(["backup", "-o", str(backup), *house.words(), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["sound"] is False
    assert run(["restore", str(backup), "--to", str(house.folder / "new")]) == 1
    assert "does not hold" in capsys.readouterr().err
    assert not (house.folder / "new").exists()


def test_what_was_restored_is_the_same_and_can_be_played_on(house: House) -> None:
    backup = house.backup("one.betline", "--table", str(house.table))
    new = house.folder / "new"

    assert run(["restore", str(backup), "--to", str(new)]) == 0

    again = Journal.open(
        new / "state/home-six.journal", "home/six", MADE_MS, 1, key=new / "state/journal.key"
    )  # raises where chain, seal or anchors do not hold
    again.close()
    assert (new / "tables/six.toml").read_text() == house.table.read_text()
    with sqlite3.connect(new / "state/chips.sqlite") as chips:
        assert chips.execute("SELECT uid FROM chips").fetchall() == [("E0040150",)]
    assert {stat.S_IMODE(path.stat().st_mode) for path in new.rglob("*") if path.is_file()} == {0o600}


def test_what_a_restore_replaces_is_kept(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    backup = house.backup()
    house.put("config/people.toml", "# other staff\n")
    house.write(2)
    capsys.readouterr()

    assert run(["restore", str(backup), "--in-place", *house.words(), "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    kept = {Path(one["file"]).name: Path(one["as"]) for one in told["kept"]}
    assert kept["people.toml"].read_text() == "# other staff\n"
    assert (house.config / "people.toml").read_text() == "# staff\n"
    assert kept["home-six.journal"].exists()


def test_a_restored_journal_that_ends_earlier_is_refused_until_the_loss_is_accepted(house: House) -> None:
    from table_controller.journal.errors import JournalError

    backup = house.backup()
    house.write(2)
    assert run(["restore", str(backup), "--in-place", *house.words()]) == 0

    with pytest.raises(JournalError) as raised:
        house.open()
    assert raised.value.code == "cut-off"


def test_nothing_is_replaced_while_a_controller_writes(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    backup = house.backup()
    house.put("config/people.toml", "# other staff\n")
    writer = house.open()
    try:
        assert run(["restore", str(backup), "--in-place", *house.words()]) == 1
    finally:
        writer.close()

    assert "stop it" in capsys.readouterr().err
    assert (house.config / "people.toml").read_text() == "# other staff\n"


@pytest.mark.parametrize("name", ["state/home-six.journal", "config/people.toml", "state/journal.key"])
@pytest.mark.parametrize("content", [b"something else", None])
def test_a_backup_that_was_changed_replaces_nothing(
    house: House, name: str, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = changed(house.backup(), name, content)
    house.put("config/people.toml", "# other staff\n")

    assert run(["restore", str(backup), "--in-place", *house.words()]) == 1

    assert name in capsys.readouterr().err
    assert (house.config / "people.toml").read_text() == "# other staff\n"


def test_a_backup_that_was_cut_off_is_refused(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    backup = house.backup()
    cut = house.folder / "cut.betline"
    cut.write_bytes(backup.read_bytes()[:-200])

    assert run(["restore", str(cut), "--to", str(house.folder / "new")]) == 1
    assert "damaged" in capsys.readouterr().err
    assert not (house.folder / "new").exists()


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "state/../../outside"])
def test_no_name_in_a_backup_leads_out_of_the_folder(
    house: House, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = house.folder / "forged.betline"
    item = {"name": name, "source": "/x", "sha256": "", "size": 1, "kind": "file"}
    data = {"format": 1, "made_ms": 1, "version": "1", "items": [item]}
    with tarfile.open(forged, "w:gz") as tar:
        for member, content in (("manifest.json", json.dumps(data).encode()), (name, b"x")):
            info = tarfile.TarInfo(member)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))

    assert run(["restore", str(forged), "--to", str(house.folder / "new")]) == 1
    assert "damaged" in capsys.readouterr().err
    assert not (house.folder / "outside").exists()


def test_in_place_puts_nothing_outside_the_two_folders(house: House) -> None:
    backup = house.backup("one.betline", "--table", str(house.table))
    house.table.unlink()
    (house.state / "chips.sqlite").unlink()
    before = set(house.folder.rglob("*"))

    assert run(["restore", str(backup), "--in-place", *house.words()]) == 0
    new = set(house.folder.rglob("*")) - before
    assert house.state / "chips.sqlite" in new
    assert [
        path for path in new if not path.is_relative_to(house.state) and not path.is_relative_to(house.config)
    ] == []


def test_where_to_restore_must_be_said(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["restore", str(house.backup())]) == 2
    assert "--in-place" in capsys.readouterr().err


def test_a_backup_can_be_written_onto_a_stick(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """FAT has no links; a name that is taken is refused there too."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)

    to = house.backup()

    assert "config/people.toml" in names(to)
    assert run(["backup", "-o", str(to), *house.words()]) == 1
    assert "is there already" in capsys.readouterr().err
    assert not list(house.folder.glob(".one.betline*"))
