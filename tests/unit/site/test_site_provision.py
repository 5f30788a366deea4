"""`betline provision site`: which files it makes, and what it does when it is run again."""

import json
import tomllib
from datetime import UTC, datetime, timedelta

import pytest

from betline import topics
from betline.front_door import run
from betline.provision.crossings import Crossing, crossings, topic_lines
from betline.provision.site_acts import provide_site
from betline.settings.site import Site
from betline.topics import AT_SITE, KINDS, Namespace, TopicKind

NOW = datetime(2026, 11, 28, tzinfo=UTC)


def a_site(*pits: tuple[str, list[str]]) -> Site:
    return Site.model_validate(
        {
            "name": "grand",
            "time_zone": "Europe/Vienna",
            "broker": {"hosts": ["site.lan"]},
            "pits": [
                {
                    "name": name,
                    "hosts": [f"{name}.lan"],
                    "tables": [{"name": table, "file": "home-six"} for table in tables],
                }
                for name, tables in pits
            ],
        }
    )


TWO_PITS = a_site(("pit-a", ["table-1", "table-2"]), ("pit-b", ["table-3"]))


def files(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_what_crosses_is_what_the_one_side_says_and_the_other_hears():
    by_way = {way: {one.path for one in crossings() if one.way == way} for way in ("out", "in")}
    for kind in KINDS:
        from_table, to_table = set(kind.by) - set(AT_SITE), set(kind.to) - set(AT_SITE)
        comes_in = bool(set(kind.by) & set(AT_SITE) and to_table)
        swapped = comes_in and kind.retained and kind.named != "writer"  # see the next test
        assert (kind.pattern in by_way["out"]) == bool(from_table and set(kind.to) & set(AT_SITE) and not swapped)
        own = kind.pattern if kind.named != "writer" else kind.pattern.replace("+", "floor")
        assert (own in by_way["in"]) == comes_in


def test_what_both_sides_may_say_on_one_kept_topic_comes_in_only_so_that_a_cut_line_swaps_nothing():
    assert {one.way for one in crossings() if one.path == topics.ROOM.pattern} == {"in"}
    assert {one.way for one in crossings() if one.path == topics.ALERT.pattern} == {"in", "out"}  # not kept


def test_what_a_broker_keeps_and_what_the_site_asks_never_wait_for_the_link_and_news_of_a_table_do():
    for one in crossings():
        kind = next(kind for kind in KINDS if kind.matches(one.path))
        assert one.qos == (kind.qos if one.way == "out" and not kind.retained else 0)
    assert Crossing("event", "out", 1) in crossings()


def test_a_new_kind_of_topic_crosses_by_who_says_and_hears_it_alone():
    asked = TopicKind("history/ask/+", topics.EVENT.body, False, 1, "", ("site",), ("controller",))
    told = TopicKind("history/entries/+", topics.EVENT.body, False, 1, "", ("controller",), ("site",))
    inner = TopicKind("inner", topics.EVENT.body, False, 1, "", ("controller",), ("console",))
    assert crossings((asked, told, inner)) == (
        Crossing("history/ask/+", "in", 0),
        Crossing("history/entries/+", "out", 1),
    )


def test_a_bridge_is_given_the_topics_of_its_own_tables_and_nothing_hidden(tmp_path):
    provide_site(TWO_PITS, tmp_path, NOW)
    lines = (tmp_path / "pit-a/mosquitto/bridge.conf").read_text().splitlines()
    said = [line for line in lines if line.startswith("topic ")]
    assert said == topic_lines("grand", ["table-1", "table-2"])
    roots = tuple(Namespace("grand", table).root + "/" for table in ("table-1", "table-2"))
    assert all(line.split()[1].startswith(roots) for line in said)
    assert not [line for line in said if "private" in line or "/#" in line or "zone" in line]


def test_who_runs_it_again_changes_nothing(tmp_path):
    provide_site(TWO_PITS, tmp_path, NOW)
    before = files(tmp_path)
    again = provide_site(TWO_PITS, tmp_path, NOW + timedelta(days=1))
    assert (again.done, dict(again.brokers), again.logins) == ((), {}, ())
    assert files(tmp_path) == before


def test_no_file_with_a_secret_is_for_others_than_its_owner(tmp_path):
    provide_site(TWO_PITS, tmp_path, NOW)
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_mode & 0o077] == []


def test_a_table_or_pit_that_left_the_site_file_has_no_login_anywhere(tmp_path):
    provide_site(TWO_PITS, tmp_path, NOW)
    outcome = provide_site(a_site(("pit-a", ["table-1"])), tmp_path, NOW)
    assert "pit-a/table-2 is no longer in the site file: its logins are ended." in outcome.done
    assert "pit-b is no longer in the site file: its bridge and logins are ended." in outcome.done
    left = files(tmp_path)
    assert not [name for name in left if name.startswith("pit-b") or "/table-2/" in name or "link-pit-b" in name]
    for name in ("passwords", "access.acl"):
        assert "pit-b" not in left[f"site/mosquitto/{name}"]
        assert "table-2" not in left[f"pit-a/mosquitto/{name}"] + left[f"site/mosquitto/{name}"]
        assert "table-1" in left[f"pit-a/mosquitto/{name}"]
    assert "table-2" not in left["pit-a/mosquitto/bridge.conf"]
    assert set(outcome.brokers) == {"site", "pit-a"}


def test_the_bridge_logs_in_as_its_own_account_by_its_password_and_certificate(tmp_path):
    provide_site(TWO_PITS, tmp_path, NOW)
    login, pit = tmp_path / "site/link-pit-b", tmp_path / "pit-b/mosquitto"
    user = tomllib.loads((login / "login.toml").read_text())["user"]
    lines = (pit / "bridge.conf").read_text().splitlines()
    assert f"remote_username {user}" in lines
    assert f"remote_password {(login / 'password').read_text().strip()}" in lines
    assert (pit / "bridge.pem").read_text() == (login / "cert.pem").read_text()
    assert (pit / "bridge-ca.pem").read_text() == (tmp_path / "site/ca/ca.pem").read_text()
    assert (tmp_path / "site/ca/ca.pem").read_text() != (tmp_path / "pit-b/ca/ca.pem").read_text()


SITE_FILE = """
name = "grand"
time_zone = "Europe/Vienna"
broker = { hosts = ["site.lan"] }
pits = [{ name = "pit-a", hosts = ["pit-a.lan"], tables = [{ name = "table-1", file = "home-six" }] }]
"""


def test_the_verb_says_what_to_copy_where_and_prints_no_secret(tmp_path, capsys):
    (tmp_path / "site.toml").write_text(SITE_FILE)
    line = ["provision", "site", str(tmp_path / "site.toml"), "-o", str(tmp_path / "files"), "--json"]
    assert run(line) == 0
    text = capsys.readouterr().out
    said = json.loads(text)
    assert said["copy_brokers"] == ["pit-a", "site"]
    assert any("betline_bridge.conf" in step for step in said["steps"])
    for secret in (tmp_path / "files").rglob("password"):
        assert secret.read_text().strip() not in text
    assert run(line) == 0
    assert json.loads(capsys.readouterr().out) == {
        "site": "grand", "done": [], "copy_brokers": [], "copy_logins": [], "steps": []
    }  # fmt: skip


@pytest.mark.parametrize(("folder", "status"), [("gone.toml", 2), ("site.toml", 1)])
def test_a_wrong_file_or_folder_is_a_sentence(tmp_path, capsys, folder, status):
    (tmp_path / "site.toml").write_text(SITE_FILE)
    provide_site(TWO_PITS.model_copy(update={"name": "other"}), tmp_path / "files", NOW)
    assert run(["provision", "site", str(tmp_path / folder), "-o", str(tmp_path / "files")]) == status
    said = capsys.readouterr().err
    assert said.startswith("betline: ")
    assert ("cannot be read" in said) or ("has the logins of the site other" in said)
