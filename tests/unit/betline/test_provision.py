"""`betline provision`: what it makes, what it leaves alone, what it takes back, and that it prints no secret."""

import json
import os
import stat
import subprocess
import time
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from betline.broker import free_port
from betline.front_door import run
from betline.provision import acts, certificates
from betline.provision.acts import Wish, provide
from betline.provision.files import ProvisionError
from betline.provision.mosquitto import shipped_configuration, stored_in, users_of
from betline.provision.passwords import fits, hashed
from betline.settings import load_table
from betline.topics import Namespace
from tests.mosquitto import MOSQUITTO, end, needs_mosquitto

NOW = datetime.now(UTC)
TABLE = load_table("home-six")
NAMES = Namespace("home", "home-six")
ACCOUNTS = ["controller", "bridge", "overhead", "console", "voice", "display", "home", "site"]


def made(folder: Path, wish: Wish | None = None, table=TABLE, names=NAMES, now=NOW) -> acts.Outcome:
    return provide(table, names, folder, wish or Wish(), now)


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {str(one): (one.read_bytes(), one.stat().st_mtime_ns) for one in folder.rglob("*") if one.is_file()}


def account(folder: Path, name: str) -> tuple[str, str]:
    user = tomllib.loads((folder / name / "login.toml").read_text())["user"]
    return user, (folder / name / "password").read_text().strip()


def may_log_in(folder: Path, user: str, password: str) -> bool:
    stored = stored_in((folder / "mosquitto/passwords").read_text())
    return user in stored and fits(password, stored[user])


def serials_out(folder: Path) -> frozenset[int]:
    ca = certificates.Signed.read((folder / "ca/ca.pem").read_text(), (folder / "ca/ca-key.pem").read_text())
    return certificates.revoked_in((folder / "mosquitto/revoked.pem").read_text(), ca)


def serial(folder: Path, name: str) -> int:
    one = folder / name
    return certificates.Signed.read((one / "cert.pem").read_text(), (one / "key.pem").read_text()).cert.serial_number


def test_every_account_of_the_table_gets_a_login_folder_that_only_its_owner_reads(tmp_path):
    folder = tmp_path / "logins"
    made(folder, Wish(hosts=("pi.lan",), certificates=True))
    for name in ACCOUNTS:
        login = tomllib.loads((folder / name / "login.toml").read_text())
        assert login == {"url": "mqtts://pi.lan:8883", "user": f"home.home-six.{name}"}
        assert may_log_in(folder, *account(folder, name))
        assert {one.name for one in (folder / name).iterdir()} == {
            "login.toml",
            "password",
            "ca.pem",
            "cert.pem",
            "key.pem",
        }
    for one in folder.rglob("*"):
        assert stat.S_IMODE(one.stat().st_mode) == (0o700 if one.is_dir() else 0o600)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_without_certificates_a_login_is_password_and_authority(tmp_path):
    made(tmp_path)
    assert {one.name for one in (tmp_path / "console").iterdir()} == {"login.toml", "password", "ca.pem"}
    assert "require_certificate" not in (tmp_path / "mosquitto/mosquitto.conf").read_text()


def test_run_again_it_changes_no_file(tmp_path):
    made(tmp_path, Wish(certificates=True))
    before = snapshot(tmp_path)
    again = made(tmp_path, now=NOW + timedelta(days=100))
    assert snapshot(tmp_path) == before
    assert (again.changes.done, again.changes.logins, again.changes.broker) == ([], [], False)


def test_a_new_reader_adds_its_lines_and_changes_no_login(tmp_path):
    fewer = TABLE.model_copy(update={"readers": TABLE.readers[:-1]})
    added = TABLE.readers[-1]
    made(tmp_path, table=fewer)
    access = tmp_path / "mosquitto/access.acl"
    assert f"/device/{added.id}/status" not in access.read_text()
    logins = {name: account(tmp_path, name) for name in ACCOUNTS}
    again = made(tmp_path)
    assert f"topic write betline/v1/home/home-six/device/{added.id}/status" in access.read_text()
    assert f"topic write betline/v1/home/home-six/zone/{added.antennas[0].zone}/chips" in access.read_text()
    assert {name: account(tmp_path, name) for name in ACCOUNTS} == logins
    assert again.changes.broker
    assert again.changes.logins == []


def test_a_camera_that_left_the_table_file_loses_its_login(tmp_path):
    made(tmp_path, Wish(certificates=True))
    user, password = account(tmp_path, "overhead")
    gone = serial(tmp_path, "overhead")
    camera = TABLE.cameras[0].model_copy(update={"id": "ceiling"})
    made(tmp_path, table=TABLE.model_copy(update={"cameras": (camera,)}))
    assert not (tmp_path / "overhead").exists()
    assert not may_log_in(tmp_path, user, password)
    assert user not in users_of((tmp_path / "mosquitto/access.acl").read_text())
    assert serials_out(tmp_path) == {gone}
    assert may_log_in(tmp_path, *account(tmp_path, "ceiling"))


def test_another_host_gives_the_broker_a_certificate_for_it_and_every_login_the_address(tmp_path):
    made(tmp_path)
    made(tmp_path, Wish(hosts=("broker.lan", "192.168.1.5")))
    text = subprocess.run(
        ["openssl", "x509", "-in", str(tmp_path / "mosquitto/server.pem"), "-noout", "-ext", "subjectAltName"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "DNS:broker.lan, IP Address:192.168.1.5, DNS:localhost, IP Address:127.0.0.1" in text
    assert 'url = "mqtts://broker.lan:8883"' in (tmp_path / "voice/login.toml").read_text()


def test_certificates_are_renewed_before_they_expire_and_passwords_stay(tmp_path):
    made(tmp_path, Wish(certificates=True))
    before, old = {name: account(tmp_path, name) for name in ACCOUNTS}, serial(tmp_path, "console")
    later = NOW + timedelta(days=certificates.DAYS - certificates.RENEW_DAYS + 1)
    assert {row.state for row in acts.rows(tmp_path, later) if row.name != "authority"} == {"renew soon"}
    again = made(tmp_path, now=later)
    assert again.changes.logins == ACCOUNTS
    assert serial(tmp_path, "console") != old
    assert {name: account(tmp_path, name) for name in ACCOUNTS} == before
    assert {row.state for row in acts.rows(tmp_path, later)} == {"good"}


def test_renew_makes_anew_what_expires_within_the_days_that_are_named(tmp_path):
    made(tmp_path, Wish(certificates=True))
    assert acts.renew(tmp_path, 30, NOW + timedelta(days=600)).changes.logins == []
    assert acts.renew(tmp_path, 200, NOW + timedelta(days=600)).changes.logins == ACCOUNTS


def test_rotation_ends_the_old_password_and_certificate_of_one_account_only(tmp_path):
    made(tmp_path, Wish(certificates=True))
    before = {name: account(tmp_path, name) for name in ACCOUNTS}
    old = serial(tmp_path, "console")
    assert acts.rotate(tmp_path, ("console",), NOW).changes.logins == ["console"]
    assert not may_log_in(tmp_path, *before["console"])
    assert may_log_in(tmp_path, *account(tmp_path, "console"))
    assert serials_out(tmp_path) == {old}
    assert all(may_log_in(tmp_path, *before[name]) for name in ACCOUNTS if name != "console")


def test_rotation_of_all_leaves_no_old_login(tmp_path):
    made(tmp_path, Wish(certificates=True))
    before = {name: (account(tmp_path, name), serial(tmp_path, name)) for name in ACCOUNTS}
    acts.revoke(tmp_path, ("voice",), NOW)
    assert acts.rotate(tmp_path, (), NOW).changes.logins == [name for name in ACCOUNTS if name != "voice"]
    assert not any(may_log_in(tmp_path, *login) for login, _ in before.values())
    assert serials_out(tmp_path) == {number for _, number in before.values()}


def test_a_revoked_account_stays_out_until_it_is_rotated(tmp_path):
    made(tmp_path, Wish(certificates=True))
    login, old = account(tmp_path, "display"), serial(tmp_path, "display")
    acts.revoke(tmp_path, ("display",), NOW)
    for _ in range(2):
        assert not may_log_in(tmp_path, *login)
        assert not (tmp_path / "display").exists()
        assert serials_out(tmp_path) == {old}
        assert [row.state for row in acts.rows(tmp_path, NOW) if row.name == "display"] == ["revoked"]
        made(tmp_path)
    acts.rotate(tmp_path, ("display",), NOW)
    assert may_log_in(tmp_path, *account(tmp_path, "display"))
    assert serial(tmp_path, "display") != old


def test_a_certificate_is_revoked_though_its_folder_was_moved_to_the_device(tmp_path):
    made(tmp_path, Wish(certificates=True))
    old = serial(tmp_path, "bridge")
    (tmp_path / "bridge").rename(tmp_path / "moved")
    acts.revoke(tmp_path, ("bridge",), NOW)
    assert serials_out(tmp_path) == {old}


def test_tables_of_one_broker_share_authority_and_files_and_keep_their_own_logins(tmp_path):
    made(tmp_path / "one")
    first = {name: account(tmp_path / "one", name) for name in ACCOUNTS}
    other = load_table("casino-oval")
    provide(other, Namespace("home", other.name), tmp_path / "two", Wish(shared=tmp_path / "one"), NOW)
    stored = stored_in((tmp_path / "one/mosquitto/passwords").read_text())
    assert {f"home.{table}.controller" for table in ("home-six", other.name)} <= set(stored)
    assert set(stored) == set(users_of((tmp_path / "one/mosquitto/access.acl").read_text()))
    assert (tmp_path / "two/voice/ca.pem").read_text() == (tmp_path / "one/ca/ca.pem").read_text()
    assert not (tmp_path / "two/mosquitto").exists()
    made(tmp_path / "one")
    assert {name: account(tmp_path / "one", name) for name in ACCOUNTS} == first
    assert set(stored_in((tmp_path / "one/mosquitto/passwords").read_text())) == set(stored)


def test_a_folder_of_another_table_is_refused_and_unchanged(tmp_path):
    made(tmp_path)
    before = snapshot(tmp_path)
    with pytest.raises(ProvisionError, match="has the logins of table home-six"):
        provide(TABLE, Namespace("home", "another"), tmp_path, Wish(), NOW)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("name", ["ca/ca-key.pem", "mosquitto/revoked.pem", "provision.json", "ca/broker.json"])
def test_a_damaged_file_is_refused_in_a_sentence_and_nothing_changes(tmp_path, name):
    made(tmp_path, Wish(certificates=True))
    (tmp_path / name).write_text("[broken")
    before = snapshot(tmp_path)
    with pytest.raises(ProvisionError, match=r"put it back|put them back"):
        made(tmp_path)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("host", ["pi lan", 'x"y', "-x", ""])
def test_a_host_that_is_none_is_refused(tmp_path, host):
    with pytest.raises(ProvisionError, match="is no name or address"):
        made(tmp_path / "new", Wish(hosts=(host,)))


@pytest.mark.parametrize("name", ["console", "home", "ca", "mosquitto"])
def test_a_device_with_the_name_of_an_account_or_folder_is_refused(tmp_path, name):
    camera = TABLE.cameras[0].model_copy(update={"id": name})
    with pytest.raises(ProvisionError, match="is taken"):
        made(tmp_path, table=TABLE.model_copy(update={"cameras": (camera,)}))


def test_no_secret_is_printed_and_the_steps_are(tmp_path, capsys):
    folder = tmp_path / "logins"
    said = ""
    for line in (
        ["--table", "home-six", "-o", str(folder), "--certificates"],
        ["--table", "home-six", "-o", str(folder), "--json"],
        ["list", str(folder)],
        ["list", str(folder), "--json"],
        ["rotate", str(folder), "--all"],
        ["revoke", str(folder), "display", "--json"],
        ["renew", str(folder), "--days", "730"],
    ):
        assert run(["provision", *line]) == 0, line
        out = capsys.readouterr()
        said += out.out + out.err
        if "--json" in line:
            json.loads(out.out)
        for name in ACCOUNTS:
            if (folder / name).exists():
                assert account(folder, name)[1] not in said
    assert "PRIVATE KEY" not in said
    assert "sudo systemctl restart mosquitto" in said
    assert f"betline controller --login {folder}/controller" in said
    assert "Nothing has changed" in said or '"copy_broker": false' in said


@pytest.mark.parametrize(
    ("names", "options"), [([], ""), (["--site", "club", "--id", "table-2"], " --site club --id table-2")]
)
def test_the_programs_are_started_for_the_table_that_has_the_logins(tmp_path, capsys, names, options):
    folder = tmp_path / "logins"
    assert run(["provision", "--table", "home-six", "-o", str(folder), *names]) == 0
    said = capsys.readouterr().out
    assert f"betline controller --table home-six{options} --login {folder}/controller" in said
    assert f"betline bridge run --table home-six{options} --login {folder}/bridge" in said


def test_list_names_every_account_with_its_date(tmp_path, capsys):
    made(tmp_path, Wish(certificates=True))
    assert run(["provision", "list", str(tmp_path), "--json"]) == 0
    rows = {row["account"]: row for row in json.loads(capsys.readouterr().out)["accounts"]}
    assert list(rows) == [*ACCOUNTS, "broker", "authority"]
    assert all(row["state"] == "good" and row["expires"] for row in rows.values())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ([], "betline provision --table my-table.toml -o logins"),
        (["--table", "home-six"], "-o logins"),
        (["list", "nowhere"], "has no logins"),
        (["rotate", "nowhere"], "--all"),
        (["revoke", "nowhere"], "Name the accounts"),
        (["--table", "home-six", "-o", "logins", "--installed-in", "here"], "whole path"),
    ],
)
def test_wrong_usage_is_one_sentence(line, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["provision", *line]) != 0
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@needs_mosquitto
def test_our_hash_is_the_one_that_mosquittos_own_program_writes(tmp_path):
    path = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(path), "someone", "a password"], check=True)
    stored = stored_in(path.read_text())["someone"]
    assert fits("a password", stored)
    assert not fits("another", stored)
    assert hashed("x").rsplit("$", 2)[0] == stored.rsplit("$", 2)[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert run(["provision", "--table", "home-six", "-o", str(tmp_path / "logins")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@needs_mosquitto
@pytest.mark.parametrize("made_by_provision", [False, True], ids=["shipped", "made"])
def test_debians_own_main_file_takes_our_configuration_in(tmp_path, made_by_provision):
    """With what Debian's mosquitto.conf says before it reads conf.d."""
    made(tmp_path / "logins", Wish(installed_in=str(tmp_path / "logins/mosquitto")))
    ours = (tmp_path / "logins/mosquitto/mosquitto.conf").read_text() if made_by_provision else shipped_configuration()
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "data").mkdir(mode=0o777)
    port = free_port()
    ours = ours.replace("listener 8883", f"listener {port} 127.0.0.1").replace("1883 0.0.0.0", f"{port} 127.0.0.1")
    for name, there in (("passwd", "passwords"), ("acl", "access.acl")):
        ours = ours.replace(f"/etc/mosquitto/betline.{name}", str(tmp_path / "logins/mosquitto" / there))
    (tmp_path / "conf.d/betline.conf").write_text(ours)
    main = tmp_path / "main.conf"
    main.write_text(
        f"pid_file {tmp_path}/pid\npersistence true\npersistence_location {tmp_path}/data/\n"
        f"log_dest file {tmp_path}/log\nuser root\ninclude_dir {tmp_path}/conf.d\n"
    )
    with subprocess.Popen([MOSQUITTO, "-c", str(main)], stderr=subprocess.PIPE, text=True) as broker:
        try:
            deadline = time.monotonic() + 5
            while not (tmp_path / "log").exists() or "running" not in (tmp_path / "log").read_text():
                assert broker.poll() is None, broker.stderr.read()
                assert time.monotonic() < deadline
                time.sleep(0.02)
        finally:
            end(broker)
