"""A picture of a terminal that a document can keep: the same whenever it is taken, and right in every viewer."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

CELL_PX: Final = 12.2
"""Textual draws a cell of its pictures so wide."""
NBSP: Final = "\u00a0"
_TEXT = re.compile(r'(<text [^>]*?)x="([\d.]+)"([^>]*?)textLength="[\d.]+"([^>]*>)([^<]*)</text>')
_NUMBER = re.compile(r"terminal-\d+-")  # by chance, and another one in each picture


def as_document(svg: str) -> str:
    """Textual's picture without what chance put into it, each piece of a text at its own place.

    Some viewers drop no-break spaces, and the digits fall over.
    """
    return _TEXT.sub(_pieces, _NUMBER.sub("terminal-", svg))


def write_pictures(
    arguments: list[str], module: str, usual: Callable[[], str], others: Mapping[str, Callable[[], str]]
) -> bool:
    """Writes the usual picture to the file that is named, or the others into the folder and the usual one beside it.

    Without one argument it says how it is used; False then.
    """
    if len(arguments) != 1:
        print(f"Usage: python -m {module} FILE.svg|FOLDER", file=sys.stderr)
        return False
    where = Path(arguments[0])
    if where.suffix != ".svg":
        where.mkdir(parents=True, exist_ok=True)
        for name, other in others.items():
            (where / f"{name}.svg").write_text(other(), encoding="utf-8")
    where.with_suffix(".svg").write_text(usual(), encoding="utf-8")
    return True


def _pieces(text: re.Match[str]) -> str:
    before, x, middle, after, content = text.groups()
    pieces = []
    for piece in re.finditer(rf"[^{NBSP}]+(?:{NBSP}[^{NBSP}]+)*", html.unescape(content)):
        left, width = float(x) + piece.start() * CELL_PX, len(piece.group()) * CELL_PX
        words = html.escape(piece.group()).replace(NBSP, "&#160;")
        pieces.append(f'{before}x="{left:g}"{middle}textLength="{width:g}"{after}{words}</text>')
    return "".join(pieces)
