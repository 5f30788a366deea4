"""The chip register: SQLite and JSON lines, and what it refuses."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.register import ChipRegister, RegisterError, load_register, write_register

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
