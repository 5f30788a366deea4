"""Pictures of the pages for browsers, taken of a demonstration: `python -m virtual_table.run.faces docs/web`.

They are what Chromium shows while the virtual table plays, so no two runs make the same ones.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image

from betline.broker import LOOPBACK
from betline.chromium import Chromium, ChromiumError, Page, Screen, chromium
from betline.joining import BrokerChoice
from betline.options import DONE, FAILED, SITE_DEFAULT, WRONG_USAGE, UserError
from betline.scratch import scratch_folder
from betline.settings import load_table
from virtual_table.run.demo import DemoOptions, Prepared, run_demo
from virtual_table.run.run_table import write_table

MOMENT_S: Final = 300.0
SOON_S: Final = 6.0
"""A player thinks no longer; then it is another seat's turn."""
FELT: Final = {"r": 24, "g": 84, "b": 56, "a": 1}
"""What a stream's picture stands for, behind the overlay."""
COLOURS: Final = 64
TABLE: Final = "tournament"
TOLD: Final = {"stack_display": "public", "pot_announcement": "always", "pot_count": "always"}
"""What the house of the pictures shows, so that all there is can be seen."""


@dataclass(frozen=True, slots=True)
class Face:
    """One picture: its name, the page, and how large it is shown."""

    name: str
    path: str
    screen: Screen


FACING: Final = "document.getElementById('cost')?.innerText.endsWith('to call') && document.getElementById('last')"
"""Somebody faces a bet, after somebody has acted: a moment at which a page has most to show."""
ON_BOARD: Final = (
    Face("board", "/board", Screen(1280, 720)),
    Face("board-bright", "/board?theme=bright", Screen(1280, 720)),
    Face("overlay", "/overlay", Screen(1280, 720)),
)
REMOTE: Final = Face("remote", "/remote", Screen(390, 900))
CONSOLE: Final = Face("console", "/console", Screen(1280, 800))
SEAT: Final = Face("seat", "/seat/{seat}", Screen(390, 780))
ALL: Final = Face("all", "/?seat={seat}", Screen(1280, 1090))


def take_pictures(browser: Chromium, home: str, folder: Path) -> Iterator[Path]:
    """Waits for a moment of each page and takes its picture; raises ChromiumError where none comes."""
    board = _opened(browser, f"{home}/board", ON_BOARD[0])
    first = _opened(browser, f"{home}/seat/1", SEAT)
    first.wait_for("document.querySelector('#hands li')", MOMENT_S)
    first.call("Page.close")  # a browser keeps six connections to a server, and each page takes one
    yield _kept(_at_a_turn(browser, board, home, SEAT, "document.querySelector('#turn.yours')"), SEAT, folder)
    inside = " && ".join(
        f"document.querySelector('#face-{face} iframe')?.contentDocument.querySelector('{shown}')"
        for face, shown in (("seat", "#turn.yours"), ("remote", "#keys button"), ("overlay", ".seat"))
    )
    yield _kept(_at_a_turn(browser, board, home, ALL, inside), ALL, folder)
    remote = _opened(browser, f"{home}{REMOTE.path}", REMOTE)
    remote.wait_for(
        "document.querySelectorAll('#keys button').length > 6 && document.querySelector('#lines li')", MOMENT_S
    )
    yield _kept(remote, REMOTE, folder)
    yield take_console(browser, home, folder)
    for face in ON_BOARD:
        page = _opened(browser, f"{home}{face.path}", face)
        if face.name == "overlay":
            page.call("Emulation.setDefaultBackgroundColorOverride", color=FELT)
        page.wait_for(f"{FACING}.innerText", MOMENT_S)
        yield _kept(page, face, folder)


def take_console(browser: Chromium, home: str, folder: Path) -> Path:
    """A picture of the console while somebody is to act; raises ChromiumError where nobody is."""
    console = _opened(browser, f"{home}{CONSOLE.path}", CONSOLE)
    console.wait_for("/TO CALL/.test(document.querySelector('.xterm-rows')?.innerText)", MOMENT_S)
    return _kept(console, CONSOLE, folder)


def _at_a_turn(browser: Chromium, board: Page, home: str, face: Face, shown: str) -> Page:
    """A page of the seat whose turn it is, while it is its turn."""
    deadline_s = time.monotonic() + MOMENT_S
    while time.monotonic() < deadline_s:
        board.call("Page.bringToFront")
        seat = board.wait_for(f"{FACING}.innerText && document.querySelector('.acts .number')?.innerText", MOMENT_S)
        page = _opened(browser, f"{home}{face.path.format(seat=seat)}", face)
        with contextlib.suppress(ChromiumError):
            page.wait_for(f"{shown} && true", SOON_S)
            return page
        page.call("Page.close")
    raise ChromiumError("No seat's turn came.")


def _kept(page: Page, face: Face, folder: Path) -> Path:
    file = folder / f"{face.name}.png"
    file.write_bytes(_with_few_colours(page.picture()))
    page.call("Page.close")
    return file


def _with_few_colours(picture: bytes) -> bytes:
    """The same in 64 colours, a third as large: the pages have few."""
    small = io.BytesIO()
    few = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(small, "PNG", optimize=True)
    return small.getvalue()


def _opened(browser: Chromium, url: str, face: Face) -> Page:
    page = browser.page(face.screen)
    page.open(url)
    return page


def main(arguments: list[str]) -> int:
    """Plays the demonstration until each picture is taken; returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -m virtual_table.run.faces FOLDER", file=sys.stderr)
        return WRONG_USAGE
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)

    def look(ready: Prepared) -> int:
        with chromium() as browser:
            for file in take_pictures(browser, f"http://{LOOPBACK}:{ready.web_port}", folder):
                print(f"{file}: {file.stat().st_size:,} bytes")
        return DONE

    try:
        with scratch_folder("betline-faces-", "*.toml") as work:
            return run_demo(_options(work), look)
    except (ChromiumError, UserError) as error:
        print(f"betline: {error}", file=sys.stderr)
        return FAILED


def _options(work: Path) -> DemoOptions:
    """A demonstration in a house that shows all it has."""
    table = load_table(TABLE)
    house = table.house.model_copy(update={"options": {**table.house.options, **TOLD}})
    file = work / "faces.toml"
    write_table(table.model_copy(update={"house": house}), file)
    return DemoOptions(
        str(file), BrokerChoice(), SITE_DEFAULT, None, None, None, None, 1, 1.0, headless=False, as_json=False, web=True
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
