"""The files that a virtual reader is started with: its tags, which may change while it runs, and its plan."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from betline.settings import SettingsError
from virtual_table.readers.air import ISO14443A, ISO15693, ISO18000_3M3
from virtual_table.readers.field import FieldTag
from virtual_table.readers.tag_file import FORMAT, TagFile

UID = "E004015306A22D70"


class Tags:
    """A file of tags, read with two antennas, and what was reported of it."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.notices: list[str] = []
        self._stamp = 1_000_000_000
        self.write(text)
        self.file = TagFile(path, 2, (ISO15693, ISO18000_3M3), self.notices.append)

    def write(self, text: str) -> None:
        self.path.write_text(text, encoding="utf-8")
        self._stamp += 1
        os.utime(self.path, ns=(self._stamp, self._stamp))


def test_format_that_the_help_shows_is_read(tmp_path: Path) -> None:
    tags = Tags(tmp_path / "tags", FORMAT)
    assert tags.file() == (FieldTag(UID), FieldTag("E004015306A22D80", 2, 0.6, 12))


def test_lower_case_blank_lines_and_comments_are_fine(tmp_path: Path) -> None:
    tags = Tags(tmp_path / "tags", f"\n# nobody\n  {UID.lower()}   # mine\n")
    assert tags.file() == (FieldTag(UID),)


def test_edits_are_taken_up(tmp_path: Path) -> None:
    tags = Tags(tmp_path / "tags", UID)
    tags.write(f"{UID}\nE004015306A22D80\n")
    assert len(tags.file()) == 2
    tags.write("")
    assert tags.file() == ()
    assert tags.notices == ["2 tags are in the field now.", "0 tags are in the field now."]


def test_a_bad_edit_is_reported_once_and_the_tags_stay(tmp_path: Path) -> None:
    tags = Tags(tmp_path / "tags", UID)
    tags.write("E0040153")
    assert [tags.file(), tags.file()] == [(FieldTag("E0040153"),)] * 2, "an EPC of two words is a tag of FEIG's"
    tags.write("E00")
    assert [tags.file(), tags.file()] == [(FieldTag("E0040153"),)] * 2
    [_, notice] = tags.notices
    assert "line 1" in notice
    assert "previous tags" in notice
    tags.path.unlink()
    assert tags.file() == (FieldTag("E0040153"),)
    assert "cannot be read" in tags.notices[-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("xyz", "line 1: uid"),
        (f'{UID}\n{{"uid": "{UID}"', "line 2 is not valid JSON"),
        (f'{{"uid": "{UID}", "antena": 2}}', "did you mean antenna?"),
        (f'{{"uid": "{UID}", "antenna": 3}}', "no antenna 3"),
        (f'{{"uid": "{UID}", "signal": 1.5}}', "signal"),
        ("04AABBCCDDEEFF", "does not read tags with 14 hex digits"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words.replace("?", r"\?")):
        Tags(tmp_path / "tags", text)


def test_a_card_reader_takes_cards(tmp_path: Path) -> None:
    (tmp_path / "tags").write_text("04AABBCCDDEEFF\n")
    assert TagFile(tmp_path / "tags", 1, (ISO14443A,), print)() == (FieldTag("04AABBCCDDEEFF"),)


def test_a_file_that_is_not_there_or_no_text_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        TagFile(tmp_path / "none", 1, (ISO15693,), print)
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="not a text file"):
        TagFile(tmp_path / "noise", 1, (ISO15693,), print)
