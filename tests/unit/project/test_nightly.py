"""The nightly tests in parts: each is played by one part, and a run says what it left out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nightly import LEFT_OUT, Part, read_part

ROOT = Path(__file__).parents[3]
TESTS = """\
import pytest
from hypothesis import settings
from tests.nightly import examples

@pytest.mark.nightly
@pytest.mark.parametrize("case", range(20))
def test_case(case):
    pass

@pytest.mark.parametrize("seed", range(20))
def test_seed(seed):
    pass

@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("place", ["pot", "tray"])
def test_place(place, seed):
    pass

@pytest.mark.skipif(True, reason="no C compiler is installed")
@pytest.mark.parametrize("board", range(3))
def test_board(board):
    pass

def test_examples():
    print("examples", [examples(100, name) for name in "abcdef"], settings.default.max_examples)

def test_plain():
    for _ in range(1_000_000):
        pass
"""


def played(folder: Path, *options: str) -> str:
    """What pytest prints of the tests above, with the names of those that it played."""
    (folder / "test_it.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = nightly\n", encoding="utf-8")
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


def test_each_test_lies_in_one_part() -> None:
    names = [f"tests/unit/test_it.py::test_seed[{seed}]" for seed in range(400)]
    parts = [Part(number, 8) for number in range(1, 9)]

    for name in names:
        assert [part.holds(name) for part in parts].count(True) == 1
    assert all(any(part.holds(name) for name in names) for part in parts)
    assert all(Part(1, 1).holds(name) for name in names)


@pytest.mark.parametrize("text", ["", "3", "0/8", "9/8", "a/8", "3/-8", "1/0"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="K from 1 to N"):
        read_part(text)


def test_a_part_is_played_and_named_and_what_is_left_out_is_one_line(tmp_path: Path) -> None:
    said = played(tmp_path, "--nightly-part", "2/4")
    left_out = "left out: 3 tests, no C compiler is installed"

    cases = [case for case in range(20) if f"test_case[{case}]" in said]
    assert cases == [case for case in range(20) if Part(2, 4).holds(f"test_it.py::test_case[{case}]")]
    seeds = [seed for seed in range(20) if f"test_seed[{seed}]" in said]
    assert seeds == [0, *(seed for seed in range(1, 20) if Part(2, 4).holds(f"test_it.py::test_seed[{seed}]"))]
    assert all(f"test_place[{place}-0]" in said for place in ("pot", "tray"))
    assert "nightly tests: part 2 of 4 (this part again: --nightly-part 2/4; all: ./run test --nightly)" in said
    tried = [100 if Part(2, 4).holds(name) else 20 for name in "abcdef"]
    assert set(tried) == {20, 100}
    assert f"examples {tried} 30" in said
    assert "test_plain PASSED" in said
    assert said.splitlines().count(left_out) == 1
    assert (tmp_path / "left_out").read_text(encoding="utf-8") == "3 tests, no C compiler is installed\n"


def test_without_a_part_all_is_played(tmp_path: Path) -> None:
    said = played(tmp_path)

    assert all(f"test_case[{number}]" in said and f"test_seed[{number}]" in said for number in range(20))
    assert f"examples {[100] * 6} 100" in said


def test_what_is_marked_hil_lies_where_the_end_to_end_tests_are_played_from() -> None:
    marked = [
        path for path in (ROOT / "tests").rglob("test_*.py") if "pytest.mark.hil" in path.read_text(encoding="utf-8")
    ]

    assert {path.parent for path in marked if path != Path(__file__)} == {ROOT / "tests" / "hil"}
