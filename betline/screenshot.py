"""A picture of a terminal that a document can keep: the same whenever it is taken, and right in every viewer. Pure."""

from __future__ import annotations

import html
import re
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


def _pieces(text: re.Match[str]) -> str:
    before, x, middle, after, content = text.groups()
    pieces = []
    for piece in re.finditer(rf"[^{NBSP}]+(?:{NBSP}[^{NBSP}]+)*", html.unescape(content)):
        left, width = float(x) + piece.start() * CELL_PX, len(piece.group()) * CELL_PX
        words = html.escape(piece.group()).replace(NBSP, "&#160;")
        pieces.append(f'{before}x="{left:g}"{middle}textLength="{width:g}"{after}{words}</text>')
    return "".join(pieces)
