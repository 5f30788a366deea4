"""The verb `floor` where it cannot do what is asked, and the document of its `--json`."""

import pytest

from betline.front_door import run
from betline.options import FAILED, WRONG_USAGE, Address, UserError
from betline.settings.site import load_site
from betline.topics import Namespace
from cardroom.floor import running
from cardroom.floor.desk import TableFiles, known_tables, tables_of_site
from cardroom.floor.running import document, site_there
from cardroom.floor.sample import NOW_S, sample_site
from tests.unit.floor.said import state

SITE_FILE = """
name = "grand"
time_zone = "Europe/Vienna"
broker = { hosts = ["site.lan"] }
[[pits]]
name = "pit-a"
hosts = ["pit-a.lan"]
tables = [{ name = "table-1", file = "tournament" }, { name = "table-2", file = "home-six" }]
"""
NOWHERE = Address("127.0.0.1", 9)


def test_without_a_broker_the_document_is_refused_in_one_sentence(capsys, monkeypatch):
    monkeypatch.setattr(running, "LISTEN_S", 0.1)
    assert run(["floor", "--json", "--broker", str(NOWHERE)]) == FAILED
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("betline: ")
    assert said.err.count("\n") == 1


def test_a_name_that_no_site_can_have_is_wrong_usage(capsys):
    assert run(["floor", "--json", "--site", "The Grand", "--broker", str(NOWHERE)]) == WRONG_USAGE
    assert "lower-case letters" in capsys.readouterr().err


def test_a_site_and_a_site_file_that_do_not_agree_are_wrong_usage(tmp_path, capsys):
    (tmp_path / "site.toml").write_text(SITE_FILE)
    line = ["floor", "--json", "--site-file", str(tmp_path / "site.toml"), "--broker", str(NOWHERE)]
    assert run([*line, "--site", "pier"]) == WRONG_USAGE
    assert "is of the site grand" in capsys.readouterr().err


def test_the_file_of_a_site_says_the_pits_and_how_its_tables_are_drawn(tmp_path):
    (tmp_path / "site.toml").write_text(SITE_FILE)
    site = load_site(tmp_path / "site.toml")
    assert site.tables_of_pits == {"pit-a": ("table-1", "table-2")}
    drawn = TableFiles(tables_of_site(site)).of("table-2", None)
    assert len(drawn.seats) == 6


def test_the_only_site_is_taken_and_of_several_one_must_be_named(monkeypatch):
    there = [Namespace("grand", "t-1"), Namespace("grand", "t-2")]
    monkeypatch.setattr(running, "tables_on", lambda _: tuple(there))
    assert site_there(NOWHERE, None, "home") == "grand"
    there.append(Namespace("pier", "t-1"))
    assert site_there(NOWHERE, "pier", "home") == "pier"
    with pytest.raises(UserError, match=r"grand, pier\. Name one with --site"):
        site_there(NOWHERE, None, "home")
    there.clear()
    assert site_there(NOWHERE, None, "home") == "home"


def test_the_document_has_what_the_screen_has():
    said = document(sample_site().ear.look(), NOW_S)
    assert said["site"] == "grand"
    first, *_, last = said["tables"]
    assert first["table"] == "table-8"
    assert first["ruling"] == {"seat": 2, "sentence": "Seat 2: is the raise to 400 binding?"}
    assert (first["fresh"], first["hands_an_hour"], first["sensors"]["well"]) == (True, 17, 7)
    assert (last["table"], last["ruling"], last["need"]) == ("table-12", None, "")
    [silent] = [one for one in said["tables"] if one["table"] == "table-5"]
    assert (silent["fresh"], silent["heard"]) == (False, "75 s")


def test_a_board_is_drawn_as_the_tables_own_file_says_else_by_its_seats():
    files = TableFiles(known_tables(()))
    assert files.of("home-six", None).cameras
    unknown = files.of("table-9", state())
    assert (unknown.name, len(unknown.seats), unknown.cameras, unknown.floor.people) == ("table-9", 10, (), ())
    six = state().model_copy(update={"seats": state().seats[:6]})
    assert len(files.of("table-9", six).seats) == 6
