"""A verb that needs a table and is given none takes the only one of this machine, and asks where there are several."""

import json
from pathlib import Path

import pytest

from betline.front_door import run
from betline.known_tables import the_table
from betline.options import UserError, default_journal
from table_controller.journal.store import Journal

MINE = 'based_on = "home-six"\nname = "{}"\ntitle = "A table"\n'


def write(path: Path, name: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MINE.format(name))
    return str(path)


def play(name: str, site: str = "home") -> Path:
    path = default_journal(site, name)
    Journal.open(path, f"{site}/{name}", 1, 1).close()
    return path


def test_what_was_named_is_taken_whatever_is_there(empty_machine):
    write(empty_machine / "a.toml", "a")
    assert the_table("casino-oval") == "casino-oval"


def test_the_only_table_file_is_taken_in_this_folder_or_among_the_settings(empty_machine):
    (empty_machine / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    file = empty_machine / "config/betline/mine.toml"
    write(file, "mine")
    assert the_table(None) == str(file)
    file.unlink()
    write(empty_machine / "here.toml", "here")
    assert the_table(None) == "here.toml"


def test_a_table_that_came_with_betline_is_taken_where_it_alone_was_played(empty_machine):
    play("home-six")
    assert the_table(None) == "home-six"


def test_where_there_is_none_it_is_the_one_that_comes_with_betline(empty_machine):
    assert the_table(None) == "casino-oval"


def test_a_table_whose_file_is_elsewhere_is_not_replaced_by_another(empty_machine):
    play("kitchen")
    with pytest.raises(UserError, match="kitchen"):
        the_table(None)


@pytest.mark.parametrize("other", ["file", "shipped", "elsewhere"])
def test_of_several_it_asks_which(empty_machine, other):
    write(empty_machine / "mine.toml", "mine")
    play("mine")
    if other == "file":
        write(empty_machine / "second.toml", "second")
    else:
        play("home-six" if other == "shipped" else "second")
    with pytest.raises(UserError) as caught:
        the_table(None)
    assert "mine.toml" in str(caught.value)
    assert ("home-six" if other == "shipped" else "second") in str(caught.value)


@pytest.mark.parametrize(
    "words",
    [
        ["run"], ["doctor"], ["controller"], ["levels"], ["install", "--user", "--dry-run"], ["bridge", "run"],
        ["vision", "run"], ["vision", "watch"], ["vision", "markers"], ["vision", "calibrate"],
        ["vision", "detect", "--video", "x.mp4"], ["vision", "ring", "list"], ["console"], ["voice"],
        ["vision", "tune", "--list"], ["bridge", "zone", "seat-1"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_verb_takes_a_table_that_nobody_named(words, empty_machine, capsys):
    write(empty_machine / "first.toml", "first")
    write(empty_machine / "second.toml", "second")
    assert (
        run([*words, *(["--broker", "127.0.0.1:9"] if {"console", "voice", "tune", "zone"} & set(words) else [])]) == 2
    )
    said = capsys.readouterr().err
    assert "first.toml" in said
    assert "second.toml" in said


def test_doctor_takes_the_only_table_and_says_which(empty_machine, capsys):
    write(empty_machine / "mine.toml", "mine")
    run(["doctor", "--only", "table"])
    assert capsys.readouterr().err == "Table mine.toml: the only table here.\n"


def test_doctor_looks_at_the_machine_alone_without_a_table(empty_machine, capsys):
    run(["doctor", "--only", "machine", "--json"])
    assert json.loads(capsys.readouterr().out)["table"] is None


# --- journals


@pytest.mark.parametrize(
    "words",
    [
        ["list"], ["show", "1"], ["recall"], ["export", "x.phhs"], ["ledger"], ["settle"], ["verify"], ["backup", "x"],
        ["restore", "x"], ["go-on"], ["prune", "--keep-days", "9"], ["erase", "Ann"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_of_several_journals_each_verb_asks_which(words, empty_machine, capsys):
    play("first")
    play("second")
    assert run(["journal", *words]) == 2
    said = capsys.readouterr().err
    assert "home-first" in said
    assert "home-second" in said


def test_the_only_journal_is_verified_without_its_tables_file(empty_machine, capsys):
    path = play("kitchen")
    assert run(["journal", "verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    path.unlink()
    assert run(["journal", "verify"]) == 1
    assert "There is no journal" in capsys.readouterr().err


def test_a_site_chooses_among_journals(empty_machine, capsys):
    play("kitchen")
    play("oval", "club")
    assert run(["journal", "verify", "--site", "club"]) == 0
    assert run(["journal", "verify"]) == 2
