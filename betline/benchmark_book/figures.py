"""The numbers in a suite's JSON one by one, and which way each is better, by the words and units in its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, Final

Path = tuple[str, ...]


class Better(Enum):
    """Which way a figure is better; a count of what was measured has none."""

    LOWER = "lower"
    HIGHER = "higher"


_HIGHER: Final = ("*_per_s", "ratio", "*_ratio", "precision", "recall", "decode_to_line_rate", "raised", "carried")
_LOWER: Final = (
    "ms", "us", "*_ms", "*_us", "ms_*", "us_*", "*_ms_*", "*_us_*", "*_mb", "*_kb", "*_mb_*", "bytes_per_*",
    "*core_share*", "*_per_hour", "wrong", "asked", "inferred_wrong", "lost", "twice", "unequal", "stalls", "unruled",
    "keys",
)  # fmt: skip


def numbers(found: object, path: Path = ()) -> Iterator[tuple[Path, float]]:
    """Every number with the keys that lead to it, in the order of the JSON; lists and what is not finite are passed
    over.
    """
    if isinstance(found, Mapping):
        for key, value in found.items():
            yield from numbers(value, (*path, str(key)))
    elif isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found) <= sys.float_info.max:
        yield path, float(found)


def better(path: Path) -> Better | None:
    """Which way it is better, by the last key that says so; None where none does."""
    for key in reversed(path):
        if any(fnmatchcase(key, pattern) for pattern in _HIGHER):
            return Better.HIGHER
        if any(fnmatchcase(key, pattern) for pattern in _LOWER):
            return Better.LOWER
    return None


def curve(found: Mapping[str, Any], path: Path) -> tuple[tuple[float, float], ...]:
    """The points of a mapping from number to number that lies there; none where there is no such mapping."""
    place: Any = found
    for key in path:
        place = place.get(key) if isinstance(place, Mapping) else None
    if not isinstance(place, Mapping):
        return ()
    points = [(_number(x), y) for x, y in place.items() if isinstance(y, (int, float)) and not isinstance(y, bool)]
    return tuple(sorted((x, float(y)) for x, y in points if x is not None))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
