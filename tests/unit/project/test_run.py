"""`run` on a machine that lacks something: one sentence that says what to do, on standard error, and status 1."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COMMANDS = ("sh", "cat", "cksum", "cp", "dirname", "flock", "grep", "mkdir", "readlink", "tail", "tee", "uname")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with a checkout's `run` and locks, and a `bin` with a shell's everyday commands and no Python."""
    shutil.copy(ROOT / "run", tmp_path)
    shutil.copytree(ROOT / "locks", tmp_path / "locks")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    for command in COMMANDS:
        found = shutil.which(command)
        assert found is not None
        (tmp_path / "bin" / command).symlink_to(found)
    return tmp_path


def write_script(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def add_python(machine: Path, script: str) -> None:
    write_script(machine / "bin" / "python3", script)


def start(machine: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(machine / "run"), "demo"],
        env={"PATH": str(machine / "bin"), "HOME": str(machine)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def assert_refused(result: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.splitlines()[-1] == f"run: {sentence}"


def test_no_python_names_the_packages_to_install(machine: Path) -> None:
    assert_refused(
        start(machine), "there is no python3 here: type `apt install python3 python3-venv` as root and try again."
    )


def test_an_old_python_is_named(machine: Path) -> None:
    add_python(machine, 'case $1 in -V) echo "Python 3.9.2" ;; *) exit 1 ;; esac')

    assert_refused(
        start(machine), "Python 3.9.2 is too old: install Python 3.11 or newer (Debian 12 has it) and try again."
    )


def test_a_python_without_venv_names_the_package_to_install(machine: Path) -> None:
    add_python(machine, 'case "$*" in -V) echo "Python 3.11.2" ;; *ensurepip*) exit 1 ;; esac')

    assert_refused(
        start(machine), "python3 cannot make environments yet: type `apt install python3-venv` as root and try again."
    )


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            "NewConnectionError: Temporary failure in name resolution",
            "the package registry cannot be reached: connect this machine to the network and try again.",
        ),
        ("OSError: [Errno 28] No space left on device", "the disk is full: free 500 MB and try again."),
    ],
)
def test_a_failure_of_pip_is_said_in_one_sentence(machine: Path, said: str, sentence: str) -> None:
    write_script(machine / "python-of-venv", f'echo "ERROR: {said}"; exit 1')
    make = f'mkdir -p "$4/bin" && cp "{machine}/python-of-venv" "$4/bin/python"'
    add_python(machine, f'case "$*" in -V) echo "Python 3.11.2" ;; "-m venv"*) {make} ;; esac')

    assert_refused(start(machine), sentence)
