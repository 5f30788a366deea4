"""A PostgreSQL that is not the embedded one: recorded into, checked, saved, restored, away and back, and not let in."""

import json
import os
import shutil
import subprocess
import sys
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from cardroom.record import database
from cardroom.record.errors import RecordError
from cardroom.record.keeping import erase
from cardroom.record.store import Store
from table_controller.journal.store import Journal
from tests.unit.site.journals import AT_MS, journal, long_entry, write
from tests.unit.site.servers import PASSWORD, THERE, TLS, Server
from tests.unit.site.test_recorder import Site

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module", params=THERE)
def other(request):
    if request.param in TLS and shutil.which("pg_dump") is None:
        pytest.skip("pg_dump with TLS is not here: apt install postgresql-client")
    with Server(request.param) as server:
        yield server


@pytest.fixture
def passwords(other, monkeypatch):
    monkeypatch.setenv("PGPASSFILE", str(other.passwords))
    yield other
    other.write_passwords(PASSWORD)


def more(file, folder, entries, **times):
    opened = Journal.open(file, "home/six", AT_MS, 1, key=folder / "key")
    write(opened, entries, **times)
    opened.close()


def site(verb, *words):
    line = [sys.executable, "-m", "betline", "site", verb, *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=dict(os.environ))
    return done.returncode, done.stdout, done.stderr


def test_a_site_is_recorded_checked_saved_restored_thinned_and_a_name_erased(passwords, tmp_path):
    file = long_entry(tmp_path, 600_000)
    more(file, tmp_path, 30, step_ms=4 * 3_600_000)
    url = passwords.url()
    played = Site(url, six=file)
    played.begin()
    held = ("--journal", file, "--key", tmp_path / "key", "--alone", "--json")

    status, out, err = site("verify", "--database", url, *held)
    assert (status, json.loads(out)["rows"]) == (0, 36), err
    status, _, err = site("backup", tmp_path / "site.dump", "--database", url)  # while the recorder is there
    assert status == 0, err
    played.close()
    copy = passwords.make("copy")
    status, out, err = site("restore", tmp_path / "site.dump", "--database", copy)
    assert (status, out) == (0, "36 rows of 1 journals are back, and all hold.\n"), err
    again = Site(copy, six=file)
    more(file, tmp_path, 4, at_ms=AT_MS + 20 * 86_400_000)
    again.begin()
    again.close()
    status, out, err = site("verify", "--database", copy, *held)
    assert (status, json.loads(out)["rows"]) == (0, 40), err

    days = (datetime.now(ZoneInfo("Europe/Vienna")).date() - date(2025, 12, 1)).days
    status, out, err = site("retain", "--days", days, "--database", copy, "--json")
    assert (status, [one["day"] for one in json.loads(out)]) == (0, ["2025-11-28", "2025-11-29", "2025-11-30"]), err
    with Store(copy) as store:
        assert len(erase(store, "ann b.")) == 1
    status, out, err = site("verify", "--database", copy, *held)
    assert (status, json.loads(out)["problems"]) == (0, []), err
    status, _, err = site("restore", tmp_path / "site.dump", "--database", copy)
    assert status == 1
    assert "holds something already" in err


def test_a_server_that_goes_and_comes_back_misses_nothing(passwords, tmp_path):
    file = journal(tmp_path / "six")
    played = Site(passwords.make("goes"), six=file)
    played.begin()
    passwords.stop()
    more(file, tmp_path, 7)
    for _ in range(10):
        played.bus.tell("six")
        played.recorder.pump(0.0)
        played.now_s += 6.0
    assert played.recorder.away
    passwords.start()
    for _ in range(10):
        played.recorder.pump(0.0)
        played.now_s += 6.0
    played.told()
    played.close()

    assert (played.found().rows, played.found().problems) == (37, [])
    assert any("cannot be reached" in one for one in played.said)
    assert "The database is there again." in played.said


def test_who_is_not_let_in_is_told_what_to_do(passwords, tmp_path):
    verify = ("verify", "--alone", "--database")
    passwords.write_passwords("wrong")
    status, out, err = site(*verify, passwords.url())
    assert (status, out) == (1, "")
    assert 'password authentication failed for user "betline"' in err
    assert "~/.pgpass" in err
    status, _, err = site("backup", tmp_path / "site.dump", "--database", passwords.url())
    assert (status, (tmp_path / "site.dump").exists()) == (1, False)
    assert "~/.pgpass" in err
    passwords.write_passwords(PASSWORD)
    status, _, err = site(*verify, passwords.url("nowhere"))
    assert status == 1
    assert "createdb" in err
    status, _, err = site("verify", "--alone", "--database", passwords.make("nothing"))
    assert status == 1
    assert "begin with betline site record" in err
    for one in (passwords.url(), passwords.url("nowhere")):
        assert "Traceback" not in site("restore", tmp_path / "none", "--database", one)[2]


def test_a_user_that_does_not_own_the_database_is_told_so(passwords):
    with pytest.raises(RecordError, match="ALTER DATABASE") as told:
        Store(passwords.make("owned", "owner"), "home", "UTC", writes=True)
    assert told.value.code == "rights"


def test_a_server_that_is_too_old_is_named(passwords, monkeypatch):
    monkeypatch.setattr(database, "OLDEST", 99)

    with pytest.raises(RecordError, match=f"is PostgreSQL {passwords.version}; 99 or newer"):
        Store(passwords.url(), "home", "UTC", writes=True)


def test_a_line_that_is_not_as_safe_as_asked_is_refused(passwords, tmp_path):
    if passwords.version in TLS:
        url = passwords.url().replace(str(passwords.ca.file), str(tmp_path / "none.pem"))
    else:
        url = f"{passwords.url()}?sslmode=require"

    status, _, err = site("verify", "--alone", "--database", url)
    assert status == 1
    assert "sslmode" in err
