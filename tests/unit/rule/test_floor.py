"""The page of the floor: every place that asks is on it, with the text that leaves it to a human, and a case."""

import ast
import inspect
from pathlib import Path

import pytest

from betline.rule_texts import TEXTS
from table_controller import rulings
from table_controller.rulings.acts import chips
from table_controller.tools.rule.floor import DOCUMENT, LEFT, page, places
from table_controller.tools.rule.pages import seen_in_cases
from table_controller.tools.rule.texts import rule_named

HELPERS = {"_ask"}
"""Functions that ask for the rules which call them."""


def test_the_page_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == page()


def test_every_place_that_asks_stands_beside_the_text_that_leaves_it_to_a_human() -> None:
    assert [rule.__name__ for rule in places()] == list(LEFT)


def test_nothing_else_in_the_rulings_asks_the_floor() -> None:
    asking = set()
    for file in Path(str(rulings.__file__)).parent.rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            asking |= {
                function.name
                for node in ast.walk(function)
                if isinstance(node, ast.Call)
                and ast.unparse(node.func) == "Verdict"
                and any(one.arg == "kind" and "FLOOR" in ast.unparse(one.value) for one in node.keywords)
            }
    callers = {rule.__name__ for rule in places() if "_ask(" in inspect.getsource(rule)}
    assert "_ask(" in inspect.getsource(chips)
    assert (asking - HELPERS) | callers == set(LEFT)


@pytest.mark.parametrize("name", list(LEFT))
def test_a_case_shows_each_place_with_its_offers(name: str) -> None:
    seen = seen_in_cases()[name]
    assert seen.asked
    assert seen.case
    assert rule_named(name) is not None


@pytest.mark.parametrize("name", list(LEFT))
def test_the_rule_of_each_place_has_its_line(name: str) -> None:
    numbers = [one for one in TEXTS if one.replace("-", " ", 1) in LEFT[name].rule or one in LEFT[name].rule]
    assert numbers or LEFT[name].rule.endswith("R-068")
    assert LEFT[name].text
    assert LEFT[name].why.endswith(".")
