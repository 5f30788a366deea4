"""Every link of every Markdown page leads somewhere: to a file of the checkout, and to a heading that it has."""

from pathlib import Path

import pytest

from tests.unit.project.imports import ROOT
from tests.unit.project.pages import anchors, blocks, broken_links, links, pages


@pytest.mark.parametrize("page", [page.relative_to(ROOT).as_posix() for page in pages()])
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    assert broken_links(ROOT / page) == []


def test_the_pages_of_every_folder_are_read() -> None:
    found = {page.relative_to(ROOT).parts[0] for page in pages()}

    assert {"README.md", "CONTRIBUTING.md", "docs", "hardware_docs", "tests", ".github"} <= found
    assert ".venv" not in found


@pytest.mark.parametrize(
    ("link", "is_broken"),
    [
        ("there.md", False),
        ("there.md#two-words", False),
        ("#here-too", False),
        ("https://example.org/nowhere", False),
        ("missing.md", True),
        ("there.md#three-words", True),
        ("#nowhere", True),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path: Path, link: str, is_broken: bool) -> None:
    (tmp_path / "there.md").write_text("# Two words\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(f"## Here, too\n\n[a link]({link})\n", encoding="utf-8")

    assert broken_links(page) == ([link] if is_broken else [])


def test_links_are_read_outside_code_only() -> None:
    text = "[a](b.md) `[c](d.md)` ![e](f.svg)\n\n```sh\n[g](h.md)\n```\n\n[i]: j.md\n"

    assert links(text) == ["b.md", "f.svg", "j.md"]
    assert blocks(text, "sh") == ["[g](h.md)\n"]


def test_anchors_are_made_as_github_makes_them() -> None:
    text = "# 1. What `run` does: all, at once\n## [A page](a.md)\n## Again\n## Again\n```sh\n# no heading\n```\n"

    assert anchors(text) == {"1-what-run-does-all-at-once", "a-page", "again", "again-1"}
