"""Exports a picture of the console: ``python -m table_controller.console.picture FILE.svg``."""

from __future__ import annotations

import asyncio
import html
import re
import sys
from pathlib import Path

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.options import DONE, WRONG_USAGE
from betline.settings import load_table
from betline.topics import Namespace, topic
from table_controller.console.app import ConsoleApp
from table_controller.console.sample import sample_state

SIZE = (120, 40)
CELL_PX = 12.2  # Textual draws a cell of its pictures so wide
NBSP = "\u00a0"
_TEXT = re.compile(r'(<text [^>]*?)x="([\d.]+)"([^>]*?)textLength="[\d.]+"([^>]*>)([^<]*)</text>')
_NUMBER = re.compile(r"terminal-\d+-")  # by chance, and another one in each picture
TITLE = "betline console"


async def picture(size: tuple[int, int] = SIZE) -> str:
    """The console with the sample hand, as SVG."""
    table = load_table()
    hub, namespace = MemoryHub(), Namespace("home", table.name)
    controller = MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS))
    controller.publish(topic(topics.STATE), sample_state(table))
    app = ConsoleApp(MemoryBus(hub, namespace, "console"), table)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return _words_in_place(_NUMBER.sub("terminal-", app.export_screenshot(title=TITLE)))


def _words_in_place(svg: str) -> str:
    """Each piece of a text at its own place: some viewers drop no-break spaces, and the digits fall over."""
    return _TEXT.sub(_pieces, svg)


def _pieces(text: re.Match[str]) -> str:
    before, x, middle, after, content = text.groups()
    pieces = []
    for piece in re.finditer(rf"[^{NBSP}]+(?:{NBSP}[^{NBSP}]+)*", html.unescape(content)):
        left, width = float(x) + piece.start() * CELL_PX, len(piece.group()) * CELL_PX
        words = html.escape(piece.group()).replace(NBSP, "&#160;")
        pieces.append(f'{before}x="{left:g}"{middle}textLength="{width:g}"{after}{words}</text>')
    return "".join(pieces)


def main(arguments: list[str]) -> int:
    """Writes the picture to the file that is named."""
    if len(arguments) != 1:
        print("Usage: python -m table_controller.console.picture FILE.svg", file=sys.stderr)
        return WRONG_USAGE
    Path(arguments[0]).write_text(asyncio.run(picture()), encoding="utf-8")
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
