"""Login folders that systemd hands to services as credentials; without it, files of mode 600 as before."""

import json
from pathlib import Path
from typing import Any

import pytest

from betline.front_door import run
from betline.joining import BrokerChoice
from betline.options import UserError

PARTS = {
    "controller": "controller",
    "history": "controller",
    "bridge": "bridge",
    "vision": "overhead",
    "voice": "console",
    "kiosk": "console",
}


def account(folder: Path, name: str, prefix: str = "") -> Path:
    """A login folder without TLS."""
    place = folder if prefix else folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{prefix}login.toml").write_text(f'url = "mqtt://127.0.0.1:1"\nuser = "{name}"\n')
    password = place / f"{prefix}password"
    password.write_text(f"secret of {name}\n")
    password.chmod(0o600)
    return place


@pytest.fixture
def logins(tmp_path: Path) -> Path:
    for name in ("controller", "bridge", "overhead", "console"):
        account(tmp_path / "logins 100%", name)
    return tmp_path / "logins 100%"


def planned(capsys: pytest.CaptureFixture[str], logins: Path, *words: str) -> dict[str, list[str]]:
    """By part the folders that its unit has handed to it."""
    capsys.readouterr()
    table = ["--table", "home-six", "--login", str(logins), "--program", "/usr/bin/env"]
    assert run(["install", *words, *table, "--dry-run", "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    units = {Path(path).stem.rpartition("-")[2]: text for path, text in told["files"].items() if "service" in path}
    return {
        part: [line.partition("=")[2] for line in text.splitlines() if line.startswith("LoadCredential=")]
        for part, text in units.items()
    }


@pytest.fixture
def systemd(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("betline.services.place.systemd_version", lambda: 252)
    return monkeypatch


def test_each_service_is_handed_its_own_login_and_no_other(
    logins: Path, systemd: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = planned(capsys, logins, "--system", "--voice", "en", "--kiosk", "--history")

    assert found == {part: [f"login:{logins}/{name}".replace("%", "%%")] for part, name in PARTS.items()}


@pytest.mark.parametrize(("version", "scope"), [(249, "--system"), (0, "--system"), (252, "--user")])
def test_where_systemd_cannot_the_program_reads_the_folder_itself(
    version: int, scope: str, logins: Path, systemd: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    systemd.setattr("betline.services.place.systemd_version", lambda: version)
    assert set(map(tuple, planned(capsys, logins, scope).values())) == {()}


def test_a_service_logs_in_with_what_it_was_handed_and_needs_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed = account(tmp_path / "credentials", "bridge", "login_")
    (handed / "login_password").chmod(0o440)  # an access control list for the service's user looks like this
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(handed))

    where = BrokerChoice(login=tmp_path / "shut").address("bridge")

    assert where.login is not None
    assert (where.login.user, where.login.password()) == ("bridge", "secret of bridge")


def test_a_handed_secret_that_everybody_can_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed = account(tmp_path / "credentials", "bridge", "login_")
    (handed / "login_password").chmod(0o444)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(handed))
    with pytest.raises(UserError, match="Others than its owner"):
        BrokerChoice(login=tmp_path).address("bridge")


def test_other_credentials_of_a_unit_are_no_login(
    logins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    where = BrokerChoice(login=logins).address("console")
    assert where.login is not None
    assert where.login.user == "console"


def test_who_asked_for_no_login_is_given_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(account(tmp_path / "credentials", "bridge", "login_")))
    assert BrokerChoice(url="127.0.0.1:1").address("bridge").login is None
