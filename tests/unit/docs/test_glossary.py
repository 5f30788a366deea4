"""The glossary has one entry a word, in the order of the alphabet."""

from __future__ import annotations

import re

from tests.unit.docs.checkout import ROOT

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def words() -> dict[str, list[str]]:
    """The words of each section as the first column has them."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    return {
        section.partition("\n")[0]: [
            row[2:].split(" | ")[0] for row in section.splitlines() if row.startswith("| ") and "---" not in row
        ][1:]
        for section in sections
    }


def test_each_section_is_in_the_order_of_the_alphabet() -> None:
    for section, listed in words().items():
        assert listed == sorted(listed, key=lambda entry: entry.partition(",")[0].lower()), section


def test_no_word_stands_twice_without_saying_which_is_meant() -> None:
    every = [word for listed in words().values() for entry in listed for word in entry.split(", ")]
    twice = {word for word in every if every.count(word) > 1}

    assert twice <= {"round"}, "One word for one thing; a word of two trades says both in each place."
