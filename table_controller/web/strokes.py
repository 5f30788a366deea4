"""What a console's page says to its server, one JSON array a message. Pure.

| message | says |
| --- | --- |
| `["typed", "3"]` | what was typed, or what the terminal answers: characters and escape sequences |
| `["size", 100, 30]` | how large the screen is: columns and rows |
| `["focus", true]` | whether the page has the keyboard |
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from table_controller.web.packets import focused, sized, typed

COLUMNS: Final = range(20, 401)
ROWS: Final = range(6, 201)
MOST_TYPED: Final = 1000
"""Nobody types more at once; a page says so of what is pasted."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One message as a packet for the console."""

    packet: bytes
    by_hand: bool
    """Whether somebody works there; a page that only lies open is not used."""


def stroke_in(text: str) -> Stroke | None:
    """What a message says; None where it is none."""
    try:
        match json.loads(text):
            case ["typed", str(said)] if 0 < len(said) <= MOST_TYPED:
                return Stroke(typed(said), by_hand=True)
            case ["size", int(columns), int(rows)] if is_size(columns, rows):
                return Stroke(sized(columns, rows), by_hand=False)
            case ["focus", bool(there)]:
                return Stroke(focused(there), by_hand=False)
    except (ValueError, RecursionError):  # no JSON, or half a character
        return None
    return None


def is_size(columns: int, rows: int) -> bool:
    """Whether a screen can have so many columns and rows."""
    return columns in COLUMNS and rows in ROWS


def size_in(columns: str, rows: str) -> tuple[int, int] | None:
    """A size as an address has it; None where it is none."""
    if not (columns.isascii() and columns.isdigit() and rows.isascii() and rows.isdigit()):
        return None
    if max(len(columns), len(rows)) > 4 or not is_size(int(columns), int(rows)):
        return None
    return int(columns), int(rows)
