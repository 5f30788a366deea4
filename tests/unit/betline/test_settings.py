"""Settings files: what is shipped loads, what is wrong is named."""

import json
import tomllib

import pytest

from betline.geometry import area_mm2, centroid, contains
from betline.settings import (
    HouseRules,
    SettingsError,
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
    with pytest.raises(SettingsError, match=r"no file \./nowhere\.toml"):
        load_table("./nowhere.toml")


def test_schema_file_is_the_exported_schema():
    assert (config_dir() / "schema.json").read_text(encoding="utf-8") == schema()
    json.loads(schema())
