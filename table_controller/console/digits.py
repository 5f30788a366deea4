"""Large digits, three rows high, in the manner of a seven-segment display."""

from __future__ import annotations

HEIGHT = 3

_GLYPHS = {
    "0": ("┏━┓", "┃ ┃", "┗━┛"),
    "1": ("╺┓ ", " ┃ ", "╺┻╸"),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "3": ("╺━┓", "╺━┫", "╺━┛"),
    "4": ("╻ ╻", "┗━┫", "  ╹"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "6": ("┏━╸", "┣━┓", "┗━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
    "8": ("┏━┓", "┣━┫", "┗━┛"),
    "9": ("┏━┓", "┗━┫", "╺━┛"),
    ",": (" ", " ", ","),
    "—": ("   ", "╺━╸", "   "),
}


def large(text: str) -> tuple[str, str, str]:
    """The three rows of a text of digits, commas and dashes; raises KeyError for anything else."""
    top, middle, bottom = zip(*(_GLYPHS[char] for char in text), strict=True) if text else ((), (), ())
    return "".join(top), "".join(middle), "".join(bottom)


def large_width(text: str) -> int:
    """How many cells a text takes in large digits."""
    return len(large(text)[0])
