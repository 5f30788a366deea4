"""Levels, rotations and tables based on others: what loads, and what is wrong named by level and key."""

import json

import pytest

from betline.settings import SettingsError, TableSettings, config_dir, load_table
from betline.settings.schema import schema
from virtual_table.run.run_table import write_table

FIXED = '[game]\nlimit = "fixed-limit"\nblinds = [5, 10]\nbets = [10, 10, 20, 20]\n'
TWO = 'name = "{}"\nlimit = "no-limit"\nblinds = [{}]\n'


def based(tmp_path, keys, base="casino-oval", file="mine.toml"):
    path = tmp_path / file
    path.write_text(f'based_on = "{base}"\nname = "mine"\ntitle = "Mine"\n{keys}')
    return path


def levels(*texts, first=""):
    return first + "".join(f"[[levels]]\nminutes = 20\n{text}\n" for text in texts)


def rotation(by, *games):
    return f"[rotation]\n{by}\n" + "".join(
        f"[[rotation.games]]\n{TWO.format(name, blinds)}" for name, blinds in games
    )  # fmt: skip


def test_a_table_without_these_keys_has_neither_levels_nor_rotation():
    table = load_table("casino-oval")
    assert (table.levels, table.rotation, table.game_at()) == ((), None, table.game)


def test_a_level_changes_what_it_names_of_the_game_and_nothing_else(tmp_path):
    table = load_table(based(tmp_path, levels("", "blinds = [10, 20]\nante = 20", "min_bet = 40")))
    assert table.game_at(1) == table.game
    assert table.game_at(2) == table.game.model_copy(update={"blinds": (10, 20), "ante": 20})
    assert table.game_at(3) == table.game.model_copy(update={"min_bet": 40})


def test_a_level_of_fixed_limit_has_bets(tmp_path):
    table = load_table(based(tmp_path, levels("", "blinds = [10, 20]\nbets = [20, 20, 40, 40]", first=FIXED)))
    assert table.game_at(2).bets == (20, 20, 40, 40)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("[[levels]]\nblinds = [5, 10]\n", r"levels\.0\.minutes is missing"),
        ("[[levels]]\nminutes = 0\n", r"levels\.0\.minutes must be greater than 0, not 0"),
        (levels("minuts = 3"), r"levels\.0\.minuts is not a known key; did you mean minutes\?"),
        (levels("blinds = [5, -1]"), r"levels\.0\.blinds\.1 must be greater than or equal to 0, not -1"),
        (levels("", "bets = [5, 5, 10, 10]"), r"Level 2 does not fit the game: bets belongs to fixed-limit"),
        (levels("", "bring_in = 5"), r"Level 2 does not fit the game: bring_in belongs to stud"),
        (levels("", "spread = [1, 5]"), r"Level 2 does not fit the game: spread belongs to spread-limit"),
        (levels("", "bets = [20, 40]", first=FIXED), r"Level 2 does not fit the game: bets needs one size for each"),
        (levels("blinds = [10, 20]"), r"Level 1 must be the game as game has it"),
        (levels("colour_up = 1"), r"Level 1: colour_up needs a level before it"),
        (levels("", "break_minutes = 5"), r"Level 2: no break follows the last level"),
        (levels("", "colour_up = 5"), r"Level 2: colour_up must be 1, the smallest chip then in play"),
        (levels("", "colour_up = 1\nblinds = [6, 12]"), r"Level 2: blinds of 6 cannot be made of chips of 5 and more"),
        (levels("", "colour_up = 1"), r"Level 2: unit must be 5, the smallest chip that is left, or a multiple of it"),
        (levels("", "games = { Razz = { ante = 1 } }"), r"Level 2: games names Razz, which is no game of the rotation"),
        (rotation('by = "hands"', ("A", "1, 2"), ("B", "2, 4")), r"rotation: count belongs to a rotation by hands"),
        (rotation('by = "choice"\ncount = 2', ("A", "1, 2"), ("B", "2, 4")), r"rotation: count belongs to"),
        (rotation('by = "orbit"', ("A", "1, 2"), ("B", "2, 4")), r"rotation\.by cannot be 'orbit'; did you mean orbit"),
        (rotation('by = "choice"', ("A", "1, 2"), ("a", "2, 4")), r"rotation: two games have the same name"),
        (rotation('by = "choice"', ("A", "1, 2")), r"rotation\.games needs at least 2 entries; it has 1"),
        (FIXED + rotation('by = "choice"', ("A", "1, 2"), ("B", "2, 4")), r"Game must be the first of rotation\.games"),
    ],
)
def test_what_does_not_go_together_is_told_with_its_file_level_and_key(keys, words, tmp_path):
    with pytest.raises(SettingsError, match=rf"mine\.toml: {words}"):
        load_table(based(tmp_path, keys))


def test_a_rotation_says_what_game_comes_first(tmp_path):
    table = load_table(based(tmp_path, rotation('by = "hands"\ncount = 6', ("Big", "10, 20"), ("Small", "1, 2"))))
    assert table.game.blinds == (10, 20)
    assert [table.game_at(1, name).blinds for name in ("Big", "SMALL")] == [(10, 20), (1, 2)]


def test_a_level_changes_each_game_of_a_rotation_by_its_name(tmp_path):
    games = rotation('by = "hands"\ncount = 6', ("Big", "10, 20"), ("Small", "1, 2"))
    table = load_table(based(tmp_path, games + levels("", "ante = 5\ngames = { Small = { blinds = [2, 4] } }")))
    assert [(one.blinds, one.ante) for one in (table.game_at(2, "Big"), table.game_at(2, "Small"))] == [
        ((10, 20), 5),
        ((2, 4), 5),
    ]


@pytest.mark.parametrize("name", ["tournament", "mixed-home"])
def test_a_table_of_an_evening_reads_back_as_it_was_written(name, tmp_path):
    table = load_table(name)
    write_table(table, tmp_path / "table.toml")
    assert load_table(tmp_path / "table.toml") == table


def test_the_shipped_tournament_races_off_the_smallest_chips_in_turn():
    raced = [(number, level.colour_up) for number, level in enumerate(load_table("tournament").levels, 1)]
    assert [one for one in raced if one[1]] == [(5, 25), (9, 100)]


# --- tables based on others


def test_a_table_has_the_keys_of_its_base_but_those_that_it_names(tmp_path):
    table, base = load_table(based(tmp_path, "starting_stack = 77\n")), load_table("casino-oval")
    assert table.model_copy(update={"name": base.name, "title": base.title, "starting_stack": 1000}) == base
    assert table.starting_stack == 77


def test_files_that_a_base_names_stand_beside_the_base(tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    chips = (config_dir() / "chip_sets" / "cash.toml").read_text()
    (there / "chips.toml").write_text(chips)
    (there / "rules.toml").write_text('profile = "tda"\n')
    based(there, 'chip_set = "chips.toml"\n[house]\nprofile = "rules.toml"\n', file="base.toml")
    table = load_table(based(tmp_path, "", base="there/base.toml"))
    assert (table.chip_set, table.house.profile) == (str(there / "chips.toml"), str(there / "rules.toml"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('based_on = "casino-oval"\ntitle = "Mine"\n', r"name is missing; a table based on another needs its own"),
        ('based_on = "casino-ovl"\nname = "m"\ntitle = "M"\n', r"There is no table casino-ovl; did you mean casino-"),
        ('based_on = 3\nname = "m"\ntitle = "M"\n', r"based_on must be a text, not 3"),
        ('based_on = "mine.toml"\nname = "m"\ntitle = "M"\n', r"based_on leads back to this file"),
        ('based_on = "casino-oval"\nname = "m"\ntitle = "M"\nlevel = []\n', r"level is not a known key; did you mean"),
    ],
)
def test_a_base_that_cannot_be_used_is_told(text, words, tmp_path):
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(SettingsError, match=rf"mine\.toml: {words}"):
        load_table(tmp_path / "mine.toml")


def test_the_schema_takes_a_complete_table_one_with_a_rotation_or_a_shape_and_one_based_on_another():
    required = [one["required"] for one in json.loads(schema())["$defs"]["table"]["anyOf"]]
    complete = [name for name, field in TableSettings.model_fields.items() if field.is_required()]
    assert required == [
        complete,
        [*(name for name in complete if name != "game"), "rotation"],
        ["name", "title", "chip_set", "game", "starting_stack", "shape"],
        ["based_on", "name", "title"],
    ]
