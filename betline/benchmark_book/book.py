"""The book as a value, to and from its JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from betline.bench import Figure
from betline.options import UserError

VERSION: Final = 1
MOST_MS: Final = 1e9


@dataclass(frozen=True, slots=True)
class Chapter:
    """One suite: the JSON of each run, the lines of the last one, and what they say about how much was measured.

    ``yardstick_ms`` are times of the same piece of work before and after it: how fast the machine was.
    """

    commit: str
    runs: tuple[Mapping[str, Any], ...]
    figures: tuple[Figure, ...]
    measured: tuple[str, ...]
    took_s: float
    yardstick_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """All that was measured on one day: date (YYYY-MM-DD), machine and versions as people would name them.

    ``left_out`` says of suites that could not measure why.
    """

    date: str
    machine: Mapping[str, str]
    versions: Mapping[str, str]
    chapters: Mapping[str, Chapter]
    left_out: Mapping[str, str] = field(default_factory=dict)


def to_json(book: Book) -> str:
    """The book's file."""
    return json.dumps({"benchmark_book": VERSION, **asdict(book)}, indent=1) + "\n"


def read(path: Path) -> Book:
    """A book from its file; raises UserError with a sentence."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}); name a book's JSON file.") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise UserError(f"{path} is no JSON ({error}); name a book's JSON file.") from None
    if not isinstance(data, dict) or data.pop("benchmark_book", None) != VERSION:
        raise UserError(f"{path} is no benchmark book of version {VERSION}: make one with betline bench --book.")
    try:
        chapters = {
            name: Chapter(
                one["commit"],
                _runs(one["runs"]),
                tuple(Figure(**figure) for figure in one["figures"]),
                tuple(one["measured"]),
                float(one["took_s"]),
                _times(one["yardstick_ms"]),
            )
            for name, one in data.pop("chapters").items()
        }
        return Book(**data, chapters=chapters)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        why = f"a part missing ({error})" if isinstance(error, KeyError) else f"a part that cannot be used ({error})"
        raise UserError(f"{path} is a benchmark book with {why}: make it again.") from None


def _runs(found: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(found, list) or not found or not all(isinstance(one, dict) for one in found):
        raise ValueError("runs: a list of one object or more")
    return tuple(found)


def _times(found: object) -> tuple[float, ...]:
    """Times of the yardstick, by which others are divided."""
    if not isinstance(found, list) or not all(type(one) in (int, float) and 0 < one < MOST_MS for one in found):
        raise ValueError("yardstick_ms: a list of times above 0")
    return tuple(found)
