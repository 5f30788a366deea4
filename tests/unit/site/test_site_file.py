"""The site file: what it says, and what is wrong with one, in sentences."""

from pathlib import Path

import pytest

from betline.settings import SettingsError, config_dir
from betline.settings.site import load_site

GOOD = """
name = "grand"
time_zone = "Europe/Vienna"
[broker]
hosts = ["site.lan"]
[[pits]]
name = "pit-a"
hosts = ["pit-a.lan"]
tables = [{ name = "table-1", file = "home-six" }, { name = "table-2", file = "my-table.toml" }]
"""


def written(folder: Path, text: str) -> Path:
    (folder / "my-table.toml").write_text('based_on = "home-six"\nname = "mine"\ntitle = "Mine"\n')
    (folder / "site.toml").write_text(text)
    return folder / "site.toml"


def test_a_table_file_is_found_beside_the_site_file_wherever_the_program_was_started(tmp_path):
    site = load_site(written(tmp_path, GOOD))
    assert [table.file for table in site.tables] == ["home-six", str(tmp_path / "my-table.toml")]
    assert site.place_from(site.pits[0]) == "site.lan:8883"


def test_the_shipped_example_can_be_used():
    site = load_site(config_dir() / "broker/site.toml")
    assert len(site.tables) == 5
    assert site.place_from(site.pits[2]) == "10.20.0.2:8883"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Europe/Vienna"', '"Vienna"', "time_zone: Vienna is no time zone of the IANA database"),
        ('name = "table-2"', 'name = "table-1"', "Two tables have the name table-1"),
        ('name = "table-1"', 'name = "site"', "site is a name of betline's own"),
        ('"home-six"', '"home-sixx"', "table table-1: There is no file"),
        ('"my-table.toml"', '"gone.toml"', "table table-2: There is no file"),
        ('"pit-a.lan"', '"site.lan"', "Two brokers are at site.lan:8883"),
        ('"pit-a.lan"', '"pit a"', "'pit a' is no name or address of a machine"),
        (
            'name = "pit-a"',
            'name = "pit-a"\nsite_at = "other.lan:1"',
            "must stand among the hosts of the site's broker",
        ),
        ("[[pits]]", '[database]\nurl = "postgresql://me:secret@db/x"\n[[pits]]', "it may have no password"),
        ("[[pits]]", '[database]\nurl = "mysql://db/x"\n[[pits]]', "it must be postgresql://USER@HOST/NAME"),
        ('name = "grand"', 'nam = "grand"', "nam is not a known key; did you mean name?"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_that_names_it(tmp_path, old, new, said):
    assert old in GOOD
    with pytest.raises(SettingsError, match=str(tmp_path)) as error:
        load_site(written(tmp_path, GOOD.replace(old, new, 1)))
    assert said in str(error.value)
    assert "secret" not in str(error.value)
