"""Where Python lacks what only Unix has, as on Windows: some verbs work, the others say so in one sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from betline import front_door
from betline.front_door import Verb
from tests.unit.docs.checkout import ROOT

WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")))
from betline.front_door import run
sys.exit(run(sys.argv[1:]))
"""


def without_unix(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "HOME": str(folder), "XDG_STATE_HOME": str(folder)},
        timeout=60,
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "words",
    [["journal", "list", "--journal", "x"], ["bridge", "once", "--port", "COM3", "--protocol", "pn532"]],
    ids=lambda words: words[0],
)
def test_a_verb_that_needs_unix_says_so_and_what_to_do(words: list[str], tmp_path: Path) -> None:
    done = without_unix(tmp_path, *words)
    assert done.returncode == 1
    assert done.stderr.startswith(f"betline: {words[0]} needs Linux")
    assert "WSL 2" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "words",
    [["--help"], ["table", "check", "home-six"], ["levels", "--table", "tournament"], ["rule", "--help"]],
    ids=" ".join,
)
def test_what_needs_none_of_it_works(words: list[str], tmp_path: Path) -> None:
    done = without_unix(tmp_path, *words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("system", "error", "code"),
    [
        ("nt", AttributeError("module 'os' has no attribute 'openpty'"), "needs Linux"),
        ("nt", NotImplementedError("add_signal_handler"), "needs Linux"),
        ("posix", AttributeError("a fault of ours"), "please report"),
    ],
)
def test_a_call_that_windows_lacks_is_told_from_a_fault_of_ours(
    system: str, error: Exception, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: Verb) -> object:
        raise error

    monkeypatch.setattr(front_door.os, "name", system)
    monkeypatch.setattr(front_door, "room_of", fails)
    said = front_door.run(["levels"])
    monkeypatch.undo()
    assert said == 1
    assert code in capsys.readouterr().err
