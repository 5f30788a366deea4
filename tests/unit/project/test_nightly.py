"""The nightly tests in parts: each is played by one part, and a run says what it left out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nightly import LEFT_OUT, read_part

ROOT = Path(__file__).parents[3]
TESTS = """\
import pytest
from hypothesis import given, settings, strategies
from tests.nightly import examples

@pytest.mark.nightly
@pytest.mark.parametrize("case", range(20))
def test_case(case):
    pass

@pytest.mark.parametrize("seed", range(20))
def test_seed(seed):
    pass

@pytest.mark.one_in(4)
@pytest.mark.parametrize("act", range(10))
def test_act(act):
    pass

@pytest.mark.nightly(every_part=True)
def test_kills():
    pass

@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("place", ["pot", "tray"])
def test_place(place, seed):
    pass

@pytest.mark.skipif(True, reason="no C compiler is installed")
@pytest.mark.parametrize("board", range(3))
def test_board(board):
    pass

@given(strategies.booleans())
def test_property(flag):
    pass

def test_examples():
    print("examples", examples(100), settings.default.max_examples)

def test_plain():
    for _ in range(1_000_000):
        pass
"""


def played(folder: Path, *options: str) -> str:
    """What pytest prints of the tests above, with the names of those that it played."""
    (folder / "test_it.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n nightly\n one_in\n", encoding="utf-8")
    line = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.nightly",
        "-p",
        "no:cacheprovider",
        "-vs",
        *options,
        "test_it.py",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), LEFT_OUT: str(folder / "left_out")}
    found = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)
    return found.stdout + found.stderr


def names(said: str) -> list[str]:
    return [line.split("::")[1].split()[0] for line in said.splitlines() if line.startswith("test_it.py::")]


@pytest.mark.nightly
def test_each_nightly_test_lies_in_one_part_and_all_parts_are_of_one_size(tmp_path: Path) -> None:
    parts = [names(played(tmp_path, "--nightly-part", f"{number}/4")) for number in range(1, 5)]

    assert [part.count("test_kills") for part in parts] == [1] * 4
    nightly = [name for part in parts for name in part if name != "test_kills"]
    assert len(nightly) == len(set(nightly))
    assert {f"test_case[{case}]" for case in range(20)} | {f"test_seed[{seed}]" for seed in range(1, 20)} <= set(
        nightly
    )
    assert "test_property" in nightly
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert [sum("test_case" in name for name in part) for part in parts] == [5] * 4

    daily = set(names(played(tmp_path, "--daily")))
    assert daily & set(nightly) == {"test_property"}
    assert daily | set(nightly) | {"test_kills"} == set(names(played(tmp_path)))


@pytest.mark.parametrize("text", ["", "3", "0/8", "9/8", "a/8", "3/-8", "1/0"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="K from 1 to N"):
        read_part(text)


def test_a_daily_run_leaves_the_nightly_tests_out_and_what_else_is_left_out_is_one_line(tmp_path: Path) -> None:
    said = played(tmp_path, "--daily")
    left_out = "left out: 3 tests, no C compiler is installed"

    assert [name for name in names(said) if "test_case" in name or "test_kills" in name] == []
    assert [name for name in names(said) if "test_seed" in name] == ["test_seed[0]"]
    assert [name for name in names(said) if "test_act" in name] == ["test_act[0]", "test_act[4]", "test_act[8]"]
    assert all(f"test_place[{place}-0]" in names(said) for place in ("pot", "tray"))
    assert "without the nightly tests (all: ./run test --nightly)" in said
    assert "examples 20 20" in said
    assert "test_plain PASSED" in said
    assert said.splitlines().count(left_out) == 1
    assert (tmp_path / "left_out").read_text(encoding="utf-8") == "3 tests, no C compiler is installed\n"


def test_a_part_plays_nothing_else_and_names_itself(tmp_path: Path) -> None:
    said = played(tmp_path, "--nightly-part", "2/4")

    assert "nightly tests: part 2 of 4 (this part again: --nightly-part 2/4; all: ./run test --nightly)" in said
    assert "test_plain" not in said
    assert "test_examples" not in said


def test_daily_and_a_part_are_not_asked_for_together(tmp_path: Path) -> None:
    assert "Give --daily or --nightly-part, not both." in played(tmp_path, "--daily", "--nightly-part", "2/4")


def test_without_an_option_all_is_played(tmp_path: Path) -> None:
    said = played(tmp_path)

    assert all(f"test_case[{number}]" in said and f"test_seed[{number}]" in said for number in range(20))
    assert all(f"test_act[{number}]" in said for number in range(10))
    assert "examples 100 100" in said


def test_what_is_marked_hil_lies_where_the_end_to_end_tests_are_played_from() -> None:
    marked = [
        path for path in (ROOT / "tests").rglob("test_*.py") if "pytest.mark.hil" in path.read_text(encoding="utf-8")
    ]

    assert {path.parent for path in marked if path != Path(__file__)} == {ROOT / "tests" / "hil"}
