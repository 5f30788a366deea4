"""The rule book is complete and current: whatever cites a rule finds it there, and what it names exists."""

from __future__ import annotations

import re

import pytest

from betline.settings import HouseRules
from tests.cases.all_cases import CASES
from tests.unit.docs import rulebook
from tests.unit.docs.checkout import ROOT, texts
from tests.unit.docs.rulebook import PAGE, Shown, cited, entries, filled, rule_of


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_page_is_current(page: str) -> None:
    assert rulebook.current() == page, "Run .venv/bin/python -m tests.unit.docs.rulebook."


def test_every_citation_in_the_repository_has_its_entry(page: str) -> None:
    known = {entry.number for entry in entries(page)}
    lost = {
        f"{path}:{number}: {citation}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), start=1)
        for citation in cited(line)
        if rule_of(citation) not in known
    }

    assert not lost, f"Write an entry in {PAGE.relative_to(ROOT)} for: " + "; ".join(sorted(lost))


def test_entries_stand_once_in_the_order_of_their_numbers(page: str) -> None:
    numbers = [entry.number for entry in entries(page)]
    own = [number for number in numbers if number.startswith("R-")]
    theirs = [number.removeprefix("TDA ") for number in numbers if number.startswith("TDA")]

    assert len(set(numbers)) == len(numbers)
    assert own == sorted(own)
    assert theirs == sorted(theirs, key=lambda number: (number.startswith("RP-"), int(number.removeprefix("RP-"))))
    assert len(re.findall("^### ", page, re.MULTILINE)) == len(numbers), "A heading is not written as the others are."


def test_every_entry_tells_its_rule_and_every_rule_of_ours_its_source(page: str) -> None:
    for entry in entries(page):
        assert re.match(r"\*\*.+\*\* \S", entry.text), f"{entry.number}: a title in bold, then the rule."
        assert entry.source.endswith(".") or not entry.number.startswith("R-"), entry.number


def test_every_case_that_is_named_exists(page: str) -> None:
    ids = {case.id for case in CASES}
    named = {
        name
        for line in re.findall(r"^- See also: (.+)$", page, re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", line)
    }

    assert named
    assert named - ids == set()


def test_a_rule_without_a_case_says_where_it_is_held_or_that_it_is_not_built(page: str) -> None:
    for block in re.split(r"^(?=##)", page, flags=re.MULTILINE):
        for entry in entries(block):
            if entry.number.startswith("R-"):
                assert re.search("^- (Cases|See also|Held in|Not built)", block, re.MULTILINE), entry.number


def test_every_folder_that_holds_a_rule_exists(page: str) -> None:
    named = {
        name for line in re.findall(r"^- Held in: (.+)$", page, re.MULTILINE) for name in re.findall(r"`([^`]+)`", line)
    }

    assert named
    assert {name for name in named if not (ROOT / name).is_dir()} == set()


def test_options_that_are_explained_exist_and_every_option_names_a_rule(page: str) -> None:
    explained = re.findall(r"^- `([a-z_]+)`:", page.partition("<!-- /options -->")[2], re.MULTILINE)

    assert explained
    assert set(explained) <= set(HouseRules.model_fields)
    for name, info in HouseRules.model_fields.items():
        assert cited(info.description or ""), f"{name}: its description names no R-number."


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("(R-185 to R-187; TDA 46-C1)", ("R-185", "R-186", "R-187", "TDA 46-C1")),
        ("TDA 40, 44 and TDA-51", ("TDA 40", "TDA 44", "TDA 51")),
        ("TDA 40-C 43-A", ("TDA 40-C", "TDA 43-A")),
        ("TDA 50/51: binds", ("TDA 50", "TDA 51")),
        ("TDA 41 to 43", ("TDA 41", "TDA 43", "TDA 42")),
        ("TDA RP-10-E; WSOP Live 217", ("TDA RP-10-E",)),
        ("TDA 2024 and 43 chips, STR-100", ()),
    ],
)
def test_citations_are_read_as_people_write_them(text: str, citations: tuple[str, ...]) -> None:
    assert cited(text) == citations


def test_what_is_generated_leaves_the_prose_alone() -> None:
    page = (
        "## 1. One\n\n### R-065\n\n**Tiny chips.** The rule.\n\n- Source: TDA 41.\n- Cases: `gone`.\n\n"
        "## Two\n\n### TDA 41\n\n**Calling.** The source.\n"
    )
    shown = Shown("tiny", frozenset({"R-065"}), frozenset()), Shown("source", frozenset({"TDA 41"}), frozenset())
    option = Shown("option", frozenset(), frozenset({"tiny_chip"}))

    assert filled(page, [*shown, option]) == (
        "## 1. One\n\n### R-065\n\n**Tiny chips.** The rule.\n\n- Source: TDA 41.\n"
        "- House options: `tiny_chip` (floor, call).\n- Cases: `tiny`, `option`, `source`.\n\n"
        "## Two\n\n### TDA 41\n\n**Calling.** The source.\n\n"
        "- Entries: [R-065](#r-065).\n- Cases: `source`.\n\n"
    )
