"""`run` on a machine that lacks something: one sentence that says what to do, on standard error, and status 1."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COMMANDS = (
    "sh",
    "awk",
    "cat",
    "chmod",
    "cksum",
    "cp",
    "date",
    "dirname",
    "flock",
    "grep",
    "ln",
    "mkdir",
    "mktemp",
    "nice",
    "readlink",
    "rm",
)
COMMANDS += ("sleep", "sort", "tail", "tee", "uname")


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


def start(machine: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(machine / "run"), *(words or ("demo",))],
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


@pytest.fixture
def checks(machine: Path) -> Path:
    """A machine whose pytest notes its words, leaves a folder, lacks a compiler, fails where a file `red` lies,
    and takes ten minutes where a file `long` lies.
    """
    write_script(
        machine / "python-of-venv",
        f"""case "$*" in
        *--collect-only*) ;;
        *"-m pytest"*) echo "$*" >> "{machine}/calls"
            mktemp -d "$TMPDIR/betline-demo-XXXXXX" >> "{machine}/made"
            echo "3 tests, no C compiler is installed" >> "$BETLINE_LEFT_OUT"
            [ ! -e "{machine}/long" ] || exec sleep 600
            [ ! -e "{machine}/red" ] ;;
        esac""",
    )
    tools = "for tool in ruff mypy; do ln -s python $4/bin/$tool; done"
    make = f'mkdir -p "$4/bin" && cp "{machine}/python-of-venv" "$4/bin/python" && {tools}'
    add_python(machine, f'case "$*" in -V) echo "Python 3.11.2" ;; "-m venv"*) {make} ;; esac')
    return machine


def words_of_pytest(machine: Path) -> list[list[str]]:
    """The words about the nightly tests, of the end-to-end tests and of the others."""
    calls = [line.split() for line in (machine / "calls").read_text(encoding="utf-8").splitlines()]
    calls.sort(key=lambda call: "tests/hil" in call)
    return [call[call.index("pytest") + 1 : call.index("-n")] for call in calls]


def test_all_checks_end_with_one_line_on_what_was_left_out_and_leave_no_folder(checks: Path) -> None:
    result = start(checks, "test")

    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "all checks passed"
    assert result.stderr.splitlines()[-1] == "left out: 6 tests, no C compiler is installed"
    made = [Path(line) for line in (checks / "made").read_text(encoding="utf-8").splitlines()]
    assert made
    assert not [folder for folder in made if folder.exists() or folder.parent.exists()]


FAST, END_TO_END = ["-m", "not", "hil"], ["tests/hil"]


def test_all_checks_leave_the_nightly_tests_out_and_say_how_to_play_them(checks: Path) -> None:
    result = start(checks, "test")

    assert words_of_pytest(checks) == [[*FAST, "--daily"], [*END_TO_END, "--daily"]]
    for check in ("format", "lint", "types", "tests", "fuzz", "end to end"):
        assert f"== {check}" in result.stdout.splitlines()
    assert re.search(
        r"nightly tests were left out; one part of them: ./run test --nightly-part [0-9]+/18, all: "
        r"./run test --nightly\n",
        result.stderr,
    )


def test_all_tests_are_played_when_asked(checks: Path) -> None:
    assert start(checks, "test", "--nightly").returncode == 0
    assert words_of_pytest(checks) == [FAST, END_TO_END]


@pytest.mark.parametrize("words", [("2/18",), ()], ids=["named", "of-the-commit"])
def test_a_part_of_the_nightly_tests_is_played_alone(checks: Path, words: tuple[str, ...]) -> None:
    result = start(checks, "test", "--nightly-part", *words)

    part = words_of_pytest(checks)[0][-1]
    assert re.fullmatch("[0-9]+/18", part)
    assert part == (words or (part,))[0]
    assert words_of_pytest(checks) == [[*FAST, "--nightly-part", part], [*END_TO_END, "--nightly-part", part]]
    assert "== format" not in result.stdout
    assert f"nightly tests: part {part}; again: ./run test --nightly-part {part}, all: ./run test" in result.stderr


def test_ci_plays_a_part_of_the_nightly_tests_after_the_daily_ones() -> None:
    played = [line for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines() if '/run" test' in line]

    assert played == ['"$root/run" test', '"$root/run" test --nightly-part']


def test_a_failed_check_is_named_at_the_end(checks: Path) -> None:
    (checks / "red").touch()
    result = start(checks, "test")

    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == "run: failed: tests, end to end; what to mend is said above."


def test_an_end_of_the_run_ends_what_goes_on_beside_and_leaves_no_folder(checks: Path) -> None:
    (checks / "long").touch()
    (checks / "calls").touch()
    environment = {"PATH": str(checks / "bin"), "HOME": str(checks)}
    line = ["sh", str(checks / "run"), "test"]
    with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, start_new_session=True) as running:
        deadline_s = time.monotonic() + 60
        while not (checks / "made").exists() or len((checks / "made").read_text(encoding="utf-8").splitlines()) < 2:
            assert time.monotonic() < deadline_s
            time.sleep(0.02)
        os.killpg(running.pid, signal.SIGTERM)  # Ctrl-C is trapped alike; a shell begun in the background ignores that
        assert running.wait(60) == 130

    with pytest.raises(ProcessLookupError):
        until_gone(running.pid)
    made = [Path(line) for line in (checks / "made").read_text(encoding="utf-8").splitlines()]
    assert not [folder for folder in made if folder.parent.exists()]


def until_gone(group: int) -> None:
    """Raises ProcessLookupError as soon as no process of the group is left."""
    deadline_s = time.monotonic() + 10
    while time.monotonic() < deadline_s:
        os.killpg(group, 0)
        time.sleep(0.02)
