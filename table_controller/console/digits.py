"""Large digits in the manner of a seven-segment display: three rows high, or six."""

from __future__ import annotations

HEIGHT, DOUBLE_HEIGHT = 3, 6

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


# --- six rows high ---------------------------------------------------------------------------------------------------

_SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
    "8": "abcdefg", "9": "abfgcd", "—": "g",
}  # fmt: skip
_LEFT, _RIGHT, _ALL = range(2), range(4, 6), range(6)
_PLACES = {
    "a": (range(2), _ALL), "b": (range(6), _RIGHT), "c": (range(6, 12), _RIGHT), "d": (range(10, 12), _ALL),
    "e": (range(6, 12), _LEFT), "f": (range(6), _LEFT), "g": (range(5, 7), _ALL),
}  # fmt: skip
"""The half rows and the columns that each segment fills, of twelve half rows and six columns."""
_COMMA = ("  ", "  ", "  ", "  ", "▄▄", "▄▀")


def double(text: str) -> tuple[str, ...]:
    """The six rows of a text of digits, commas and dashes; raises KeyError for anything else."""
    glyphs = [_COMMA if char == "," else _glyph(_SEGMENTS[char]) for char in text]
    return tuple(" ".join(rows) for rows in zip(*glyphs, strict=True)) if glyphs else ("",) * DOUBLE_HEIGHT


def _glyph(segments: str) -> tuple[str, ...]:
    filled = {(row, column) for one in segments for row in _PLACES[one][0] for column in _PLACES[one][1]}

    def cell(row: int, column: int) -> str:
        upper, lower = (2 * row, column) in filled, (2 * row + 1, column) in filled
        return "█" if upper and lower else "▀" if upper else "▄" if lower else " "

    return tuple("".join(cell(row, column) for column in _ALL) for row in range(DOUBLE_HEIGHT))
