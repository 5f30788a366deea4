"""The page on the architecture names every package, and only what there is."""

from __future__ import annotations

import re

from tests.unit.docs.checkout import ROOT
from tests.unit.project.imports import ROOMS

PAGE = ROOT / "docs" / "architecture.md"
TOP = "|".join([*ROOMS, "config", "tests", "docs", "hardware_docs"])
PATH = re.compile(rf"`((?:{TOP})(?:/[\w.]+)*)`")


def named() -> set[str]:
    """The paths that the page names."""
    return set(PATH.findall(PAGE.read_text(encoding="utf-8")))


def test_every_path_on_the_page_exists() -> None:
    assert {path for path in named() if not (ROOT / path).exists()} == set()


def test_every_package_has_its_line() -> None:
    inner = {str(file.parent.relative_to(ROOT)) for room in ROOMS for file in (ROOT / room).glob("*/__init__.py")}

    assert {*ROOMS, *inner} - named() == set(), f"Say in {PAGE.relative_to(ROOT)} what these packages are."
