"""The console of a demonstration: a program of its own, with which all of it ends."""

import subprocess
from types import SimpleNamespace

import pytest

from betline.metrics.places import Places
from betline.topics import Namespace
from virtual_table import cli


def test_the_console_of_a_demonstration_knows_that_all_of_it_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[list[str]] = []

    def ran(line: list[str], **_: object) -> SimpleNamespace:
        lines.append(line)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", ran)
    ready = SimpleNamespace(words=lambda: ["--id", "one"], places=Places(None, Namespace("home", "one")))
    assert cli._console(ready) == 0
    assert lines[0][3:] == ["console", "--id", "one", "--ends-demo"]
