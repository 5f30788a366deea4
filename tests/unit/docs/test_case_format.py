"""The page of the case format is complete: all that the parser knows stands on it, and what stands on it is read."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_args

import pytest
import yaml

from betline.cases import expect as expectations
from betline.cases import parse_cases
from betline.settings import GameSettings
from betline.steps import LastHand, Start, Step, TableSetup, parse_step
from table_controller.tools.cases import run_case
from tests.unit.docs.checkout import ROOT, texts

PAGE = ROOT / "docs" / "case-format.md"
TEXT = PAGE.read_text(encoding="utf-8")
CODE = re.compile(r"(?<!`)`([^`]+)`")


def section(title: str) -> str:
    """What stands under a heading, without the headings of its own level or above."""
    _, _, rest = TEXT.partition(f"\n{title}\n")
    assert rest, f"{PAGE.name} has no heading {title!r}."
    level = len(title) - len(title.lstrip("#"))
    return re.split(rf"^#{{1,{level}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def first_cells(text: str) -> list[str]:
    """The code in the first column of the tables of a text."""
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return [code for row in rows for code in CODE.findall(row.split(" | ")[0])]


def steps() -> list[Step]:
    """Each step that the page shows."""
    shown = [code for code in CODE.findall(section("## `play`: the steps")) if re.match(r"\{[a-z_]+:", code)]
    return [parse_step(yaml.safe_load(code)) for code in shown]


def codes(kind: str) -> set[str]:
    """The codes of one kind, without what is said of them in brackets."""
    (found,) = re.findall(rf"^- {kind}: (.*?)(?=^- |\Z)", section("## Codes"), re.MULTILINE | re.DOTALL)
    listed = re.sub(r"\([^)]*\)", "", found).split(". ")[0]
    return set(CODE.findall(listed))


def test_the_example_holds() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", section("## A case"), re.DOTALL)
    (case,) = parse_cases(example, Path("docs/case-format.md"))

    assert run_case(case).failures == ()


@pytest.mark.parametrize("kind", get_args(Step), ids=lambda kind: kind.__name__)
def test_every_step_stands_there_with_every_part_of_it(kind: type) -> None:
    shown = [step for step in steps() if type(step) is kind]
    never = {
        part.name
        for part in fields(kind)
        if part.default is not MISSING and all(getattr(step, part.name) == part.default for step in shown)
    }

    assert shown, f"Add a row to a table of steps in docs/case-format.md whose first cell is a {kind.__name__} in YAML."
    assert not never, f"Show {', '.join(sorted(never))} in an example of {kind.__name__} in docs/case-format.md."


def test_every_expectation_stands_there_and_no_other() -> None:
    listed = first_cells(section("## `expect`"))

    assert len(listed) == len(set(listed))
    assert set(listed) == set(expectations._READERS), "The table of `expect` in docs/case-format.md lists the keys."


def test_every_key_of_a_case_stands_there_and_no_other() -> None:
    game = first_cells(section("### `game`"))
    setup = first_cells(section("### `seats`, `button`, and how the story begins"))
    begun = section("### `seats`, `button`, and how the story begins")

    assert set(game) == set(GameSettings.model_fields)
    assert set(setup) == {part.name for part in fields(TableSetup)} - {"game", "house"}
    for part in (*fields(Start), *fields(LastHand)):
        assert re.search(rf"\b{'from' if part.name == 'paid' else part.name}: ", begun), part.name


def test_codes_are_those_of_the_code() -> None:
    offers = set(expectations.OFFERS) | {f"{kind}:N" for kind in expectations.SIZED_OFFERS}
    errors = {
        code
        for path, text in texts()
        if path.parts[0] == "table_controller" and path.suffix == ".py"
        for code in re.findall(r'\bIllegal\(\s*"([a-z-]+)"', text)
    }

    assert codes("rulings") == set(expectations.RULINGS)
    assert codes("alerts") == set(expectations.ALERTS)
    assert codes("offers") == offers
    assert codes("errors") == errors, 'The codes of Illegal("...") are the errors of docs/case-format.md.'
