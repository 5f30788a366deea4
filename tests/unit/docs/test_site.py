"""What the builder of the site adds to its generator: pages brought together, and what it refuses."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.unit.docs.checkout import ROOT


def _builder() -> Any:
    spec = importlib.util.spec_from_file_location("betline_site", ROOT / "docs" / "site" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


site = _builder()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    site.gather(folder)
    return folder


def test_every_page_stands_in_the_navigation(pages: Path) -> None:
    found = {path.relative_to(pages).as_posix() for path in pages.rglob("*.md")}

    assert site.orphans(site.CONFIG.read_text(encoding="utf-8"), found) == []


def test_a_page_in_no_navigation_and_a_name_without_a_page_are_found() -> None:
    settings = '[project]\nnav = [{ "Home" = "index.md" }, { "More" = [{ "Lost" = "lost.md" }] }]\n'

    assert site.orphans(settings, {"index.md", "orphan.md"}) == [
        "orphan.md: in no navigation: name it in docs/site/zensical.toml",
        "lost.md: named in docs/site/zensical.toml, but not there",
    ]


def test_pictures_and_files_that_pages_link_to_come_along(pages: Path) -> None:
    assert (pages / "docs" / "console.svg").is_file()
    assert (pages / "hardware_docs" / "bus.asyncapi.json").is_file()


def test_the_home_page_leads_on_from_the_root(pages: Path) -> None:
    text = (pages / "index.md").read_text(encoding="utf-8")

    assert "](docs/console.svg)" in text
    assert "](hardware_docs/bom.md#home-six-seats)" in text
    assert not (pages / "docs" / "index.md").exists()


def test_links_are_moved_with_their_page_and_addresses_are_not() -> None:
    text = "[a](b.svg#c) [d](../e/f.svg) [g](https://example.org/h) [i](#j)"

    assert (
        site.moved(text, PurePosixPath("docs")) == "[a](docs/b.svg#c) [d](e/f.svg) [g](https://example.org/h) [i](#j)"
    )


def test_lists_have_the_blank_line_and_the_indent_that_the_generator_wants() -> None:
    text = "Do:\n- one\n  goes on\n  - deeper\n- two\n\nAfter\n"

    assert site.spaced(text) == "Do:\n\n- one\n    goes on\n    - deeper\n- two\n\nAfter\n"


def test_code_is_left_as_it_is() -> None:
    text = "Do:\n\n```sh\n- a\n- b\n```\n\n    betline run\n"

    assert site.spaced(text) == text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<script src="https://example.org/a.js"></script>', "page.html: loads https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "page.html: loads //example.org/a.css"),
        ('<img src="https://example.org/a.png">', "page.html: loads https://example.org/a.png"),
        ('<a href="https://example.org/">elsewhere</a>', ""),
        ('<img src="data:image/png;base64,AA">', ""),
        ('<script src="a.js"></script>', ""),
    ],
)
def test_what_a_page_would_load_from_another_host_is_found(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "page.html").write_text(text, encoding="utf-8")

    assert site.foreign(tmp_path) == ([fault] if fault else [])


def test_a_style_sheet_that_loads_from_another_host_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/a.woff2') }", encoding="utf-8")

    assert site.foreign(tmp_path) == ["a.css: loads https://example.org/a.woff2"]


@pytest.mark.parametrize(
    ("link", "is_dead"),
    [("b.html", False), ("b.html#here", False), ("b.html#gone", True), ("c.html", True), ("sub/", True), ("#up", True)],
)
def test_a_built_link_that_leads_nowhere_or_to_a_folder_is_found(tmp_path: Path, link: str, is_dead: bool) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.html").write_text('<p id="here">', encoding="utf-8")
    (tmp_path / "a.html").write_text(f'<a href="{link}">x</a>', encoding="utf-8")

    assert bool(site.dead(tmp_path)) == is_dead


def test_the_search_loads_its_shim_from_the_site_itself(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "a.html"
    page.write_text(f'<script src="{site.SHIM_ELSEWHERE}"></script>', encoding="utf-8")

    site.ship_shim(tmp_path)

    assert page.read_text(encoding="utf-8") == '<script src="site/iframe-worker/shim.js"></script>'
    assert site.foreign(tmp_path) == site.dead(tmp_path) == []
