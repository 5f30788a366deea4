"""Settings files: what is shipped loads, what is wrong is named."""

import json
import tomllib

import pytest

from betline.geometry import area_mm2, centroid, contains
from betline.settings import (
    HouseRules,
    SettingsError,
    TableSettings,
    config_dir,
    load_chip_set,
    load_house_rules,
    load_table,
    shipped,
)
from betline.settings.schema import schema


@pytest.mark.parametrize("name", shipped("tables"))
def test_shipped_table_loads_with_its_chips_and_house_rules(name):
    table = load_table(name)
    load_chip_set(table.chip_set)
    load_house_rules(table.house.profile, table.house.options)
    assert {a.zone for r in table.readers for a in r.antennas} == set(table.zones())


@pytest.mark.parametrize("name", shipped("tables"))
def test_every_bet_zone_lies_inside_the_betting_line_and_in_the_picture(name):
    table = load_table(name)
    camera = table.cameras[0].pinhole()
    for seat in table.seats:
        assert contains(table.felt.betting_line_mm, centroid(seat.bet_zone_mm))
        assert not contains(table.felt.betting_line_mm, centroid(seat.stack_zone_mm))
        assert area_mm2(seat.bet_zone_mm) > 20 * 39 * 39 * 0.5
        for x, y in seat.bet_zone_mm:
            px, py = camera.project((x, y, 0))
            assert 0 < px < camera.width_px
            assert 0 < py < camera.height_px


def test_seats_run_clockwise_from_the_dealers_left():
    seats = load_table().seats
    assert seats[0].rail_mm[0] < 0
    assert seats[-1].rail_mm[0] > 0


@pytest.mark.parametrize("profile", ["tda", "cash", "home"])
def test_profile_sets_every_option(profile):
    with (config_dir() / "house_rules" / f"{profile}.toml").open("rb") as file:
        assert set(tomllib.load(file)) == set(HouseRules.model_fields)
    load_house_rules(profile)


def test_profiles_differ_where_houses_do():
    assert load_house_rules("tda").max_raises == 4
    assert load_house_rules("cash").buy_in == (20, 100)
    assert load_house_rules("home").bomb_pot is not None
    assert load_house_rules("home", {"bomb_pot": "none"}).bomb_pot is None


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"button_rul": "dead"}, "button_rule"),
        ({"button_rule": "ded"}, "dead"),
        ({"max_raises": 7}, "max_raises"),
        ({"half_standard": "yes"}, "half_standard"),
        ({"rake": {"percent": 5, "capp": 3}}, "cap"),
    ],
)
def test_unknown_option_or_value_names_what_would_be_right(options, hint):
    with pytest.raises(SettingsError, match=hint):
        load_house_rules("cash", options)


def test_broken_table_file_names_file_and_line(tmp_path):
    file = tmp_path / "broken.toml"
    file.write_text('name = "x"\ntitle = \n')
    with pytest.raises(SettingsError, match=r"broken\.toml is not valid TOML.*line 2"):
        load_table(file)


def test_unknown_key_of_a_table_names_the_nearest(tmp_path):
    text = (config_dir() / "tables" / "home-six.toml").read_text()
    file = tmp_path / "mine.toml"
    file.write_text(text.replace("starting_stack", "starting_stak"))
    with pytest.raises(SettingsError, match=r"starting_stak .*starting_stack"):
        load_table(file)


def test_two_antennas_on_one_zone_are_refused(tmp_path):
    text = (config_dir() / "tables" / "home-six.toml").read_text()
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('zone = "seat-2"', 'zone = "seat-1"'))
    with pytest.raises(SettingsError, match="same zone"):
        load_table(file)


def test_missing_file_says_what_to_give():
    with pytest.raises(SettingsError, match=r"There is no table casino-ovl; did you mean casino-oval"):
        load_table("casino-ovl")
    with pytest.raises(SettingsError, match=r"no file nowhere\.toml"):
        load_table("./nowhere.toml")


def home_six(tmp_path, *changes):
    """The shipped six-seat table with some text replaced, as a site's own file."""
    text = (config_dir() / "tables" / "home-six.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("starting_stack = ", "starting_stack = true #", r"starting_stack must be a whole number, not True\."),
        ("starting_stack = ", 'starting_stack = "5" #', r"starting_stack must be a whole number, not '5'\."),
        ("number = 2", "number = 1", r"Seat numbers must rise"),
        ("number = 6", "number = 11", r"seats\.5\.number must be less than or equal to 10, not 11\."),
        ('chip_set = "', 'chip_set = "x', r"There is no chip set xhome; did you mean home\?"),
        ('profile = "', 'profile = "x', r"There is no house rules profile xhome; did you mean home\?"),
        ('name = "', 'name = "-', r"name must match pattern"),
        ('id = "reader-2"', 'id = "reader-1"', r"The id reader-1 is there twice"),
        ('protocol = "feig"', 'protocol = "fieg"', r"protocol cannot be 'fieg'; did you mean feig\?"),
        ("[felt]", "[felt", r"not valid TOML: .*line \d+"),
    ],
)
def test_a_wrong_value_of_a_table_names_file_and_key_and_what_would_be_right(old, new, words, tmp_path):
    with pytest.raises(SettingsError, match=rf"mine\.toml.*{words}"):
        load_table(home_six(tmp_path, (old, new)))


def test_a_table_without_seats_is_refused(tmp_path):
    text = home_six(tmp_path).read_text()
    keys, _, _ = text.partition("[[seats]]")
    file = tmp_path / "mine.toml"
    file.write_text("seats = []\n" + keys)
    with pytest.raises(SettingsError, match=r"seats needs at least 2 entries; it has 0\."):
        load_table(file)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"name is missing"),
        (b"\xff\xfe\x00", r"is no text file"),
        (b'title = "no end', r"not valid TOML.*line 1, the end of the file"),
        (b"a = " + b"[" * 5000, r"not valid TOML"),
    ],
)
def test_what_is_no_table_file_is_refused(content, words, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=rf"mine\.toml.*{words}"):
        load_table(file)


def test_a_folder_is_named_as_one(tmp_path):
    with pytest.raises(SettingsError, match=r"is a folder"):
        load_table(tmp_path)


def test_a_table_file_names_chips_and_rules_beside_it_from_wherever_it_is_read(tmp_path):
    chips = (config_dir() / "chip_sets" / "home.toml").read_text()
    (tmp_path / "chips.toml").write_text(chips.replace('name = "home"', 'name = "ours"'))
    (tmp_path / "rules.toml").write_text('profile = "tda"\nrun_it = 2\n')
    table = load_table(
        home_six(
            tmp_path, ('chip_set = "home"', 'chip_set = "chips.toml"'), ('profile = "home"', 'profile = "./rules.toml"')
        )
    )
    assert load_chip_set(table.chip_set).name == "ours"
    rules = load_house_rules(table.house.profile, table.house.options)
    assert (rules.run_it, rules.form) == (2, "tournament")


def test_house_rules_that_start_from_themselves_are_refused(tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text('profile = "rules.toml"\n')
    with pytest.raises(SettingsError, match=r"rules\.toml: profile leads back to this file"):
        load_house_rules(file)


def test_schema_file_is_the_exported_schema():
    assert (config_dir() / "schema.json").read_text(encoding="utf-8") == schema()
    json.loads(schema())


def test_a_table_may_have_antennas_for_stacks() -> None:
    said = load_table("home-six").model_dump(mode="json")
    said["readers"][0]["antennas"] = [{"antenna": 1, "zone": "stack-4"}]
    assert TableSettings.model_validate(said).readers[0].antennas[0].zone == "stack-4"
    said["readers"][0]["antennas"] = [{"antenna": 1, "zone": "stack-9"}]
    with pytest.raises(ValueError, match="stack-9"):
        TableSettings.model_validate(said)
