"""`betline update`: a version is used only after it has proven itself on a copy, and there is a way back."""

import os
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from betline.update.home import CURRENT, Wheel, current, home_of, read_wheel
from betline.update.steps import Services, go_back, migrate, try_and_update
from betline.upkeep.errors import UpkeepError
from betline.upkeep.places import Places
from table_controller.journal.entries import Heard
from table_controller.journal.store import Journal

MADE_MS = 1_800_000_000_000
WORKS = f'#!/bin/sh\nexec {sys.executable} -m betline "$@"\n'
QUICK = "#!/bin/sh\nexit 0\n"
FAILS_AT = '#!/bin/sh\n[ "$1" != {verb} ] || {{ echo "no good" >&2; exit 1; }}\n'


class Machine:
    """A folder of versions with 0.1.0 in use, a journal, and services that say when they stop and start."""

    def __init__(self, folder: Path) -> None:
        self.home, self.places = folder / "opt", Places(folder / "state", folder / "config")
        self.put("0.1.0", QUICK)
        (self.home / CURRENT).symlink_to("0.1.0")
        self.journal = self.places.state / "six.journal"
        journal = Journal.open(self.journal, "home/six", MADE_MS, 1, key=self.places.state / "journal.key")
        journal.append((Heard(seat=1, text="call"),), MADE_MS, 1)
        journal.close()
        self.calls: list[str] = []
        self.wrong: Callable[[], str | None] = lambda: None
        self.services = Services(lambda: self.calls.append("stop"), self._start)

    def _start(self) -> str | None:
        self.calls.append(f"start {current(self.home)}")
        return self.wrong()

    def put(self, name: str, script: str) -> None:
        program = self.home / name / "bin" / "betline"
        program.parent.mkdir(parents=True)
        program.write_text(script)
        program.chmod(0o755)

    def update(self, script: str = QUICK, *, check: bool = False) -> str:
        wheel = Wheel(Path("betline-0.2.0-py3-none-any.whl"), "0.2.0", "0.2.0-abcd")
        make = lambda new, folder, _: self.put(folder.name, script)  # noqa: E731
        done = try_and_update(self.home, wheel, self.places, self.services, make, MADE_MS, check=check)
        return done.backup


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[3]))
    return Machine(tmp_path)


@pytest.mark.nightly
def test_a_version_that_works_on_the_copy_is_used_and_the_old_one_stays(machine: Machine) -> None:
    backup = machine.update(WORKS)

    assert current(machine.home) == "0.2.0-abcd"
    assert machine.calls == ["stop", "start 0.2.0-abcd"]
    assert Path(backup).stat().st_mode & 0o777 == 0o600
    assert (machine.home / "0.1.0").exists()


@pytest.mark.parametrize("verb", ["restore", "update", "doctor"])
def test_a_version_that_fails_on_the_copy_is_never_used(machine: Machine, verb: str) -> None:
    with pytest.raises(UpkeepError, match="no good"):
        machine.update(FAILS_AT.format(verb=verb))

    assert current(machine.home) == "0.1.0"
    assert machine.calls == []
    assert not (machine.home / "0.2.0-abcd").exists()


def test_a_check_leaves_nothing_behind(machine: Machine) -> None:
    before = machine.journal.read_bytes()
    machine.update(check=True)

    assert machine.calls == []
    assert sorted(path.name for path in machine.home.iterdir()) == ["0.1.0", "backups", CURRENT]
    assert list((machine.home / "backups").iterdir()) == []
    assert machine.journal.read_bytes() == before


def test_where_the_new_version_does_not_serve_the_old_one_runs_again(machine: Machine) -> None:
    machine.wrong = lambda: "it hangs" if current(machine.home) == "0.2.0-abcd" else None

    with pytest.raises(UpkeepError, match="it hangs"):
        machine.update()
    assert machine.calls == ["stop", "start 0.2.0-abcd", "stop", "start 0.1.0"]
    assert current(machine.home) == "0.1.0"


def test_back_goes_to_the_version_from_before(machine: Machine) -> None:
    machine.update()
    machine.calls.clear()
    go_back(machine.home, machine.places, machine.services)

    assert current(machine.home) == "0.1.0"
    assert machine.calls == ["stop", "start 0.1.0"]


@pytest.mark.nightly
def test_back_is_refused_where_the_old_version_cannot_read_the_journal(machine: Machine) -> None:
    backup = machine.update()
    (machine.home / "0.1.0/bin/betline").write_text(WORKS)
    with sqlite3.connect(machine.journal) as database:
        database.execute("PRAGMA user_version = 99")
    machine.calls.clear()

    with pytest.raises(UpkeepError) as raised:
        go_back(machine.home, machine.places, machine.services)
    assert raised.value.code == "newer-journal"
    assert backup in str(raised.value)
    assert (current(machine.home), machine.calls) == ("0.2.0-abcd", [])


def test_without_an_update_there_is_no_way_back(machine: Machine) -> None:
    with pytest.raises(UpkeepError, match="no way back"):
        go_back(machine.home, machine.places, machine.services)


def test_a_journal_of_an_older_form_is_renewed_on_the_copy_and_holds(tmp_path: Path, machine: Machine) -> None:
    copy = tmp_path / "copy"
    os.makedirs(copy / "state")
    old = copy / "state" / "six.journal"
    old.write_bytes(machine.journal.read_bytes())
    (copy / "state" / "journal.key").write_bytes((machine.places.state / "journal.key").read_bytes())
    with sqlite3.connect(old) as database:
        database.executescript("DROP TABLE seal; PRAGMA user_version = 3;")

    assert migrate(copy) == ("six.journal",)
    with sqlite3.connect(old) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (4,)


def test_the_home_of_the_versions_is_found_by_the_link(machine: Machine, tmp_path: Path) -> None:
    assert home_of(machine.home / CURRENT / "bin" / "betline") == machine.home
    with pytest.raises(UpkeepError, match="git pull"):
        home_of(tmp_path / "clone" / ".venv" / "bin" / "betline")


def test_what_is_no_wheel_of_betline_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.whl").write_text("no zip")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as wheel:
        wheel.writestr("other-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    with zipfile.ZipFile(tmp_path / "ours.whl", "w") as wheel:
        wheel.writestr("betline-9.dist-info/METADATA", "Metadata-Version: 2.1\nName: betline\nVersion: 9\n")

    for name in ("missing.whl", "text.whl", "other.whl"):
        with pytest.raises(UpkeepError):
            read_wheel(tmp_path / name)
    ours = read_wheel(tmp_path / "ours.whl")
    assert (ours.version, ours.folder.partition("-")[0]) == ("9", "9")
