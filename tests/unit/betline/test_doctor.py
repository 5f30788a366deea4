"""`betline doctor`: the machine, the table, the broker; what is said, and with which status it ends."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from betline.broker import free_port
from betline.doctor import machine
from betline.doctor.answer import Answer, State, fault, ok
from betline.doctor.cli import EXAMINATIONS, line
from betline.front_door import run


def doctor(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    broker = f"127.0.0.1:{free_port()}"
    status = run(["doctor", "--table", "home-six", "--broker", broker, "--json", *words])
    return status, json.loads(capsys.readouterr().out)


def test_a_machine_and_a_shipped_table_are_well(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = doctor(capsys, "--only", "machine", "--only", "table")

    assert (status, said["healthy"]) == (0, True)
    assert {"python", "packages", "opencv", "disk", "memory", "clock", "table", "journal"} <= {
        one["what"] for one in said["answers"]
    }


def test_readers_that_are_not_plugged_in_end_it_with_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = doctor(capsys, "--only", "readers")

    assert (status, said["healthy"]) == (1, False)
    assert all(one["remedy"] for one in said["answers"] if one["state"] == "fault")


def test_without_a_broker_it_is_said_that_run_starts_one(capsys: pytest.CaptureFixture[str]) -> None:
    status, said = doctor(capsys, "--only", "broker")

    assert status == 0
    assert [one["state"] for one in said["answers"]] == ["skipped"]


def test_faults_of_the_table_file_are_told_with_the_way_to_see_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('based_on = "home-six"\nname = "mine"\ntitle = "Mine"\n[moved]\npot = [0, 3000]\n')

    assert run(["doctor", "--table", str(file), "--only", "table"]) == 1

    said = capsys.readouterr().out
    assert "FAULT  table" in said
    assert f"betline table check {file} --draw" in said
    assert "1 fault to mend before a hand is played" in said


def test_a_part_that_there_is_none_of_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--only", "engine"]) == 2
    assert "engine is none of machine, table, broker, services, figures, readers, camera" in capsys.readouterr().err


def test_a_full_disk_is_a_fault_and_a_nearly_full_one_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    states = []
    for free in (1e8, 1e9, 1e10):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        states.append(next(iter(machine._disk())).state)

    assert states == [State.FAULT, State.WARNING, State.OK]


@pytest.mark.parametrize(("told", "state"), [("yes", State.OK), ("no", State.WARNING), ("", State.SKIPPED)])
def test_a_clock_is_as_timedatectl_says(monkeypatch: pytest.MonkeyPatch, told: str, state: State) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/timedatectl")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=f"{told}\n"))

    assert machine._clock().state is state


def test_a_clock_of_1970_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.time, "gmtime", lambda: SimpleNamespace(tm_year=1970))

    assert machine._clock().state is State.FAULT


def test_an_opencv_that_cannot_be_loaded_is_a_fault_with_the_headless_build_as_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_: str) -> Any:
        raise ImportError("libGL.so.1: cannot open shared object file")

    monkeypatch.setattr(machine.importlib, "import_module", missing)

    answer = machine._opencv()
    assert answer.state is State.FAULT
    assert "opencv-python-headless" in answer.remedy


def test_an_answer_has_its_remedy_on_a_line_of_its_own() -> None:
    assert line(ok("disk", "9 GB free")).count("\n") == 0
    assert line(fault("disk", "full", "Make room.")).endswith("Make room.")
    assert line(Answer("disk", State.FAULT, "full", "Make room.")).count("\n") == 1


def test_every_part_has_a_module_that_examines() -> None:
    import importlib

    assert all(callable(importlib.import_module(module).examine) for module in EXAMINATIONS.values())
