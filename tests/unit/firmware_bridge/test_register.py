"""The chip register: SQLite and JSON lines, and what it refuses."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.chips.record import Chip, ChipState, enrolled
from firmware_bridge.chips.register import ChipRegister, RegisterError, load_register, write_register
from firmware_bridge.chips.store import RegisterFile, differences, history

RED, BLUE = ("E004010000000001", "red-5"), ("E004010000000002", "blue-10")


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    write_register(path, [RED, BLUE])
    register = load_register(path)
    assert len(register) == 2
    assert register.chip_type(BLUE[0]) == "blue-10"


def test_unknown_uid_has_no_type() -> None:
    assert ChipRegister(dict([RED])).chip_type("E0040100000000FF") is None


def test_json_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "chips.jsonl"
    path.write_text('{"uid": "E004010000000001", "chip_type": "red-5"}\n\n', encoding="utf-8")
    assert load_register(path).chip_type(RED[0]) == "red-5"


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"uid": "E004010000000001"}',
        '{"uid": "e0", "chip_type": "x"}',
        '{"uid": 5, "chip_type": "x"}',
    ],
)
def test_bad_line_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "chips.jsonl"
    path.write_text(f'{{"uid": "E004010000000001", "chip_type": "red-5"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(RegisterError, match="line 2"):
        load_register(path)


def test_uid_with_two_types_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chips.jsonl"
    path.write_text(
        '{"uid": "E004010000000001", "chip_type": "red-5"}\n{"uid": "E004010000000001", "chip_type": "blue-10"}\n',
        encoding="utf-8",
    )
    with pytest.raises(RegisterError, match="twice"):
        load_register(path)


def test_missing_foreign_and_future_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RegisterError, match="cannot be read"):
        load_register(tmp_path / "none.sqlite")
    foreign = tmp_path / "foreign.sqlite"
    with closing(sqlite3.connect(foreign)) as database:
        database.execute("PRAGMA user_version = 7")
        database.execute("CREATE TABLE t (a)")
        database.commit()
    with pytest.raises(RegisterError, match="version 7"):
        load_register(foreign)
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RegisterError, match="neither"):
        load_register(binary)


def test_failed_import_leaves_the_old_register(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    write_register(path, [RED])
    with pytest.raises(RegisterError, match="cannot be written"):
        write_register(path, [BLUE, BLUE])
    assert load_register(path).chip_type(RED[0]) == "red-5"
    assert [file.name for file in tmp_path.iterdir()] == ["chips.sqlite"]


def of_version_1(path: Path, *chips: tuple[str, str]) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE TABLE chips (uid TEXT PRIMARY KEY CHECK (uid = upper(uid)), chip_type TEXT NOT NULL) "
            "STRICT, WITHOUT ROWID"
        )
        database.execute("PRAGMA user_version = 1")
        database.executemany("INSERT INTO chips VALUES (?, ?)", chips)
        database.commit()


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        return int(database.execute("PRAGMA user_version").fetchone()[0])


def test_version_1_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    of_version_1(path, RED, BLUE)
    assert load_register(path).chip_type(BLUE[0]) == "blue-10"
    assert history(path) == ()
    assert version(path) == 1


def test_version_1_is_brought_up_to_date_by_whoever_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    of_version_1(path, RED, BLUE)
    with closing(RegisterFile.open(path, 77)) as file:
        assert file.chips()[RED[0]] == Chip(*RED, enrolled_ms=77, enrolled_by="register version 1")
    assert version(path) == 2
    assert [(one.uid, one.old, one.new) for one in history(path)] == [
        (RED[0], None, "red-5"),
        (BLUE[0], None, "blue-10"),
    ]
    assert differences(path) == ()
    with closing(sqlite3.connect(path)) as database:
        assert {row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")} == {
            "chips",
            "history",
        }


def test_an_upgrade_that_fails_leaves_version_1_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    of_version_1(path, RED, ("E0" * 40, "red-5"))
    with pytest.raises(RegisterError, match="cannot be opened"):
        RegisterFile.open(path, 77)
    assert version(path) == 1
    assert len(load_register(path)) == 2


def test_what_a_chip_is_survives_the_file(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    chip = Chip(RED[0], "red-5", ChipState.HOT, "lucky", "stolen", "first", "iso15693", 5, "ann")
    with closing(RegisterFile.open(path)) as file:
        file.apply(enrolled({}, [chip], 5, "ann"))
        assert file.chips() == {chip.uid: chip}
    assert load_register(path).chip(chip.uid) == chip


def test_changes_are_written_all_or_none(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    write_register(path, [RED])
    with closing(RegisterFile.open(path)) as file:
        before = file.chips()
        wrong = [*enrolled({}, [Chip(*BLUE)], 1, "ann"), *enrolled({}, [Chip(RED[0], "blue-10")], 1, "ann")]
        with pytest.raises(RegisterError, match="does not follow"):
            file.apply(wrong)
        assert file.chips() == before
    assert len(history(path)) == 1


def test_the_history_can_neither_be_changed_nor_shortened(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    write_register(path, [RED])
    with closing(sqlite3.connect(path)) as database:
        for statement in ("DELETE FROM history", "UPDATE history SET user = 'nobody'"):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                database.execute(statement)


def test_a_chip_that_was_changed_past_the_history_is_found(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    write_register(path, [RED, BLUE])
    assert differences(path) == ()
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE chips SET chip_type = 'black-100' WHERE uid = ?", (RED[0],))
        database.commit()
    assert differences(path) == (RED[0],)


def test_json_lines_are_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "chips.jsonl"
    path.write_text('{"uid": "E004010000000001", "chip_type": "red-5"}\n', encoding="utf-8")
    with pytest.raises(RegisterError, match="chips import"):
        RegisterFile.open(path)
    assert history(path) == ()


def test_two_programs_may_change_the_register_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    with closing(RegisterFile.open(path)) as one, closing(RegisterFile.open(path)) as other:
        one.apply(enrolled({}, [Chip(*RED)], 1, "ann"))
        with pytest.raises(RegisterError, match="does not follow"):
            other.apply(enrolled({}, [Chip(RED[0], "blue-10")], 2, "bob"))
        other.apply(enrolled(other.chips(), [Chip(*BLUE)], 2, "bob"))
        assert one.chips() == other.chips()


def test_a_register_that_has_changed_is_read_again_and_one_that_comes_to_be_is_found(tmp_path: Path) -> None:
    path = tmp_path / "chips.sqlite"
    register = ChipRegister(path=path)
    assert not register.renewed()
    write_register(path, [RED])
    assert register.renewed()
    assert register.chip_type(RED[0]) == "red-5"
    assert not register.renewed()
    with closing(RegisterFile.open(path)) as file:
        file.apply(enrolled(file.chips(), [Chip(*BLUE)], 1, "ann"))
    assert register.renewed()
    assert BLUE[0] in register
    path.unlink()
    assert not register.renewed()
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RegisterError, match="neither"):
        register.renewed()
    assert not register.renewed()
    assert len(register) == 2
