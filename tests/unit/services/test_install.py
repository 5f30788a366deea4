"""`betline install`: which units a table gets, what they may do, and that systemd takes them."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from betline.front_door import run
from betline.services.readers import RULES
from betline.services.units import MARK

PROGRAM = "/usr/bin/env"
MOST_EXPOSED = {
    "broker": 1.2,
    "controller": 1.2,
    "history": 1.2,
    "bridge": 1.6,
    "vision": 1.6,
    "voice": 1.6,
    "web": 1.6,
}


def install(root: Path, *words: str) -> None:
    assert run(["install", *words, "--root", str(root), "--program", PROGRAM]) == 0


def units(root: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (root / "etc/systemd/system").iterdir() if path.is_file()}


def values(unit: str, key: str) -> list[str]:
    return [line.partition("=")[2] for line in unit.splitlines() if line.startswith(f"{key}=")]


def planned(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["install", "--dry-run", "--json", "--program", PROGRAM, *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_each_program_of_the_table_is_a_unit_of_one_target(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "casino-oval", "--voice", "de", "--kiosk", "--web", "--history")

    found = units(tmp_path)
    parts = ["broker", "controller", "history", "bridge", "vision", "voice", "web", "kiosk"]
    assert set(found) == {"betline-casino-oval.target", *(f"betline-casino-oval-{part}.service" for part in parts)}
    assert values(found["betline-casino-oval.target"], "Wants")[0].split() == [
        f"betline-casino-oval-{part}.service" for part in parts
    ]
    for part in parts:
        assert values(found[f"betline-casino-oval-{part}.service"], "PartOf") == ["betline-casino-oval.target"]


@pytest.mark.parametrize(
    ("words", "missing"),
    [(("--external-broker",), "broker"), ((), "history"), ((), "voice"), ((), "web"), ((), "kiosk")],
)
def test_what_a_table_does_not_need_is_not_installed(
    words: tuple[str, ...], missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = planned(capsys, "--system", "--table", "home-six", *words)

    assert f"betline-home-six-{missing}.service" not in told["units"]


def test_pages_for_other_machines_have_their_files_and_the_remote_and_pages_for_this_one_have_neither(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "web"
    folder.mkdir()
    for name in ("web.crt", "web.key", "web.tokens"):
        assert run(["install", "--dry-run", "--user", "--table", "home-six", "--web-files", str(folder)]) == 2
        assert f"{folder / name} is not there" in capsys.readouterr().err
        (folder / name).write_text("", encoding="utf-8")
    told = planned(capsys, "--user", "--table", "home-six", "--web-files", str(folder))
    unit = next(text for name, text in told["files"].items() if name.endswith("-web.service"))
    assert (
        f"--host 0.0.0.0 --cert {folder}/web.crt --key {folder}/web.key --tokens {folder}/web.tokens --remote" in unit
    )
    own = planned(capsys, "--user", "--table", "home-six", "--web")
    unit = next(text for name, text in own["files"].items() if name.endswith("-web.service"))
    assert "--host" not in unit
    assert "--remote" not in unit


def test_a_table_without_sensors_has_no_unit_for_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bare.toml"
    file.write_text('based_on = "home-six"\nname = "bare"\ntitle = "Bare"\nreaders = []\ncameras = []\n')

    told = planned(capsys, "--system", "--table", str(file))

    assert told["units"] == ["betline-bare-broker.service", "betline-bare-controller.service"]
    assert not [name for name in told["files"] if "udev" in name]


def test_only_the_bridge_may_open_serial_ports_and_only_the_camera_a_camera(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "casino-oval")

    found = units(tmp_path)
    devices = {name: " ".join(values(text, "DeviceAllow")) for name, text in found.items() if "service" in name}
    assert [name for name, allowed in devices.items() if "tty" in allowed] == ["betline-casino-oval-bridge.service"]
    assert [name for name, allowed in devices.items() if "video" in allowed] == ["betline-casino-oval-vision.service"]


def test_every_program_runs_as_the_tables_user_and_writes_into_its_own_folders_only(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "casino-oval", "--voice", "en")

    services = [text for name, text in units(tmp_path).items() if name.endswith(".service")]
    assert services
    for text in services:
        assert (values(text, "User"), values(text, "Group")) == (["betline"], ["betline"])
        assert (values(text, "ProtectSystem"), values(text, "ProtectHome")) == (["strict"], ["yes"])
        assert (values(text, "StateDirectory"), values(text, "CacheDirectory")) == (["betline"], ["betline"])
        assert not values(text, "ReadWritePaths")


def test_a_part_that_speaks_to_this_machine_only_reaches_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    for broker, local in (("127.0.0.1:1883", True), ("10.0.0.5:1883", False)):
        told = planned(capsys, "--system", "--table", "home-six", "--external-broker", "--broker", broker)
        controller = next(text for name, text in told["files"].items() if name.endswith("-controller.service"))
        assert bool(values(controller, "IPAddressDeny")) is local


def test_a_part_whose_figures_another_machine_may_read_answers_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for host, local in (("127.0.0.1", True), ("10.0.0.5", False)):
        file = tmp_path / "figures.toml"
        file.write_text(f'based_on = "home-six"\nname = "f"\ntitle = "F"\n[metrics]\nhost = "{host}"\nport = 9500\n')
        told = planned(capsys, "--system", "--table", str(file), "--history")
        shut = {name: bool(values(text, "IPAddressDeny")) for name, text in told["files"].items() if "service" in name}
        assert [shut[next(name for name in shut if part in name)] for part in ("history", "controller")] == [local] * 2
        assert shut[next(name for name in shut if "broker" in name)]


def test_the_journals_are_told_by_a_unit_of_low_priority_that_erases_only_where_it_may(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, may in ((("--history",), False), (("--history", "--may-erase"), True)):
        told = planned(capsys, "--system", "--table", "home-six", *words)
        unit = next(text for name, text in told["files"].items() if name.endswith("-history.service"))
        assert values(unit, "Nice") == ["10"]
        assert "journal serve --table home-six" in values(unit, "ExecStart")[0]
        assert ("--may-erase" in unit) is may
    assert run(["install", "--user", "--table", "home-six", "--may-erase", "--dry-run"]) == 2
    assert "--may-erase needs --history" in capsys.readouterr().err


def test_a_readers_uart_on_the_board_is_allowed_where_the_table_names_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pins.toml"
    file.write_text(
        'based_on = "home-six"\nname = "pins"\ntitle = "Pins"\n[ports]\nreader-1 = "/dev/ttyAMA0"\n', encoding="utf-8"
    )
    plain = planned(capsys, "--system", "--table", "home-six")
    pins = planned(capsys, "--system", "--table", str(file))

    def allowed(told: dict[str, Any]) -> str:
        bridge = next(text for name, text in told["files"].items() if name.endswith("-bridge.service"))
        return " ".join(values(bridge, "DeviceAllow"))

    assert "ttyAMA" in allowed(pins)
    assert "ttyAMA" not in allowed(plain)


def test_every_program_is_watched_and_started_again(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "casino-oval", "--voice", "en")

    services = [text for name, text in units(tmp_path).items() if name.endswith(".service")]
    assert services
    for text in services:
        assert values(text, "Type") == ["notify"]
        assert int(values(text, "WatchdogSec")[0]) > 0
        assert values(text, "Restart") == ["always"]
        assert values(text, "RestartPreventExitStatus") == ["2"]


@pytest.mark.parametrize("name", ["a b.toml", "50%.toml", 'quo"te.toml', "dollar$HOME.toml"])
def test_a_files_name_stays_one_word_of_the_command(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text('based_on = "home-six"\nname = "odd"\ntitle = "Odd"\n')

    told = planned(capsys, "--system", "--table", str(file))

    unit = next(text for path, text in told["files"].items() if path.endswith("-controller.service"))
    command = values(unit, "ExecStart")[0]
    escaped = str(file).replace("%", "%%").replace("$", "$$").replace('"', '\\"')
    assert f'"{escaped}"' in command or (f" {escaped} " in command and " " not in name)


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "--system", "--root", str(tmp_path), "--dry-run", "--program", PROGRAM]) == 0
    assert "[Service]" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_the_services_start_the_program_by_the_name_that_an_update_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0.1.0/bin").mkdir(parents=True)
    (tmp_path / "0.1.0/bin/betline").touch()
    (tmp_path / "current").symlink_to("0.1.0")
    monkeypatch.setattr("sys.argv", [str(tmp_path / "current/bin/betline"), "install"])

    assert run(["install", "--system", "--dry-run", "--json", "--table", "home-six"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(
        f"ExecStart={tmp_path}/current/bin/betline " in text
        for name, text in told["files"].items()
        if name.endswith(".service")
    )


def test_the_kiosks_user_may_enter_the_folder_of_the_table_file_and_not_that_of_the_journal(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "home-six", "--kiosk")

    assert "m betline-kiosk betline" in (tmp_path / "etc/sysusers.d/betline.conf").read_text().splitlines()
    folders = (tmp_path / "etc/tmpfiles.d/betline.conf").read_text().splitlines()
    assert "d /etc/betline 0750 betline betline -" in folders
    assert "d /var/lib/betline 0700 betline betline -" in folders


def test_whose_services_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["install", "--table", "home-six"]) == 2
    assert run(["install", "--user", "--system"]) == 2
    assert run(["install", "--user", "--kiosk"]) == 2
    assert "--kiosk needs --system" in capsys.readouterr().err


def test_a_file_of_somebody_else_is_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "etc/udev/rules.d/70-betline-readers.rules"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("# mine\n")

    assert run(["install", "--system", "--root", str(tmp_path), "--program", PROGRAM]) == 1
    assert "move it away first" in capsys.readouterr().err
    assert theirs.read_text() == "# mine\n"
    assert not (tmp_path / "etc/systemd").exists()


def test_uninstall_takes_away_what_install_wrote_and_nothing_else(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "home-six", "--history")
    other = tmp_path / "etc/systemd/system/betline-of-somebody.service"
    other.write_text("[Service]\n")

    assert run(["uninstall", "--system", "--root", str(tmp_path)]) == 0

    folders = ("systemd", "sysusers.d", "tmpfiles.d", "udev")
    assert [path for name in folders for path in (tmp_path / "etc" / name).rglob("*") if path.is_file()] == [other]


def test_uninstall_of_one_table_leaves_the_other_and_what_they_share(tmp_path: Path) -> None:
    for name in ("home-six", "casino-oval"):
        install(tmp_path, "--system", "--table", name)
    install(tmp_path, "--system", "--table", "home-six", "--id", "home-six-b")

    assert run(["uninstall", "--system", "--root", str(tmp_path), "--id", "home-six"]) == 0

    left = units(tmp_path)
    assert not [name for name in left if name.startswith("betline-home-six-c") or name == "betline-home-six.target"]
    assert {"betline-casino-oval.target", "betline-home-six-b.target", "betline-home-six-b-controller.service"} <= {
        *left
    }
    assert (tmp_path / "etc/sysusers.d/betline.conf").exists()
    assert run(["uninstall", "--system", "--root", str(tmp_path), "--id", "home-six"]) == 1


def test_a_users_units_ask_for_nothing_that_takes_privileges(capsys: pytest.CaptureFixture[str]) -> None:
    told = planned(capsys, "--user", "--table", "home-six")

    text = "\n".join(told["files"].values())
    assert not re.search(r"^(User|ProtectSystem|PrivateDevices|DeviceAllow|StateDirectory)=", text, re.M)
    assert "NoNewPrivileges=yes" in text
    assert all("systemd/user" in name for name in told["files"])


def test_the_rules_for_readers_are_whole_lines_and_make_no_name() -> None:
    assignments = re.compile(r'^[A-Z]+(\{[\w/]+\})?(==|=|\+=)"[^"]*"$')
    lines = [line for line in RULES.splitlines() if line and not line.startswith("#")]

    assert all(assignments.match(part) for line in lines for part in line.split(", ")), lines
    assert "SYMLINK" not in RULES
    assert lines[0].endswith('GOTO="betline_readers_end"')
    assert lines[-1] == 'LABEL="betline_readers_end"'


needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")


@needs_systemd
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "casino-oval", "--voice", "fr", "--history")

    files = [str(path) for path in (tmp_path / "etc/systemd/system").iterdir() if path.is_file()]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "betline" in line]
    assert (done.returncode, ours) == (0, [])


@needs_systemd
def test_the_units_are_as_little_exposed_as_their_work_allows(tmp_path: Path) -> None:
    install(tmp_path, "--system", "--table", "casino-oval", "--voice", "fr", "--web", "--history")

    exposed = {}
    for part in MOST_EXPOSED:
        unit = tmp_path / f"etc/systemd/system/betline-casino-oval-{part}.service"
        told = subprocess.run(
            ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(unit)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        found = re.search(r"Overall exposure level for \S+: ([\d.]+)", told)
        assert found, told
        exposed[part] = float(found[1])
    assert {part: value for part, value in exposed.items() if value > MOST_EXPOSED[part]} == {}


def test_every_file_says_who_wrote_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(text.startswith(MARK) for text in planned(capsys, "--system", "--kiosk")["files"].values())
