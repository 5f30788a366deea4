"""The doctor asks systemd for each unit that `betline install` has written for the table."""

from pathlib import Path

import pytest

from betline.doctor.answer import Visit
from betline.doctor.services import examine
from betline.front_door import run
from betline.joining import BrokerChoice
from betline.services import place
from betline.settings import load_table


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the doctor says of the services of home-six, with a systemctl that says these states."""
    assert run(["install", "--system", "--table", "home-six", "--history", "--root", str(tmp_path),
                "--program", "/usr/bin/env"]) == 0  # fmt: skip
    folder = place.units_folder
    monkeypatch.setattr(place, "units_folder", lambda scope, _root: folder(scope, tmp_path))
    monkeypatch.setattr(place, "folder", lambda _scope, _root: tmp_path / "etc")

    def say(states: str, table: str = "home-six") -> list[tuple[str, str]]:
        bin_ = tmp_path / "bin"
        bin_.mkdir(exist_ok=True)
        (bin_ / "systemctl").write_text(f"#!/bin/sh\nprintf '%s\\n' {states}\n")
        (bin_ / "systemctl").chmod(0o755)
        monkeypatch.setenv("PATH", str(bin_) if states else "")
        visit = Visit(load_table(table), table, BrokerChoice(), Path("/dev/serial/by-id"))
        return [(one.state.value, one.sentence) for one in examine(visit)]

    return say


def test_services_that_run_are_named_and_one_that_does_not_is_a_warning(told) -> None:
    assert told("active active active active active") == [("ok", "bridge, broker, controller, history, vision run")]
    assert told("active active active failed active")[1:] == [("warning", "betline-home-six-history.service is failed")]


def test_a_table_without_services_is_not_spoken_of_and_without_systemd_nothing_is_said_to_run(told) -> None:
    assert told("active", table="casino-oval") == []
    assert told("") == [("skipped", "5 units are here, and no systemd that could be asked")]
