"""What a newcomer looks for is said where it is looked for: in --help, and on the page of table files."""

from __future__ import annotations

import re

import pytest

from betline.front_door import run
from tests.unit.docs.checkout import ROOT


def helped(capsys: pytest.CaptureFixture[str], *verb: str) -> str:
    assert run([*verb, "--help"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_the_demo_says_that_it_plays_a_table_of_ones_own_before_anything_is_connected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = helped(capsys, "demo")

    assert "Example: betline demo --table my-table.toml" in said
    assert "before anything is connected" in said


@pytest.mark.parametrize("verb", [("table",), ("table", "new")])
def test_the_help_of_tables_names_the_dry_run_and_how_to_start_from_another_table(
    verb: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    said = helped(capsys, *verb)

    assert "betline demo --table my-table.toml" in said
    assert re.search(r"based_on = \S+", said)


def test_the_page_of_table_files_has_both() -> None:
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")

    assert "betline demo --table my-table.toml" in page
    assert "`based_on = " in page
