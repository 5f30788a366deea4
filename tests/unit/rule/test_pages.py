"""The page of rules is the rule table's: complete, current, and with a line for every rule that a ruling can name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from betline.rule_texts import TEXTS
from table_controller import rulings
from table_controller.rulings.acts import book, chips, declared
from table_controller.tools.rule import pages
from table_controller.tools.rule.options import values_of


@pytest.fixture(scope="module")
def page() -> str:
    return pages.page()


def test_the_page_is_current(page: str) -> None:
    assert pages.DOCUMENT.read_text(encoding="utf-8") == page, "Run python -m table_controller.tools.rule.pages."


def test_every_rule_of_the_table_has_its_place_in_order(page: str) -> None:
    titles = re.findall(r"^### \d+\. (.+)$", page, re.MULTILINE)

    assert titles == [rule.__name__.replace("_", " ") for rule in book.RULES]


def test_every_link_of_the_index_leads_to_a_rule(page: str) -> None:
    headings = re.findall(r"^### (.+)$", page, re.MULTILINE)
    anchors = {heading.replace(". ", "-").replace(" ", "-") for heading in headings}

    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= anchors


def test_every_rule_that_a_ruling_names_has_a_line() -> None:
    files = Path(str(rulings.__file__)).parent.rglob("*.py")
    named = {number for file in files for number in re.findall(r'"((?:TDA|R)-\d+)"', file.read_text(encoding="utf-8"))}

    assert named
    assert named - set(TEXTS) == set()


@pytest.mark.parametrize(
    ("rule", "numbers", "options", "floor"),
    [
        (chips.undercall, {"TDA-51"}, ("undercall",), True),
        (chips.tiny_chip, {"TDA-41", "R-065"}, ("tiny_chip",), True),
        (chips.several_chips, {"TDA-45", "TDA-43", "TDA-46"}, ("half_standard",), False),
        (chips.big_blind_adds_a_chip, {"TDA-46", "R-064"}, ("half_standard", "big_blind_overchip"), False),
        (declared.said_fold, {"TDA-58"}, (), False),
    ],
)
def test_what_a_rule_reads_and_names_comes_from_its_code(
    rule: pages.Rule, numbers: set[str], options: tuple[str, ...], floor: bool
) -> None:
    assert numbers <= set(pages.stands_in(rule))
    assert set(options) <= set(pages.options_read(rule))
    assert bool(options) == bool(pages.options_read(rule))
    assert pages.asks_the_floor(rule) is floor


@pytest.mark.parametrize(
    ("annotation", "values"),
    [(bool, (True, False)), (int, ()), (int | None, (None,)), (tuple[int, int] | None, (None,))],
)
def test_options_with_a_list_of_values_are_tried_with_each(annotation: object, values: tuple[object, ...]) -> None:
    assert values_of(annotation) == values
