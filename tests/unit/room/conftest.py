"""The verbs of `betline room` at a journal of a test's own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from betline.front_door import run

Betline = Callable[..., tuple[int, str, str]]


@pytest.fixture
def betline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Betline:
    def command(*words: str) -> tuple[int, str, str]:
        status = run(["room", *words, "--journal", str(tmp_path / "a.room"), "--people", str(tmp_path / "people.toml")])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


@pytest.fixture
def evening(betline: Betline) -> Betline:
    """A tournament of ten at two tables."""
    assert (
        betline("game", "main", "--levels", "tournament", "--stack", "20000", "--buy-in", "90", "--fee", "10")[0] == 0
    )
    for table in ("t1", "t2"):
        assert betline("table", table, "--by-hand")[0] == 0
    for number in range(10):
        assert betline("enter", f"P{number}")[0] == 0
    return betline
