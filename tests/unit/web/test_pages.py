"""The pages as they are served: what they load, what they weigh, and the headers of safety."""

from __future__ import annotations

import hashlib
import re
from importlib import resources

import pytest

from table_controller.web.app import CONSOLE, PAGES, REMOTE
from table_controller.web.files import shipped_files
from tests.unit.web.serving import served

FILES = shipped_files()
LOADED = re.compile(r"""<(?:link|script|img)[^>]+(?:src|href)="([^"]+)"|from "([^"]+)"|url\(([^)]+)\)""")
MOST_BYTES = 100_000


def loaded_by(name: str) -> set[str]:
    """All files that a page loads, itself among them, as they are named in its sources."""
    found, left = set[str](), [name]
    while left:
        one = left.pop()
        if one in found:
            continue
        found.add(one)
        for groups in [] if one.startswith("xterm") else LOADED.findall(FILES[one].content.decode()):
            address = next(filter(None, groups))
            assert address.startswith("/files/"), f"{one} loads {address}, which is not ours"
            left.append(address.removeprefix("/files/"))
    return found


@pytest.mark.parametrize("page", PAGES.values())
def test_a_page_with_all_that_it_loads_weighs_less_than_100_kb(page: str) -> None:
    weight = sum(len(FILES[name].content) for name in loaded_by(page))

    assert weight < MOST_BYTES


def test_the_consoles_page_loads_its_terminal_from_here_and_is_sent_packed_in_less_than_120_kb() -> None:
    found = loaded_by(CONSOLE["/console"])

    assert {"xterm.js", "xterm-fit.js", "xterm.css"} <= found
    assert sum(len(FILES[name].packed) for name in found) < 120_000


def test_the_terminal_is_the_one_that_is_named_and_its_licence_lies_beside_it() -> None:
    folder = resources.files("table_controller.web") / "static"
    named = dict(
        re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (folder / "xterm.md").read_text(), re.MULTILINE)
    )
    there = {one.name for one in folder.iterdir() if one.name.startswith("xterm")}

    assert set(named) == there - {"xterm.md"} >= {"xterm.js", "xterm-fit.js", "xterm.css", "xterm.LICENSE"}
    for name, digest in named.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.parametrize("page", [*PAGES.values(), *REMOTE.values(), *CONSOLE.values()])
def test_a_page_has_no_script_style_or_handler_of_its_own(page: str) -> None:
    text = FILES[page].content.decode()

    assert re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]+src=)", text) is None


def test_a_page_is_sent_packed_and_is_not_sent_twice() -> None:
    with served() as server:
        status, headers, body = server.ask("/board", accept_encoding="gzip")
        again, _, nothing = server.ask("/board", if_none_match=headers["etag"])

    assert (status, headers["content-encoding"], headers["content-type"]) == (200, "gzip", "text/html; charset=utf-8")
    assert body == FILES["board.html"].packed
    assert (again, nothing) == (304, b"")


@pytest.mark.parametrize("path", ["/board", "/events/seat-9", "/files/live.js", "/nowhere"])
def test_every_answer_forbids_what_the_pages_do_not_need(path: str) -> None:
    with served() as server:
        _, headers, _ = server.ask(path)

    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize("path", ["/files/../feed.py", "/files/..%2ffeed.py", "/files/%2e%2e/%2e%2e/cli.py", "/files/"])
def test_only_the_files_of_the_pages_are_served(path: str) -> None:
    with served() as server:
        assert server.ask(path)[0] == 404
