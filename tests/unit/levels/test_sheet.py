"""The printed sheet: times, stakes and bet sizes of every level, as text and as JSON."""

import json
from pathlib import Path

import pytest

from betline.front_door import run

OMAHA = """
based_on = "casino-oval"
name = "omaha"
title = "Omaha"
[game]
limit = "pot-limit"
blinds = [5, 10]
streets = "omaha"
[[levels]]
minutes = 45
break_minutes = 15
[[levels]]
minutes = 30
blinds = [10, 20]
ante = 20
ante_by = "big-blind"
colour_up = 1
unit = 5
"""


@pytest.fixture
def omaha(tmp_path):
    file = tmp_path / "omaha.toml"
    file.write_text(OMAHA + '[house]\nprofile = "cash"\noptions = { pot_limit_preflop = "true-pot" }\n')
    return str(file)


def test_the_sheet_of_a_pot_limit_evening(omaha, capsys):
    assert run(["levels", "--table", omaha, "--players", "9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:8] == [
        "Omaha, 9 players, house rules cash",
        "",
        "Pot-limit Omaha",
        "level  starts  min  stakes         bet  first act  SB, limped  SB, folded  BB, limped  pot raised",
        "    1    0:00   45  5/10            10      20-35      20-100       20-30      20-100      60-120",
        "  break of 15 minutes",
        "  before level 2 the 1s are coloured up",
        "    2    1:00   30  10/20 ante 20   20      40-90      40-220       40-80      40-220     160-320",
    ]


def test_the_same_in_json(omaha, capsys):
    assert run(["levels", "--table", omaha, "--players", "9", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    first, second = told["games"][0]["levels"]
    assert (first["starts_min"], first["break_minutes"], second["starts_min"], second["colour_up"]) == (0, 15, 60, 1)
    assert first["first_round"][0] == {"name": "first to act", "call": 10, "least": 20, "most": 35}
    assert second["game"]["unit"] == 5


def test_a_table_without_levels_has_the_sheet_of_its_game(capsys):
    assert run(["levels", "--table", "home-six", "--json"]) == 0
    level = json.loads(capsys.readouterr().out)["games"][0]["levels"][0]
    assert (level["level"], level["stakes"]) == (None, "1/2")


def test_a_rotation_has_a_page_for_each_game(capsys):
    assert run(["levels", "--table", "mixed-home"]) == 0
    page = capsys.readouterr().out
    assert "The dealer chooses the game." in page
    assert "Seven-card stud (Fixed-limit stud)" in page
    assert "2/4 ante 1 bring-in 1" in page


@pytest.mark.parametrize("verb", ["levels", "controller"])
def test_a_level_that_cannot_be_dealt_is_told_before_the_evening(verb, omaha, capsys):
    file = Path(omaha)
    file.write_text(file.read_text().replace("blinds = [10, 20]\n", "blinds = []\n"))
    assert run([verb, "--table", omaha]) == 2
    error = capsys.readouterr().err
    assert "omaha: level 2 cannot be dealt: A big-bet game without blinds needs a minimum bet" in error
    assert error.count("\n") == 1
