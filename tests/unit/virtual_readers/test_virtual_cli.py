"""`betline bridge virtual`: a program of its own that prints its port and serves it until interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from betline.front_door import run
from tests.unit.virtual_readers.test_three_lines import UIDS

UID = "E004015306A22D70"


@contextmanager
def virtual(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program and the port that it printed."""
    line = [sys.executable, "-m", "betline", "bridge", "virtual", *arguments]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            yield program, program.stdout.readline().strip()
        finally:
            program.send_signal(signal.SIGTERM)
        assert program.wait(10) == 0


def once(port: str, protocol: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert run(["bridge", "once", "--port", port, "--protocol", protocol, "--json"]) == 0
    return [tag["uid"] for tag in json.loads(capsys.readouterr().out)["tags"]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("protocol", sorted(UIDS))
def test_each_family_is_read_once_over_tcp(protocol: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tags = tmp_path / "tags"
    tags.write_text("\n".join(UIDS[protocol]))
    with virtual("--protocol", protocol, "--tags", str(tags), "--listen", "127.0.0.1:0") as (_, port):
        assert port.startswith("socket://127.0.0.1:")
        assert once(port, protocol, capsys) == UIDS[protocol]


@pytest.mark.nightly
def test_edited_tags_are_in_the_field_and_a_pulled_cable_changes_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tags, plan, link = tmp_path / "tags", tmp_path / "plan.toml", tmp_path / "by-id"
    tags.write_text(UID)
    plan.write_text("[[events]]\nwhat = 'unplug'\nat_s = 1.5\nfor_s = 0.2\n")
    arguments = ["--protocol", "feig", "--tags", str(tags), "--faults", str(plan), "--link", str(link)]
    with virtual(*arguments) as (program, port):
        assert port == str(link)
        terminal = link.resolve()
        assert once(port, "feig", capsys) == [UID]
        tags.write_text(f"{UID}\nE004015306A22D80\n")
        assert program.stderr is not None
        line = ""
        while "plugged in again" not in line:
            line = program.stderr.readline()
        assert link.resolve() != terminal or link.exists()
        assert once(port, "feig", capsys) == [UID, "E004015306A22D80"]


@pytest.mark.nightly
def test_interrupting_takes_the_link_away(tmp_path: Path) -> None:
    tags, link = tmp_path / "tags", tmp_path / "by-id"
    tags.write_text(UID)
    with virtual("--protocol", "feig", "--tags", str(tags), "--link", str(link)) as (_, port):
        assert port == str(link)
        assert link.exists()
    deadline_s = time.monotonic() + 5
    while link.is_symlink() and time.monotonic() < deadline_s:
        time.sleep(0.02)
    assert not link.is_symlink()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Which reader?"),
        (["--protocol", "feig"], "Which reader?"),
        (["--protocol", "fieg", "--tags", "{tags}"], "no reader family called 'fieg'"),
        (["--protocol", "bb", "--tags", "{tags}", "--antennas", "8"], "at most 1 antenna"),
        (["--protocol", "pn532", "--tags", "{tags}"], "does not read tags with 16 hex digits"),
        (["--protocol", "feig", "--tags", "{tags}", "--listen", "here"], "HOST:PORT"),
        (["--protocol", "feig", "--tags", "{tags}", "--listen", "127.0.0.1:1", "--link", "x"], "--link names"),
        (["--replay", "{tags}"], "line 1"),
        (["--replay", "{tags}", "--protocol", "feig"], "has its own protocol"),
    ],
)
def test_wrong_usage_is_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tags = tmp_path / "tags"
    tags.write_text(UID)
    assert run(["bridge", "virtual", *(text.format(tags=tags) for text in arguments)]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_help_shows_a_file_of_tags_and_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bridge", "virtual", "--help"]) == 0
    page = capsys.readouterr().out
    assert '{"uid": "E004015306A22D80"' in page
    assert 'what = "unplug"' in page
