"""What somebody has learnt is a file of their own; a damaged one is said so, and never written over."""

import json
from pathlib import Path

import pytest

from betline.options import UserError
from table_controller.training.leitner import Card
from table_controller.training.record import read_record, record_file, write_record

CARDS = {"dealer/tda/a/2/what": Card(2, 739_004, seen=3, right=2), "player/tda/a/2/may": Card(0, 739_000, seen=1)}


def test_what_is_written_is_read_again_by_its_owner_only(tmp_path: Path) -> None:
    file = record_file("Ann", tmp_path / "training")

    write_record(file, CARDS)

    assert read_record(file) == CARDS
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in file.parent.iterdir()] == ["ann.json"]


def test_somebody_new_has_learnt_nothing(tmp_path: Path) -> None:
    assert read_record(record_file("Ann", tmp_path)) == {}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"version": 2, "cards": {}}',
        '{"version": 1, "cards": []}',
        '{"version": 1, "cards": {"a": {"box": 9, "due": 1, "seen": 0, "right": 0}}}',
        '{"version": 1, "cards": {"a": {"box": "1", "due": 1, "seen": 0, "right": 0}}}',
        '{"version": 1, "cards": {"a": {"box": 1, "due": 1, "seen": 0, "wrong": 0}}}',
        '{"version": 1, "cards": {"a": 5}}',
    ],
)
def test_a_damaged_file_is_named_with_the_way_on_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    file = record_file("Ann", tmp_path)
    file.write_text(content, encoding="utf-8")

    with pytest.raises(UserError, match=rf"{file} is damaged: put it back from a backup, or move it away"):
        read_record(file)
    assert file.read_text(encoding="utf-8") == content


def test_a_file_that_is_no_text_is_damaged_too(tmp_path: Path) -> None:
    file = record_file("Ann", tmp_path)
    file.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(UserError, match="is damaged"):
        read_record(file)


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "training").write_text("a file", encoding="utf-8")

    with pytest.raises(UserError, match="cannot be written"):
        write_record(record_file("Ann", tmp_path / "training"), CARDS)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a\nb", "x" * 41, "dot."])
def test_a_name_that_is_no_name_of_a_file_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no name"):
        record_file(name, tmp_path)


def test_the_file_is_plain_json_that_other_programs_can_read(tmp_path: Path) -> None:
    write_record(record_file("Ann", tmp_path), CARDS)

    told = json.loads((tmp_path / "ann.json").read_text(encoding="utf-8"))

    assert told["cards"]["dealer/tda/a/2/what"] == {"box": 2, "due": 739_004, "seen": 3, "right": 2}
