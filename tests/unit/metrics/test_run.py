"""`betline run --metrics`: each part gets its place, and Prometheus is told of those that were started."""

import json
import subprocess
from types import SimpleNamespace

import pytest

import betline.readiness
import betline.supervise
from betline.front_door import run


class Started:
    """A supervisor that starts nothing and remembers what it was told."""

    lines: dict[str, list[str]]

    def __init__(self, *_: object) -> None:
        Started.lines = {}

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def parts(self):
        return tuple(SimpleNamespace(name=name) for name in self.lines)

    def start(self, name, arguments, **_):
        self.lines[name] = list(arguments)


@pytest.fixture
def nothing_starts(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(betline.supervise, "Supervisor", Started)
    for name in ("await_controller", "refuse_second"):
        monkeypatch.setattr(betline.readiness, name, lambda *_: None)

    def console(line, **_):
        Started.lines["console"] = line[3:]
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", console)


def place(part: str) -> str | None:
    line = Started.lines[part]
    return line[line.index("--metrics") + 1] if "--metrics" in line else None


def test_each_part_of_a_run_has_its_place_and_prometheus_is_told(nothing_starts, tmp_path) -> None:
    words = ["run", "--table", "home-six", "--external-broker", "--web", "--voice", "en"]
    assert run([*words, "--metrics", "9500", "--metrics-targets", str(tmp_path / "t.json")]) == 0

    places = {part: place(part) for part in Started.lines}
    assert places == {
        "controller": "127.0.0.1:9500", "bridge": "127.0.0.1:9501", "vision": "127.0.0.1:9502",
        "voice": "127.0.0.1:9503", "web": "127.0.0.1:9504", "console": "127.0.0.1:9508",
    }  # fmt: skip
    told = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert {one["labels"]["part"]: one["targets"][0] for one in told} == places


def test_a_run_that_is_not_asked_serves_and_writes_nothing(nothing_starts, tmp_path) -> None:
    assert run(["run", "--table", "home-six", "--external-broker"]) == 0

    assert {place(part) for part in Started.lines} == {None}
    assert not list(tmp_path.rglob("*.json"))
